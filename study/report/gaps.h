/*
 * The points of a study that have no numbers, as a table in which points that differ in one dimension share a row:
 * policy "shared, private", seed "1, 2, 3" are six points.
 *
 *   struct sheet t = SHEET_INIT;
 *   gaps_lay_out(&t, study, database);     // no rows: all points are done
 */
#ifndef ROMARK_STUDY_REPORT_GAPS_H
#define ROMARK_STUDY_REPORT_GAPS_H

#include "study/database/database.h"
#include "study/report/sheet.h"
#include "study/study.h"

/* Columns are the dimensions that have several values, the number of points, and what became of them. */
void gaps_lay_out(struct sheet *t, struct study *s, struct database *db);

#endif
