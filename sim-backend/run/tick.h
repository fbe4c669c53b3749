/* One cycle of the machine: CTA placement, then the SMs, then the memory system. */
#ifndef ROMARK_SIM_TICK_H
#define ROMARK_SIM_TICK_H

#include "sim-backend/sm/cta_scheduler.h"

struct parallel;

/* The parts of a simulation that a tick uses; the simulation owns them. Other threads read all but the last field. */
struct machine {
	struct memsys *memory;
	struct sm **sms;
	uint32_t nsms;
	bool reverse;   /* tick the modules backwards */
	uint64_t *wake; /* per SM, see struct sm_context */
	struct sm_context *context;
	struct cta_scheduler *ctas;
	struct parallel *parallel;         /* NULL: one thread does it all */
	unsigned share_each;               /* see struct sim_options */
	_Alignas(64) uint64_t memory_wake; /* next cycle in which the memory system has something to do */
};

/*
 * A module sees in the next cycle what another hands to it, so the order of the modules does not matter; `reverse` is
 * there to prove it. Returns the next cycle in which some module has something to do.
 */
uint64_t machine_tick(struct machine *m, uint64_t cycle);

/* --- Parts of it, for parallel.c --- */

/* The SMs from `first` up to `end`. Returns how many of them had something to do. */
uint32_t machine_tick_sms(const struct machine *m, uint32_t first, uint32_t end, uint64_t cycle);
/* The result of machine_tick, when all is ticked. */
uint64_t machine_next(struct machine *m, uint64_t cycle);

#endif
