/*
 * The shared LLC: the address alone picks the slice, so every line has one place and nothing needs a flush. On several
 * chips that is the memory-side organisation, which has its papers' name too.
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	(void)geometry, (void)knobs;
	return NULL;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	(void)state, (void)request;
	return llc_memory_side(origin, origin.home);
}

const struct llc_policy_ops llc_shared = {
    .name = "shared",
    .summary = "the address picks the slice; one copy of every line",
    .source = "SelRep section II",
    .degree = 1,
    .create = create,
    .destroy = xfree,
    .route = route,
};

const struct llc_policy_ops llc_policy_memory_side = {
    .name = "memory-side",
    .summary = "each chip's slices hold the lines of its own memory, for all chips; on one chip as shared",
    .source = "SAC section 2.1",
    .degree = 1,
    .create = create,
    .destroy = xfree,
    .route = route,
};
