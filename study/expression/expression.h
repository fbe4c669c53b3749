/*
 * Expressions of a study: conditions on the dimensions of a run, and values that are computed from counters of runs.
 *
 *   policy = selrep and seed < 3                 which runs
 *   base(cycles) / cycles                        against the run that differs in the baseline's dimensions alone
 *   max(speedup over policy in fixed)            the best of a set
 *   geomean(speedup over program, size)
 *   sum(min(cycles over policy in fixed) over launch)      the best fixed policy, chosen kernel by kernel
 *   cycles[policy = shared]                      a value elsewhere
 *
 * A run that was cut has rates, such as IPC, and ratios of its own totals. Other values that contain its totals, such
 * as a speedup in cycles, are not known.
 *
 * A value is computed at a place: some dimensions have a value there, and the others are free. A counter needs a place
 * where one run is left; aggregates such as mean() go through the values of the dimensions after `over`, or else of all
 * free dimensions.
 *
 *   struct expression *e = expression_parse(study, &text, EXPRESSION_VALUE, &diag);  // lives as long as the study
 *   if (expression_compute(e, frame, &at, &outcome, &diag) < 0) ...
 */
#ifndef ROMARK_STUDY_EXPRESSION_EXPRESSION_H
#define ROMARK_STUDY_EXPRESSION_EXPRESSION_H

#include "study/study.h"

struct expression;
struct frame;

enum expression_kind {
	EXPRESSION_CONDITION, /* of dimensions alone */
	EXPRESSION_VALUE,
	EXPRESSION_PART, /* a value of parts of runs, whose counters are only known from results */
	EXPRESSION_KINDS,
};

/*
 * Returns NULL, with line and column, when the text is no expression. A place with line 0: the text is no part of the
 * study's file.
 */
struct expression *expression_parse(struct study *s, const struct study_text *text, enum expression_kind kind,
				    struct diag *d);

/* Whether the condition holds for a run with these values of the dimensions. */
bool expression_holds(const struct expression *e, const char *const values[DIM_COUNT]);

struct outcome {
	double value;
	bool known;     /* false: a run that it needs is not done, or has no such counter */
	size_t missing; /* values that an aggregate had to do without */
	size_t cut;     /* values that are not known since a run was not simulated to its end */
	size_t absent;  /* of runs that are done, counters that their policies do not have */
};

/* DIAG_ERROR when the expression has no single value at this place, such as a counter of several runs. */
int expression_compute(const struct expression *e, struct frame *f, const struct study_at *at, struct outcome *outcome,
		       struct diag *d);

/* Computes the mean of this name of `count` numbers; false when no mean has this name. Geometric means need numbers >
 * 0.
 */
bool aggregate(const char *name, const double *numbers, size_t count, double *value);

/* All expressions of a study file: values, figures, tables, references, and `where`. */
int expressions_check(struct study *s, struct diag *d);

#endif
