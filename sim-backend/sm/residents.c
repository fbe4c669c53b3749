/* A resource is free if no resident CTA holds it. Each call adds up the resident CTAs' resources. */
#include "sim-backend/sm/residents.h"

#include "common/xalloc.h"
#include "sim-backend/sm/sm.h"

#include <string.h>

static bool has_resources(const struct sm *sm, const struct cta_needs *wanted)
{
	const struct sm_context *context = sm->context;
	struct cta_needs sum = *wanted, have = sm_resources(context->config);

	for (unsigned i = 0; i < sm->nctas; i++) {
		const struct resident_launch *launch = &context->launches[sm->ctas[sm->age_slots[i]].launch];

		for (int k = 0; k < LIMIT_COUNT; k++)
			sum.of[k] += launch->needs.of[k];
	}
	for (int k = 0; k < LIMIT_COUNT; k++)
		if (sum.of[k] > have.of[k])
			return false;
	return true;
}

bool sm_has_room(const struct sm *sm)
{
	const struct cta_needs *needs = &sm->context->launches[sm->context->launch].needs;

	return has_resources(sm, needs) && sm_free_warps(sm, (uint32_t)needs->of[LIMIT_WARPS]) != NO_WARP;
}

unsigned sm_free_warps(const struct sm *sm, uint32_t count)
{
	uint64_t used = 0, wanted = count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;

	for (unsigned i = 0; i < sm->nctas; i++)
		used |= sm->age_masks[i];
	for (unsigned first = 0; first + count <= sm->context->config->warps; first++)
		if (!(used & wanted << first))
			return first;
	return NO_WARP;
}

void sm_kernel_join(struct sm *sm)
{
	uint32_t size = sm_unready_size(sm->context);
	struct unready *lists;

	if (size <= sm->unready_size)
		return;
	lists = xcalloc_lines((size_t)SM_MAX_WARPS * size, sizeof *lists);
	for (unsigned warp = 0; warp < SM_MAX_WARPS; warp++)
		memcpy(lists + (size_t)warp * size, sm_unready(sm, warp), sm->unready_size * sizeof *lists);
	xfree(sm->unready);
	sm->unready = lists;
	sm->unready_size = size;
}
