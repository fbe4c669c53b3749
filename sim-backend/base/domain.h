/*
 * A clock domain: modules that tick in some of the SMs' cycles only. Its clock number in a cycle is floor(cycle * MHz /
 * SM's MHz), exact over any time. With SMs of 1,500 MHz and a domain of 1,000 MHz, cycle 4 has clock number 2. A domain
 * is no faster than the SMs. Inside a domain times are clock numbers. An element that another domain hands over in
 * cycle t can be taken from clock number(t) + 1 on, which begins after cycle t.
 */
#ifndef ROMARK_SIM_DOMAIN_H
#define ROMARK_SIM_DOMAIN_H

#include "sim-backend/base/clock.h"

#include <stdbool.h>

struct domain {
	struct dram_clock clock;
	bool slower; /* than the SMs; else numbers are cycles */
};

/* `mhz` 0: the SMs' clock. */
static inline struct domain domain_of(uint64_t mhz, uint64_t core_mhz)
{
	return (struct domain){dram_clock_of(mhz ? mhz : core_mhz, core_mhz), mhz && mhz != core_mhz};
}

static inline uint64_t domain_clock(const struct domain *d, uint64_t cycle)
{
	return d->slower ? dram_clock_at(&d->clock, cycle) : cycle;
}

/* Whether a clock of the domain begins in this cycle. */
static inline bool domain_ticks(const struct domain *d, uint64_t cycle)
{
	return !d->slower || !cycle || dram_clock_at(&d->clock, cycle) != dram_clock_at(&d->clock, cycle - 1);
}

/* First cycle of a clock number; UINT64_MAX stays. */
static inline uint64_t domain_cycle(const struct domain *d, uint64_t number)
{
	return d->slower && number != UINT64_MAX ? dram_clock_cycle(&d->clock, number) : number;
}

#endif
