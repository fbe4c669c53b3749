/*
 * Special functions that libclc lacks, and the methods that compute them:
 *
 * - Bessel functions, small arguments: backward recurrence and Neumann's series.
 * - Bessel functions, large arguments: Hankel's expansion.
 * - Inverse error functions: M. Giles, "Approximating the erfinv function" (2010), then Halley's iteration.
 *
 * The Bessel formulas are from Abramowitz and Stegun, "Handbook of Mathematical Functions", 9.1.87-89, 9.2.5-10,
 * 9.6.12, 9.7.1, 9.12.
 */
#include "libclc.h"

#define PI 3.14159265358979323846
#define LN_2 0.69314718055994530942
#define EULER_GAMMA 0.57721566490153286061
#define SQRT_PI 1.77245385090551602730
#define SQRT_2 1.41421356237309504880
/* 1 / sqrt 2 in two numbers. */
#define SQRT_HALF 0.70710678118654752440
#define SQRT_HALF_LOW -0x1.bdd3413b26456p-55

double __nv_sqrt(double);

static double not_a_number(void)
{
	return __builtin_nan("");
}

/* --- Error functions --- */

/* exp(x^2) erfc(x) for x >= 2, by its continued fraction. */
static double erfcx_large(double x)
{
	double fraction = x;

	for (int k = 60; k > 0; k--)
		fraction = x + 0.5 * k / fraction;
	return 1.0 / SQRT_PI / fraction;
}

/* The square is two numbers: its rounding would cost hundreds of units in the last place. */
double __nv_erfcx(double x)
{
	double square = x * x;

	if (x >= 2.0)
		return erfcx_large(x);
	if (x < -27.0)
		return __builtin_inf();
	return clc_exp(square) * (1.0 + __builtin_fma(x, x, -square)) * clc_erfc(x);
}

float __nv_erfcxf(float x)
{
	return (float)__nv_erfcx(x);
}

/* The value of a polynomial at x; coefficients[0] belongs to the highest power. */
static double polynomial(const double *coefficients, int count, double x)
{
	double value = 0;

	for (int i = 0; i < count; i++)
		value = value * x + coefficients[i];
	return value;
}

