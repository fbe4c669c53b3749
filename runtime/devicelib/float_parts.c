/*
 * A number's sign, exponent and significand: taken apart, put together, and the number next to it. libclc's lose
 * subnormals in single precision.
 */
#include <limits.h>
#include <stdint.h>

/*
 * X(name's suffix, type, its bits' type, stored bits of the significand, bias of the exponent, power of two that makes
 * subnormals normal). One set of functions for each precision.
 */
#define PRECISIONS(X)                                                                                                  \
	X(, double, uint64_t, 52, 1023, 0x1p54)                                                                        \
	X(f, float, uint32_t, 23, 127, 0x1p25f)

enum { POWER_OF_NORMAL_double = 54, POWER_OF_NORMAL_float = 25 };

#define PARTS(f, type, uint, mantissa, bias, normal)                                                                   \
	static uint bits_of##f(type x)                                                                                 \
	{                                                                                                              \
		union {                                                                                                \
			type number;                                                                                   \
			uint bits;                                                                                     \
		} u = {.number = x};                                                                                   \
                                                                                                                       \
		return u.bits;                                                                                         \
	}                                                                                                              \
	static type number_of##f(uint bits)                                                                            \
	{                                                                                                              \
		union {                                                                                                \
			uint bits;                                                                                     \
			type number;                                                                                   \
		} u = {.bits = bits};                                                                                  \
                                                                                                                       \
		return u.number;                                                                                       \
	}                                                                                                              \
	/* 2^k for a normal result. */                                                                                 \
	static type power##f(int k)                                                                                    \
	{                                                                                                              \
		return number_of##f((uint)(k + bias) << mantissa);                                                     \
	}                                                                                                              \
	/* The exponent of a finite number but 0: x = m 2^e with 1 <= |m| < 2. */                                      \
	static int exponent_of##f(type x)                                                                              \
	{                                                                                                              \
		_Bool subnormal = __builtin_fabs##f(x) < power##f(1 - bias);                                           \
		uint bits = bits_of##f(subnormal ? x * normal : x);                                                    \
                                                                                                                       \
		return (int)(bits >> mantissa & (2 * bias + 1)) - bias - (subnormal ? POWER_OF_NORMAL_##type : 0);     \
	}                                                                                                              \
	static _Bool is_finite##f(type x)                                                                              \
	{                                                                                                              \
		return __builtin_fabs##f(x) < __builtin_inf##f();                                                      \
	}                                                                                                              \
	/* Multiplies by powers that are normal numbers; only the last step rounds. */                                 \
	type __nv_ldexp##f(type x, int k)                                                                              \
	{                                                                                                              \
		int e;                                                                                                 \
                                                                                                                       \
		if (x == 0 || !is_finite##f(x))                                                                        \
			return x + x;                                                                                  \
		k = k > 4 * bias ? 4 * bias : k < -4 * bias ? -4 * bias : k;                                           \
		e = exponent_of##f(x);                                                                                 \
		if (e < 1 - bias) {                                                                                    \
			x *= normal;                                                                                   \
			k -= POWER_OF_NORMAL_##type;                                                                   \
			e += POWER_OF_NORMAL_##type;                                                                   \
		}                                                                                                      \
		if (e + k > bias)                                                                                      \
			return __builtin_copysign##f(__builtin_inf##f(), x);                                           \
		if (e + k >= 1 - bias)                                                                                 \
			return number_of##f(bits_of##f(x) + ((uint)k << mantissa));                                    \
		if (e + k < -bias - mantissa - 1)                                                                      \
			return __builtin_copysign##f(0, x);                                                            \
		return number_of##f(bits_of##f(x) + ((uint)(k + mantissa + 2) << mantissa)) * power##f(-mantissa - 2); \
	}                                                                                                              \
	type __nv_scalbn##f(type x, int k)                                                                             \
	{                                                                                                              \
		return __nv_ldexp##f(x, k);                                                                            \
	}                                                                                                              \
	int __nv_ilogb##f(type x)                                                                                      \
	{                                                                                                              \
		if (x == 0 || x != x)                                                                                  \
			return INT_MIN;                                                                                \
		return is_finite##f(x) ? exponent_of##f(x) : INT_MAX;                                                  \
	}                                                                                                              \
	type __nv_logb##f(type x)                                                                                      \
	{                                                                                                              \
		if (x == 0)                                                                                            \
			return -__builtin_inf##f();                                                                    \
		return is_finite##f(x) ? (type)exponent_of##f(x) : x * x;                                              \
	}                                                                                                              \
	type __nv_frexp##f(type x, int *exponent)                                                                      \
	{                                                                                                              \
		*exponent = 0;                                                                                         \
		if (x == 0 || !is_finite##f(x))                                                                        \
			return x + x;                                                                                  \
		*exponent = exponent_of##f(x) + 1;                                                                     \
		return __nv_ldexp##f(x, -*exponent);                                                                   \
	}                                                                                                              \
	type __nv_modf##f(type x, type *whole)                                                                         \
	{                                                                                                              \
		*whole = __builtin_trunc##f(x);                                                                        \
		return __builtin_copysign##f(__builtin_isinf(x) ? 0 : x - *whole, x);                                  \
	}                                                                                                              \
	/* The next number's bits are one higher or lower. Next to zero are the smallest subnormals. */                \
	type __nv_nextafter##f(type x, type y)                                                                         \
	{                                                                                                              \
		if (x != x || y != y)                                                                                  \
			return x + y;                                                                                  \
		if (x == y)                                                                                            \
			return y;                                                                                      \
		if (x == 0)                                                                                            \
			return __builtin_copysign##f(number_of##f(1), y);                                              \
		return number_of##f((x < y) == (x > 0) ? bits_of##f(x) + 1 : bits_of##f(x) - 1);                       \
	}
PRECISIONS(PARTS)
