/* Occupancy is the smallest number of CTAs that any resource allows. */
#include "sim-backend/sm/sm_occupancy.h"

#include "common/integer.h"

struct cta_needs sm_resources(const struct sm_config *config)
{
	return (struct cta_needs){{[LIMIT_CTAS] = config->ctas,
				   [LIMIT_THREADS] = config->threads,
				   [LIMIT_WARPS] = config->warps,
				   [LIMIT_REGISTERS] = config->registers,
				   [LIMIT_SHARED] = config->shared_bytes}};
}

/* Compilers get any kernel into this many registers a thread, at the price of local memory. */
enum { LEAST_REGISTERS = 16 };

/*
 * Registers of a warp. A kernel's number of registers is an estimate, but a launched CTA fits an SM. So a thread has at
 * most an even share of the SM's registers.
 */
static uint64_t warp_registers(const struct sm_config *config, uint64_t warps, uint32_t registers_per_thread)
{
	uint64_t asked = round_up((uint64_t)registers_per_thread * TRACE_WARP_LANES, config->register_granule);
	uint64_t share =
	    warps ? config->registers / warps / config->register_granule * config->register_granule : asked;

	return asked > share && share >= LEAST_REGISTERS * TRACE_WARP_LANES ? share : asked;
}

struct cta_needs cta_needs_of(const struct sm_config *config, uint32_t threads_per_cta, uint32_t registers_per_thread,
			      uint32_t shared_bytes)
{
	uint64_t warps = threads_per_cta / TRACE_WARP_LANES + (threads_per_cta % TRACE_WARP_LANES != 0);

	return (struct cta_needs){{[LIMIT_CTAS] = 1,
				   [LIMIT_THREADS] = warps * TRACE_WARP_LANES,
				   [LIMIT_WARPS] = warps,
				   [LIMIT_REGISTERS] = warps * warp_registers(config, warps, registers_per_thread),
				   [LIMIT_SHARED] = round_up(shared_bytes, config->shared_granule)}};
}

struct occupancy occupancy_of(const struct sm_config *config, uint32_t threads_per_cta, uint32_t registers_per_thread,
			      uint32_t shared_bytes)
{
	struct cta_needs have = sm_resources(config);
	struct cta_needs need = cta_needs_of(config, threads_per_cta, registers_per_thread, shared_bytes);
	struct occupancy result = {.ctas = UINT32_MAX, .warps_per_cta = (uint32_t)need.of[LIMIT_WARPS]};

	for (int i = 0; i < LIMIT_COUNT; i++)
		if (need.of[i] && have.of[i] / need.of[i] < result.ctas) {
			result.ctas = (uint32_t)(have.of[i] / need.of[i]);
			result.limit = (enum occupancy_limit)i;
			result.have = have.of[i];
			result.need = need.of[i];
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
