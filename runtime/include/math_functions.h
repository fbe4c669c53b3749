/*
 * Math that CUDA offers beside the C library: on the device through Clang's wrappers of the device library, on the
 * host here. min and max exist for every pair of arithmetic types.
 */
#ifndef ROMARK_MATH_FUNCTIONS_H
#define ROMARK_MATH_FUNCTIONS_H

#if defined(__cplusplus)

#include <cmath>
#include <cstdlib>

#define ROMARK_HOST static inline __host__
#define ROMARK_BOTH static inline __host__ __device__

/* --- min and max --- */

#define ROMARK_MIN_MAX(attributes, result, left, right)                                                                \
	attributes result max(left a, right b)                                                                         \
	{                                                                                                              \
		return (result)a < (result)b ? (result)b : (result)a;                                                  \
	}                                                                                                              \
	attributes result min(left a, right b)                                                                         \
	{                                                                                                              \
		return (result)b < (result)a ? (result)b : (result)a;                                                  \
	}

#if defined(ROMARK_CUDA)
ROMARK_MIN_MAX(ROMARK_HOST, int, int, int)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned, unsigned, unsigned)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned, int, unsigned)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned, unsigned, int)
ROMARK_MIN_MAX(ROMARK_BOTH, long, long, long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long, unsigned long, unsigned long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long, long, unsigned long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long, unsigned long, long)
ROMARK_MIN_MAX(ROMARK_BOTH, long long, long long, long long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long long, unsigned long long, unsigned long long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long long, long long, unsigned long long)
ROMARK_MIN_MAX(ROMARK_BOTH, unsigned long long, unsigned long long, long long)
#undef ROMARK_MIN_MAX

/* If one operand is a NaN, the result is the other operand, as with fmax and fmin. */
#define ROMARK_FLOAT_MIN_MAX(result, left, right, suffix)                                                              \
	ROMARK_BOTH result max(left a, right b)                                                                        \
	{                                                                                                              \
		return fmax##suffix((result)a, (result)b);                                                             \
	}                                                                                                              \
	ROMARK_BOTH result min(left a, right b)                                                                        \
	{                                                                                                              \
		return fmin##suffix((result)a, (result)b);                                                             \
	}
ROMARK_FLOAT_MIN_MAX(float, float, float, f)
ROMARK_FLOAT_MIN_MAX(double, double, double, )
ROMARK_FLOAT_MIN_MAX(double, float, double, )
ROMARK_FLOAT_MIN_MAX(double, double, float, )
#undef ROMARK_FLOAT_MIN_MAX

ROMARK_HOST unsigned umin(unsigned a, unsigned b)
{
	return a < b ? a : b;
}
ROMARK_HOST unsigned umax(unsigned a, unsigned b)
{
	return a < b ? b : a;
}
ROMARK_HOST long long llmin(long long a, long long b)
{
	return a < b ? a : b;
}
ROMARK_HOST long long llmax(long long a, long long b)
{
	return a < b ? b : a;
}
ROMARK_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
	return a < b ? a : b;
}
ROMARK_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
	return a < b ? b : a;
}

/* --- Host versions of functions the C library lacks --- */

/* glibc has sinpi and cospi from 2.41 on, rsqrt from 2.42 on. */
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 41)
#define ROMARK_LIBM_HAS_SINPI
#endif
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 42)
#define ROMARK_LIBM_HAS_RSQRT
#endif

#ifndef ROMARK_LIBM_HAS_RSQRT
ROMARK_HOST double rsqrt(double x)
{
	return 1.0 / std::sqrt(x);
}
#endif
ROMARK_HOST double rcbrt(double x)
{
	return 1.0 / ::cbrt(x);
}
#ifndef ROMARK_LIBM_HAS_SINPI
ROMARK_HOST double sinpi(double x)
{
	return std::sin(3.14159265358979323846 * std::fmod(x, 2.0));
}
ROMARK_HOST double cospi(double x)
{
	return std::cos(3.14159265358979323846 * std::fmod(x, 2.0));
}
#endif
ROMARK_HOST void sincospi(double x, double *sine, double *cosine)
{
	*sine = sinpi(x);
	*cosine = cospi(x);
}
ROMARK_HOST double normcdf(double x)
{
	return 0.5 * ::erfc(-x * 0.70710678118654752440);
}
ROMARK_HOST double rhypot(double x, double y)
{
	return 1.0 / ::hypot(x, y);
}
ROMARK_HOST double norm3d(double x, double y, double z)
{
	return ::hypot(::hypot(x, y), z);
}
ROMARK_HOST double norm4d(double x, double y, double z, double w)
{
	return ::hypot(::hypot(x, y), ::hypot(z, w));
}

#define ROMARK_HOST_FLOAT(name)                                                                                        \
	ROMARK_HOST float name##f(float x)                                                                             \
	{                                                                                                              \
		return (float)name((double)x);                                                                         \
	}
#define ROMARK_FLOAT_OVERLOAD(name)                                                                                    \
	ROMARK_BOTH float name(float x)                                                                                \
	{                                                                                                              \
		return name##f(x);                                                                                     \
	}
