/*
 * The runs of a study as a table: a row for each point, and a column for each counter, loaded at its first use.
 *
 *   struct frame *f = frame_create(study, &source);
 *   frame_add(f, values, run);                      // each point; `run` is the source's number for it
 *   for each combination of values: expression_compute(...)
 *   frame_free(f);
 *
 * frame_of (results.h) makes one from a database.
 */
#ifndef ROMARK_STUDY_EXPRESSION_FRAME_H
#define ROMARK_STUDY_EXPRESSION_FRAME_H

#include "study/study.h"

struct frame_source {
	void *arg;
	/* The counter of a run, or of one of its launches (-1: of the whole run); false: there is no such counter. */
	bool (*number)(void *arg, int64_t run, int64_t launch, const char *counter, double *value);
	/* How many launches a run has; 0: they were not kept. */
	int64_t (*launches)(void *arg, int64_t run);
};

struct frame_point {
	uint32_t value[DIM_COUNT]; /* index into the frame's names */
	int64_t run;
	bool done;
};

struct frame {
	struct study *study;
	struct frame_source source;
	struct arena arena;
	VEC(const char *) names[DIM_COUNT]; /* in the order of the points */
	VEC(struct frame_point) points;
	struct frame_column *columns; /* of whole runs */
	uint32_t *index;              /* of points by their values, from 1; NULL: not made yet, or too large */
	size_t indexed;               /* points when it was made */
};

/* The source is copied. */
struct frame *frame_create(struct study *s, const struct frame_source *source);
void frame_free(struct frame *f);
/* `done`: the run has numbers. */
void frame_add(struct frame *f, const char *const values[DIM_COUNT], int64_t run, bool done);
/* Index of a name, or UINT32_MAX. */
uint32_t frame_name(const struct frame *f, enum dimension dimension, const char *name);
/*
 * Finds the point with these values of all dimensions by the index: returns true, with SIZE_MAX when there is no point.
 * False: there is no index, so it is not known.
 */
bool frame_find(struct frame *f, const uint32_t value[DIM_COUNT], size_t *point);
/* A counter of a point; false when it has no such counter. */
bool frame_number(struct frame *f, size_t point, int64_t launch, const char *counter, double *value);
/* Whether the point's run was not simulated to the end: its totals then cover a part of the run. */
bool frame_is_cut(struct frame *f, size_t point);
/* Forgets all numbers, because the source gives other numbers from now on. */
void frame_forget(struct frame *f);

#endif
