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

/* Points that the study has and that are entered, in the study's order. Free it before the database and the study. */
struct frame *frame_of(struct database *db, struct study *s, struct diag *d);

/* The points that a study has now, as JSON, for statements that contain RESULTS_POINTS. */
struct results_points {
	char *json;
	size_t count;
};

struct results_points results_points(struct study *s);
void results_points_release(struct results_points *points);

/*
 * A table `p` in a statement: the rows of `points` for the study's points that are entered. The first two values of the
 * statement are then the points' JSON and the study's name.
 */
#define RESULTS_POINTS                                                                                                 \
	"json_each(?) j JOIN points p ON p.study = (SELECT id FROM studies WHERE name = ?)"                            \
	" AND p.program = json_extract(j.value, '$[0]') AND p.size = json_extract(j.value, '$[1]')"                    \
	" AND p.gpu = json_extract(j.value, '$[2]') AND p.variant = json_extract(j.value, '$[3]')"                     \
	" AND p.policy = json_extract(j.value, '$[4]') AND p.seed = json_extract(j.value, '$[5]')"

#endif
