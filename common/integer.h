/*
 * Rounding and powers of two.
 *
 *   divide_up(9, 4) is 3, round_up(9, 4) is 12
 *   is_power_of_two(8), not of 0 and 6
 *   log2_floor(9) is 3, log2_ceil(9) is 4; of 8 both are 3
 */
#ifndef ROMARK_COMMON_INTEGER_H
#define ROMARK_COMMON_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t divide_up(uint64_t n, uint64_t by)
{
	return (n + by - 1) / by;
}

static inline uint64_t round_up(uint64_t n, uint64_t unit)
{
	return divide_up(n, unit) * unit;
}

static inline bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Requires n > 0. */
static inline unsigned log2_floor(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

/* Requires n > 0. */
static inline unsigned log2_ceil(uint64_t n)
{
	return log2_floor(n) + !is_power_of_two(n);
}

#endif
