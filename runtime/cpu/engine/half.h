/* Half precision and bfloat16 as bits: conversion to float is exact, from float and double rounds once. */
#ifndef ROMARK_CPU_HALF_H
#define ROMARK_CPU_HALF_H

#include "runtime/cpu/engine/float_bits.h"

#include <float.h>
#include <math.h>

#define NAN_F16 0x7fffu
#define NAN_BF16 0x7fffu

static inline float f16_to_f32(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fffu;
	float f = bits_float(magnitude << 13) * 0x1p112f; /* moves the exponent's bias; right for subnormals too */

	return bits_float(sign | (magnitude >= 0x7c00 ? 0x7f800000 | magnitude << 13 : float_bits(f)));
}

static inline float bf16_to_f32(uint16_t h)
{
	return bits_float((uint32_t)h << 16);
}

/* 2^n for -1022 <= n <= 1023. */
static inline double power_of_two(int n)
{
	return bits_double((uint64_t)(n + 1023) << 52);
}

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };

/*
 * The binary floating-point number nearest to x in a format with `digits` explicit significand bits, exponents from
 * `min_exponent` (of the smallest normal), without overflow: the result is exact in double. `x` is finite.
 */
static inline double rounded_to(double x, int digits, int min_exponent, enum rounding mode)
{
	int exponent = (int)(double_bits(x) >> 52 & 0x7ff) - 1023;
	int shift = digits - (exponent < min_exponent ? min_exponent : exponent);
	/* 2^shift in two factors: it may be beyond the exponents of a double. */
	int first = shift / 2, second = shift - first;
	double scaled = x * power_of_two(first) * power_of_two(second);
	double whole = (double)(int64_t)scaled, rest = fabs(scaled - whole);

	switch (mode) {
	case ROUND_NEAREST:
		if (rest > 0.5 || (rest == 0.5 && ((int64_t)scaled & 1)))
			whole += copysign(1.0, x);
		break;
	case ROUND_AWAY:
		if (rest >= 0.5)
			whole += copysign(1.0, x);
		break;
	case ROUND_DOWN:
		if (rest != 0 && x < 0)
			whole -= 1.0;
		break;
	case ROUND_UP:
		if (rest != 0 && x > 0)
			whole += 1.0;
		break;
	case ROUND_ZERO: break;
	}
	return copysign(whole * power_of_two(-first) * power_of_two(-second), x);
}

/* To nearest, ties to even. Uses integers only, since it is called in inner loops. */
static inline uint16_t f32_to_f16(float f)
{
	uint32_t bits = float_bits(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
	/* Subnormal results: adding 0.5 shifts the significand into place and rounds it. */
	uint32_t small = float_bits(bits_float(magnitude) + 0.5f) - 0x3f000000;
	uint32_t normal = (magnitude + 0xc8000fff + (magnitude >> 13 & 1)) >> 13;
	uint32_t large = magnitude > 0x7f800000 ? NAN_F16 : 0x7c00;
	uint32_t r = magnitude >= 0x47800000 ? large : magnitude < 0x38800000 ? small : normal;

	return (uint16_t)(magnitude > 0x7f800000 ? NAN_F16 : sign | r);
}

static inline uint16_t f32_to_bf16(float f)
{
	uint32_t bits = float_bits(f);

	return (uint16_t)(f != f ? NAN_BF16 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* A double that is exact in binary16 or overflows it; see rounded_to. */
static inline uint16_t f16_bits(double x)
{
	if (x != x)
		return NAN_F16;
	return f32_to_f16((float)x);
}

static inline uint16_t f64_to_f16(double x, enum rounding mode)
{
	double r;

	if (!(fabs(x) <= DBL_MAX))
		return f16_bits(x);
	r = rounded_to(x, 10, -14, mode);
	if (fabs(r) > 65504.0 && (mode == ROUND_ZERO || (mode == ROUND_DOWN && x > 0) || (mode == ROUND_UP && x < 0)))
		r = copysign(65504.0, x);
	return f16_bits(r);
}

static inline uint16_t f64_to_bf16(double x, enum rounding mode)
{
	const double largest = 0x1.fep127;
	double r;

	if (x != x)
		return NAN_BF16;
	if (fabs(x) > DBL_MAX)
		return (uint16_t)(float_bits((float)x) >> 16);
	r = rounded_to(x, 7, -126, mode);
	if (fabs(r) > largest && (mode == ROUND_ZERO || (mode == ROUND_DOWN && x > 0) || (mode == ROUND_UP && x < 0)))
		r = copysign(largest, x);
	return (uint16_t)(float_bits((float)r) >> 16);
}

/*
 * a b + c, rounded to odd: if digits are lost, the last digit that is kept becomes 1. If a second rounding to a format
 * of at least two digits less follows, the result equals the exact value rounded once: the odd digit tells a value
 * beside the middle of two short numbers from the middle itself. Products are exact: of half precision in float, of
 * bfloat16 in double.
 */
static inline float fma_odd_f32(float a, float b, float c)
{
	float product = a * b, sum = product + c;
	float part = sum - product, error = (product - (sum - part)) + (c - part);
	uint32_t bits = float_bits(sum);
	uint32_t odd = (error > 0) == (sum > 0) ? bits | 1 : (bits - 1) | 1;

	return fabsf(sum) <= FLT_MAX && error != 0 ? bits_float(odd) : sum;
}

static inline double fma_odd_f64(double a, double b, double c)
{
	double product = a * b, sum = product + c;
	double part = sum - product, error = (product - (sum - part)) + (c - part);
	uint64_t bits = double_bits(sum);
	uint64_t odd = (error > 0) == (sum > 0) ? bits | 1 : (bits - 1) | 1;

	return fabs(sum) <= DBL_MAX && error != 0 ? bits_double(odd) : sum;
}

#endif
