/*
 * One page of HTML for a study, with everything in it: pictures, tables, what was run and how to repeat it. It takes
 * nothing from elsewhere, has no scripts, and follows the reader's choice of light or dark.
 *
 *   struct html_page p;
 *   page_begin(&p, study);
 *   page_figure(&p, figure, &grid, svg);      // svg: text of the picture, or NULL
 *   page_table(&p, table->title, &sheet, &grid);
 *   page_runs(&p, database, &points);
 *   page_repeat(&p, study_path, database_path, folder);
 *   page_add(&p, &files);
 *   page_release(&p);
 */
#ifndef ROMARK_STUDY_REPORT_PAGE_H
#define ROMARK_STUDY_REPORT_PAGE_H

#include "study/report/files.h"
#include "study/report/grid.h"
#include "study/report/sheet.h"
#include "study/results.h"

#include "common/strbuf.h"

struct html_page {
	const struct study *study;
	struct strbuf text;
	size_t pictures;
};

void page_begin(struct html_page *p, const struct study *s);
void page_figure(struct html_page *p, const struct study_figure *figure, const struct grid *g, const char *svg);
void page_table(struct html_page *p, const char *title, const struct sheet *sheet, const struct grid *g);
/* Only the points of the present study file. */
void page_runs(struct html_page *p, struct database *db, const struct results_points *points);
void page_repeat(struct html_page *p, const char *study_path, const char *database_path, const char *folder);
/* Hands the page over, as index.html. */
void page_add(struct html_page *p, struct report_files *files);
void page_release(struct html_page *p);

#endif
