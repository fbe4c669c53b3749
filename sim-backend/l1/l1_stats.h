/* Counters of the L1s, in all and of each data structure. One set for all L1s of a thread. */
#ifndef ROMARK_SIM_L1_STATS_H
#define ROMARK_SIM_L1_STATS_H

#include "sim-backend/knobs/stat.h"

/*
 * accesses = hits + misses + bypasses; fetches = fills. Loads only. A merge, which joins a pending miss, is one of the
 * misses here; in the LLC it is one of the hits (llc/llc_stats.h).
 */
struct l1_stats {
#define STAT STAT_FIELD
#include "sim-backend/l1/l1_stats.def"
	uint64_t lines_found[4]; /* lines by the loads that found them: none, one, two or three, more; with l1.reuse */
};

extern const struct stat_row l1_stat_rows[];

/* Counters of one data structure's accesses in the L1s. */
struct structure_stats {
#define STAT STAT_FIELD
#include "sim-backend/l1/structure_l1.def"
};

#endif
