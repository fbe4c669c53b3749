/*
 * The private LLC: the SM-cluster picks the slice, for reads and writes alike. Copies of a line may differ between
 * slices, so writes go on to memory at once and everything is invalidated when a kernel ends. Atomics need one place
 * for all SMs and use the line's home.
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct private_state {
	struct llc_geometry geometry;
	unsigned degree;
};

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct private_state *p = xcalloc(1, sizeof *p);

	(void)knobs;
	p->geometry = *geometry;
	p->degree = llc_max_degree(geometry);
	return p;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct private_state *p = state;

	if (request->kind == MEM_ATOMIC)
		return llc_memory_side(origin, origin.home);
	return llc_memory_side(origin, llc_slice_at_degree(&p->geometry, p->degree, origin.cluster, origin.home));
}

static bool write_through(const void *state)
{
	(void)state;
	return true;
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	(void)state, (void)cycle;
	orders->work = LLC_DROP_ALL;
}

const struct llc_policy_ops llc_private = {
    .name = "private",
    .summary = "the SM-cluster picks the slice; a copy of a line for each cluster that uses it",
    .source = "SelRep sections II and III-E",
    .create = create,
    .destroy = xfree,
    .route = route,
    .write_through = write_through,
    .kernel_end = kernel_end,
};