#ifndef ROMARK_LIBM_HAS_RSQRT
ROMARK_HOST_FLOAT(rsqrt)
#endif
ROMARK_HOST_FLOAT(rcbrt)
#ifndef ROMARK_LIBM_HAS_SINPI
ROMARK_HOST_FLOAT(sinpi)
ROMARK_HOST_FLOAT(cospi)
#endif
ROMARK_HOST_FLOAT(normcdf)
ROMARK_FLOAT_OVERLOAD(rsqrt)
ROMARK_FLOAT_OVERLOAD(rcbrt)
ROMARK_FLOAT_OVERLOAD(sinpi)
ROMARK_FLOAT_OVERLOAD(cospi)
ROMARK_FLOAT_OVERLOAD(normcdf)
#undef ROMARK_FLOAT_OVERLOAD
#undef ROMARK_HOST_FLOAT

ROMARK_HOST float rhypotf(float x, float y)
{
	return (float)rhypot((double)x, (double)y);
}
ROMARK_HOST float norm3df(float x, float y, float z)
{
	return (float)norm3d((double)x, (double)y, (double)z);
}

/* --- Overloads for float on the device, most of which Clang declares and leaves to the C++ library --- */

#define ROMARK_DEVICE static inline __device__
#define ROMARK_FLOAT_1(result, name)                                                                                   \
	ROMARK_DEVICE result name(float x)                                                                             \
	{                                                                                                              \
		return name##f(x);                                                                                     \
	}
#define ROMARK_FLOAT_2(name, second)                                                                                   \
	ROMARK_DEVICE float name(float x, second y)                                                                    \
	{                                                                                                              \
		return name##f(x, y);                                                                                  \
	}
ROMARK_DEVICE double scalbln(double x, long exponent)
{
	return scalbn(x, exponent > 0x7fffffff ? 0x7fffffff : exponent < -0x7fffffff ? -0x7fffffff : (int)exponent);
}
ROMARK_DEVICE float scalblnf(float x, long exponent)
{
	return scalbnf(x, exponent > 0x7fffffff ? 0x7fffffff : exponent < -0x7fffffff ? -0x7fffffff : (int)exponent);
}
ROMARK_FLOAT_1(float, acosh)
ROMARK_FLOAT_1(float, asinh)
ROMARK_FLOAT_1(float, atanh)
ROMARK_FLOAT_1(float, cbrt)
ROMARK_FLOAT_1(float, erf)
ROMARK_FLOAT_1(float, erfc)
ROMARK_FLOAT_1(float, erfcinv)
ROMARK_FLOAT_1(float, erfcx)
ROMARK_FLOAT_1(float, erfinv)
ROMARK_FLOAT_1(float, exp2)
ROMARK_FLOAT_1(float, expm1)
ROMARK_FLOAT_1(int, ilogb)
ROMARK_FLOAT_1(float, lgamma)
ROMARK_FLOAT_1(long long, llrint)
ROMARK_FLOAT_1(long long, llround)
ROMARK_FLOAT_1(float, log1p)
ROMARK_FLOAT_1(float, log2)
ROMARK_FLOAT_1(float, logb)
ROMARK_FLOAT_1(long, lrint)
ROMARK_FLOAT_1(long, lround)
ROMARK_FLOAT_1(float, nearbyint)
ROMARK_FLOAT_1(float, normcdfinv)
ROMARK_FLOAT_1(float, rint)
ROMARK_FLOAT_1(float, round)
ROMARK_FLOAT_1(float, tgamma)
ROMARK_FLOAT_1(float, trunc)
ROMARK_FLOAT_2(copysign, float)
ROMARK_FLOAT_2(fdim, float)
ROMARK_FLOAT_2(fmax, float)
ROMARK_FLOAT_2(fmin, float)
ROMARK_FLOAT_2(hypot, float)
ROMARK_FLOAT_2(nextafter, float)
ROMARK_FLOAT_2(remainder, float)
ROMARK_FLOAT_2(scalbln, long)
ROMARK_FLOAT_2(scalbn, int)
#undef ROMARK_FLOAT_1
#undef ROMARK_FLOAT_2

ROMARK_DEVICE float fma(float x, float y, float z)
{
	return fmaf(x, y, z);
}
ROMARK_DEVICE float remquo(float x, float y, int *quotient)
{
	return remquof(x, y, quotient);
}
/* Ignores the text, which could choose among several NaNs. */
ROMARK_DEVICE double nan(const char *)
{
	return __builtin_nan("");
}
ROMARK_DEVICE float nanf(const char *)
{
	return __builtin_nanf("");
}
#undef ROMARK_DEVICE

static inline __device__ void sincospi(float x, float *sine, float *cosine)
{
	sincospif(x, sine, cosine);
}
static inline __device__ void sincos(float x, float *sine, float *cosine)
{
	sincosf(x, sine, cosine);
}

#endif

#undef ROMARK_HOST
#undef ROMARK_BOTH

#endif
#endif
