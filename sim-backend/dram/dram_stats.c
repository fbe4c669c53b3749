/* The rows of the counters of the memory channels, and of each bank. */
#include "sim-backend/dram/dram_stats.h"

const struct stat_row dram_stat_rows[] = {
#define STAT(...) STAT_ROW(struct dram_stats, __VA_ARGS__)
#include "sim-backend/dram/dram_stats.def"
    STAT_END,
};

const struct stat_row bank_stat_rows[] = {
#define STAT(...) STAT_ROW(struct dram_bank_stats, __VA_ARGS__)
#include "sim-backend/dram/bank_stats.def"
    STAT_END,
};
