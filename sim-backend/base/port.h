/*
 * A port: the bounded queue into a module, and the wake-up of that module, as one thing. Modules meet at ports and
 * nowhere else: the receiver owns the port; the sender holds a pointer to it and knows nothing of the receiver. As in
 * fifo.h, the receiver sees a push of cycle t from t + 1 on, and the sender sees room freed in cycle t from t + 1 on.
 *
 *   struct dram_port { PORT(struct dram_request); };                   // a name, so that both sides can use it
 *
 *   port_init(&slice->fills, 32, wakeup_of(&wakeups, number));         // receiver
 *   if (port_room(port, now)) port_push(port, now + 1, request);       // sender: puts it in and wakes the receiver
 *   struct dram_request *r = port_peek(&slice->fills, now);            // receiver; NULL when nothing is ready
 *   if (r) { use(*r); port_pop(&slice->fills, now); }
 *
 * Whoever ticks a group of modules keeps their wake-ups. A module whose bit is not set is not ticked. Where waiting is
 * long, there is a cycle beside the bit, before which nothing happens either.
 */
#ifndef ROMARK_SIM_PORT_H
#define ROMARK_SIM_PORT_H

#include "sim-backend/base/bits.h"
#include "sim-backend/base/fifo.h"

#include <string.h>

/* One module's bit in its group's set, and its cycle there. */
struct wakeup {
	uint64_t *awake, bit; /* a word of the set, a mask */
	uint64_t *at;         /* NULL: the group has no cycles */
};

/* Lowers the cycle of a wake-up to `when`. */
static inline void wake_no_later(uint64_t *at, uint64_t when)
{
	*at = when < *at ? when : *at;
}

/* The module has something to do in cycle `when`. */
static inline void wake(const struct wakeup *w, uint64_t when)
{
	*w->awake |= w->bit;
	if (w->at)
		wake_no_later(w->at, when);
}

/* The module has nothing to do; for groups without cycles. */
static inline void put_to_sleep(const struct wakeup *w)
{
	*w->awake &= ~w->bit;
}

/* Module `i` of at most 64, in a group without cycles. */
static inline struct wakeup wakeup_in(uint64_t *awake, unsigned i)
{
	return (struct wakeup){awake, UINT64_C(1) << i, NULL};
}

/* The wake-ups of a group of any size. */
struct wakeups {
	uint64_t *awake; /* bit set */
	uint64_t *at;    /* [count]; of a module that sleeps: UINT64_MAX. NULL: no cycles */
	unsigned words;  /* of the set */
};

static inline void wakeups_init(struct wakeups *w, unsigned count, bool cycles)
{
	w->words = bits_words(count);
	w->awake = xcalloc(w->words, sizeof *w->awake);
	w->at = cycles ? xmalloc(count * sizeof *w->at) : NULL;
	if (cycles)
		memset(w->at, 0xff, count * sizeof *w->at);
}

static inline void wakeups_release(struct wakeups *w)
{
	xfree(w->awake);
	xfree(w->at);
}

static inline struct wakeup wakeup_of(const struct wakeups *w, unsigned i)
{
	return (struct wakeup){&w->awake[i >> 6], UINT64_C(1) << (i & 63), w->at ? &w->at[i] : NULL};
}

/* Module `i` has been ticked and has something to do next in cycle `when`; UINT64_MAX = not until it is woken. */
static inline void wakeups_set(struct wakeups *w, unsigned i, uint64_t when)
{
	if (when == UINT64_MAX)
		bits_clear(w->awake, i);
	else
		bits_set(w->awake, i);
	w->at[i] = when;
}

static inline bool wakeups_any(const struct wakeups *w)
{
	return bits_any(w->awake, w->words);
}

/* The fields are the queue's own; `count` says how many wait. */
#define PORT(type)                                                                                                     \
	struct {                                                                                                       \
		FIFO(type);                                                                                            \
		struct wakeup receiver;                                                                                \
	}

#define port_init(p, size, wakeup)                                                                                     \
	do {                                                                                                           \
		fifo_init(p, size);                                                                                    \
		(p)->receiver = (wakeup);                                                                              \
	} while (0)

/* Requires port_room; `when` must not be below the `when` of the element pushed before. */
#define port_push(p, when, ...)                                                                                        \
	do {                                                                                                           \
		uint64_t port_when_ = (when);                                                                          \
                                                                                                                       \
		fifo_push(p, port_when_, __VA_ARGS__);                                                                 \
		wake(&(p)->receiver, port_when_);                                                                      \
	} while (0)

/*
 * Entries that a port needs to take a push in each cycle, when an entry can be popped only `way` cycles later: `way`
 * entries on the way, an entry that is popped, and an entry whose room is free from the next cycle on.
 */
static inline uint32_t port_room_over(uint32_t way)
{
	return way + 2;
}

#define port_release(p) fifo_release(p)
#define port_room(p, now) fifo_room(p, now)
#define port_peek(p, now) fifo_peek(p, now)
#define port_pop(p, now) fifo_pop(p, now)
#define port_next(p) fifo_next(p)

#endif
