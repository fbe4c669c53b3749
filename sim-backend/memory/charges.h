/*
 * Counters that requests add to on their way, wherever work is done for them: by stage, by where their data comes from,
 * and by data structure.
 */
#ifndef ROMARK_SIM_CHARGES_H
#define ROMARK_SIM_CHARGES_H

#include "sim-backend/knobs/stat.h"

/*
 * Where the time of round trips goes. Only requests that are answered count. The cycles of all stages add up to the
 * cycles of the round trips. The way over links to another chip's LLC, and through the network behind them, counts as
 * the network's.
 */
struct stage_stats {
#define STAT STAT_FIELD
#include "sim-backend/memory/stage_stats.def"
};

/* Responses to SMs by where their data comes from. */
struct response_stats {
#define STAT STAT_FIELD
#include "sim-backend/memory/response_stats.def"
};

/*
 * Lines that slices hold, times the cycles that they hold them: lines of their own chip's memory, and of other chips'
 * memory.
 */
struct contents_stats {
	uint64_t local, remote;
};

/* Counters of a chip in a machine of several: responses to its SMs, contents of its slices. */
struct chip_stats {
	struct response_stats responses;
	struct contents_stats contents;
};

/*
 * Work below the L1s that the requests of one data structure caused. A write-back counts for the structure that wrote
 * the line last.
 */
struct structure_memory {
#define STRUCTURE_MEMORY(field, name, unit, help) uint64_t field;
#include "sim-backend/memory/structure_memory.def"
#undef STRUCTURE_MEMORY
};

extern const struct stat_row stages_stat_rows[], responses_stat_rows[], contents_stat_rows[], chip_stat_rows[];

#endif
