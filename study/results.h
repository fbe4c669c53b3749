/*
 * A study's results, for those who read them: the points in a database as a frame for expressions.
 *
 *   struct database *db = database_open("example.sqlite", DATABASE_READ, &diag);
 *   struct frame *f = frame_of(db, study, &diag);
 *   ... expression_compute(e, f, &at, &outcome, &diag) ...
 *   frame_free(f);
 */
#ifndef ROMARK_STUDY_RESULTS_H
#define ROMARK_STUDY_RESULTS_H

#include "study/database/database.h"
#include "study/expression/expression.h"
#include "study/expression/frame.h"

/* Points that the study has and that are entered, in the study's order. Ends before the database and the study. */
struct frame *frame_of(struct database *db, struct study *s, struct diag *d);

#endif
