/* Names are shown short: of "void ns::scale<float>(float *)" the word scale. */
#include "common/kernel_names.h"

#include "common/demangle.h"
#include "common/guess.h"
#include "common/strbuf.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 8 };

/* The last word in front of arguments of any kind; malloc'ed. */
static char *plain_name(const char *name)
{
	char *full = demangle(name), *plain;
	size_t end = strcspn(full, "<("), start = end;

	while (start > 0 && full[start - 1] != ' ' && full[start - 1] != ':')
		start--;
	plain = xstrndup(full + start, end - start);
	xfree(full);
	return plain;
}

void kernel_names_add(struct kernel_names *names, const char *name)
{
	char *plain = plain_name(name);

	for (size_t i = 0; i < names->plain.len; i++)
		if (strcmp(names->plain.data[i], plain) == 0) {
			xfree(plain);
			return;
		}
	vec_push(&names->plain, plain);
}

void kernel_names_hint(const struct kernel_names *names, const char *pattern, char *text, size_t size)
{
	size_t count = names->plain.len, shown = count > MOST_SHOWN + 1 ? MOST_SHOWN : count;
	struct guess g = guess_start(pattern, strlen(pattern));
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		guess_try(&g, names->plain.data[i]);
		if (i < shown)
			strbuf_addf(&out, "%s%s",
				    i == 0           ? "; there is "
				    : i + 1 == count ? " and "
						     : ", ",
				    names->plain.data[i]);
	}
	if (shown < count)
		strbuf_addf(&out, " and %zu more", count - shown);
	if (g.best)
		strbuf_addf(&out, "; did you mean '%s'?", g.best);
	snprintf(text, size, "%s", out.len ? out.data : "");
	strbuf_release(&out);
}

void kernel_names_release(struct kernel_names *names)
{
	for (size_t i = 0; i < names->plain.len; i++)
		xfree(names->plain.data[i]);
	vec_release(&names->plain);
}
