/*
 * From programs to traces: each program is compiled once and traced once for each size, and kept in a cache folder
 * under the hash of all that went into it.
 */
#ifndef ROMARK_STUDY_PREPARE_H
#define ROMARK_STUDY_PREPARE_H

#include "study/database/database.h"
#include "study/plan.h"

struct prepare_options {
	const char *cache;    /* folder; made when it is needed */
	const char *romark;   /* path of the program */
	struct hash identity; /* of romark: another build may compile and trace otherwise */
	unsigned jobs;
	struct database *db;       /* remembers hashes of traces; NULL: nothing does */
	struct database *failures; /* knows which traces could not be made; NULL: all are tried */
	/* Called when a step begins, such as "compiling matmul"; may be NULL. */
	void (*said)(void *arg, const char *what);
	void *arg;
};

/*
 * Finds the traces that exist. A missing trace stays unknown, which is no error. A trace that an earlier sweep could
 * not make, from the same sources by the same romark, gets that failure.
 */
int prepare_find(struct plan *p, const struct prepare_options *options, struct diag *d);
/* Whether all wanted traces are there, or cannot be made. */
bool prepare_is_done(const struct plan *p);
/*
 * Makes the wanted traces that are missing. A program that does not compile or cannot be traced is no error of this
 * function: its traces get a failure, and a hash of their own that identifies their runs.
 */
int prepare_make(struct plan *p, const struct prepare_options *options, struct diag *d);

#endif
