/* One cycle of the machine: CTA placement, then the SMs, then the memory system. */
#ifndef ROMARK_SIM_TICK_H
#define ROMARK_SIM_TICK_H

#include "sim-backend/sm/cta_scheduler.h"

/* What a tick needs of a simulation, which owns all of it. */
struct machine {
	struct memsys *memory;
	struct sm **sms;
	uint32_t nsms;
	struct sm_context *context;
	struct cta_scheduler *ctas;
	uint64_t memory_wake; /* next cycle in which the memory system has something to do */
	bool reverse;         /* tick the modules backwards */
};

/*
 * What a module hands to another is seen in the next cycle, so the order of the modules does not matter; `reverse` is
 * there to prove it. Returns the next cycle in which some module has something to do.
 */
uint64_t machine_tick(struct machine *m, uint64_t cycle);

#endif
