/* Counts of launches of the same kernel, grid and block together, so that a program of many launches has a table. */
#ifndef ROMARK_SIM_BY_KERNEL_H
#define ROMARK_SIM_BY_KERNEL_H

#include "common/vec.h"
#include "sim-backend/results/sections.h"

struct kernel_result;

struct kernel_total {
	char *name;
	uint32_t grid[3], block[3];
	uint64_t launches, cycles;
	uint64_t counted; /* launches that have counts of their own */
	struct counters counts;
	double energy_j; /* when the run has ended: of all launches, at the power of those that were counted */
};

struct kernel_totals {
	VEC(struct kernel_total) rows; /* in the order of their first launches */
};

/* Adds a launch that took so many cycles. `counts` NULL: the launch has no counters of its own. */
void kernel_totals_add(struct kernel_totals *t, const struct kernel_result *kernel, uint64_t cycles,
		       const struct counters *counts);
void kernel_totals_release(struct kernel_totals *t);

#endif
