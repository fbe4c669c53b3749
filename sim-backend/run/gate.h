/*
 * A number that one thread sets and another waits for. Waiting is mostly short, so the waiting thread first reads the
 * number again and again. Then it lets other programs run, and at last it reads the number now and then. So setting a
 * gate costs only a store.
 *
 *   gate_set(&g, 7);            // all that this thread wrote before ..
 *   gate_await(&g, 7, &looks);  // .. is seen by the other thread after
 *
 * Put data that goes with the number beside it: a cache line takes as long from core to core as 100 instructions.
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
 * Returns false if it took so long that the other thread must have lost its core to another program. Adds the number of
 * reads in vain to *looks.
 */
bool gate_await(struct gate *g, unsigned number, uint64_t *looks);

#endif
