/* Elementary functions: libclc's where it has them, and our own, a few lines each, where it lacks them. */
#include "libclc.h"

#define SQRT_HALF 0.70710678118654752440

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
#define CLC_INT(name, n)                                                                                               \
	double __nv_##name(double x, int k)                                                                            \
	{                                                                                                              \
		return clc_##name(x, k);                                                                               \
	}                                                                                                              \
	float __nv_##name##f(float x, int k)                                                                           \
	{                                                                                                              \
		return clc_##name##_f(x, k);                                                                           \
	}
#define CLC_TO_INT(name, n)                                                                                            \
	int __nv_##name(double x)                                                                                      \
	{                                                                                                              \
		return clc_##name(x);                                                                                  \
	}                                                                                                              \
	int __nv_##name##f(float x)                                                                                    \
	{                                                                                                              \
		return clc_##name##_f(x);                                                                              \
	}
#include "libclc.def"

/* --- From others of the same kind --- */

void __nv_sincospi(double x, double *sine, double *cosine)
{
	*sine = clc_sinpi(x);
	*cosine = clc_cospi(x);
}

void __nv_sincospif(float x, float *sine, float *cosine)
{
	*sine = clc_sinpi_f(x);
	*cosine = clc_cospi_f(x);
}

/* libclc's is plus infinity at both zeros, and infinite far below 0, where it is small. Its sign changes there at each
 * whole number. */
double __nv_tgamma(double x)
{
	double value = clc_tgamma(x), below = __builtin_floor(x);

	if (x == 0)
		return 1 / x;
	if (x < 0 && __builtin_isinf(value) && below != x)
		return below * 0.5 == __builtin_floor(below * 0.5) ? 0.0 : -0.0;
	return value;
}

float __nv_tgammaf(float x)
{
	return (float)__nv_tgamma(x);
}

double __nv_scalbn(double x, int k)
{
	return clc_ldexp(x, k);
}

float __nv_scalbnf(float x, int k)
{
	return clc_ldexp_f(x, k);
}

double __nv_powi(double x, int k)
{
	return clc_pow(x, k);
}

float __nv_powif(float x, int k)
{
	return clc_pow_f(x, (float)k);
}

double __nv_rcbrt(double x)
{
	return 1.0 / clc_cbrt(x);
}

float __nv_rcbrtf(float x)
{
	return 1.0f / clc_cbrt_f(x);
}

double __nv_rsqrt(double x)
{
	return 1.0 / __nvvm_sqrt_rn_d(x);
}

float __nv_rsqrtf(float x)
{
	return __nvvm_rsqrt_approx_f(x);
}

double __nv_normcdf(double x)
{
	return 0.5 * clc_erfc(-SQRT_HALF * x);
}

float __nv_normcdff(float x)
{
	return 0.5f * clc_erfc_f(-(float)SQRT_HALF * x);
}

/* --- Norms --- */

double __nv_norm3d(double x, double y, double z)
{
	return clc_hypot(clc_hypot(x, y), z);
}

float __nv_norm3df(float x, float y, float z)
{
	return clc_hypot_f(clc_hypot_f(x, y), z);
}

double __nv_norm4d(double x, double y, double z, double w)
{
	return clc_hypot(clc_hypot(x, y), clc_hypot(z, w));
}

float __nv_norm4df(float x, float y, float z, float w)
{
	return clc_hypot_f(clc_hypot_f(x, y), clc_hypot_f(z, w));
}

double __nv_norm(int n, const double *x)
{
	double norm = 0;

	for (int i = 0; i < n; i++)
		norm = clc_hypot(norm, x[i]);
	return norm;
}

float __nv_normf(int n, const float *x)
{
	float norm = 0;

	for (int i = 0; i < n; i++)
		norm = clc_hypot_f(norm, x[i]);
	return norm;
}

double __nv_rhypot(double x, double y)
{
	return 1.0 / clc_hypot(x, y);
}

float __nv_rhypotf(float x, float y)
{
	return 1.0f / clc_hypot_f(x, y);
}

double __nv_rnorm3d(double x, double y, double z)
{
	return 1.0 / __nv_norm3d(x, y, z);
}

float __nv_rnorm3df(float x, float y, float z)
{
	return 1.0f / __nv_norm3df(x, y, z);
}

double __nv_rnorm4d(double x, double y, double z, double w)
{
	return 1.0 / __nv_norm4d(x, y, z, w);
}

float __nv_rnorm4df(float x, float y, float z, float w)
{
	return 1.0f / __nv_norm4df(x, y, z, w);
}

double __nv_rnorm(int n, const double *x)
{
	return 1.0 / __nv_norm(n, x);
}

float __nv_rnormf(int n, const float *x)
{
	return 1.0f / __nv_normf(n, x);
}

/* --- Parts of a number --- */

double __nv_modf(double x, double *whole)
{
	*whole = __builtin_trunc(x);
	return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}

float __nv_modff(float x, float *whole)
{
	*whole = __builtin_truncf(x);
	return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

double __nv_frexp(double x, int *exponent)
{
	*exponent = 0;
	if (x == 0 || __builtin_isinf(x) || __builtin_isnan(x))
		return x;
	*exponent = clc_ilogb(x) + 1;
	return clc_ldexp(x, -*exponent);
}

float __nv_frexpf(float x, int *exponent)
{
	*exponent = 0;
	if (x == 0 || __builtin_isinf(x) || __builtin_isnan(x))
		return x;
	*exponent = clc_ilogb_f(x) + 1;
	return clc_ldexp_f(x, -*exponent);
}

/* --- Remainders: exact, by subtracting y times ever smaller powers of two --- */

/* Returns the remainder of |x| / |y|, and the low bits of the quotient. Both numbers are finite and y is not 0. */
static double divide(double x, double y, unsigned *quotient)
{
	double rest = __builtin_fabs(x), size = __builtin_fabs(y), step;

	*quotient = 0;
	if (rest < size)
		return rest;
	step = clc_ldexp(size, clc_ilogb(rest) - clc_ilogb(size));
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
	return x < 0 ? -rest : rest;
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
