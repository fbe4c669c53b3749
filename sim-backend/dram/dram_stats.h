/* Counters of the memory channels, and of each bank. */
#ifndef ROMARK_SIM_DRAM_STATS_H
#define ROMARK_SIM_DRAM_STATS_H

#include "sim-backend/knobs/stat.h"

/* reads and writes are transactions of up to a line; a burst is burst_bytes. */
struct dram_stats {
#define STAT STAT_FIELD
#include "sim-backend/dram/dram_stats.def"
};

struct dram_bank_stats {
#define STAT STAT_FIELD
#include "sim-backend/dram/bank_stats.def"
};

extern const struct stat_row dram_stat_rows[], bank_stat_rows[];

#endif
