/* --help, in the forms in which people, manuals and completion read the rows. */
#include "common/options.h"

#include "common/manual.h"

#include <string.h>

static struct {
	enum options_form form;
	FILE *out; /* NULL: stdout */
} help;

void options_help_as(enum options_form form, FILE *out)
{
	help.form = form;
	help.out = out;
}

/* "-j, --json=FILE" */
static const char *row_words(const struct option_row *row, const char *no_letter, char *text, size_t size)
{
	char letter[] = {'-', row->letter, ',', ' ', 0};

	snprintf(text, size, "%s--%s%s%s", row->letter ? letter : no_letter, row->name, row->placeholder ? "=" : "",
		 row->placeholder ? row->placeholder : "");
	return text;
}

static const char help_words[] = "-h, --help", help_of_help[] = "this text";
enum { LONGEST_WORDS = 128 };

/* --- Text --- */

static void print_line(FILE *out, const char *words, const char *text)
{
	fprintf(out, "  %-36s %s\n", words, text);
}

static void print_text(const struct usage *usage, const struct option_words *more, FILE *out)
{
	char words[LONGEST_WORDS];

	fprintf(out, "usage: romark %s [options]%s%s\n\n%s\n\noptions:\n", usage->command, *usage->operands ? " " : "",
		usage->operands, usage->summary);
	for (const struct option_row *row = usage->rows; row && row->name; row++)
		print_line(out, row_words(row, "    ", words, sizeof words), row->help);
	for (const struct option_text *text = more ? more->texts : NULL; text && text->words; text++)
		print_line(out, text->words, text->help);
	print_line(out, help_words, help_of_help);
	if (usage->epilogue)
		fprintf(out, "\n%s\n", usage->epilogue);
}

/* --- Manual --- */

static void print_manual(const struct usage *usage, const struct option_words *more, FILE *out)
{
	char words[LONGEST_WORDS], synopsis[256];

	manual_section(out, "SYNOPSIS");
	snprintf(synopsis, sizeof synopsis, "romark %s [options] %s", usage->command, usage->operands);
	manual_lines(out, synopsis);
	manual_section(out, "DESCRIPTION");
	manual_text(out, usage->summary);
	manual_section(out, "OPTIONS");
	for (const struct option_row *row = usage->rows; row && row->name; row++)
		manual_item(out, row_words(row, "", words, sizeof words), row->help);
	for (const struct option_text *text = more ? more->texts : NULL; text && text->words; text++)
		manual_item(out, text->words, text->help);
	manual_item(out, help_words, help_of_help);
	if (usage->epilogue) {
		manual_section(out, "NOTES");
		manual_lines(out, usage->epilogue);
	}
}

/* --- Table --- */

static void print_row(FILE *out, const struct option_row *row)
{
	const char *value = row->placeholder ? row->placeholder : "";

	fprintf(out, "--%s\t%s\t%s\n", row->name, value, row->help);
	if (row->letter)
		fprintf(out, "-%c\t%s\t%s\n", row->letter, value, row->help);
}

/* "--load=" takes a value behind the sign. */
static void print_spelling(FILE *out, const char *spelling)
{
	size_t length = strcspn(spelling, "=");

	fprintf(out, "%.*s\t%s\t\n", (int)length, spelling, spelling[length] ? "VALUE" : "");
}

/* "-o FILE, -c": a row for each word with a dash; a word without one behind it is its value. */
static void print_words(FILE *out, const struct option_text *text)
{
	for (const char *at = text->words; *at;) {
		size_t length = strcspn(at, "=, ");
		const char *value = at + length + (at[length] && at[length] != ',');
		size_t width = *value == '-' || *value == ',' ? 0 : strcspn(value, ", ");

		if (*at == '-')
			fprintf(out, "%.*s\t%.*s\t%s\n", (int)length, at, (int)width, value, text->help);
		at += length;
		at += strspn(at, "=, ");
	}
}

static void print_table(const struct usage *usage, const struct option_words *more, FILE *out)
{
	fprintf(out, "operands\t%s\n", usage->operands);
	for (const struct option_row *row = usage->rows; row && row->name; row++)
		print_row(out, row);
	for (const struct option_text *text = more ? more->texts : NULL; text && text->words; text++)
		print_words(out, text);
	for (const char *const *spelling = more ? more->spellings : NULL; spelling && *spelling; spelling++)
		print_spelling(out, *spelling);
	fprintf(out, "--help\t\t%s\n", help_of_help);
}

void options_help(const struct usage *usage, FILE *out)
{
	print_text(usage, NULL, out);
}

void options_help_print(const struct usage *usage, const struct option_words *words)
{
	FILE *out = help.out ? help.out : stdout;

	switch (help.form) {
	case OPTIONS_TEXT: print_text(usage, words, out); break;
	case OPTIONS_MANUAL: print_manual(usage, words, out); break;
	case OPTIONS_TABLE: print_table(usage, words, out); break;
	}
}
