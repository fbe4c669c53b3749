/* Occupancy is the smallest number of CTAs that any resource allows. */
#include "sim-backend/sm/occupancy.h"

static uint64_t round_up(uint64_t value, uint64_t granule)
{
	return (value + granule - 1) / granule * granule;
}

struct occupancy occupancy_of(const struct sm_config *config, uint32_t threads_per_cta, uint32_t registers_per_thread,
			      uint32_t shared_bytes)
{
	uint32_t warps = threads_per_cta / TRACE_WARP_LANES + (threads_per_cta % TRACE_WARP_LANES != 0);
	const struct {
		uint64_t have, need;
	} resources[LIMIT_COUNT] = {
	    [LIMIT_CTAS] = {config->ctas, 1},
	    [LIMIT_THREADS] = {config->threads, (uint64_t)warps * TRACE_WARP_LANES},
	    [LIMIT_WARPS] = {config->warps, warps},
	    [LIMIT_REGISTERS] = {config->registers, warps * round_up((uint64_t)registers_per_thread * TRACE_WARP_LANES,
								     config->register_granule)},
	    [LIMIT_SHARED] = {config->shared_bytes, round_up(shared_bytes, config->shared_granule)},
	};
	struct occupancy result = {UINT32_MAX, warps, LIMIT_CTAS};

	for (int i = 0; i < LIMIT_COUNT; i++)
		if (resources[i].need && resources[i].have / resources[i].need < result.ctas) {
			result.ctas = (uint32_t)(resources[i].have / resources[i].need);
			result.limit = (enum occupancy_limit)i;
		}
	return result;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
	static const char *const names[LIMIT_COUNT] = {[LIMIT_CTAS] = "CTA slots",
						       [LIMIT_THREADS] = "threads",
						       [LIMIT_WARPS] = "warps",
						       [LIMIT_REGISTERS] = "registers",
						       [LIMIT_SHARED] = "shared memory"};

	return names[limit];
}
