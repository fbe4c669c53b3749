/*
 * For a load the organisation says which sectors are missing. The MSHRs say which of these are on their way. The SM
 * fetches the rest.
 */
#include "sim-backend/l1/l1.h"

#include "common/diag.h"
#include "common/xalloc.h"

#include <stdlib.h>

/* A streaming cache has an MSHR for each fetch that its lines have room for. */
static uint32_t streaming_mshrs(const struct l1_config *config, const struct l1_policy_ops *policy)
{
	uint32_t lines = config->size_bytes >> L1_LINE_SHIFT;

	if (policy->least_chunk)
		return lines * (L1_SECTORS / policy->least_chunk);
	return config->sectored ? lines * L1_SECTORS : lines;
}

struct l1 *l1_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs)
{
	struct l1 *l1 = xcalloc_lines(1, sizeof *l1);

	if (config->alloc == L1_ALLOC_STREAM)
		l1_mshrs_init(&l1->mshrs, streaming_mshrs(config, policy), UINT32_MAX);
	else
		l1_mshrs_init(&l1->mshrs, config->mshrs, config->merges);
	l1->organisation = policy->organisation ? policy->organisation : l1_organisation_table[config->organisation];
	l1->state = l1->organisation->create(config, policy, policy_knobs);
	l1->bound = config->bound ? l1_bound_create(config) : NULL;
	l1->stores_drop = config->write_hit == L1_INVALIDATE;
	return l1;
}

void l1_free(struct l1 *l1)
{
	if (!l1)
		return;
	l1->organisation->destroy(l1->state);
	l1_mshrs_clear(&l1->mshrs);
	l1_bound_free(l1->bound);
	xfree(l1);
}

static enum l1_outcome fetch_outcome(struct l1 *l1, uint64_t line, struct l1_fetch *fetch)
{
	enum l1_outcome outcome = l1->organisation->miss(l1->state, line, l1->mshrs.joins.missing);

	fetch->sectors = l1->mshrs.joins.missing;
	fetch->parts = (uint8_t)(l1->mshrs.joins.count + 1);
	return outcome == L1_STALL_WAY || l1_mshrs_any_free(&l1->mshrs) ? outcome : L1_STALL_MSHR;
}

enum l1_outcome l1_load_absent(struct l1 *l1, uint64_t line, uint8_t sectors, uint8_t lacks, uint16_t waiter,
			       struct l1_fetch *fetch)
{
	int joined = l1_mshrs_merge(&l1->mshrs, line, lacks, waiter);

	if (joined == L1_MERGE_NO_ROOM)
		return L1_STALL_MERGE;
	if (joined == L1_MERGE_NOT_ALL)
		return fetch_outcome(l1, line, fetch);
	fetch->parts = (uint8_t)joined;
	if (l1->organisation->merged)
		l1->organisation->merged(l1->state, line, sectors);
	return L1_MERGED;
}

uint32_t l1_open(struct l1 *l1, uint64_t address, uint8_t flags, uint16_t waiter)
{
	uint64_t line = address >> L1_LINE_SHIFT;
	uint32_t place = l1->organisation->missed(l1->state, line, l1->mshrs.joins.missing, flags);

	if (l1->bound)
		l1_bound_load(l1->bound, line);
	return l1_mshrs_take(&l1->mshrs, line, place, waiter);
}

bool l1_store(struct l1 *l1, uint64_t address, uint8_t sectors)
{
	if (l1->bound && l1->stores_drop)
		l1_bound_drop(l1->bound, address >> L1_LINE_SHIFT);
	return l1->organisation->store(l1->state, address >> L1_LINE_SHIFT, sectors);
}

void l1_invalidate(struct l1 *l1, uint64_t address, uint8_t sectors)
{
	if (l1->bound)
		l1_bound_drop(l1->bound, address >> L1_LINE_SHIFT);
	l1->organisation->drop(l1->state, address >> L1_LINE_SHIFT, sectors);
}

uint32_t l1_fill(struct l1 *l1, uint32_t mshr, uint8_t flags, uint16_t structure, const uint16_t **waiters, bool *kept)
{
	const struct l1_mshr *m = &l1->mshrs.entries[mshr];

	if (!m->waiting)
		BUG("a reply for MSHR %u, which is free", mshr);
	*kept =
	    l1->organisation->fill(l1->state, &(struct l1_arrival){m->line, m->place, m->sectors, flags, structure});
	return l1_mshrs_release(&l1->mshrs, mshr, waiters);
}

void l1_flush(struct l1 *l1)
{
	l1->organisation->flush(l1->state);
}

void l1_kernel_begin(struct l1 *l1, uint32_t spare_shared)
{
	l1_flush(l1);
	if (l1->organisation->kernel)
		l1->organisation->kernel(l1->state, spare_shared);
}

uint32_t l1_mshrs_in_use(const struct l1 *l1)
{
	return l1->mshrs.used;
}

uint64_t l1_bound_fetches(struct l1 *l1)
{
	return l1->bound ? l1_bound_settle(l1->bound) : 0;
}

void l1_count_reuse(struct l1 *l1, uint64_t counts[L1_REUSES])
{
	if (l1->organisation->reuse)
		l1->organisation->reuse(l1->state, counts);
}

const void *l1_policy_statistics(const struct l1 *l1)
{
	return l1->organisation->policy_statistics(l1->state);
}
