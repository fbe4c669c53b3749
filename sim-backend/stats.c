/* The rows of the core side's counters, and addition and subtraction over any rows. */
#include "sim-backend/stats.h"

#define CLASS_ROWS(name, cls)                                                                                          \
	{"inst_" name, STAT_TYPE_COUNT, offsetof(struct sm_stats, by_class[cls]), "warp instructions of this class"},  \
	    {"thread_inst_" name, STAT_TYPE_COUNT, offsetof(struct sm_stats, thread_by_class[cls]),                    \
	     "thread instructions of this class"}

const struct stat_row sm_stat_rows[] = {
    STAT_COUNT(struct sm_stats, warp_instructions, "warp instructions issued"),
    STAT_COUNT(struct sm_stats, thread_instructions, "the same times active lanes"),
    STAT_COUNT(struct sm_stats, ctas, "CTAs run"),
    STAT_COUNT(struct sm_stats, warps, "warps run"),
    STAT_COUNT(struct sm_stats, resident_cycles, "SM cycles with at least one CTA"),
    STAT_COUNT(struct sm_stats, lsu_stalls, "scheduler cycles in which all ready warps waited for the LSU's queue"),
    STAT_COUNT(struct sm_stats, unit_stalls, "the same for a functional unit"),
    STAT_COUNT(struct sm_stats, mshr_stalls, "LSU cycles without a free MSHR"),
    STAT_COUNT(struct sm_stats, merge_stalls, "LSU cycles with the line's MSHR full"),
    STAT_COUNT(struct sm_stats, way_stalls, "LSU cycles with all ways of the line's L1 set waiting for their fills"),
    STAT_COUNT(struct sm_stats, port_stalls, "LSU cycles with the network port full"),
    STAT_COUNT(struct sm_stats, load_table_stalls, "scheduler cycles without a free entry for a load in flight"),
    STAT_COUNT(struct sm_stats, load_instructions, "load instructions that went to the L1 or past it"),
    STAT_COUNT(struct sm_stats, load_cycles, "their cycles from issue to the last register"),
    STAT_COUNT(struct sm_stats, shared_instructions, "shared-memory instructions"),
    STAT_COUNT(struct sm_stats, shared_cycles, "cycles they held the banks"),
    STAT_COUNT(struct sm_stats, barriers, "barrier instructions"),
    STAT_COUNT(struct sm_stats, fences, "fence instructions"),
    STAT_COUNT(struct sm_stats, texture_parts,
	       "issues for further texels of texture fetches, not in warp_instructions"),
#define SLOT(name, counter, help) {counter, STAT_TYPE_COUNT, offsetof(struct sm_stats, slots[SLOT_##name]), help},
#include "sim-backend/issue_slots.def"
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

const struct stat_row l1_stat_rows[] = {
    STAT_COUNT(struct l1_stats, accesses, "load requests after coalescing"),
    STAT_COUNT(struct l1_stats, hits, "found in the L1"),
    STAT_COUNT(struct l1_stats, misses, "not found, merged ones included"),
    STAT_COUNT(struct l1_stats, merges, "misses that joined pending ones"),
    STAT_COUNT(struct l1_stats, partial_hits, "misses that found their line, but not all sectors, and fetch the rest"),
    STAT_COUNT(struct l1_stats, bypasses, "loads that do not look into the L1"),
    STAT_COUNT(struct l1_stats, writes, "store requests after coalescing"),
    STAT_COUNT(struct l1_stats, write_hits, "of them with some of it present"),
    STAT_COUNT(struct l1_stats, atomics, "atomic requests"),
    STAT_COUNT(struct l1_stats, fills, "lines, or parts of lines, that arrived"),
    STAT_COUNT(struct l1_stats, fills_dropped, "of them not kept, by the policy or as the reply said"),
    STAT_COUNT(struct l1_stats, read_only, "accesses with the read-only mark"),
    STAT_COUNT(struct l1_stats, requests, "requests sent into the network"),
    STAT_COUNT(struct l1_stats, replies, "replies taken from the network"),
    STAT_END,
};

const struct stat_row structure_stat_rows[] = {
    STAT_COUNT(struct structure_stats, l1_accesses, "load requests after coalescing"),
    STAT_COUNT(struct structure_stats, l1_hits, "found in the L1"),
    STAT_COUNT(struct structure_stats, l1_bypasses, "loads that do not look into the L1"),
    STAT_COUNT(struct structure_stats, writes, "store requests after coalescing"),
    STAT_COUNT(struct structure_stats, atomics, "atomic requests"),
    STAT_END,
};

static void accumulate(const struct stat_row *rows, void *a, const void *b, int sign)
{
	for (const struct stat_row *row = rows; row->name; row++) {
		char *to = (char *)a + row->offset;
		const char *from = (const char *)b + row->offset;

		if (row->type == STAT_TYPE_REAL)
			*(double *)to += sign * *(const double *)from;
		else
			*(uint64_t *)to += (uint64_t)sign * *(const uint64_t *)from;
	}
}

void stats_add(const struct stat_row *rows, void *a, const void *b)
{
	accumulate(rows, a, b, 1);
}

void stats_subtract(const struct stat_row *rows, void *a, const void *b)
{
	accumulate(rows, a, b, -1);
}
