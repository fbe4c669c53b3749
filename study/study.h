/*
 * A study as data: what a study file says, checked. docs/studies.md has the format.
 *
 *   struct study *s = study_load("example.yaml", &diag);     // NULL: diag has file, line and column
 *   for (size_t i = 0; i < s->policies.len; i++) ... s->policies.data[i].name ...
 *   study_free(s);
 *
 * All texts live as long as the study. A run of a study is one value for each dimension.
 */
#ifndef ROMARK_STUDY_STUDY_H
#define ROMARK_STUDY_STUDY_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/guess.h"
#include "common/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The dimensions that tell the runs of a study apart. Expressions and the database's columns use the same names. */
enum dimension { DIM_PROGRAM, DIM_SIZE, DIM_GPU, DIM_VARIANT, DIM_POLICY, DIM_SEED, DIM_COUNT };
extern const char *const dimension_names[DIM_COUNT];
/* DIM_COUNT for an unknown name. */
enum dimension dimension_find(const char *name);

/* A place in the study file; lines and columns count from 1. */
struct study_place {
	unsigned line, column;
};

struct study_text {
	const char *text;
	struct study_place place;
};
typedef VEC(struct study_text) study_texts;

/* A value such as x2 multiplies the key's earlier value. */
struct study_set {
	const char *section, *key, *value;
	struct study_place place; /* of the value */
};
typedef VEC(struct study_set) study_sets;

/* Arguments under which a program runs, and what its GPU has then. */
struct study_size {
	const char *name;
	struct study_text trace; /* of a trace that is there already; text NULL: of a program */
	study_texts arguments;
	study_sets sets;
	uint64_t max_cycles; /* of its runs; 0 = as of the others */
};

/* A program to compile and trace, or traces that are there already, one for each size. */
struct study_program {
	const char *name, *label;
	struct study_place place;
	study_texts sources, flags; /* no sources: `program` is set, or each size's trace; paths as the file has them */
	struct study_text program;
	const char *kernels;          /* to trace, a regular expression; NULL: all */
	VEC(struct study_size) sizes; /* at least one; its name is "" if the file has none */
};

/* One choice along the dimensions gpu, variant or policy. */
struct study_choice {
	const char *name, *label;
	struct study_place place;
	struct study_text gpu, llc, l1; /* text NULL: not said */
	study_sets sets;
};
typedef VEC(struct study_choice) study_choices;

/* A named list of values of one dimension, for expressions. */
struct study_group {
	const char *name;
	enum dimension dimension;
	study_texts members;
};

/* A value for some of the dimensions; the others are NULL. */
struct study_at {
	const char *value[DIM_COUNT];
	struct study_place place[DIM_COUNT];
};

/* A named expression. */
struct study_value {
	const char *name, *label, *unit, *help; /* label: for people; NULL: the name */
	struct study_text expression;
	struct expression *parsed[3]; /* of each kind, once an expression has named it; NULL before */
};

/* A paper's number, to compare with `value` at `at`. */
struct study_reference {
	const char *name, *source;
	struct study_place place;
	struct study_text value;
	struct study_at at;
	double paper;
};

/* What others have measured of some of the runs: a row of a table for each (file/measured.h). */
struct measured_row {
	const char *value[DIM_COUNT]; /* NULL: whatever the dimension is */
	double *numbers;              /* NAN: not measured */
	size_t columns;               /* of `numbers`; tables after the row's may have brought more */
	const char *source;
};

struct study_measured {
	study_texts files;
	VEC(const char *) columns;
	VEC(struct measured_row) rows;
};

enum figure_kind { FIGURE_BARS, FIGURE_STACKED, FIGURE_LINES, FIGURE_SCATTER, FIGURE_SERIES, FIGURE_HEAT };

struct study_figure {
	const char *name, *title, *caption, *x_label, *y_label;
	struct study_place place;
	enum figure_kind kind;
	study_texts values;        /* one value; for stacked bars a value for each part */
	study_texts x, bars, over; /* dimensions; x may be an expression instead */
	struct study_text where;   /* NULL: all runs */
	struct study_text mean;    /* "geomean", "hmean", "mean": one more group of bars; NULL: none */
	struct study_text y_min, y_max;
	bool log;
	study_texts references; /* names */
};

struct study_table {
	const char *name, *title;
	study_texts formats; /* one for each value, or one for all */
	struct study_place place;
	study_texts rows, columns, over; /* dimensions */
	struct study_text where, mean;   /* as in a figure */
	study_texts values;
	study_texts references;
};

/* How much of each trace is simulated, and which numbers of each run are kept beside its totals. */
struct study_simulation {
	const char *kernels;   /* extended regular expression; NULL = all */
	const char *sample;    /* the value of `romark sim --sample`; NULL = simulate everything */
	uint64_t max_cycles;   /* 0 = no limit */
	uint64_t epoch_cycles; /* of a row of the time series; 0 = the policy's epoch */
	bool keep_kernels, keep_structures, keep_slices, keep_epochs, keep_sharing;
};

/* Limits of a cluster; texts as its commands take them, NULL where the file says nothing. */
struct study_slurm {
	const char *partition, *account, *time, *memory, *constraint;
	uint64_t array; /* tasks of one array; 0 = a default */
};

struct study {
	struct arena arena;
	const char *path, *folder; /* of the study file; relative paths in it begin in its folder */
	const char *text;          /* the whole file */
	const char *name, *description;
	VEC(struct study_program) programs; /* traces too */
	study_choices gpus, variants, policies;
	study_texts seeds, seed_keys; /* "1", "map.seed" */
	struct study_text where;      /* which runs of the product there are; NULL = all */
	struct study_at baseline;
	struct study_simulation simulation;
	struct study_slurm slurm;
	struct study_measured measured;
	VEC(struct study_group) groups;
	VEC(struct study_value) values;
	struct study_value **by_name; /* the values in the order of their names; NULL before the first search */
	VEC(struct study_figure) figures;
	VEC(struct study_table) tables;
	VEC(struct study_reference) references;
};

/* NULL, with the place in `d`, when something is wrong with the file. */
struct study *study_load(const char *path, struct diag *d);
/* The same from text; `path` is for messages and for the folder. */
struct study *study_parse(const char *text, size_t size, const char *path, struct diag *d);
void study_free(struct study *s);
/* Whether a dimension has this value in the study; if not, `g` gets the value that may have been meant. */
bool study_has(const struct study *s, enum dimension dimension, const char *value, struct guess *g);
/* A message about a place in the study's file. Returns DIAG_ERROR. */
int study_wrong(const struct study *s, struct study_place place, struct diag *d, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A path of the study file, as seen from the current folder; lives as long as the study. */
const char *study_path(struct study *s, const char *path);
/* "$NAME/rest" is in a folder that the environment names, so that a study can have traces of suites outside it. */
bool study_is_outside(const char *path);
/* Such a path as the file system has it; NULL if the variable is not set. */
const char *study_outside_path(struct study *s, const char *path);

#endif
