/* Loose round robin: the first warp that can issue after the warp that issued last. */
#include "sim-backend/sm/warp_scheduler.h"

#include <stddef.h>

static unsigned lrr_pick(uint64_t candidates, unsigned last, struct warp_ages ages)
{
	uint64_t after = last < NO_WARP - 1 ? candidates & (UINT64_MAX << (last + 1)) : 0;

	(void)ages;
	return (unsigned)__builtin_ctzll(after ? after : candidates);
}

const struct warp_scheduler_ops warp_scheduler_lrr = {
    .name = "lrr",
    .summary = "loose round robin: the next warp in order that can issue",
    .source = "G-Cache's baseline",
    .pick = lrr_pick,
};
