/* Counters of the SMs: plain fields that the tick increments. All SMs of a thread share a set. */
#ifndef ROMARK_SIM_SM_STATS_H
#define ROMARK_SIM_SM_STATS_H

#include "sim-backend/knobs/stat.h"
#include "sim-backend/sm/issue_slots.h"
#include "trace/trace.h"

struct sm_stats {
#define STAT STAT_FIELD
#include "sim-backend/sm/sm_stats.def"
	uint64_t by_class[TRACE_CLASS_COUNT]; /* warp instructions */
	uint64_t thread_by_class[TRACE_CLASS_COUNT];
	uint64_t slots[SLOT_COUNT]; /* sum: schedulers x cycles of all SMs */
};

extern const struct stat_row sm_stat_rows[];

#endif
