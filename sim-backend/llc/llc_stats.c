/* The rows of the counters of the LLC slices. */
#include "sim-backend/llc/llc_stats.h"

const struct stat_row llc_stat_rows[] = {
#define STAT(...) STAT_ROW(struct llc_stats, __VA_ARGS__)
#include "sim-backend/llc/llc_stats.def"
    STAT_END,
};