/* First approximation of erfinv(x), to about six digits. Needs |x| < 1, and 1 - |x| as `rest`. */
static double erfinv_start(double x, double rest)
{
	static const double centre[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
					-0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
	static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
				      -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
	double w = -clc_log(rest * (2.0 - rest));
	double sign = x < 0 ? -1.0 : 1.0;

	if (w < 5.0)
		return polynomial(centre, 9, w - 2.5) * x;
	if (w < 16.0)
		return polynomial(tail, 9, __nv_sqrt(w) - 3.0) * x;
	w = -clc_log(rest);
	return sign * __nv_sqrt(w - 0.5 * clc_log(PI * w));
}

/* One step of Halley's iteration towards the z >= 0 with erfc(z) = y. The relative error stays small for tiny y too. */
static double halley(double z, double y)
{
	double error = (clc_erfc(z) - y) * 0.5 * SQRT_PI * clc_exp(z * z);

	return z + error / (1.0 + z * error);
}

/* Newton's iteration on the logarithm: exp(z^2) would overflow. */
static double erfcinv_tiny(double y)
{
	double log_y = clc_log(y), z = __nv_sqrt(-log_y - 0.5 * clc_log(-PI * log_y));

	for (int i = 0; i < 4; i++) {
		double scaled = erfcx_large(z);

		z += (clc_log(scaled) - z * z - log_y) * 0.5 * SQRT_PI * scaled;
	}
	return z;
}

/* The z >= 0 with erfc(z) = y, for 0 < y <= 1. */
static double erfcinv_positive(double y)
{
	double z;

	if (y < 1e-200)
		return erfcinv_tiny(y);
	z = erfinv_start(1.0 - y, y);
	for (int i = 0; i < 4; i++)
		z = halley(z, y);
	return z;
}

double __nv_erfinv(double x);

double __nv_erfcinv(double y)
{
	if (!(y >= 0.0 && y <= 2.0))
		return not_a_number();
	if (y == 0.0 || y == 2.0)
		return y == 0.0 ? __builtin_inf() : -__builtin_inf();
	if (y > 0.5 && y < 1.5)
		return __nv_erfinv(1.0 - y);
	return y <= 1.0 ? erfcinv_positive(y) : -erfcinv_positive(2.0 - y);
}

double __nv_erfinv(double x)
{
	double size = __builtin_fabs(x), z;

	if (!(size <= 1.0))
		return not_a_number();
	if (size == 1.0)
		return x * __builtin_inf();
	if (size > 0.5)
		return __builtin_copysign(erfcinv_positive(1.0 - size), x);
	if (size < 1e-8)
		return 0.5 * SQRT_PI * x;
	z = erfinv_start(x, 1.0 - size);
	for (int i = 0; i < 2; i++) {
		double error = (clc_erf(z) - x) * 0.5 * SQRT_PI * clc_exp(z * z);

		z -= error / (1.0 + z * error);
	}
	return z;
}

double __nv_normcdfinv(double p)
{
	return p == 0.5 ? 0.0 : -SQRT_2 * __nv_erfcinv(2.0 * p);
}

/* erfc(-x / sqrt 2) / 2, where the quotient is two numbers: the tail depends on the second. */
double __nv_normcdf(double x)
{
	double z = -SQRT_HALF * x, rest = __builtin_fma(-SQRT_HALF, x, -z) - SQRT_HALF_LOW * x;
	double value = clc_erfc(z);

	if (__builtin_fabs(x) < 40.0)
		value -= 2.0 / SQRT_PI * clc_exp(-z * z) * rest;
	return 0.5 * value;
}

float __nv_normcdff(float x)
{
	return (float)__nv_normcdf(x);
}

float __nv_erfinvf(float x)
{
	return (float)__nv_erfinv(x);
}

float __nv_erfcinvf(float x)
{
	return (float)__nv_erfcinv(x);
}

float __nv_normcdfinvf(float x)
{
	return (float)__nv_normcdfinv(x);
}

/* --- Bessel functions of the first and second kind --- */

enum { ORDERS = 80 };
#define LARGE 25.0

/*
 * J_0(x) to J_{ORDERS-1}(x) for 0 < x < LARGE. J_ORDERS(x) is next to 0, so the recurrence runs down from there with
 * any small start value. Afterwards all values are scaled so that J_0 + 2 (J_2 + J_4 + ...) = 1.
 */
static void all_orders(double x, double j[ORDERS])
{
	double above = 0.0, here = 1e-280, sum = 0.0;

	for (int n = ORDERS - 1; n >= 0; n--) {
		double below = 2.0 * (n + 1) / x * here - above;

		j[n] = below;
		above = here;
		here = below;
		if (n % 2 == 0)
			sum += n ? 2.0 * below : below;
		if (__builtin_fabs(here) > 1e200) {
			for (int k = n; k < ORDERS; k++)
				j[k] *= 1e-200;
			above *= 1e-200;
			here *= 1e-200;
			sum *= 1e-200;
		}
	}
	for (int n = 0; n < ORDERS; n++)
		j[n] /= sum;
}

/* P and Q of Hankel's expansion for order n. The terms shrink first and grow later; the sum ends where they grow. */
static void hankel(int n, double x, double *p, double *q)
{
	double mu = 4.0 * n * n, term = 1.0;

	*p = 1.0;
	*q = 0.0;
	for (int k = 1; k <= 30; k++) {
		double odd = 2.0 * k - 1.0, next = term * (mu - odd * odd) / (k * 8.0 * x);

		if (__builtin_fabs(next) > __builtin_fabs(term))
			return;
		term = next;
		if (k % 2)
			*q += k % 4 == 1 ? term : -term;
		else
			*p += k % 4 == 0 ? term : -term;
	}
}

/* The cosine and sine of x - (n/2 + 1/4) pi, times the square root of 2, for n = 0 or 1. */
static void turned(int n, double x, double *cosine, double *sine)
{
	double c, s = clc_sincos(x, &c);

	*cosine = n ? s - c : s + c;
	*sine = n ? -(s + c) : s - c;
}

static double j_large(int n, double x)
{
	double p, q, cosine, sine;

	hankel(n, x, &p, &q);
	turned(n, x, &cosine, &sine);
	return (p * cosine - q * sine) / __nv_sqrt(PI) / __nv_sqrt(x);
}

static double y_large(int n, double x)
{
	double p, q, cosine, sine;

	hankel(n, x, &p, &q);
	turned(n, x, &cosine, &sine);
	return (p * sine + q * cosine) / __nv_sqrt(PI) / __nv_sqrt(x);
}

/* J_n(x) for n = 0 or 1. */
static double j_low(int n, double x)
{
	double size = __builtin_fabs(x), j[ORDERS], value;

	if (x != x)
		return x;
	if (__builtin_isinf(x))
		return 0.0;
	if (size < 1e-8)
		return n ? 0.5 * x : 1.0;
	if (size >= LARGE) {
		value = j_large(n, size);
	} else {
		all_orders(size, j);
		value = j[n];
	}
	return n && x < 0 ? -value : value;
}

/* Y_n(x) for n = 0 or 1. */
static double y_low(int n, double x)
{
	double j[ORDERS], log_term, sum = 0.0;

	if (!(x > 0.0))
		return x == 0.0 ? -__builtin_inf() : not_a_number();
	if (x >= LARGE)
		return __builtin_isinf(x) ? 0.0 : y_large(n, x);
	if (x < 1e-9)
		return n ? -2.0 / PI / x : 2.0 / PI * (clc_log(x) - LN_2 + EULER_GAMMA);
	all_orders(x, j);
	log_term = clc_log(0.5 * x) + EULER_GAMMA;
	if (n == 0) {
		for (int k = 1; 2 * k < ORDERS; k++)
			sum += (k % 2 ? -1.0 : 1.0) * j[2 * k] / k;
		return 2.0 / PI * log_term * j[0] - 4.0 / PI * sum;
	}
	for (int k = 1; 2 * k + 1 < ORDERS; k++)
		sum += (k % 2 ? -1.0 : 1.0) * (2.0 * k + 1.0) / (k * (k + 1.0)) * j[2 * k + 1];
	return -2.0 / (PI * x) * j[0] + 2.0 / PI * (log_term - 1.0) * j[1] - 2.0 / PI * sum;
}

double __nv_j0(double x)
{
	return j_low(0, x);
}

double __nv_j1(double x)
{
	return j_low(1, x);
}

double __nv_y0(double x)
{
	return y_low(0, x);
}

double __nv_y1(double x)
{
	return y_low(1, x);
}

/* J_n(x) for any order. For n < x the recurrence upward from J_0 and J_1 is stable; else it runs backward. */
double __nv_jn(int n, double x)
{
	double size = __builtin_fabs(x), before, here, j[ORDERS];

	if (n < 0)
		return not_a_number();
	if (n < 2)
		return j_low(n, x);
	if (size < LARGE) {
		if (size == 0.0 || n >= ORDERS)
			return 0.0;
		all_orders(size, j);
		here = j[n];
	} else {
		before = j_low(0, size);
		here = j_low(1, size);
		for (int k = 1; k < n; k++) {
			double next = 2.0 * k / size * here - before;

			before = here;
			here = next;
		}
	}
	return n % 2 && x < 0 ? -here : here;
}

double __nv_yn(int n, double x)
{
	double before, here;

	if (n < 0)
		return not_a_number();
	if (n < 2)
		return y_low(n, x);
	before = y_low(0, x);
	here = y_low(1, x);
	for (int k = 1; k < n; k++) {
		double next = 2.0 * k / x * here - before;

		before = here;
		here = next;
	}
	return here;
}

/* --- Modified Bessel functions --- */

/*
 * The power series, whose terms are all positive. A term is two numbers, for each takes over the roundings of those
 * before it.
 */
static double bessel_i_series(int n, double x)
{
	double square = 0.25 * x * x, square_low = __builtin_fma(0.25 * x, x, -square);
	double term = n ? 0.5 * x : 1.0, term_low = 0.0, sum = term, sum_low = 0.0;

	for (int k = 1; k < 120; k++) {
		double divisor = k * (double)(k + n), product = term * square, next;

		term_low = __builtin_fma(term, square, -product) + term * square_low + term_low * square;
		term = product / divisor;
		term_low = (__builtin_fma(-term, divisor, product) + term_low) / divisor;
		next = sum + term;
		sum_low += (sum - next) + term + term_low;
		sum = next;
	}
	return sum + sum_low;
}

/* I_n(x) for n = 0 or 1: from x = 30 on the asymptotic expansion. */
static double bessel_i(int n, double x)
{
	double size = __builtin_fabs(x), term, sum;

	if (x != x || size > 720.0)
		return n ? x * __builtin_inf() : size * __builtin_inf();
	if (n && x == 0.0)
		return x;
	if (size < 30.0) {
		sum = bessel_i_series(n, size);
	} else {
		sum = term = 1.0;
		for (int k = 1; k <= 20; k++) {
			double odd = 2.0 * k - 1.0;

			term *= -(4.0 * n * n - odd * odd) / (k * 8.0 * size);
			sum += term;
		}
		sum /= __nv_sqrt(2.0 * PI * size);
		sum *= size < 700.0 ? clc_exp(size) : clc_exp(0.5 * size);
		sum *= size < 700.0 ? 1.0 : clc_exp(0.5 * size);
	}
	return n && x < 0 ? -sum : sum;
}

double __nv_cyl_bessel_i0(double x)
{
	return bessel_i(0, x);
}

double __nv_cyl_bessel_i1(double x)
{
	return bessel_i(1, x);
}

/* --- Single precision --- */

#define AS_FLOAT(name)                                                                                                 \
	float __nv_##name##f(float x)                                                                                  \
	{                                                                                                              \
		return (float)__nv_##name(x);                                                                          \
	}
AS_FLOAT(j0)
AS_FLOAT(j1)
AS_FLOAT(y0)
AS_FLOAT(y1)
AS_FLOAT(cyl_bessel_i0)
AS_FLOAT(cyl_bessel_i1)

float __nv_jnf(int n, float x)
{
	return (float)__nv_jn(n, x);
}

float __nv_ynf(int n, float x)
{
	return (float)__nv_yn(n, x);
}
