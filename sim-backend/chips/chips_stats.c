/* The rows of the counters of the links between chips, and of the directories. */
#include "sim-backend/chips/chips_stats.h"

const struct stat_row links_stat_rows[] = {
#define STAT(...) STAT_ROW(struct link_stats, __VA_ARGS__)
#include "sim-backend/chips/link_stats.def"
    STAT_END,
};

const struct stat_row coherence_stat_rows[] = {
#define STAT(...) STAT_ROW(struct coherence_stats, __VA_ARGS__)
#include "sim-backend/chips/coherence_stats.def"
    STAT_END,
};
