/* The rows of the core side's counters, and what can be done with any rows. */
#include "sim-backend/stats.h"

#include <string.h>

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

#define FOUND(index, word, help) STAT_NAMED(struct l1_stats, lines_found[index], "found_" #word, "lines", "lines " help)

const struct stat_row l1_stat_rows[] = {
    STAT_PROMISED(struct l1_stats, accesses, "requests", "load requests after coalescing"),
    STAT_PROMISED(struct l1_stats, hits, "requests", "found in the L1"),
    STAT_PROMISED(struct l1_stats, misses, "requests", "not found, merged ones included"),
    STAT_COUNT(struct l1_stats, merges, "requests", "misses that joined pending ones"),
    STAT_COUNT(struct l1_stats, partial_hits, "requests",
	       "misses that found their line, but not all sectors, and fetch the rest"),
    STAT_PROMISED(struct l1_stats, bypasses, "requests", "loads that do not look into the L1"),
    STAT_COUNT(struct l1_stats, look_ups, "look-ups", "of loads; some chunks are looked up one by one"),
    STAT_COUNT(struct l1_stats, fetches, "requests", "misses that sent for a line, or for parts of it"),
    STAT_COUNT(struct l1_stats, writes, "requests", "store requests after coalescing"),
    STAT_COUNT(struct l1_stats, write_hits, "requests", "of them with some of it present"),
    STAT_COUNT(struct l1_stats, atomics, "requests", "atomic requests"),
    STAT_COUNT(struct l1_stats, fills, "fills", "lines, or parts of lines, that arrived"),
    STAT_COUNT(struct l1_stats, fills_dropped, "fills", "of them not kept, by the policy or as the reply said"),
    STAT_COUNT(struct l1_stats, read_only, "requests", "accesses with the read-only mark"),
    STAT_COUNT(struct l1_stats, of_32, "requests", "accesses to one sector of 32 B"),
    STAT_COUNT(struct l1_stats, of_64, "requests", "accesses to two, which are half a line; the others want 128 B"),
    STAT_COUNT(struct l1_stats, requests, "requests", "requests sent into the network"),
    STAT_COUNT(struct l1_stats, replies, "replies", "replies taken from the network"),
    STAT_COUNT(struct l1_stats, bound_fetches, "requests",
	       "fetches that Belady's choices with bypass would leave; with l1.bound"),
    FOUND(0, never, "that no load found until they left; with l1.reuse"),
    FOUND(1, once, "that one load found"),
    FOUND(2, few, "that two or three loads found"),
    FOUND(3, often, "that more loads found"),
    STAT_END,
};

#define CORE(field, help) STAT_NAMED(struct structure_counters, core.field, #field, "requests", help)

#define MEMORY(field, name, unit, help) STAT_NAMED(struct structure_counters, memory.field, name, unit, help)

const struct stat_row structure_stat_rows[] = {
    CORE(l1_accesses, "load requests after coalescing"),
    CORE(l1_hits, "found in the L1"),
    CORE(l1_bypasses, "loads that do not look into the L1"),
    CORE(l1_fills, "lines, or parts of lines, that were put into an L1"),
    CORE(writes, "store requests after coalescing"),
    CORE(write_hits, "of them with some of it present in the L1"),
    CORE(atomics, "atomic requests"),
    MEMORY(accesses, "llc_accesses", "requests", "requests looked up in the LLC"),
    MEMORY(hits, "llc_hits", "requests", "found there, merges included"),
    MEMORY(merges, "llc_merges", "requests", "found on their way from memory"),
    MEMORY(request_flits, "request_flits", "flits", "flits of its requests, into all networks on their way"),
    MEMORY(reply_flits, "reply_flits", "flits", "flits of the replies to them"),
    MEMORY(array_reads, "llc_reads", "accesses", "reads of the LLC's data arrays"),
    MEMORY(sectors_read, "llc_sectors_read", "sectors", "sectors of 32 B that they read"),
    MEMORY(array_writes, "llc_writes", "accesses", "writes of the LLC's data arrays, fills among them"),
    MEMORY(sectors_written, "llc_sectors_written", "sectors", "sectors of 32 B that they wrote"),
    MEMORY(memory_reads, "dram_reads", "transactions", "reads of memory"),
    MEMORY(memory_writes, "dram_writes", "transactions", "writes to memory; a line is charged to who wrote it last"),
    MEMORY(read_bursts, "dram_read_bursts", "bursts", "bursts read"),
    MEMORY(write_bursts, "dram_write_bursts", "bursts", "bursts written"),
    MEMORY(activates, "dram_activates", "commands", "rows opened for it"),
    STAT_END,
};

double stat_value(const struct stat_row *row, const void *values)
{
	const char *at = (const char *)values + row->offset;

	return row->type == STAT_TYPE_REAL ? *(const double *)at : (double)*(const uint64_t *)at;
}

static void accumulate(const struct stat_row *row, void *a, const void *b, int sign)
{
	char *to = (char *)a + row->offset;
	const char *from = (const char *)b + row->offset;

	if (row->type == STAT_TYPE_REAL)
		*(double *)to += sign * *(const double *)from;
	else
		*(uint64_t *)to += (uint64_t)sign * *(const uint64_t *)from;
}

void stats_add(const struct stat_row *rows, void *a, const void *b)
{
	for (const struct stat_row *row = rows; row->name; row++)
		if (!(row->flags & STAT_IS_LEVEL))
			accumulate(row, a, b, 1);
		else if (stat_value(row, b) > stat_value(row, a))
			memcpy((char *)a + row->offset, (const char *)b + row->offset, sizeof(uint64_t));
}

void stats_subtract(const struct stat_row *rows, void *a, const void *b)
{
	for (const struct stat_row *row = rows; row->name; row++)
		if (!(row->flags & STAT_IS_LEVEL))
			accumulate(row, a, b, -1);
}

void stats_add_times(const struct stat_row *rows, void *a, const void *b, double factor)
{
	for (const struct stat_row *row = rows; row->name; row++) {
		char *to = (char *)a + row->offset;

		if (row->flags & STAT_IS_LEVEL)
			continue;
		if (row->type == STAT_TYPE_REAL)
			*(double *)to += factor * stat_value(row, b);
		else
			*(uint64_t *)to += (uint64_t)(factor * stat_value(row, b) + 0.5);
	}
}

size_t stats_extent(const struct stat_row *rows)
{
	size_t end = 0;

	for (const struct stat_row *row = rows; row->name; row++)
		end = row->offset + sizeof(uint64_t) > end ? row->offset + sizeof(uint64_t) : end;
	return end;
}
