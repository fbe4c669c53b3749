/*
 * Counters of the core side: SMs, L1s and CTA placement. Plain fields that the tick increments; the rows name them for
 * the results. One set for all SMs of a thread.
 */
#ifndef ROMARK_SIM_STATS_H
#define ROMARK_SIM_STATS_H

#include "sim-backend/knobs/knob.h"
#include "sim-backend/memory/memsys_config.h"
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

/* accesses = hits + misses + bypasses; fetches = fills. Loads only. */
struct l1_stats {
	uint64_t accesses, hits, misses, merges, bypasses;
	uint64_t look_ups, fetches; /* as many as hits + misses, and misses - merges, unless an access takes several */
	uint64_t partial_hits;      /* of misses */
	uint64_t writes, write_hits, atomics;
	uint64_t fills, fills_dropped;
	uint64_t read_only;    /* of accesses */
	uint64_t of_32, of_64; /* of accesses: the smallest aligned block around what they want; the others: 128 B */
	uint64_t replies, requests; /* taken from and given to the memory system */
	uint64_t bound_fetches;     /* that the best choices would leave; with l1.bound */
	uint64_t lines_found[4]; /* lines by the loads that found them: none, one, two or three, more; with l1.reuse */
};

/* What one data structure's accesses did in the L1s. */
struct structure_stats {
	uint64_t l1_accesses, l1_hits, l1_bypasses, l1_fills, writes, write_hits, atomics;
};

/* Beside them, what they caused below; `hits` with the merges. */
struct structure_counters {
	struct structure_stats core;
	struct structure_memory memory;
};

/* The last is over struct structure_counters. */
extern const struct stat_row sm_stat_rows[], l1_stat_rows[], structure_stat_rows[];

/* The value of one row, whatever its type. */
double stat_value(const struct stat_row *row, const void *values);
/* a += b, and a -= b, over every row; of present values (STAT_LEVEL) the larger one, and the one in `a`. */
void stats_add(const struct stat_row *rows, void *a, const void *b);
void stats_subtract(const struct stat_row *rows, void *a, const void *b);
/* a += factor * b, rounded, over every row that is no present value. */
void stats_add_times(const struct stat_row *rows, void *a, const void *b, double factor);
/* Bytes of a struct up to the end of the last field that has a row. */
size_t stats_extent(const struct stat_row *rows);

#endif
