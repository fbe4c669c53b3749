/* Counters of the L1s, in all and of each data structure. One set for all L1s of a thread. */
#ifndef ROMARK_SIM_L1_STATS_H
#define ROMARK_SIM_L1_STATS_H

#include "sim-backend/knobs/stat.h"

/* accesses = hits + misses + bypasses; fetches = fills. Loads only. */
struct l1_stats {
	uint64_t accesses, hits, misses, merges, bypasses;
	uint64_t look_ups, fetches; /* as many as hits + misses, and misses - merges, unless an access takes several */
	uint64_t partial_hits;      /* of misses */
	uint64_t writes, write_hits, atomics;
	uint64_t fills, fills_dropped;
	uint64_t read_only;    /* of accesses */
	uint64_t of_32, of_64; /* of accesses: the smallest aligned block around what they want; the others: 128 B */
	uint64_t replies, requests; /* taken from and given to the memory system */
	uint64_t bound_fetches;     /* fetches under the best choices; with l1.bound */
	uint64_t lines_found[4]; /* lines by the loads that found them: none, one, two or three, more; with l1.reuse */
};

extern const struct stat_row l1_stat_rows[];

/* Counters of one data structure's accesses in the L1s. */
struct structure_stats {
	uint64_t l1_accesses, l1_hits, l1_bypasses, l1_fills, writes, write_hits, atomics;
};

#endif
