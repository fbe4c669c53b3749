/*
 * Parts of runs that figures go through besides the dimensions: slices of the LLC, memory channels, data structures,
 * launches of kernels, and epochs.
 *
 *   struct parts p;
 *   parts_init(&p, database, PART_SLICE);
 *   parts_collect(&p, run);                  // each run of the figure
 *   parts_sort(&p);
 *   p.current = i;                           // from now on parts_number gives counters of the part p.names.data[i]
 */
#ifndef ROMARK_STUDY_REPORT_RUN_PARTS_H
#define ROMARK_STUDY_REPORT_RUN_PARTS_H

#include "study/database/database.h"

#include "common/arena.h"
#include "common/guess.h"
#include "common/vec.h"

enum part_kind { PART_SLICE, PART_CHANNEL, PART_STRUCTURE, PART_KERNEL, PART_EPOCH, PART_KINDS };
/* As study files have them. */
extern const char *const part_names[PART_KINDS];
/* PART_KINDS for an unknown name. */
enum part_kind part_find(const char *name);

struct run_part {
	int64_t number;          /* slice, channel, launch, or the cycle in which an epoch ends */
	const char *kernel, *id; /* of a structure, as the trace has them */
	const char *label;       /* for people */
};

/* Whether parts have a counter, the whole run has it, or neither. */
struct part_counter {
	const char *name;
	bool of_part, of_run;
};

struct parts {
	struct arena arena;
	struct database *db;
	enum part_kind kind; /* PART_KINDS: none */
	VEC(struct run_part) list;
	VEC(int64_t) runs;
	VEC(struct part_counter) counters;
	size_t current;
	bool sorted;
};

void parts_init(struct parts *p, struct database *db, enum part_kind kind);
void parts_release(struct parts *p);
void parts_collect(struct parts *p, int64_t run);
void parts_sort(struct parts *p);
/*
 * A counter of the current part in this run; a counter that only the run has is the run's. False: there is no such
 * counter.
 */
bool parts_number(struct parts *p, int64_t run, const char *counter, double *value);
/* A counter of the whole run. */
bool parts_run_number(struct parts *p, int64_t run, const char *counter, double *value);
/* Whether parts of a run that was cut are cut with it. An epoch is over, whatever becomes of its run. */
bool parts_are_cut(const struct parts *p);
/* A counter that an expression used and that no part has, or NULL; `g` gets the name that may have been meant. */
const char *parts_unknown(struct parts *p, struct guess *g);

#endif
