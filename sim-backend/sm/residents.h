/*
 * Launches that share the SMs. Usually one launch runs at a time. With gpu.concurrent_kernels several may run, and a
 * CTA goes to an SM with enough free of each resource.
 */
#ifndef ROMARK_SIM_RESIDENTS_H
#define ROMARK_SIM_RESIDENTS_H

#include "sim-backend/sm/sm_occupancy.h"

struct sm;

/* A launch that has CTAs on the SMs, or had. */
struct resident_launch {
	struct cta_needs needs;
	uint64_t ctas, running; /* placed; of them not reaped */
	uint64_t begin, end;    /* cycles: may place CTAs; behind the end of the latest CTA that was reaped */
	uint64_t warp_instructions, thread_instructions; /* of the CTAs that were reaped */
};

/* Whether the SM has room for a CTA of the launch whose CTAs are placed. */
bool sm_has_room(const struct sm *sm);
/* The lowest warp from which on so many are free, or NO_WARP. */
unsigned sm_free_warps(const struct sm *sm, uint32_t count);
/* Makes room for the registers of the launch whose CTAs are to be placed beside those that run. */
void sm_kernel_join(struct sm *sm);

#endif
