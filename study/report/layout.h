/*
 * A grid as a table of texts, for people.
 *
 *   struct sheet t = SHEET_INIT;
 *   layout_cells(&t, &grid, study, &table->formats, LAYOUT_PLAIN);
 *   layout_references(&t, &grid);                 // another sheet: papers' values beside ours
 */
#ifndef ROMARK_STUDY_REPORT_LAYOUT_H
#define ROMARK_STUDY_REPORT_LAYOUT_H

#include "study/report/grid.h"
#include "study/report/sheet.h"

enum layout_style {
	LAYOUT_PLAIN, /* a number, or nothing */
	LAYOUT_FULL,  /* also the deviation, and in words why a number is missing */
};

/* Each format takes one number; there is one for all values, or one for each. */
void layout_cells(struct sheet *t, struct grid *g, const struct study *s, const study_texts *formats,
		  enum layout_style style);
/* The tables of `measured`; without rows if the study has none. */
void layout_measured(struct sheet *t, const struct study *s);
/* Without rows if the grid has none. */
void layout_references(struct sheet *t, const struct grid *g);

#endif
