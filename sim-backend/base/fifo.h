/*
 * Bounded queue: one side pushes, the other pops. A queue between two modules is a port (port.h). An entry that is
 * pushed in cycle t can be popped from its ready cycle on, which is at least t + 1. Room that is freed in cycle t can
 * be used from t + 1 on. So a cycle's result does not depend on which of the two sides is ticked first.
 *
 *   FIFO(struct job) q;
 *   fifo_init(&q, 8);
 *   if (fifo_room(&q, now)) fifo_push(&q, now + 1, (struct job){...});
 *   struct job *job = fifo_peek(&q, now);   // NULL when nothing is ready
 *   if (job) { use(*job); fifo_pop(&q, now); }
 */
#ifndef ROMARK_SIM_FIFO_H
#define ROMARK_SIM_FIFO_H

#include "common/xalloc.h"

#include <stdint.h>
#include <stdlib.h>

#define FIFO(type)                                                                                                     \
	struct {                                                                                                       \
		struct {                                                                                               \
			type value;                                                                                    \
			uint64_t ready;                                                                                \
		} *entries;                                                                                            \
		uint32_t head, count, capacity, freed;                                                                 \
		uint64_t freed_at;                                                                                     \
	}

#define fifo_init(f, size)                                                                                             \
	do {                                                                                                           \
		(f)->capacity = (size);                                                                                \
		(f)->entries = xcalloc((f)->capacity, sizeof *(f)->entries);                                           \
		(f)->head = (f)->count = (f)->freed = 0;                                                               \
		(f)->freed_at = UINT64_MAX;                                                                            \
	} while (0)

#define fifo_release(f) (xfree((f)->entries), (f)->entries = NULL)

/* Entries that may be pushed in cycle `now`. */
#define fifo_room(f, now) ((f)->capacity - (f)->count - ((f)->freed_at == (now) ? (f)->freed : 0))

/* Requires fifo_room; `ready` must not be below the `ready` of the entry pushed before. */
#define fifo_push(f, when, ...)                                                                                        \
	do {                                                                                                           \
		uint32_t fifo_slot_ = (f)->head + (f)->count++;                                                        \
		fifo_slot_ = fifo_slot_ >= (f)->capacity ? fifo_slot_ - (f)->capacity : fifo_slot_;                    \
		(f)->entries[fifo_slot_].value = (__VA_ARGS__);                                                        \
		(f)->entries[fifo_slot_].ready = (when);                                                               \
	} while (0)

/* Oldest entry if it is ready, else NULL. */
#define fifo_peek(f, now) ((f)->count && (f)->entries[(f)->head].ready <= (now) ? &(f)->entries[(f)->head].value : NULL)

/* The entry `n` places behind the oldest, ready or not; NULL when there is none. */
#define fifo_behind(f, n) ((n) < (f)->count ? &(f)->entries[((f)->head + (n)) % (f)->capacity].value : NULL)

#define fifo_pop(f, now)                                                                                               \
	do {                                                                                                           \
		(f)->head = (f)->head + 1 == (f)->capacity ? 0 : (f)->head + 1;                                        \
		(f)->count--;                                                                                          \
		(f)->freed = (f)->freed_at == (now) ? (f)->freed + 1 : 1;                                              \
		(f)->freed_at = (now);                                                                                 \
	} while (0)

/* Cycle in which the oldest entry can be popped; UINT64_MAX when there is none. */
#define fifo_next(f) ((f)->count ? (f)->entries[(f)->head].ready : UINT64_MAX)

#endif
