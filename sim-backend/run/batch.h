/*
 * The launches that are on the machine together, between two moments when it is empty: the first launch, and launches
 * of other streams that began beside it. Caches and the LLC policy see one kernel.
 *
 *   batch_begin(&b);
 *   launch = batch_add(&b, &row, trace_launch, needs, cycle);
 *   if (batch_allows(&b, &next_launch, limit)) ...                    // may begin now
 */
#ifndef ROMARK_SIM_BATCH_H
#define ROMARK_SIM_BATCH_H

#include "sim-backend/results/result.h"
#include "sim-backend/sm/residents.h"

struct batch {
	VEC(struct kernel_result) rows;
	VEC(uint32_t) streams;
	VEC(struct resident_launch) launches; /* the SMs' view of the launches */
	bool has_atomics;                     /* the first has, so the policy expects some */
};

void batch_begin(struct batch *b);
void batch_release(struct batch *b);
/* Returns its index. */
uint32_t batch_add(struct batch *b, const struct kernel_result *row, uint32_t stream, const struct cta_needs *needs,
		   uint64_t cycle);
/* `limit`: launches that may run at the same time. */
bool batch_allows(const struct batch *b, const struct trace_launch *launch, bool has_atomics, uint32_t limit);
/* The rows get what belongs to each launch alone. */
void batch_finish(struct batch *b);
/* Checks, when all launches are over, that every instruction and CTA belongs to a launch. A violation is a bug. */
void batch_check(const struct batch *b, const struct counters *counts);

#endif
