/* Counters of the SMs: plain fields that the tick increments. All SMs of a thread share a set. */
#ifndef ROMARK_SIM_SM_STATS_H
#define ROMARK_SIM_SM_STATS_H

#include "sim-backend/knobs/stat.h"
#include "sim-backend/sm/issue_slots.h"
#include "trace/trace.h"

struct sm_stats {
	uint64_t warp_instructions, thread_instructions;
	uint64_t by_class[TRACE_CLASS_COUNT]; /* warp instructions */
	uint64_t thread_by_class[TRACE_CLASS_COUNT];
	uint64_t ctas, warps;
	uint64_t resident_cycles;         /* cycles with at least one CTA, summed over SMs */
	uint64_t lsu_stalls, unit_stalls; /* scheduler had only warps that wait for the queue or a unit */
	uint64_t mshr_stalls, merge_stalls, way_stalls, port_stalls,
	    load_table_stalls;                       /* LSU cycles without progress */
	uint64_t load_instructions, load_cycles;     /* global, local: issue until the last register is there */
	uint64_t shared_instructions, shared_cycles; /* shared-memory instructions, cycles they hold the banks */
	uint64_t barriers, fences;
	uint64_t texture_parts;     /* issues that are not counted as instructions */
	uint64_t slots[SLOT_COUNT]; /* sum: schedulers x cycles of all SMs */
};

extern const struct stat_row sm_stat_rows[];

#endif
