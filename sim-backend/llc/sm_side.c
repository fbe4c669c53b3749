/*
 * The SM-side LLC of several chips: each chip's slices hold what its own SMs use, whichever chip's memory it is in, and
 * a miss on another chip's line goes past the slices there. Within a kernel copies may differ, so everything is written
 * back and invalidated when it ends: a line's copy at home is as old as any other when another chip has written it.
 * With hardware coherence everything stays.
 * Atomics need one place for all SMs and use the slices of the line's chip.
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct sm_side_state {
	bool coherent;
};

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct sm_side_state *s = xcalloc(1, sizeof *s);

	(void)knobs;
	s->coherent = geometry->coherent;
	return s;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	(void)state;
	return llc_sm_side(origin, request);
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	const struct sm_side_state *s = state;

	(void)cycle;
	if (!s->coherent)
		orders->work = LLC_DROP_ALL;
}

/* Its route crosses chips, and that is all. */
static const struct llc_chips_ops chips = {0};

const struct llc_policy_ops llc_policy_sm_side = {
    .name = "sm-side",
    .summary = "each chip's slices hold what its own SMs use, of all chips' memory",
    .source = "SAC section 2.1",
    .chips = &chips,
    .create = create,
    .destroy = xfree,
    .route = route,
    .kernel_end = kernel_end,
};
