/*
 * The MSHRs of an L1: what is on its way, and which loads wait for it. An MSHR stands for one fetch, which is of some
 * sectors of a line. Fetches of one line that are on their way together have no sector in common.
 *
 *   l1_mshrs_covering  the MSHR that brings all of `sectors`
 *   l1_mshrs_find      the MSHRs that bring some of `sectors`; a load that wants these waits for all of them
 *   l1_mshrs_take      one for a new fetch, with its first waiter; requires that one is free
 *   l1_mshrs_wait      a load joins; requires l1_mshr_has_room
 *   l1_mshrs_release   lists who waited, and frees the MSHR
 */
#ifndef ROMARK_SIM_L1_MSHR_H
#define ROMARK_SIM_L1_MSHR_H

#include <stdbool.h>
#include <stdint.h>

enum { L1_SECTORS = 4, L1_NO_MSHR = UINT32_MAX };

struct l1_mshr {
	uint64_t line;
	uint32_t next;        /* in its chain, or in the free list */
	uint32_t place;       /* the organisation's */
	uint32_t first, last; /* of its waiters */
	uint32_t waiting;     /* 0: the MSHR is free */
	uint8_t sectors;
};

struct l1_waiter {
	uint32_t next;
	uint16_t load;
};

struct l1_mshrs {
	struct l1_mshr *entries;
	uint32_t *chains; /* by hash of the line */
	uint32_t chain_mask, count, used, free;
	uint32_t merges;           /* loads that one can serve; UINT32_MAX = any number */
	struct l1_waiter *waiters; /* a pool, which grows to the most that ever wait */
	uint32_t waiters_size, free_waiter;
	uint16_t *released; /* as large as the pool */
};

/* MSHRs that bring parts of what a load wants. */
struct l1_joins {
	uint32_t at[L1_SECTORS];
	unsigned count;
	uint8_t missing; /* sectors that none of them brings */
};

void l1_mshrs_init(struct l1_mshrs *m, uint32_t count, uint32_t merges);
void l1_mshrs_clear(struct l1_mshrs *m);
void l1_mshrs_find(const struct l1_mshrs *m, uint64_t line, uint8_t sectors, struct l1_joins *joins);
uint32_t l1_mshrs_take(struct l1_mshrs *m, uint64_t line, uint8_t sectors, uint32_t place, uint16_t load);
/* Returns the number of waiters. `loads` lists them in the order in which they came, until the next release. */
uint32_t l1_mshrs_release(struct l1_mshrs *m, uint32_t at, const uint16_t **loads);

/* When a load comes to wait and no waiter is free. */
void l1_mshrs_grow_pool(struct l1_mshrs *m);

static inline uint32_t *l1_mshrs_chain(const struct l1_mshrs *m, uint64_t line)
{
	return &m->chains[(line ^ line >> 8) & m->chain_mask];
}

/* The MSHR that brings all of `sectors`, or L1_NO_MSHR. */
static inline uint32_t l1_mshrs_covering(const struct l1_mshrs *m, uint64_t line, uint8_t sectors)
{
	uint32_t at = *l1_mshrs_chain(m, line);

	while (at != L1_NO_MSHR && (m->entries[at].line != line || sectors & ~m->entries[at].sectors))
		at = m->entries[at].next;
	return at;
}

static inline uint32_t l1_mshrs_new_waiter(struct l1_mshrs *m, uint16_t load)
{
	uint32_t waiter;

	if (m->free_waiter == L1_NO_MSHR)
		l1_mshrs_grow_pool(m);
	waiter = m->free_waiter;
	m->free_waiter = m->waiters[waiter].next;
	m->waiters[waiter] = (struct l1_waiter){L1_NO_MSHR, load};
	return waiter;
}

static inline void l1_mshrs_wait(struct l1_mshrs *m, uint32_t at, uint16_t load)
{
	struct l1_mshr *mshr = &m->entries[at];
	uint32_t waiter = l1_mshrs_new_waiter(m, load);

	m->waiters[mshr->last].next = waiter;
	mshr->last = waiter;
	mshr->waiting++;
}

static inline bool l1_mshrs_any_free(const struct l1_mshrs *m)
{
	return m->used < m->count;
}

static inline bool l1_mshr_has_room(const struct l1_mshrs *m, uint32_t at)
{
	return m->entries[at].waiting < m->merges;
}

#endif
