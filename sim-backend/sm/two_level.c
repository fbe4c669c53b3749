/* Two levels: a few active warps take turns; an active warp that waits for memory gives its place to a pending warp. */
#include "sim-backend/sm/warp_scheduler.h"

#include <stddef.h>

/* The first of `warps`, which is not 0, behind `last`. */
static unsigned next_of(uint64_t warps, unsigned last)
{
	uint64_t after = last < NO_WARP - 1 ? warps & (UINT64_MAX << (last + 1)) : 0;

	return (unsigned)__builtin_ctzll(after ? after : warps);
}

static uint64_t two_level_activate(uint64_t active, uint64_t able, unsigned most, uint8_t *entered)
{
	uint64_t pending = able & ~active;

	active &= able;
	for (unsigned count = (unsigned)__builtin_popcountll(active); pending && count < most; count++) {
		unsigned warp = next_of(pending, *entered);

		active |= (uint64_t)1 << warp;
		pending &= ~((uint64_t)1 << warp);
		*entered = (uint8_t)warp;
	}
	return active;
}

static unsigned two_level_pick(uint64_t candidates, unsigned last, struct warp_ages ages)
{
	(void)ages;
	return next_of(candidates, last);
}

const struct warp_scheduler_ops warp_scheduler_two_level = {
    .name = "two_level",
    .summary = "round robin among sm.active_warps; a warp that waits for memory makes room for another",
    .source = "Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011",
    .pick = two_level_pick,
    .activate = two_level_activate,
};
