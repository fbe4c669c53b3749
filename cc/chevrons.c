/* Reads a source once: "<< <" is no C++, so it is the start of a launch; the ">> >" that follows is its end. */
#include "cc/chevrons.h"

#include "cc/source_text.h"

#include <string.h>

/* Length of the three chevrons at `i` with the blanks between them, 4 for "<< <"; 0 without chevrons. */
static size_t chevrons_length(const char *t, size_t i)
{
	size_t at = i;

	for (int n = 0; n < 3; n++) {
		while (n && (t[at] == ' ' || t[at] == '\t'))
			at++;
		if (t[at++] != t[i])
			return 0;
	}
	return at - i;
}

/* "<< <" becomes "<<< ", of the same length. */
static void close_up(char *chevrons, size_t length)
{
	memset(chevrons, chevrons[0], 3);
	memset(chevrons + 3, ' ', length - 3);
}

bool cc_chevrons_rewrite(const char *text, struct strbuf *out)
{
	size_t start = out->len;
	bool changed = false, open = false;

	for (size_t i = 0; text[i];) {
		size_t next = cc_skip_text(text, i);
		bool may_be = next == i && (text[i] == '<' || (open && text[i] == '>'));
		size_t length = may_be ? chevrons_length(text, i) : 0;

		if (length)
			open = text[i] == '<';
		if (length > 3) {
			if (!changed)
				strbuf_adds(out, text);
			changed = true;
			close_up(out->data + start + i, length);
		}
		i = next > i ? next : i + (length ? length : 1);
	}
	return changed;
}
