/* A load asks the organisation what is missing, then the MSHRs what of it is on its way; the rest is to be fetched. */
#include "sim-backend/l1/l1.h"

#include "common/diag.h"
#include "common/xalloc.h"
#include "sim-backend/l1/mshr.h"

#include <stdlib.h>

struct l1 {
	const struct l1_organisation_ops *organisation;
	void *state;
	struct l1_mshrs mshrs;
	struct l1_joins joins; /* of the load that missed last */
};

/* A streaming cache has an MSHR for each fetch that its lines have room for. */
static uint32_t streaming_mshrs(const struct l1_config *config)
{
	uint32_t lines = config->size_bytes >> L1_LINE_SHIFT;

	return config->sectored ? lines * L1_SECTORS : lines;
}

struct l1 *l1_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs)
{
	struct l1 *l1 = xcalloc(1, sizeof *l1);

	if (config->alloc == L1_ALLOC_STREAM)
		l1_mshrs_init(&l1->mshrs, streaming_mshrs(config), UINT32_MAX);
	else
		l1_mshrs_init(&l1->mshrs, config->mshrs, config->merges);
	l1->organisation = l1_organisation_table[config->organisation];
	l1->state = l1->organisation->create(config, policy, policy_knobs);
	return l1;
}

void l1_free(struct l1 *l1)
{
	if (!l1)
		return;
	l1->organisation->destroy(l1->state);
	l1_mshrs_clear(&l1->mshrs);
	free(l1);
}

static bool have_room(const struct l1_mshrs *mshrs, const struct l1_joins *joins)
{
	for (unsigned i = 0; i < joins->count; i++)
		if (!l1_mshr_has_room(mshrs, joins->at[i]))
			return false;
	return true;
}

static void join(struct l1_mshrs *mshrs, const struct l1_joins *joins, uint16_t waiter)
{
	for (unsigned i = 0; i < joins->count; i++)
		l1_mshrs_wait(mshrs, joins->at[i], waiter);
}

static enum l1_outcome fetch_outcome(const struct l1 *l1, enum l1_outcome found)
{
	return found == L1_STALL_WAY || l1_mshrs_any_free(&l1->mshrs) ? found : L1_STALL_MSHR;
}

/* Several fetches, or one and the load's own, bring what is missing. */
static struct l1_answer join_and_fetch(struct l1 *l1, uint64_t line, uint8_t sectors, struct l1_found found,
				       uint16_t waiter)
{
	struct l1_joins *joins = &l1->joins;

	l1_mshrs_find(&l1->mshrs, line, found.fetch, joins);
	if (!have_room(&l1->mshrs, joins))
		return (struct l1_answer){.outcome = L1_STALL_MERGE};
	if (joins->missing)
		return (struct l1_answer){.outcome = fetch_outcome(l1, found.outcome),
					  .fetch = joins->missing,
					  .parts = (uint8_t)(joins->count + 1)};
	join(&l1->mshrs, joins, waiter);
	l1->organisation->merged(l1->state, line, sectors);
	return (struct l1_answer){.outcome = L1_MERGED, .parts = (uint8_t)joins->count};
}

/* One fetch brings all that is missing. */
static struct l1_answer merge(struct l1 *l1, uint32_t mshr, uint64_t line, uint8_t sectors, uint16_t waiter)
{
	if (!l1_mshr_has_room(&l1->mshrs, mshr))
		return (struct l1_answer){.outcome = L1_STALL_MERGE};
	l1_mshrs_wait(&l1->mshrs, mshr, waiter);
	l1->organisation->merged(l1->state, line, sectors);
	return (struct l1_answer){.outcome = L1_MERGED, .parts = 1};
}

struct l1_answer l1_load(struct l1 *l1, uint64_t address, uint8_t sectors, uint16_t waiter)
{
	uint64_t line = address >> L1_LINE_SHIFT;
	struct l1_found found = l1->organisation->look_up(l1->state, line, sectors);
	uint32_t mshr;

	if (found.outcome == L1_HIT)
		return (struct l1_answer){.outcome = L1_HIT};
	mshr = l1_mshrs_covering(&l1->mshrs, line, found.fetch);
	if (mshr != L1_NO_MSHR)
		return merge(l1, mshr, line, sectors, waiter);
	return join_and_fetch(l1, line, sectors, found, waiter);
}

uint32_t l1_open(struct l1 *l1, uint64_t address, uint8_t flags, uint16_t waiter)
{
	uint64_t line = address >> L1_LINE_SHIFT;
	uint8_t fetch = l1->joins.missing;
	uint32_t place = l1->organisation->missed(l1->state, line, fetch, flags);

	join(&l1->mshrs, &l1->joins, waiter);
	return l1_mshrs_take(&l1->mshrs, line, fetch, place, waiter);
}

bool l1_store(struct l1 *l1, uint64_t address, uint8_t sectors)
{
	return l1->organisation->store(l1->state, address >> L1_LINE_SHIFT, sectors);
}

void l1_invalidate(struct l1 *l1, uint64_t address, uint8_t sectors)
{
	l1->organisation->drop(l1->state, address >> L1_LINE_SHIFT, sectors);
}

uint32_t l1_fill(struct l1 *l1, uint32_t mshr, uint8_t flags, const uint16_t **waiters, bool *kept)
{
	const struct l1_mshr *m = &l1->mshrs.entries[mshr];

	if (!m->waiting)
		BUG("a reply for MSHR %u, which is free", mshr);
	*kept = l1->organisation->fill(l1->state, &(struct l1_arrival){m->line, m->place, m->sectors, flags});
	return l1_mshrs_release(&l1->mshrs, mshr, waiters);
}

void l1_flush(struct l1 *l1)
{
	l1->organisation->flush(l1->state);
}

uint32_t l1_mshrs_in_use(const struct l1 *l1)
{
	return l1->mshrs.used;
}

const void *l1_policy_statistics(const struct l1 *l1)
{
	return l1->organisation->policy_statistics(l1->state);
}
