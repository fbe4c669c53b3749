/* Elementary functions: libclc's where it has them, and our own, a few lines each, where it lacks them. */
#include "libclc.h"

double __nv_ldexp(double x, int k);
int __nv_ilogb(double x);

/* --- Straight from libclc --- */

#define CLC_DOUBLE(name, n)                                                                                            \
	double __nv_##name(double x)                                                                                   \
	{                                                                                                              \
		return clc_##name(x);                                                                                  \
	}
#define CLC_1(name, n)                                                                                                 \
	CLC_DOUBLE(name, n)                                                                                            \
	float __nv_##name##f(float x)                                                                                  \
	{                                                                                                              \
		return clc_##name##_f(x);                                                                              \
	}
#define CLC_2(name, n)                                                                                                 \
	double __nv_##name(double x, double y)                                                                         \
	{                                                                                                              \
		return clc_##name(x, y);                                                                               \
	}                                                                                                              \
	float __nv_##name##f(float x, float y)                                                                         \
	{                                                                                                              \
		return clc_##name##_f(x, y);                                                                           \
	}
#include "libclc.def"

/* --- Functions where libclc goes wrong --- */

/* libclc computes an index into a table from the argument, and does not check it. */
#define HYPERBOLIC(f, type, clc_f, most)                                                                               \
	type __nv_cosh##f(type x)                                                                                      \
	{                                                                                                              \
		return __builtin_fabs##f(x) < most ? (type)clc_cosh(x) : x * x * __builtin_inf##f();                   \
	}                                                                                                              \
	type __nv_sinh##f(type x)                                                                                      \
	{                                                                                                              \
		return __builtin_fabs##f(x) < most ? clc_sinh##clc_f(x) : x * __builtin_inf##f();                      \
	}
HYPERBOLIC(, double, , 711.0)
HYPERBOLIC(f, float, _f, 90.0f)

/* In double precision these lose the sign of a zero. */
#define SIGNED_ZERO(name)                                                                                              \
	double __nv_##name(double x)                                                                                   \
	{                                                                                                              \
		return x == 0.0 ? x : clc_##name(x);                                                                   \
	}                                                                                                              \
	float __nv_##name##f(float x)                                                                                  \
	{                                                                                                              \
		return clc_##name##_f(x);                                                                              \
	}
SIGNED_ZERO(atan)
SIGNED_ZERO(erf)
SIGNED_ZERO(expm1)

/* A zero of the sine has the argument's sign, one of the cosine is positive. In single precision libclc's are 1.8 units
 * off. */
#define OF_PI(f, type)                                                                                                 \
	type __nv_sinpi##f(type x)                                                                                     \
	{                                                                                                              \
		type value = (type)clc_sinpi(x);                                                                       \
                                                                                                                       \
		return value == 0 ? __builtin_copysign##f(0, x) : value;                                               \
	}                                                                                                              \
	type __nv_cospi##f(type x)                                                                                     \
	{                                                                                                              \
		type value = (type)clc_cospi(x);                                                                       \
                                                                                                                       \
		return value == 0 ? 0 : value;                                                                         \
	}                                                                                                              \
	void __nv_sincospi##f(type x, type *sine, type *cosine)                                                        \
	{                                                                                                              \
		*sine = __nv_sinpi##f(x);                                                                              \
		*cosine = __nv_cospi##f(x);                                                                            \
	}
OF_PI(, double)
OF_PI(f, float)

double __nv_erfc(double x)
{
	return clc_erfc(x);
}

/* That of single precision has no subnormal results, and is 60 units off where results are small. */
float __nv_erfcf(float x)
{
	return x > 0.5f ? (float)clc_erfc(x) : clc_erfc_f(x);
}

/* --- From others of the same kind --- */

double __nv_powi(double x, int k)
{
	return clc_pow(x, k);
}

float __nv_powif(float x, int k)
{
	return clc_pow_f(x, (float)k);
}

/* With one step of Newton's iteration, in which the cube is two numbers. */
double __nv_rcbrt(double x)
{
	double y = 1.0 / clc_cbrt(x), square = y * y, cube = square * y, rest;

	if (x == 0.0 || x - x != 0.0)
		return y;
	if (__builtin_fabs(x) < 0x1p-900)
		return __nv_rcbrt(x * 0x1p300) * 0x1p100;
	rest = __builtin_fma(square, y, -cube) + __builtin_fma(y, y, -square) * y;
	return y + y * (__builtin_fma(-x, cube, 1.0) - x * rest) / 3.0;
}

