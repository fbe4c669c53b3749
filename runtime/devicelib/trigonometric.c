/*
 * Sine, cosine and tangent. In double precision they are libclc's, which forget the sign of a zero. In single precision
 * arguments up to FAR are reduced in three steps of fused multiply-add, in about half of libclc's instructions.
 */
#include "libclc.h"

#include <stdint.h>

#define TWO_OVER_PI 0x1.45f306p-1f
/* pi / 2 in three numbers. */
#define HALF_PI_HIGH 0x1.921fb6p+0f
#define HALF_PI_MIDDLE -0x1.777a5cp-25f
#define HALF_PI_LOW -0x1.ee59dap-50f
#define FAR 105615.0f
/* Added to a number below 2^22 it leaves the nearest whole number in the sum's low bits. */
#define ROUND 0x1.8p23f

/* x = quadrant pi/2 + rest, with |rest| <= pi/4. */
struct reduced {
	float rest;
	uint32_t quadrant;
};

static struct reduced reduce(float x)
{
	union {
		float number;
		uint32_t bits;
	} sum = {.number = __builtin_fmaf(x, TWO_OVER_PI, ROUND)};
	float minus_n = ROUND - sum.number;
	float rest = __builtin_fmaf(minus_n, HALF_PI_HIGH, x);

	rest = __builtin_fmaf(minus_n, HALF_PI_MIDDLE, rest);
	return (struct reduced){__builtin_fmaf(minus_n, HALF_PI_LOW, rest), sum.bits};
}

/* Both polynomials are the minimax ones of their degree for |x| <= pi/4. */
static float sine_near_0(float x)
{
	float square = x * x;
	float sum = __builtin_fmaf(-0.000195172346949f, square, 0.00833217768649f);

	sum = __builtin_fmaf(sum, square, -0.166666549367f);
	return __builtin_fmaf(x * square, sum, x);
}

static float cosine_near_0(float x)
{
	float square = x * x;
	float sum = __builtin_fmaf(2.43834827592e-5f, square, -0.00138866807504f);

	sum = __builtin_fmaf(sum, square, 0.0416666203287f);
	sum = __builtin_fmaf(sum, square, -0.499999996942f);
	return __builtin_fmaf(sum, square, 1.0f);
}

/* The sine of quadrant pi/2 + an angle whose sine and cosine are given. A zero has lost its sign in these. */
static float in_quadrant(uint32_t quadrant, float sine, float cosine)
{
	float value = quadrant & 1 ? cosine : sine;

	return quadrant & 2 ? -value : value;
}

double __nv_sin(double x)
{
	return x == 0.0 ? x : clc_sin(x);
}

double __nv_tan(double x)
{
	return x == 0.0 ? x : clc_tan(x);
}

void __nv_sincos(double x, double *sine, double *cosine)
{
	double value = clc_sincos(x, cosine);

	*sine = x == 0.0 ? x : value;
}

float __nv_sinf(float x)
{
	struct reduced r;

	if (__builtin_fabsf(x) > FAR)
		return clc_sin_f(x);
	r = reduce(x);
	return x == 0.0f ? x : in_quadrant(r.quadrant, sine_near_0(r.rest), cosine_near_0(r.rest));
}

float __nv_cosf(float x)
{
	struct reduced r;

	if (__builtin_fabsf(x) > FAR)
		return clc_cos_f(x);
	r = reduce(x);
	return in_quadrant(r.quadrant + 1, sine_near_0(r.rest), cosine_near_0(r.rest));
}

void __nv_sincosf(float x, float *sine, float *cosine)
{
	struct reduced r;
	float near_sine, near_cosine;

	if (__builtin_fabsf(x) > FAR) {
		*sine = clc_sincos_f(x, cosine);
		return;
	}
	r = reduce(x);
	near_sine = sine_near_0(r.rest);
	near_cosine = cosine_near_0(r.rest);
	*sine = x == 0.0f ? x : in_quadrant(r.quadrant, near_sine, near_cosine);
	*cosine = in_quadrant(r.quadrant + 1, near_sine, near_cosine);
}

float __nv_tanf(float x)
{
	struct reduced r;
	float sine, cosine;

	if (__builtin_fabsf(x) > FAR)
		return clc_tan_f(x);
	r = reduce(x);
	sine = sine_near_0(r.rest);
	cosine = cosine_near_0(r.rest);
	if (x == 0.0f)
		return x;
	return r.quadrant & 1 ? -cosine / sine : sine / cosine;
}
