/*
 * A number that one thread sets and another waits for. Waiting is short as a rule, so it begins by looking again and
 * again. Then it lets other programs run, and at last it looks now and then. So setting it costs nothing but a store.
 *
 *   gate_set(&g, 7);            // all that this thread wrote before ..
 *   gate_await(&g, 7, &looks);  // .. is seen by the other one after
 *
 * What goes with the number is best put beside it: a cache line takes as long from core to core as 100 instructions.
 */
#ifndef ROMARK_SIM_GATE_H
#define ROMARK_SIM_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
	atomic_uint number; /* 0 at first */
};

static inline void gate_set(struct gate *g, unsigned number)
{
	atomic_store_explicit(&g->number, number, memory_order_release);
}

static inline bool gate_is_at(struct gate *g, unsigned number)
{
	return atomic_load_explicit(&g->number, memory_order_acquire) == number;
}

/*
 * False: it took so long that the other thread must have lost its core to another program. Adds to *looks how often it
 * looked in vain.
 */
bool gate_await(struct gate *g, unsigned number, uint64_t *looks);

#endif
