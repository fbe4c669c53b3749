/* Counters of the LLC slices. */
#ifndef ROMARK_SIM_LLC_STATS_H
#define ROMARK_SIM_LLC_STATS_H

#include "sim-backend/knobs/stat.h"

/*
 * accesses = array_hits + merges + misses. A merge waits for a fill that another request has asked for. It costs no
 * access of memory, so `hits` of the results, of the LLC and of a data structure, are array_hits + merges.
 */
struct llc_stats {
#define STAT STAT_FIELD
#include "sim-backend/llc/llc_stats.def"
};

extern const struct stat_row llc_stat_rows[];

#endif
