/*
 * The memory-side LLC of several chips, with read-only data kept SM-side: marked reads are looked up in the slices of
 * their own chip, and go past the slices of the line's chip when they miss. No paper has this. The mark says that the
 * kernel does not write the data, so copies in several chips are the same until it ends; then they are dropped. Before
 * a kernel starts, dirty lines are written to memory, since misses of these reads go there. Hardware coherence needs
 * neither.
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct ro_state {
	bool coherent;
};

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct ro_state *s = xcalloc(1, sizeof *s);

	(void)knobs;
	s->coherent = geometry->coherent || geometry->chips == 1;
	return s;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	(void)state;
	return llc_is_marked_read(request) ? llc_sm_side(origin, request) : llc_memory_side(origin, origin.home);
}

static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	const struct ro_state *s = state;

	(void)cycle, (void)kernel;
	orders->work = s->coherent ? LLC_WORK_NONE : LLC_CLEAN;
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	const struct ro_state *s = state;

	(void)cycle;
	orders->work = s->coherent ? LLC_WORK_NONE : LLC_DROP_REPLICAS;
}

/* Its route crosses chips, and that is all. */
static const struct llc_chips_ops chips = {0};

const struct llc_policy_ops llc_memory_side_ro = {
    .name = "memory-side-ro",
    .summary = "as memory-side, but marked reads use the slices of their own chip",
    .source = "no paper",
    .lives_on_marks = true,
    .chips = &chips,
    .create = create,
    .destroy = xfree,
    .route = route,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
};
