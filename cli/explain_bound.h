/*
 * What bounds a kernel: the part of the machine that is full, or else what its warps wait for most, with the numbers
 * that this follows from. docs/explain.md has the rules.
 *
 *   struct kernel_bound b;
 *   bound_of(&b, &explained.machine, &explained.kernels.data[0]);
 *   puts(b.word), puts(b.because.data);
 *   bound_release(&b);
 */
#ifndef ROMARK_CLI_EXPLAIN_BOUND_H
#define ROMARK_CLI_EXPLAIN_BOUND_H

#include "cli/explain_numbers.h"
#include "common/strbuf.h"

/* Parts of the machine that can be full, from the SM to memory and back. */
enum part {
	PART_ISSUE,
	PART_UNITS,
	PART_LSU,
	PART_SHARED,
	PART_REQUESTS,
	PART_SLICES,
	PART_DRAM,
	PART_REPLIES,
	PART_COUNT
};

/* The way of a request, in the order of struct stage_stats. */
enum stage {
	STAGE_INJECTION,
	STAGE_REQUESTS,
	STAGE_QUEUE,
	STAGE_PIPELINE,
	STAGE_MEMORY,
	STAGE_REPLY_QUEUE,
	STAGE_REPLIES,
	STAGE_COUNT
};

struct kernel_bound {
	const char *word; /* "DRAM", "latency", ... */
	struct strbuf because;
	double use[PART_COUNT];     /* share of what the part can do, while the kernel's CTAs are on their SMs */
	double stage[STAGE_COUNT];  /* cycles of a request, in the mean */
	double waits[STAGE_COUNT];  /* those above an empty machine's */
	double round_trip, waiting; /* their sums */
};

extern const char *const part_words[PART_COUNT], *const part_keys[PART_COUNT];
extern const char *const stage_words[STAGE_COUNT], *const stage_keys[STAGE_COUNT];

void bound_of(struct kernel_bound *b, const struct explained_machine *m, const struct kernel_numbers *n);
void bound_release(struct kernel_bound *b);

#endif
