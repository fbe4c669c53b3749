/* The rows of the SMs' counters. */
#include "sim-backend/sm/sm_stats.h"

#define CLASS_ROWS(name, cls)                                                                                          \
	STAT_NAMED(struct sm_stats, by_class[cls], "inst_" name, "warp instructions",                                  \
		   "warp instructions of this class"),                                                                 \
	    STAT_NAMED(struct sm_stats, thread_by_class[cls], "thread_inst_" name, "thread instructions",              \
		       "thread instructions of this class")

const struct stat_row sm_stat_rows[] = {
    STAT_COUNT(struct sm_stats, warp_instructions, "warp instructions", "warp instructions issued"),
    STAT_COUNT(struct sm_stats, thread_instructions, "thread instructions", "the same times active lanes"),
    STAT_COUNT(struct sm_stats, ctas, "CTAs", "CTAs run"),
    STAT_COUNT(struct sm_stats, warps, "warps", "warps run"),
    STAT_COUNT(struct sm_stats, resident_cycles, "cycles", "SM cycles with at least one CTA"),
    STAT_COUNT(struct sm_stats, lsu_stalls, "cycles",
	       "scheduler cycles in which all ready warps waited for the LSU's queue"),
    STAT_COUNT(struct sm_stats, unit_stalls, "cycles", "the same for a functional unit"),
    STAT_COUNT(struct sm_stats, mshr_stalls, "cycles", "LSU cycles without a free MSHR"),
    STAT_COUNT(struct sm_stats, merge_stalls, "cycles", "LSU cycles with the line's MSHR full"),
    STAT_COUNT(struct sm_stats, way_stalls, "cycles",
	       "LSU cycles with all ways of the line's L1 set waiting for their fills"),
    STAT_COUNT(struct sm_stats, port_stalls, "cycles", "LSU cycles with the network port full"),
    STAT_COUNT(struct sm_stats, load_table_stalls, "cycles",
	       "scheduler cycles without a free entry for a load in flight"),
    STAT_COUNT(struct sm_stats, load_instructions, "warp instructions",
	       "load instructions that went to the L1 or past it"),
    STAT_COUNT(struct sm_stats, load_cycles, "cycles", "their cycles from issue to the last register"),
    STAT_COUNT(struct sm_stats, shared_instructions, "warp instructions", "shared-memory instructions"),
    STAT_COUNT(struct sm_stats, shared_cycles, "cycles", "cycles they held the banks"),
    STAT_COUNT(struct sm_stats, barriers, "warp instructions", "barrier instructions"),
    STAT_COUNT(struct sm_stats, fences, "warp instructions", "fence instructions"),
    STAT_COUNT(struct sm_stats, texture_parts, "issues",
	       "issues for further texels of texture fetches, not in warp_instructions"),
#define SLOT(name, counter, word, help) STAT_NAMED(struct sm_stats, slots[SLOT_##name], counter, "issue slots", help),
#include "sim-backend/sm/issue_slots.def"
#undef SLOT
    CLASS_ROWS("int", TRACE_INT),
    CLASS_ROWS("fp32", TRACE_FP32),
    CLASS_ROWS("fp64", TRACE_FP64),
    CLASS_ROWS("fp16", TRACE_FP16),
    CLASS_ROWS("sfu", TRACE_SFU),
    CLASS_ROWS("tensor", TRACE_TENSOR),
    CLASS_ROWS("move", TRACE_MOVE),
    CLASS_ROWS("convert", TRACE_CONVERT),
    CLASS_ROWS("load", TRACE_LOAD),
    CLASS_ROWS("store", TRACE_STORE),
    CLASS_ROWS("atomic", TRACE_ATOMIC),
    CLASS_ROWS("async_copy", TRACE_ASYNC_COPY),
    CLASS_ROWS("texture", TRACE_TEXTURE),
    CLASS_ROWS("barrier", TRACE_BARRIER),
    CLASS_ROWS("fence", TRACE_FENCE),
    CLASS_ROWS("branch", TRACE_BRANCH),
    CLASS_ROWS("call", TRACE_CALL),
    CLASS_ROWS("exit", TRACE_EXIT),
    CLASS_ROWS("warp", TRACE_WARP),
    CLASS_ROWS("other", TRACE_OTHER),
    STAT_END,
};
