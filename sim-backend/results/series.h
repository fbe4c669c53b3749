/*
 * Values over time: the run is divided into windows of equal length. Each window's counters, rates and policy values
 * become a row of a CSV file and counters of a Chrome trace (timeline.h).
 *
 * A window ends before its last cycle's successor is ticked. Every event is counted in its cycle, and no event is in a
 * cycle that time skips. So the rows do not depend on how time is skipped. Reading the counters changes no result.
 */
#ifndef ROMARK_SIM_SERIES_H
#define ROMARK_SIM_SERIES_H

#include "sim-backend/results/sections.h"
#include "sim-backend/results/timeline.h"

/* The value of equation 1 for a window, and the launch in which the window ends. */
struct window_stats {
	uint64_t cycle, launch;
	double lsp;
};

extern const struct stat_row window_stat_rows[];
/* The columns that come from counters. */
extern const struct stat_formula series_columns[], series_columns_of_chips[];

enum { SERIES_TABLES = 2 };

struct series {
	FILE *csv;                 /* NULL: none */
	struct timeline *timeline; /* NULL: none */
	uint64_t length, next;     /* of a window; end of the present window, UINT64_MAX without windows */
	unsigned mcs, slices;      /* of all chips; of a controller */
	const struct stat_formula *columns[SERIES_TABLES]; /* the second is of several chips, else NULL */
	const struct stat_row *policy_rows;                /* NULL: the policy has no such rows */
	void *policy_values;
	double *shown; /* the policy's values in the timeline so far */
	struct counters before;
	uint64_t *accesses; /* per slice, at the last window's end */
};

/* `length`: cycles of a window. Without a csv and a timeline there are no windows. */
void series_begin(struct series *s, FILE *csv, struct timeline *timeline, uint64_t length,
		  const struct memsys_config *memory, const struct stat_row *policy_rows);
/*
 * The window that ends with the cycle before `cycle`; `now`: all counters then, `slices`: each slice's counters. The
 * policy's values are in policy_values.
 */
void series_window(struct series *s, uint64_t cycle, uint64_t launch, const struct counters *now,
		   const struct llc_stats *slices);
void series_release(struct series *s);

#endif
