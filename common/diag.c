/* One error, its place and its source line, kept apart from printing so that libraries stay silent. */
#include "common/diag.h"

#include "common/c_locale.h"
#include "common/fatal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * Replaces control characters in a quoted line or a name: the bytes of a binary file must not move the cursor or
 * recolour the terminal.
 */
static void blank_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void fill(struct diag *d, const char *file, unsigned line, unsigned column, const char *format, va_list args)
{
	if (!d || diag_is_set(d))
		return;
	snprintf(d->file, sizeof d->file, "%s", file ? file : "");
	blank_controls(d->file);
	d->line = line;
	d->column = column;
	c_vsnprintf(d->message, sizeof d->message, format, args);
	blank_controls(d->message);
}

int diag_set(struct diag *d, const char *file, unsigned line, unsigned column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(d, file, line, column, format, args);
	va_end(args);
	return DIAG_ERROR;
}

int diag_file(struct diag *d, const char *file, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(d, file, 0, 0, format, args);
	va_end(args);
	return DIAG_ERROR;
}

void diag_excerpt(struct diag *d, const char *text, size_t len, size_t at)
{
	size_t start = at, end = at, width;

	if (!d || d->excerpt[0])
		return;
	while (start > 0 && text[start - 1] != '\n' && at - start < sizeof d->excerpt / 2)
		start--;
	while (end < len && text[end] != '\n' && text[end] != '\r')
		end++;
	width = end - start;
	if (width >= sizeof d->excerpt)
		width = sizeof d->excerpt - 1;
	for (size_t i = 0; i < width; i++) {
		unsigned char c = (unsigned char)text[start + i];

		d->excerpt[i] = c < ' ' || c == 0x7f ? ' ' : (char)c;
	}
	d->excerpt[width] = '\0';
	d->caret = (unsigned)(at - start);
}

int diag_is_set(const struct diag *d)
{
	return d->message[0] != '\0';
}

void diag_print(const struct diag *d, FILE *out)
{
	fputs("romark: ", out);
	if (d->file[0])
		fprintf(out, "%s:", d->file);
	if (d->line)
		fprintf(out, "%u:", d->line);
	if (d->line && d->column)
		fprintf(out, "%u:", d->column);
	fprintf(out, "%s%s\n", d->file[0] ? " " : "", d->message);
	if (d->excerpt[0])
		fprintf(out, "    %s\n    %*s^\n", d->excerpt, (int)d->caret, "");
}

_Thread_local void (*fatal_hook)(const char *message);

void bug_at(const char *file, int line, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (fatal_hook) {
		char message[768];

		c_snprintf(message, sizeof message, "internal error of romark at %s:%d: %s", file, line, what);
		fatal_hook(message);
	}
	fprintf(stderr, "romark: internal error at %s:%d: %s\n", file, line, what);
	abort();
}
