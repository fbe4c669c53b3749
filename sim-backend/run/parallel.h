/*
 * A machine's cycle on several threads, with the same result as on one.
 *
 * The SMs are dealt out to the threads, a range to each. The calling thread also ticks the memory system, so its range
 * is shorter. Each thread has an sm_context of its own for its SMs, so that threads count separately. Between the SMs
 * and the memory system are boxes (memsys.h). They are filled and emptied while one thread runs alone. Which thread
 * ticks an SM, and when, changes no result: what an SM does in a cycle depends on its own state and on its boxes.
 *
 *   one thread:   CTAs placed, policies decide, replies into the SMs' boxes
 *   all threads:  SMs | SMs | SMs and the memory system
 *   one thread:   requests out of the SMs' boxes, next cycle found
 */
#ifndef ROMARK_SIM_PARALLEL_H
#define ROMARK_SIM_PARALLEL_H

#include "sim-backend/run/tick.h"

enum { PARALLEL_MAX = 64 };

/*
 * Call it between two cycles, also of a running kernel. Starts threads - 1 threads, or as many as the system gives; at
 * most one for each SM. Puts the machine's memory system into boxes, in which it stays. Returns NULL if one thread is
 * enough: no thread is started.
 */
struct parallel *parallel_create(struct machine *m, unsigned threads);
/* Ends the threads, between two cycles. Here and in the next two, NULL does nothing. */
void parallel_free(struct parallel *p);
/* After the machine's context was set for a kernel, and when one more begins beside it. */
void parallel_kernel_begin(struct parallel *p);
/* Moves the threads' counters into the machine's context. */
void parallel_gather(struct parallel *p);
/* machine_tick. */
uint64_t parallel_tick(struct parallel *p, uint64_t cycle);

#endif
