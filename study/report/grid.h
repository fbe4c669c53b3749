/*
 * The numbers of a figure or table, as rows and columns, whatever draws them afterwards.
 *
 *   struct grid g;
 *   struct grid_request request = grid_of_figure(figure);
 *   if (grid_build(&g, frame, database, &request, &diag) < 0) ...
 *   for each row and column: grid_at(&g, row, column)->value ...
 *   grid_release(&g);
 *
 * A row is a combination of values of the request's dimensions that some run has, in the study's order. Rows and
 * columns may also go through parts of runs (run_parts.h). Texts live as long as the grid and the study.
 */
#ifndef ROMARK_STUDY_REPORT_GRID_H
#define ROMARK_STUDY_REPORT_GRID_H

#include "study/database/database.h"
#include "study/expression/frame.h"
#include "study/report/run_parts.h"

#include "common/arena.h"

/* Names are names of dimensions and of kinds of parts. */
struct grid_request {
	const char *name;         /* of the figure or table, for messages */
	struct study_place place; /* likewise */
	study_texts rows, columns, over, values;
	const char *x; /* an expression; NULL: rows are side by side */
	struct study_place x_place;
	struct study_text where, mean;
	const study_texts *references;
};

struct grid_label {
	const char *text;             /* for people */
	const char *names[DIM_COUNT]; /* NULL: the label has no such dimension */
	uint32_t values[DIM_COUNT];   /* the same, as the frame has them */
	const char *part;             /* of a run; NULL: none */
	const char *value;            /* the expression, where there are several */
	size_t part_index, value_index;
	bool mean; /* the row of means */
};

struct grid_cell {
	double x, value, spread; /* spread: a standard deviation over `count` samples */
	double *samples;         /* a value for each combination of `over`; NAN: no value */
	size_t count, missing;   /* missing: values that should be there and are not */
	size_t cut;              /* of these, of runs that were cut */
	bool known;
};

typedef VEC(struct grid_label) grid_labels;

/* A paper's number beside ours. */
struct grid_reference {
	const struct study_reference *reference;
	double ours;
	bool known;
	size_t row, column; /* its place in the grid; SIZE_MAX: no particular place */
};

struct grid {
	struct arena arena;
	const struct grid_request *request;
	grid_labels rows, columns;
	VEC(struct grid_reference) references;
	struct grid_cell *cells;
	size_t samples, missing, cut;
	bool averaged; /* over something */
	struct parts parts;
};

struct grid_request grid_of_figure(const struct study_figure *figure);
struct grid_request grid_of_table(const struct study_table *table);
void grid_request_release(struct grid_request *request);

/* The request must outlive the grid. */
int grid_build(struct grid *g, struct frame *f, struct database *db, const struct grid_request *request,
	       struct diag *d);
void grid_release(struct grid *g);
struct grid_cell *grid_at(const struct grid *g, size_t row, size_t column);
/* The label of a value: its name or expression, with the unit. */
const char *grid_value_label(struct grid *g, const struct study *s, size_t value);
/* The label of a value of a dimension in figures. */
const char *study_label(const struct study *s, enum dimension dimension, const char *name);

#endif
