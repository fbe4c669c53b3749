/* The rows of the counters of the networks. */
#include "sim-backend/noc/noc_stats.h"

const struct stat_row noc_stat_rows[] = {
#define STAT(...) STAT_ROW(struct noc_stats, __VA_ARGS__)
#include "sim-backend/noc/noc_stats.def"
    STAT_END,
};
