/*
 * The contents of a trace, counted in one pass: instructions, loads and how many of them carry the read-only mark, the
 * lines touched, and how many CTAs share them.
 *
 *   struct trace_summary *s = trace_summarise(reader, line_bytes, NULL, NULL, &d);
 *   print(s->launches, s->kernels[0].name, ...);
 *   trace_summary_free(s);
 *
 * A line is *shared* when more than one CTA of the same launch touches it in global memory (CTAs of different launches
 * do not share, they follow each other). It is *shared read-only* when every launch in which it is shared only read
 * it, and only through loads whose mark was in force. Loads, stores and atomics are executed warp instructions that
 * touched global memory with at least one lane.
 */
#ifndef ROMARK_TRACE_SUMMARY_H
#define ROMARK_TRACE_SUMMARY_H

#include "trace/trace.h"

enum { TRACE_SHARER_BUCKETS = 12 }; /* lines with 1, 2, 3-4, 5-8, .. 513-1024, more CTAs */

/* All launches of one kernel with the same grid and block. */
struct kernel_summary {
	const char *name;
	uint32_t kernel, grid[3], block[3];
	uint64_t launches, launches_unmarked; /* unmarked: a guard fired */
	uint64_t ctas, warp_instructions, thread_instructions;
	uint64_t global_loads, read_only_loads, global_stores, global_atomics;
	bool has_ptx; /* the trace has its PTX */
};

struct line_counts {
	uint64_t lines, shared_lines, shared_read_only_lines;
};

/* One data structure of one kernel. */
struct structure_summary {
	const char *kernel, *id;
	uint8_t verdict; /* enum trace_verdict of its last launch */
	bool marked;
	uint64_t loads, read_only_loads, stores, atomics;
	struct line_counts counts;
};

struct trace_summary {
	uint64_t launches, ctas, warp_instructions, thread_instructions, file_bytes;
	uint64_t global_loads, read_only_loads;
	const char *marks; /* what the marks rest on (trace_marks_name), or "mixed"; NULL without launches */
	uint64_t of_class[TRACE_CLASS_COUNT];    /* warp instructions */
	uint64_t accesses_to[TRACE_SPACE_COUNT]; /* warp memory instructions by the space touched */
	struct line_counts counts;               /* global memory */
	uint64_t sharers[TRACE_SHARER_BUCKETS];  /* lines by the most CTAs of one launch that touched them */
	uint32_t line_bytes;
	struct kernel_summary *kernels;
	size_t nkernels;
	struct structure_summary *structures;
	size_t nstructures;
};

/*
 * Reads `r` to its end; it stays the caller's and has to outlive the summary. `line_bytes`: a power of two. `progress`
 * (may be NULL) is called now and then with the bytes read so far. NULL with `d` filled when the trace is damaged.
 */
struct trace_summary *trace_summarise(struct trace_reader *r, uint32_t line_bytes,
				      void (*progress)(void *context, uint64_t bytes), void *context, struct diag *d);
void trace_summary_free(struct trace_summary *s);

/* First and last number of CTAs in a bucket of `sharers`; the last bucket ends at UINT64_MAX. */
uint64_t trace_bucket_first(unsigned bucket);
uint64_t trace_bucket_last(unsigned bucket);

#endif