float __nv_rcbrtf(float x)
{
	return (float)(1.0 / clc_cbrt(x));
}

/* With the rest of the root. Where that would be subnormal the argument is made larger. */
double __nv_rsqrt(double x)
{
	_Bool small = x < 0x1p-900;
	double near = small ? x * 0x1p200 : x, root = __nvvm_sqrt_rn_d(near), y = 1.0 / root, rest;

	if (x == 0.0 || x - x != 0.0)
		return y;
	rest = __builtin_fma(-root, root, near) / (2.0 * root);
	y += y * (__builtin_fma(-root, y, 1.0) - rest * y);
	return small ? y * 0x1p100 : y;
}

float __nv_rsqrtf(float x)
{
	return __nvvm_rsqrt_approx_f(x);
}

/* --- Remainders: exact, by subtracting y times ever smaller powers of two --- */

/* Returns the remainder of |x| / |y|, and the low bits of the quotient. Both numbers are finite and y is not 0. */
static double divide(double x, double y, unsigned *quotient)
{
	double rest = __builtin_fabs(x), size = __builtin_fabs(y), step;

	*quotient = 0;
	if (rest < size)
		return rest;
	step = __nv_ldexp(size, __nv_ilogb(rest) - __nv_ilogb(size));
	for (step = step > rest ? 0.5 * step : step; step >= size; step *= 0.5) {
		*quotient *= 2;
		if (rest >= step) {
			rest -= step;
			++*quotient;
		}
	}
	return rest;
}

static int is_undefined(double x, double y)
{
	return x != x || y != y || __builtin_isinf(x) || y == 0.0;
}

double __nv_fmod(double x, double y)
{
	unsigned quotient;

	if (is_undefined(x, y))
		return __builtin_nan("");
	return __builtin_isinf(y) ? x : __builtin_copysign(divide(x, y, &quotient), x);
}

double __nv_remquo(double x, double y, int *quotient)
{
	double size = __builtin_fabs(y), rest;
	unsigned bits = 0;

	*quotient = 0;
	if (is_undefined(x, y))
		return __builtin_nan("");
	if (__builtin_isinf(y))
		return x;
	rest = divide(x, y, &bits);
	if (rest > size - rest || (rest == size - rest && bits % 2)) {
		rest -= size;
		bits++;
	}
	*quotient = (x < 0) != (y < 0) ? -(int)(bits % 8) : (int)(bits % 8);
	return __builtin_signbit(x) ? -rest : rest;
}

double __nv_remainder(double x, double y)
{
	int quotient;

	return __nv_remquo(x, y, &quotient);
}

float __nv_fmodf(float x, float y)
{
	return (float)__nv_fmod(x, y);
}

float __nv_remquof(float x, float y, int *quotient)
{
	return (float)__nv_remquo(x, y, quotient);
}

float __nv_remainderf(float x, float y)
{
	return (float)__nv_remainder(x, y);
}

/* --- Low precision, from the hardware's approximations --- */

#define LOG2_E 1.4426950408889634f
#define LOG2_10 3.3219280948873623f
#define LN_2 0.6931471805599453f
#define LOG10_2 0.3010299956639812f

float __nv_fast_sinf(float x)
{
	return __nvvm_sin_approx_f(x);
}

float __nv_fast_cosf(float x)
{
	return __nvvm_cos_approx_f(x);
}

void __nv_fast_sincosf(float x, float *sine, float *cosine)
{
	*sine = __nvvm_sin_approx_f(x);
	*cosine = __nvvm_cos_approx_f(x);
}

float __nv_fast_fdividef(float x, float y)
{
	return __nvvm_div_approx_f(x, y);
}

float __nv_fast_tanf(float x)
{
	return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}

float __nv_fast_expf(float x)
{
	return __nvvm_ex2_approx_f(x * LOG2_E);
}

float __nv_fast_exp10f(float x)
{
	return __nvvm_ex2_approx_f(x * LOG2_10);
}

float __nv_fast_log2f(float x)
{
	return __nvvm_lg2_approx_f(x);
}

float __nv_fast_logf(float x)
{
	return __nvvm_lg2_approx_f(x) * LN_2;
}

float __nv_fast_log10f(float x)
{
	return __nvvm_lg2_approx_f(x) * LOG10_2;
}

float __nv_fast_powf(float x, float y)
{
	return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
