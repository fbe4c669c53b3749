/* Manual pages: plain text with troff's own characters taken care of. */
#include "common/manual.h"

#include "common/ascii.h"

#include <string.h>

/* A dot or quote at the start of a line would be a request, a backslash is an escape, a plain hyphen may be printed as
 * another sign. */
static void write_text(FILE *out, const char *text)
{
	bool starts_line = true;

	for (const char *at = text; *at; at++) {
		if (starts_line && (*at == '.' || *at == '\''))
			fputs("\\&", out);
		if (*at == '\\')
			fputs("\\e", out);
		else if (*at == '-')
			fputs("\\-", out);
		else if (*at == '\'')
			fputs("\\(aq", out);
		else
			fputc(*at, out);
		starts_line = *at == '\n';
	}
}

static void write_capitals(FILE *out, const char *text)
{
	for (const char *at = text; *at; at++)
		if (*at == '-')
			fputs("\\-", out);
		else
			fputc(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at, out);
}

void manual_title(FILE *out, const char *name, const char *summary, const char *version)
{
	fputs(".TH ", out);
	write_capitals(out, name);
	fprintf(out, " 1 \"\" \"romark %s\" \"romark\"\n.SH NAME\n", version);
	write_text(out, name);
	fputs(" \\- ", out);
	write_text(out, summary);
	fputc('\n', out);
}

void manual_section(FILE *out, const char *title)
{
	fprintf(out, ".SH %s\n", title);
}

void manual_text(FILE *out, const char *text)
{
	fputs(".PP\n", out);
	write_text(out, text);
	fputc('\n', out);
}

void manual_lines(FILE *out, const char *text)
{
	fputs(".PP\n.nf\n", out);
	write_text(out, text);
	fputs("\n.fi\n", out);
}

void manual_item(FILE *out, const char *what, const char *text)
{
	fputs(".TP\n\\fB", out);
	write_text(out, what);
	fputs("\\fR\n", out);
	write_text(out, text);
	fputc('\n', out);
}
