/* The memory clock in exact integers: clock number = floor(cycle * numerator / denominator), fraction reduced. */
#ifndef ROMARK_SIM_DRAM_CLOCK_H
#define ROMARK_SIM_DRAM_CLOCK_H

#include "common/integer.h"

#include <stdint.h>

struct dram_clock {
	uint64_t numerator, denominator; /* memory Hz, core Hz */
};

static inline struct dram_clock dram_clock_of(uint64_t memory_hz, uint64_t core_hz)
{
	uint64_t a = memory_hz, b = core_hz;

	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return (struct dram_clock){memory_hz / a, core_hz / a};
}

/* Memory clocks that have begun by core cycle `cycle`. */
static inline uint64_t dram_clock_at(const struct dram_clock *c, uint64_t cycle)
{
	return cycle / c->denominator * c->numerator + cycle % c->denominator * c->numerator / c->denominator;
}

/* First core cycle in which dram_clock_at is `clock` or more. */
static inline uint64_t dram_clock_cycle(const struct dram_clock *c, uint64_t clock)
{
	uint64_t whole = clock / c->numerator, rest = clock % c->numerator;

	return whole * c->denominator + divide_up(rest * c->denominator, c->numerator);
}

#endif
