/* Counters of the links between chips, and of the directories. */
#ifndef ROMARK_SIM_CHIPS_STATS_H
#define ROMARK_SIM_CHIPS_STATS_H

#include "sim-backend/knobs/stat.h"

struct link_stats {
#define STAT STAT_FIELD
#include "sim-backend/chips/link_stats.def"
};

/* Counters of the directories of all chips (chips/directory.h). */
struct coherence_stats {
#define STAT STAT_FIELD
#include "sim-backend/chips/coherence_stats.def"
};

extern const struct stat_row links_stat_rows[], coherence_stat_rows[];

#endif
