/*
 * The MSHRs of an L1: what is on its way, and which loads wait for it. An MSHR tracks one fetch, of some sectors of a
 * line. Two fetches of the same line that are on their way together have no sector in common.
 *
 *   l1_mshrs_merge     a load that lacks `sectors` waits for the fetches that bring them, if these bring all
 *   l1_mshrs_take      if not, and one is free: an MSHR for the rest. The load waits for it and for the others.
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
	uint32_t first, last; /* its further waiters; first: L1_NO_MSHR if there are none */
	uint32_t waiting;     /* 0: the MSHR is free */
	uint8_t sectors;
	uint16_t load; /* its first waiter, without which a fill would touch one more cache line */
};

struct l1_waiter {
	uint32_t next;
	uint16_t load;
};

/* The MSHRs that together bring what the latest load lacks, when no single MSHR brings all of it. */
struct l1_joins {
	uint32_t at[L1_SECTORS];
	unsigned count;
	uint8_t missing; /* sectors that none of them brings */
};

/* Results of l1_mshrs_merge other than the number of MSHRs that the load has joined. */
enum {
	L1_MERGE_NOT_ALL = 0, /* something is not on its way: joins.missing */
	L1_MERGE_NO_ROOM = -1 /* an MSHR has no room for one more load */
};

struct l1_mshrs {
	struct l1_mshr *entries;
	uint32_t *chains; /* by hash of the line */
	uint32_t chain_mask, count, used, free;
	uint32_t merges;           /* loads that an MSHR can serve; UINT32_MAX = any number */
	struct l1_waiter *waiters; /* a pool, which grows to the most that ever wait */
	uint32_t waiters_size, free_waiter;
	uint16_t *released; /* as large as the pool */
	struct l1_joins joins;
};

void l1_mshrs_init(struct l1_mshrs *m, uint32_t count, uint32_t merges);
void l1_mshrs_clear(struct l1_mshrs *m);
/* After an l1_mshrs_merge that said L1_MERGE_NOT_ALL; requires l1_mshrs_any_free. */
uint32_t l1_mshrs_take(struct l1_mshrs *m, uint64_t line, uint32_t place, uint16_t load);
/* Returns the number of waiters. `loads` lists them in the order in which they came, until the next release. */
uint32_t l1_mshrs_release(struct l1_mshrs *m, uint32_t at, const uint16_t **loads);

static inline bool l1_mshrs_any_free(const struct l1_mshrs *m)
{
	return m->used < m->count;
}

/* --- Parts of l1_mshrs_merge --- */

void l1_mshrs_grow(struct l1_mshrs *m);
/* `first`: of the line's chain. */
int l1_mshrs_merge_several(struct l1_mshrs *m, uint32_t first, uint64_t line, uint8_t sectors, uint16_t load);

static inline uint32_t *l1_mshrs_chain(const struct l1_mshrs *m, uint64_t line)
{
	return &m->chains[(line ^ line >> 8) & m->chain_mask];
}

static inline uint32_t l1_mshrs_waiter(struct l1_mshrs *m, uint16_t load)
{
	uint32_t waiter = m->free_waiter;

	m->free_waiter = m->waiters[waiter].next;
	m->waiters[waiter] = (struct l1_waiter){L1_NO_MSHR, load};
	if (m->free_waiter == L1_NO_MSHR)
		l1_mshrs_grow(m);
	return waiter;
}

static inline void l1_mshrs_wait(struct l1_mshrs *m, struct l1_mshr *mshr, uint16_t load)
{
	uint32_t waiter = l1_mshrs_waiter(m, load);

	if (mshr->first == L1_NO_MSHR)
		mshr->first = waiter;
	else
		m->waiters[mshr->last].next = waiter;
	mshr->last = waiter;
	mshr->waiting++;
}

/* Mostly one MSHR brings all, and is the first of its chain. A load that joins none changes `joins` only. */
static inline int l1_mshrs_merge(struct l1_mshrs *m, uint64_t line, uint8_t sectors, uint16_t load)
{
	uint32_t first = *l1_mshrs_chain(m, line);
	struct l1_mshr *mshr;

	if (first == L1_NO_MSHR || m->entries[first].line != line || sectors & ~m->entries[first].sectors)
		return l1_mshrs_merge_several(m, first, line, sectors, load);
	mshr = &m->entries[first];
	if (mshr->waiting == m->merges)
		return L1_MERGE_NO_ROOM;
	l1_mshrs_wait(m, mshr, load);
	return 1;
}

#endif
