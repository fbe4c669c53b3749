/* Greedy then oldest: stay with the warp issued last, else take the oldest warp that can issue. */
#include "sim-backend/sm/warp_scheduler.h"

#include <stddef.h>

static unsigned gto_pick(uint64_t candidates, unsigned last, struct warp_ages ages)
{
	if (last < NO_WARP && (candidates >> last & 1))
		return last;
	for (uint32_t i = 0; i < ages.count; i++) {
		uint64_t of_cta = candidates & ages.masks[i];

		if (of_cta)
			return (unsigned)__builtin_ctzll(of_cta);
	}
	return (unsigned)__builtin_ctzll(candidates);
}

const struct warp_scheduler_ops warp_scheduler_gto = {
    .name = "gto",
    .summary = "greedy then oldest: the warp issued last while it can, else the oldest",
    .source = "Rogers et al., MICRO 2012; SelRep Table I",
    .pick = gto_pick,
};
