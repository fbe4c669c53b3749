/* Floating-point numbers as their bits, and back. */
#ifndef ROMARK_CPU_FLOAT_BITS_H
#define ROMARK_CPU_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline float bits_float(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static inline uint64_t double_bits(double f)
{
	uint64_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline double bits_double(uint64_t u)
{
	double f;

	memcpy(&f, &u, sizeof f);
	return f;
}

#endif
