/*
 * Lengths of vectors and their inverses. In single precision, squares and sums are computed in double precision, where
 * the squares are exact. In double precision, the largest component is first brought near 1, and squares and sum are
 * each kept as the sum of two doubles. So only one rounding is left.
 */
#include <stdint.h>

double __nv_ldexp(double x, int k);
int __nv_ilogb(double x);
double __nv_sqrt(double x);

/* high + low */
struct sum {
	double high, low;
};

static void add_square(struct sum *sum, double x)
{
	double square = x * x, rest = __builtin_fma(x, x, -square), high = sum->high + square, part = high - sum->high;

	sum->low += (sum->high - (high - part)) + (square - part) + rest;
	sum->high = high;
}

/* The root's low part comes from a step of Newton's iteration. */
static struct sum root(struct sum square)
{
	double total = square.high + square.low, rest = square.low - (total - square.high), high = __nv_sqrt(total);

	return (struct sum){high, (__builtin_fma(-high, high, total) + rest) / (2.0 * high)};
}

/* Returns 0 and the length in *value if a component alone decides it: an infinity, a NaN, or zeros only. */
static int needs_sum(int n, const double *x, double *value, int *exponent)
{
	double most = 0.0;
	int infinite = 0, undefined = 0;

	for (int i = 0; i < n; i++) {
		double size = __builtin_fabs(x[i]);

		infinite |= __builtin_isinf(size);
		undefined |= size != size;
		most = size > most ? size : most;
	}
	*value = infinite ? __builtin_inf() : undefined ? __builtin_nan("") : 0.0;
	if (infinite || undefined || most == 0.0)
		return 0;
	*exponent = __nv_ilogb(most);
	return 1;
}

static struct sum scaled(int n, const double *x, int exponent)
{
	struct sum sum = {0.0, 0.0};

	for (int i = 0; i < n; i++)
		add_square(&sum, __nv_ldexp(x[i], -exponent));
	return root(sum);
}

double __nv_norm(int n, const double *x)
{
	double value;
	struct sum length;
	int exponent;

	if (!needs_sum(n, x, &value, &exponent))
		return value;
	length = scaled(n, x, exponent);
	return __nv_ldexp(length.high + length.low, exponent);
}

double __nv_rnorm(int n, const double *x)
{
	double value;
	struct sum length;
	int exponent;

	if (!needs_sum(n, x, &value, &exponent))
		return 1.0 / value;
	length = scaled(n, x, exponent);
	value = 1.0 / length.high;
	value += value * (__builtin_fma(-length.high, value, 1.0) - length.low * value);
	return __nv_ldexp(value, -exponent);
}

/* An infinite component makes the length infinite, even beside a NaN. */
static float length(double square, int infinite)
{
	return infinite ? __builtin_inff() : (float)__nv_sqrt(square);
}

static float inverse(double square, int infinite)
{
	return infinite ? 0.0f : (float)(1.0 / __nv_sqrt(square));
}

float __nv_normf(int n, const float *x)
{
	double square = 0.0;
	int infinite = 0;

	for (int i = 0; i < n; i++) {
		square += (double)x[i] * x[i];
		infinite |= __builtin_isinf(x[i]);
	}
	return length(square, infinite);
}

float __nv_rnormf(int n, const float *x)
{
	double square = 0.0;
	int infinite = 0;

	for (int i = 0; i < n; i++) {
		square += (double)x[i] * x[i];
		infinite |= __builtin_isinf(x[i]);
	}
	return inverse(square, infinite);
}

double __nv_norm3d(double x, double y, double z)
{
	return __nv_norm(3, (double[]){x, y, z});
}

double __nv_norm4d(double x, double y, double z, double w)
{
	return __nv_norm(4, (double[]){x, y, z, w});
}

double __nv_rhypot(double x, double y)
{
	return __nv_rnorm(2, (double[]){x, y});
}

double __nv_rnorm3d(double x, double y, double z)
{
	return __nv_rnorm(3, (double[]){x, y, z});
}

double __nv_rnorm4d(double x, double y, double z, double w)
{
	return __nv_rnorm(4, (double[]){x, y, z, w});
}

float __nv_norm3df(float x, float y, float z)
{
	return __nv_normf(3, (float[]){x, y, z});
}

float __nv_norm4df(float x, float y, float z, float w)
{
	return __nv_normf(4, (float[]){x, y, z, w});
}

float __nv_rhypotf(float x, float y)
{
	return __nv_rnormf(2, (float[]){x, y});
}

float __nv_rnorm3df(float x, float y, float z)
{
	return __nv_rnormf(3, (float[]){x, y, z});
}

float __nv_rnorm4df(float x, float y, float z, float w)
{
	return __nv_rnormf(4, (float[]){x, y, z, w});
}
