/* Counters of memory instructions by the line of the program that they come from. */
#ifndef ROMARK_SIM_LINE_STATS_H
#define ROMARK_SIM_LINE_STATS_H

#include "sim-backend/knobs/stat.h"

struct line_stats {
#define STAT STAT_FIELD
#include "sim-backend/sm/line_stats.def"
};

extern const struct stat_row line_stat_rows[];

#endif
