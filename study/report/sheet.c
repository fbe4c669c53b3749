/* One function for each format; the cells are texts already. */
#include "study/report/sheet.h"

#include "common/c_locale.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void sheet_column(struct sheet *t, const char *name, enum sheet_kind kind)
{
	vec_push(&t->columns, (struct sheet_column){arena_strdup(&t->arena, name), kind});
}

void sheet_add(struct sheet *t, const char *text)
{
	vec_push(&t->cells, text ? arena_strdup(&t->arena, text) : NULL);
}

void sheet_addf(struct sheet *t, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(text, sizeof text, format, args);
	va_end(args);
	sheet_add(t, text);
}

void sheet_add_number(struct sheet *t, double value)
{
	char text[64];

	if (!isfinite(value)) {
		sheet_add(t, NULL);
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		c_snprintf(text, sizeof text, "%.*g", digits, value);
		if (c_strtod(text, NULL) == value)
			break;
	}
	if (fabs(value) < 1e15 && value == floor(value))
		c_snprintf(text, sizeof text, "%.0f", value);
	sheet_add(t, text);
}

size_t sheet_rows(const struct sheet *t)
{
	return t->columns.len ? t->cells.len / t->columns.len : 0;
}

const char *sheet_cell(const struct sheet *t, size_t row, size_t column)
{
	return t->cells.data[row * t->columns.len + column];
}

void sheet_release(struct sheet *t)
{
	vec_release(&t->columns);
	vec_release(&t->cells);
	arena_release(&t->arena);
}

/* --- For people --- */

/* Characters, not bytes. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void pad(size_t count, FILE *out)
{
	while (count--)
		fputc(' ', out);
}

static void put_padded(const char *text, enum sheet_kind kind, size_t width, bool last, FILE *out)
{
	size_t own = width_of(text);

	if (kind == SHEET_NUMBER)
		pad(width - own, out);
	fputs(text, out);
	if (kind == SHEET_TEXT && !last)
		pad(width - own, out);
}

static void print_text(const struct sheet *t, FILE *out)
{
	size_t columns = t->columns.len, rows = sheet_rows(t), *widths = xcalloc(columns + 1, sizeof *widths);

	for (size_t c = 0; c < columns; c++) {
		widths[c] = width_of(t->columns.data[c].name);
		widths[c] += !widths[c]; /* for "-" */
		for (size_t r = 0; r < rows; r++) {
			const char *cell = sheet_cell(t, r, c);

			if (cell && width_of(cell) > widths[c])
				widths[c] = width_of(cell);
		}
	}
	for (size_t r = 0; r <= rows; r++)
		for (size_t c = 0; c < columns; c++) {
			const char *cell = r ? sheet_cell(t, r - 1, c) : t->columns.data[c].name;

			put_padded(cell ? cell : "-", t->columns.data[c].kind, widths[c], c + 1 == columns, out);
			fputs(c + 1 == columns ? "\n" : "  ", out);
		}
	xfree(widths);
}

/* --- For documents and programs --- */

/* A spreadsheet takes it for a formula, which may do more than compute. */
static bool is_formula(const char *text)
{
	return *text && strchr("=+-@\t\r", *text);
}

static void put_csv(const char *text, enum sheet_kind kind, FILE *out)
{
	const char *before = kind == SHEET_TEXT && is_formula(text) ? "'" : "";

	if (!text[strcspn(text, ",\"\r\n")]) {
		fprintf(out, "%s%s", before, text);
		return;
	}
	fprintf(out, "\"%s", before);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
	fputc('"', out);
}

static void print_csv(const struct sheet *t, FILE *out)
{
	for (size_t r = 0; r <= sheet_rows(t); r++)
		for (size_t c = 0; c < t->columns.len; c++) {
			const char *cell = r ? sheet_cell(t, r - 1, c) : t->columns.data[c].name;

			put_csv(cell ? cell : "", r ? t->columns.data[c].kind : SHEET_TEXT, out);
			fputs(c + 1 == t->columns.len ? "\n" : ",", out);
		}
}

/* Escapes characters, so that a name such as `foo<int*>` becomes neither a tag nor emphasis. */
void sheet_put_markdown(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("|*_<`\\[]&~$#!", *text))
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
}

static void print_markdown(const struct sheet *t, FILE *out)
{
	for (size_t r = 0; r <= sheet_rows(t); r++) {
		for (size_t c = 0; c < t->columns.len; c++) {
			const char *cell = r ? sheet_cell(t, r - 1, c) : t->columns.data[c].name;

			fputs("| ", out);
			sheet_put_markdown(cell ? cell : "", out);
			fputc(' ', out);
		}
		fputs("|\n", out);
		for (size_t c = 0; !r && c < t->columns.len; c++)
			fputs(t->columns.data[c].kind == SHEET_NUMBER ? "|---:" : "|---", out);
		fputs(r ? "" : "|\n", out);
	}
}

static void put_json(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void print_json(const struct sheet *t, FILE *out)
{
	size_t rows = sheet_rows(t);

	fputs("[", out);
	for (size_t r = 0; r < rows; r++) {
		fputs(r ? ",\n {" : "\n {", out);
		for (size_t c = 0; c < t->columns.len; c++) {
			const char *cell = sheet_cell(t, r, c);

			fputs(c ? ", " : "", out);
			put_json(t->columns.data[c].name, out);
			fputs(": ", out);
			if (!cell)
				fputs("null", out);
			else if (t->columns.data[c].kind == SHEET_NUMBER)
				fputs(cell, out);
			else
				put_json(cell, out);
		}
		fputs("}", out);
	}
	fputs(rows ? "\n]\n" : "]\n", out);
}

void sheet_print(const struct sheet *t, enum sheet_format format, FILE *out)
{
	static void (*const print[])(const struct sheet *, FILE *) = {
	    [SHEET_AS_TEXT] = print_text,
	    [SHEET_AS_CSV] = print_csv,
	    [SHEET_AS_MARKDOWN] = print_markdown,
	    [SHEET_AS_JSON] = print_json,
	};

	print[format](t, out);
}
