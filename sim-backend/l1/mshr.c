/* MSHRs are found by a hash of their line, in chains. Their waiters are lists in a pool that all share. */
#include "sim-backend/l1/mshr.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum { LEAST_CHAINS = 256, FIRST_WAITERS = 256 };

void l1_mshrs_grow(struct l1_mshrs *m)
{
	uint32_t size = m->waiters_size ? 2 * m->waiters_size : FIRST_WAITERS;

	m->waiters = xrealloc(m->waiters, size * sizeof *m->waiters);
	m->released = xrealloc(m->released, size * sizeof *m->released);
	for (uint32_t i = m->waiters_size; i < size; i++)
		m->waiters[i].next = i + 1 < size ? i + 1 : L1_NO_MSHR;
	m->free_waiter = m->waiters_size;
	m->waiters_size = size;
}

void l1_mshrs_init(struct l1_mshrs *m, uint32_t count, uint32_t merges)
{
	uint32_t chains = LEAST_CHAINS;

	while (chains < count)
		chains *= 2;
	*m = (struct l1_mshrs){.count = count, .merges = merges, .chain_mask = chains - 1, .free_waiter = L1_NO_MSHR};
	m->chains = xmalloc(chains * sizeof *m->chains);
	for (uint32_t i = 0; i < chains; i++)
		m->chains[i] = L1_NO_MSHR;
	m->entries = xcalloc(count, sizeof *m->entries);
	for (uint32_t i = 0; i < count; i++)
		m->entries[i].next = i + 1 < count ? i + 1 : L1_NO_MSHR;
	l1_mshrs_grow(m);
}

void l1_mshrs_clear(struct l1_mshrs *m)
{
	xfree(m->entries);
	xfree(m->chains);
	xfree(m->waiters);
	xfree(m->released);
}

static void find_joins(struct l1_mshrs *m, uint32_t at, uint64_t line, uint8_t sectors)
{
	struct l1_joins *joins = &m->joins;

	joins->count = 0;
	joins->missing = sectors;
	for (; at != L1_NO_MSHR; at = m->entries[at].next)
		if (m->entries[at].line == line && m->entries[at].sectors & sectors) {
			joins->at[joins->count++] = at;
			joins->missing &= (uint8_t)~m->entries[at].sectors;
		}
}

static bool have_room(const struct l1_mshrs *m)
{
	for (unsigned i = 0; i < m->joins.count; i++)
		if (m->entries[m->joins.at[i]].waiting == m->merges)
			return false;
	return true;
}

static void join(struct l1_mshrs *m, uint16_t load)
{
	for (unsigned i = 0; i < m->joins.count; i++)
		l1_mshrs_wait(m, &m->entries[m->joins.at[i]], load);
}

int l1_mshrs_merge_several(struct l1_mshrs *m, uint32_t first, uint64_t line, uint8_t sectors, uint16_t load)
{
	find_joins(m, first, line, sectors);
	if (!have_room(m))
		return L1_MERGE_NO_ROOM;
	if (m->joins.missing)
		return L1_MERGE_NOT_ALL;
	join(m, load);
	return (int)m->joins.count;
}

uint32_t l1_mshrs_take(struct l1_mshrs *m, uint64_t line, uint32_t place, uint16_t load)
{
	uint32_t at = m->free, *chain = l1_mshrs_chain(m, line);
	struct l1_mshr *mshr = &m->entries[at];

	join(m, load);
	m->free = mshr->next;
	m->used++;
	*mshr = (struct l1_mshr){.line = line,
				 .next = *chain,
				 .place = place,
				 .first = L1_NO_MSHR,
				 .waiting = 1,
				 .sectors = m->joins.missing,
				 .load = load};
	*chain = at;
	return at;
}

uint32_t l1_mshrs_release(struct l1_mshrs *m, uint32_t at, const uint16_t **loads)
{
	struct l1_mshr *mshr = &m->entries[at];
	uint32_t *link = l1_mshrs_chain(m, mshr->line), count = 0;

	while (*link != at)
		link = &m->entries[*link].next;
	*link = mshr->next;
	m->released[count++] = mshr->load;
	for (uint32_t w = mshr->first; w != L1_NO_MSHR; w = m->waiters[w].next)
		m->released[count++] = m->waiters[w].load;
	if (count > 1) {
		m->waiters[mshr->last].next = m->free_waiter;
		m->free_waiter = mshr->first;
	}
	mshr->waiting = 0;
	mshr->next = m->free;
	m->free = at;
	m->used--;
	*loads = m->released;
	return count;
}
