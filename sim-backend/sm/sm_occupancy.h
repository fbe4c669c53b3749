/* How many CTAs of a launch fit on one SM, and which resource says so. */
#ifndef ROMARK_SIM_SM_OCCUPANCY_H
#define ROMARK_SIM_SM_OCCUPANCY_H

#include "sim-backend/sm/sm_config.h"

enum occupancy_limit { LIMIT_CTAS, LIMIT_THREADS, LIMIT_WARPS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };

/* Amounts of each resource: of a CTA, or of an SM. */
struct cta_needs {
	uint64_t of[LIMIT_COUNT];
};

struct occupancy {
	uint32_t ctas; /* 0: not even one fits */
	uint32_t warps_per_cta;
	enum occupancy_limit limit;
	uint64_t have, need; /* of what limits: in an SM, for a CTA */
};

struct cta_needs sm_resources(const struct sm_config *config);
struct cta_needs cta_needs_of(const struct sm_config *config, uint32_t threads_per_cta, uint32_t registers_per_thread,
			      uint32_t shared_bytes);
struct occupancy occupancy_of(const struct sm_config *config, uint32_t threads_per_cta, uint32_t registers_per_thread,
			      uint32_t shared_bytes);
/* "registers" .. */
const char *occupancy_limit_name(enum occupancy_limit limit);
/* "sm.registers" .. */
const char *occupancy_limit_key(enum occupancy_limit limit);

#endif
