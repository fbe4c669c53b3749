/*
 * A study's results as one page of Markdown: the origin of the numbers, the tables, the figures' numbers, papers'
 * values beside ours, and the study's inputs. The same results make the same bytes.
 *
 *   struct markdown m;
 *   markdown_begin(&m, study, database, &names);
 *   markdown_table(&m, table->title, &table->formats, &grid);     // in the order of the page
 *   markdown_figure(&m, figure->title, &grid);                    // behind all tables
 *   if (markdown_end(&m, &diag) == 0) ... m.text, m.size ...
 *   markdown_release(&m);
 *
 * page_check.h compares such a page with the study as it is now.
 */
#ifndef ROMARK_STUDY_REPORT_MARKDOWN_H
#define ROMARK_STUDY_REPORT_MARKDOWN_H

#include "study/report/grid.h"
#include "study/report/inputs.h"

#include <stdio.h>

/* Paths as the commands that make the page have them. */
struct markdown_names {
	const char *study, *results, *page;
};

struct markdown {
	struct study *study;
	struct database *db;
	struct markdown_names names;
	FILE *stream, *figures; /* of the text; of the figures' part, which comes after the tables */
	char *text, *figure_text;
	size_t size, figure_size;
};

/* The heading above the rows of the inputs. */
#define MARKDOWN_INPUTS "## What the study is made of"

void markdown_begin(struct markdown *m, struct study *s, struct database *db, const struct markdown_names *names);
/* `format` takes one number. */
void markdown_table(struct markdown *m, const char *title, const study_texts *formats, struct grid *g);
/* A figure's numbers. */
void markdown_figure(struct markdown *m, const char *title, struct grid *g);
/* The text is complete; nothing is added to it behind this. */
int markdown_end(struct markdown *m, struct diag *d);
void markdown_release(struct markdown *m);
/* The row of an input, without the end of its line. */
void markdown_input_row(const struct study_input *input, FILE *out);

#endif
