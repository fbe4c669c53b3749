/*
 * How many parts a machine has, and the widths that several rooms must agree on. memsys_shape makes it from a
 * configuration. A room that needs the number of another room's parts gets it from this struct. So each room reads only
 * its own configuration.
 */
#ifndef ROMARK_SIM_SHAPE_H
#define ROMARK_SIM_SHAPE_H

#include "common/integer.h"

enum { CHIPS_MAX = 4 };

struct shape {
	unsigned chips;
	unsigned core_mhz; /* clock of the SMs, in whose cycles time is counted */
	/* Counts of one chip: SMs are spread over their routers, slices and channels over the memory controllers. */
	unsigned sms, sm_routers;
	unsigned mcs, slices_per_mc, channels_per_mc;
	unsigned gates; /* links that leave a chip; 0 with one chip */
	unsigned line_bytes, row_bytes, banks;
};

static inline unsigned shape_slices(const struct shape *s)
{
	return s->mcs * s->slices_per_mc;
}

static inline unsigned shape_channels(const struct shape *s)
{
	return s->mcs * s->channels_per_mc;
}

/* Places for links at each of `routers` routers or controllers, over which a chip's links are dealt out. */
static inline unsigned shape_gate_places(const struct shape *s, unsigned routers)
{
	return (unsigned)divide_up(s->gates, routers);
}

#endif
