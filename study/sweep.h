/*
 * `romark sweep`: from a study file to a database with the results of all its runs.
 *
 *   struct sweep_options options = {.study = "example.yaml", .results = "example.sqlite", .romark = path, ...};
 *   struct sweep_summary summary;
 *   if (sweep(&options, &summary, &diag) < 0) ...
 *
 * Whenever this ends, finished runs stay in the database, and the next sweep goes on from there.
 */
#ifndef ROMARK_STUDY_SWEEP_H
#define ROMARK_STUDY_SWEEP_H

#include "common/diag.h"
#include "study/executor.h"

#include <stdio.h>

struct sweep_options {
	const char *study, *results;
	const char *cache;    /* NULL: "romark-cache" beside the results */
	const char *executor; /* NULL: "local" */
	const char *filter;   /* NULL: all runs */
	const char *romark;   /* path of this program */
	const char *version;
	unsigned jobs;   /* 0: as many as the executor likes */
	uint64_t memory; /* 0: likewise */
	struct study_slurm slurm;
	bool dry_run, retry_failed;
	FILE *plan; /* what a dry run says */
};

struct sweep_summary {
	size_t points, runs; /* of the plan */
	size_t done, failed, elsewhere, too_large;
	size_t executed; /* by this sweep */
	size_t others;   /* done before, by a romark of another build */
	bool interrupted;
	double seconds;
};

int sweep(const struct sweep_options *options, struct sweep_summary *summary, struct diag *d);

#endif
