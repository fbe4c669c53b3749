/*
 * The gamma function: Stirling's series (Abramowitz and Stegun, "Handbook of Mathematical Functions", 6.1.37) from
 * LEAST on, the recurrence below it, and the reflection for negative arguments.
 */
#include "libclc.h"

#define PI 3.14159265358979323846
#define SQRT_2_PI 2.50662827463100050242
#define LEAST 13.0
#define FAR 185.0

double __nv_sinpi(double x);

/*
 * Gamma(x) for x > 0 is the result times *second. Both are finite even where the product is not. The product of the
 * recurrence's factors, and the argument that it leads to, are each kept as the sum of two doubles. For the argument's
 * low part, Gamma changes by the factor e^(low log x).
 */
static double gamma_positive(double x, double *second)
{
	double product = 1.0, product_low = 0.0, low = 0.0, series, power, inverse;

	while (x < LEAST) {
		double factor = x + low, high = product * factor, next = x + 1.0, part = next - x;

		product_low =
		    __builtin_fma(product, factor, -high) + product_low * factor + product * (low - (factor - x));
		product = high;
		low += (x - (next - part)) + (1.0 - part);
		x = next;
	}
	inverse = 1.0 / x;
	series = inverse * inverse;
	series =
	    inverse *
	    (1.0 / 12 +
	     series * (-1.0 / 360 +
		       series * (1.0 / 1260 +
				 series * (-1.0 / 1680 + series * (1.0 / 1188 + series * (-691.0 / 360360 +
											  series * (1.0 / 156)))))));
	power = clc_pow(x, 0.5 * x - 0.25);
	*second = power;
	series += low * clc_log(x) - product_low / product;
	return power * clc_exp(-x) * SQRT_2_PI / product * clc_exp(series);
}

double __nv_tgamma(double x)
{
	double size = __builtin_fabs(x), second, first;

	if (size < 0x1p-60)
		return 1.0 / x;
	if (x > 0)
		return x > FAR ? x * __builtin_inf() : (first = gamma_positive(x, &second)) * second;
	if (!(x > -__builtin_inf()) || x == __builtin_floor(x))
		return __builtin_nan("");
	if (size > FAR)
		return __builtin_copysign(0.0, __nv_sinpi(x));
	first = gamma_positive(size, &second);
	return -PI / (x * __nv_sinpi(x)) / first / second;
}

double __nv_lgamma(double x)
{
	return clc_lgamma(x);
}

float __nv_lgammaf(float x)
{
	return (float)clc_lgamma(x);
}

float __nv_tgammaf(float x)
{
	return (float)__nv_tgamma(x);
}
