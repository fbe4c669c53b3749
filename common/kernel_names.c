/* Names are shown short: without types of results and parameters, and in a message without template arguments. */
#include "common/kernel_names.h"

#include "common/demangle.h"
#include "common/guess.h"
#include "common/strbuf.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 8 };

/* Steps over brackets of any kind. */
static int depth_change(char c)
{
	return c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
}

/* The start of the list of parameters at the name's end; the name's end if it has no list. */
static size_t parameters_of(const char *full)
{
	size_t end = strlen(full), at = end;
	int depth = 0;

	if (!end || full[end - 1] != ')')
		return end;
	do
		depth += depth_change(full[--at]);
	while (at > 0 && depth != 0);
	return at;
}

static char *title_of(const char *full)
{
	size_t end = parameters_of(full), start = end;
	int depth = 0;

	while (start > 0 && (full[start - 1] != ' ' || depth != 0))
		depth += depth_change(full[--start]);
	return end > start ? xstrndup(full + start, end - start) : xstrdup(full);
}

/* The start of the kernel's name in FUNCTION$KERNEL, a kernel's copy of a function; NULL for other names. */
static const char *kernel_of_copy(const char *name)
{
	for (const char *at = strchr(name, '$'); at && at > name; at = strchr(at + 1, '$')) {
		char *function = xstrndup(name, (size_t)(at - name)), *full = demangle(function);
		bool is_name = strcmp(function, full) != 0;

		xfree(function);
		xfree(full);
		if (is_name)
			return at + 1;
	}
	return NULL;
}

char *kernel_title(const char *name)
{
	char *full = demangle(name), *title, *front, *back;
	const char *kernel = strncmp(name, "_Z", 2) == 0 && strcmp(full, name) == 0 ? kernel_of_copy(name) : NULL;
	struct strbuf text = STRBUF_INIT;

	if (!kernel) {
		title = title_of(full);
		xfree(full);
		return title;
	}
	xfree(full);
	title = xstrndup(name, (size_t)(kernel - 1 - name));
	front = kernel_title(title);
	back = kernel_title(kernel);
	strbuf_addf(&text, "%s$%s", front, back);
	xfree(title);
	xfree(front);
	xfree(back);
	return strbuf_detach(&text);
}

struct short_title short_title(const char *name)
{
	char *title = kernel_title(name);
	struct short_title out;
	int length = snprintf(out.text, sizeof out.text, "%s", title);

	if ((size_t)length >= sizeof out.text)
		memcpy(out.text + sizeof out.text - 4, "...", 4);
	xfree(title);
	return out;
}

/* The last word in front of arguments of any kind; malloc'ed. */
static char *plain_of(const char *full)
{
	size_t end = strcspn(full, "<("), start = end;

	while (start > 0 && full[start - 1] != ' ' && full[start - 1] != ':')
		start--;
	return xstrndup(full + start, end - start);
}

static char *plain_name(const char *name)
{
	char *full = demangle(name), *plain = plain_of(full);

	xfree(full);
	return plain;
}

static bool finds(const regex_t *pattern, const char *text)
{
	return regexec(pattern, text, 0, NULL, 0) == 0;
}

bool kernel_matches(const regex_t *pattern, const char *name)
{
	char *full, *plain;
	bool found;

	if (finds(pattern, name))
		return true;
	full = demangle(name);
	plain = plain_of(full);
	found = finds(pattern, full) || finds(pattern, plain);
	xfree(plain);
	xfree(full);
	return found;
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
	if (*g.best)
		strbuf_adds(&out, guess_hint(&g).text);
	snprintf(text, size, "%s", out.len ? out.data : "");
	strbuf_release(&out);
}

void kernel_names_release(struct kernel_names *names)
{
	for (size_t i = 0; i < names->plain.len; i++)
		xfree(names->plain.data[i]);
	vec_release(&names->plain);
}
