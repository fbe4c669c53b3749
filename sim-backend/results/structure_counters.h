/* All counters of one data structure: in the L1s, and below them. */
#ifndef ROMARK_SIM_STRUCTURE_COUNTERS_H
#define ROMARK_SIM_STRUCTURE_COUNTERS_H

#include "sim-backend/l1/l1_stats.h"
#include "sim-backend/memory/charges.h"

struct structure_counters {
	struct structure_stats core;
	struct structure_memory memory;
};

extern const struct stat_row structure_stat_rows[];

#endif
