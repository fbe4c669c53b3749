/*
 * A table of texts and numbers, printed for people, spreadsheets, documents or programs.
 *
 *   struct sheet t = SHEET_INIT;
 *   sheet_column(&t, "policy", SHEET_TEXT);
 *   sheet_column(&t, "cycles", SHEET_NUMBER);
 *   sheet_add(&t, "selrep");
 *   sheet_addf(&t, "%.0f", cycles);              // cells row by row; NULL: not known
 *   sheet_print(&t, SHEET_MARKDOWN, stdout);
 *   sheet_release(&t);
 */
#ifndef ROMARK_STUDY_REPORT_SHEET_H
#define ROMARK_STUDY_REPORT_SHEET_H

#include "common/arena.h"
#include "common/vec.h"

#include <stdbool.h>
#include <stdio.h>

enum sheet_kind { SHEET_TEXT, SHEET_NUMBER };
enum sheet_format { SHEET_AS_TEXT, SHEET_AS_CSV, SHEET_AS_MARKDOWN, SHEET_AS_JSON };
/* For OPT_CHOICE, in the order of enum sheet_format. */
#define SHEET_FORMATS "text|csv|markdown|json"

struct sheet_column {
	const char *name;
	enum sheet_kind kind;
};

struct sheet {
	struct arena arena;
	VEC(struct sheet_column) columns;
	VEC(const char *) cells;
};

#define SHEET_INIT {.arena = ARENA_INIT}

void sheet_column(struct sheet *t, const char *name, enum sheet_kind kind);
void sheet_add(struct sheet *t, const char *text);
void sheet_addf(struct sheet *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As short as it can be, and the same number again when it is read. */
void sheet_add_number(struct sheet *t, double value);
size_t sheet_rows(const struct sheet *t);
/* NULL if not known. */
const char *sheet_cell(const struct sheet *t, size_t row, size_t column);
void sheet_print(const struct sheet *t, enum sheet_format format, FILE *out);
/* A text of a Markdown document, in which nothing is formatted. */
void sheet_put_markdown(const char *text, FILE *out);
void sheet_release(struct sheet *t);

#endif
