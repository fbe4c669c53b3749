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
	struct occupancy result = {.ctas = UINT32_MAX, .warps_per_cta = warps};

	for (int i = 0; i < LIMIT_COUNT; i++)
		if (resources[i].need && resources[i].have / resources[i].need < result.ctas) {
			result.ctas = (uint32_t)(resources[i].have / resources[i].need);
			result.limit = (enum occupancy_limit)i;
			result.have = resources[i].have;
			result.need = resources[i].need;
		}
	return result;
}

static const struct {
	const char *name, *key;
} limits[LIMIT_COUNT] = {[LIMIT_CTAS] = {"CTA slots", "sm.ctas"},
			 [LIMIT_THREADS] = {"threads", "sm.threads"},
			 [LIMIT_WARPS] = {"warps", "sm.warps"},
			 [LIMIT_REGISTERS] = {"registers", "sm.registers"},
			 [LIMIT_SHARED] = {"shared memory", "sm.shared_bytes"}};

const char *occupancy_limit_name(enum occupancy_limit limit)
{
	return limits[limit].name;
}

const char *occupancy_limit_key(enum occupancy_limit limit)
{
	return limits[limit].key;
}
