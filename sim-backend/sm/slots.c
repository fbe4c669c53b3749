/* Charges the cycles in which a scheduler did not issue. */
#include "sim-backend/sm/sm.h"

/* The scheduler's warps that wait, without those that were placed and have not issued yet. */
static uint64_t waiting_warps(const struct sm *sm, unsigned scheduler)
{
	uint64_t waiting = 0;

	for (uint64_t left = sm->running & sm->context->scheduler_mask[scheduler]; left; left &= left - 1) {
		unsigned warp = (unsigned)__builtin_ctzll(left);

		if (sm->waits_for[warp] != SLOT_NO_WARP)
			waiting |= (uint64_t)1 << warp;
	}
	return waiting;
}

static enum issue_slot slot_of_first(const struct sm *sm, unsigned scheduler)
{
	uint64_t waiting = waiting_warps(sm, scheduler);
	struct warp_ages ages = {sm->nctas, sm->age_masks};

	if (!waiting)
		return SLOT_NO_WARP;
	return (enum issue_slot)sm->waits_for[sm->context->pick(waiting, sm->last[scheduler], ages)];
}

static void charge(struct sm *sm, unsigned scheduler, enum issue_slot slot, uint64_t cycle)
{
	uint64_t since = sm->charged[scheduler];

	if (since >= cycle)
		return;
	sm->context->stats.slots[slot] += cycle - since;
	sm->charged[scheduler] = cycle;
}

void slots_until_placed(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
	charge(sm, scheduler, slot_of_first(sm, scheduler), cycle);
}

void slots_until_end(struct sm *sm, unsigned warp, uint64_t cycle)
{
	unsigned scheduler = warp % sm->context->config->schedulers;

	if (!(sm->running & sm->context->scheduler_mask[scheduler]))
		charge(sm, scheduler, (enum issue_slot)sm->waits_for[warp], cycle);
}

void sm_settle(struct sm *sm, uint64_t cycle)
{
	for (unsigned s = 0; s < sm->context->config->schedulers; s++)
		charge(sm, s, slot_of_first(sm, s), cycle);
}

/*
 * A cycle with a ready warp issues, or is counted as one stall. So these slots need no counters of their own.
 */
void sm_stats_derive(struct sm_stats *stats)
{
	stats->warp_instructions = stats->thread_instructions = 0;
	for (int i = 0; i < TRACE_CLASS_COUNT; i++) {
		stats->warp_instructions += stats->by_class[i];
		stats->thread_instructions += stats->thread_by_class[i];
	}
	stats->slots[SLOT_ISSUED] = stats->warp_instructions + stats->texture_parts;
	stats->slots[SLOT_UNIT] = stats->unit_stalls;
	stats->slots[SLOT_LSU] = stats->lsu_stalls + stats->load_table_stalls;
}
