/*
 * The math functions over special and random numbers of all sizes. Results that are zeros, infinities or no numbers are
 * exact; others are as near to the right value, in units of the last place, as docs/cuda-support.md says. The host's
 * long double functions are the measure, and for those that the host lacks formulas in long double. With an argument
 * the program prints the largest errors.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

enum { COUNT = 8192, SPECIALS = 64 };

/* --- Right values --- */

static const long double PI = 3.14159265358979323846264338327950288L;

static long double right_rsqrt(long double x)
{
	return 1 / std::sqrt(x);
}
static long double right_rcbrt(long double x)
{
	return 1 / std::cbrt(x);
}
static long double right_exp10(long double x)
{
	return exp10l(x);
}
/* For an argument within a period, where it is exact. */
static long double right_sinpi(long double x)
{
	long double part = std::fmod(x, 2.0L), size = std::fabs(part);

	if (part == std::trunc(part))
		return part != part ? part : std::copysign(0.0L, x);
	if (size > 1)
		return std::copysign(std::sin(PI * (size - 1)), -x);
	return std::copysign(size > 0.5L ? std::sin(PI * (1 - size)) : std::sin(PI * size), x);
}
static long double right_cospi(long double x)
{
	long double size = std::fabs(std::fmod(x, 2.0L));

	if (size == 0.5L || size == 1.5L)
		return 0;
	if (size > 1)
		size = 2 - size;
	return size < 0.25L   ? std::cos(PI * size)
	       : size > 0.75L ? -std::cos(PI * (1 - size))
			      : std::sin(PI * (0.5L - size));
}
static long double right_normcdf(long double x)
{
	return 0.5L * std::erfc(-x * std::sqrt(0.5L));
}
static long double right_erfcx(long double x)
{
	long double fraction = x;

	if (x < 3)
		return x < -100 ? INFINITY : std::exp(x * x) * std::erfc(x);
	for (int k = 400; k > 0; k--)
		fraction = x + k / (2 * fraction);
	return 1 / std::sqrt(PI) / fraction;
}
/* Newton's iteration, from a point that bisection finds. */
static long double right_erfinv(long double x);
static long double right_erfcinv(long double y)
{
	long double low = 0, high = 106, z;

	if (!(y > 0 && y < 2))
		return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
	if (y > 1)
		return -right_erfcinv(2 - y);
	if (y >= 0.5L)
		return right_erfinv(1 - y);
	for (int i = 0; i < 40; i++) {
		z = (low + high) / 2;
		(std::erfc(z) > y ? low : high) = z;
	}
	for (int i = 0; i < 3; i++)
		z += (std::erfc(z) / y - 1) * y * std::sqrt(PI) / 2 * std::exp(z * z);
	return z;
}
static long double right_erfinv(long double x)
{
	long double size = std::fabs(x), z = size * std::sqrt(PI) / 2;

	if (!(size < 1))
		return size == 1 ? x * INFINITY : NAN;
	if (size > 0.5L)
		return std::copysign(right_erfcinv(1 - size), x);
	for (int i = 0; i < 8 && size > 0; i++)
		z -= (std::erf(z) - size) * std::sqrt(PI) / 2 * std::exp(z * z);
	return std::copysign(z, x);
}
static long double right_normcdfinv(long double p)
{
	return p == 0.5L ? 0 : p > 0.5L ? -right_normcdfinv(1 - p) : -std::sqrt(2.0L) * right_erfcinv(2 * p);
}
static long double bessel_i(int n, long double x)
{
	long double term = n ? x / 2 : 1, sum = term;

	if (x != x || std::fabs(x) > 800)
		return n ? x * INFINITY : std::fabs(x) * INFINITY;
	for (int k = 1; k < 2000; k++)
		sum += term *= x * x / 4 / k / (k + n);
	return sum;
}
static long double right_cyl_bessel_i0(long double x)
{
	return bessel_i(0, x);
}
static long double right_cyl_bessel_i1(long double x)
{
	return bessel_i(1, x);
}
#define OF_HOST(name)                                                                                                  \
	static long double right_##name(long double x)                                                                 \
	{                                                                                                              \
		return std::name(x);                                                                                   \
	}
OF_HOST(acos)
OF_HOST(acosh)
OF_HOST(asin)
OF_HOST(asinh)
OF_HOST(atan)
OF_HOST(atanh)
OF_HOST(cbrt)
OF_HOST(cos)
OF_HOST(cosh)
OF_HOST(erf)
OF_HOST(erfc)
OF_HOST(exp)
OF_HOST(exp2)
OF_HOST(expm1)
OF_HOST(lgamma)
OF_HOST(log)
OF_HOST(log10)
OF_HOST(log1p)
OF_HOST(log2)
OF_HOST(sin)
OF_HOST(sinh)
OF_HOST(sqrt)
OF_HOST(tan)
OF_HOST(tanh)
/* In the wide range of long double it has no result below -1755. */
static long double right_tgamma(long double x)
{
	if (x < -1000 && x == std::floor(x))
		return NAN;
	return x < -1000 ? std::copysign(0.0L, right_sinpi(x)) : x == 0 ? 1 / x : std::tgamma(x);
}

/* --- The functions, and the most units in the last place, in double and in single precision --- */

#define FUNCTIONS(X)                                                                                                   \
	X(acos, 2, 2)                                                                                                  \
	X(acosh, 3, 4)                                                                                                 \
	X(asin, 2, 2)                                                                                                  \
	X(asinh, 3, 3)                                                                                                 \
	X(atan, 2, 2)                                                                                                  \
	X(atanh, 2, 3)                                                                                                 \
	X(cbrt, 1, 1)                                                                                                  \
	X(cos, 2, 2)                                                                                                   \
	X(cosh, 1, 2)                                                                                                  \
	X(cospi, 2, 1)                                                                                                 \
	X(cyl_bessel_i0, 6, 6)                                                                                         \
	X(cyl_bessel_i1, 6, 6)                                                                                         \
	X(erf, 2, 2)                                                                                                   \
	X(erfc, 5, 4)                                                                                                  \
	X(erfcinv, 6, 4)                                                                                               \
	X(erfcx, 4, 4)                                                                                                 \
	X(erfinv, 5, 2)                                                                                                \
	X(exp, 1, 2)                                                                                                   \
	X(exp10, 1, 2)                                                                                                 \
	X(exp2, 1, 2)                                                                                                  \
	X(expm1, 1, 1)                                                                                                 \
	X(lgamma, 4, 6)                                                                                                \
	X(log, 1.5, 1)                                                                                                 \
	X(log10, 1, 2)                                                                                                 \
	X(log1p, 1, 1)                                                                                                 \
	X(log2, 1, 1)                                                                                                  \
	X(normcdf, 5, 5)                                                                                               \
	X(normcdfinv, 8, 5)                                                                                            \
	X(rcbrt, 1, 1)                                                                                                 \
	X(rsqrt, 1, 2)                                                                                                 \
	X(sin, 2, 2)                                                                                                   \
	X(sinh, 2, 3)                                                                                                  \
	X(sinpi, 2, 1)                                                                                                 \
	X(sqrt, 0.5, 0.5)                                                                                              \
	X(tan, 2, 4)                                                                                                   \
	X(tanh, 1, 2)                                                                                                  \
	X(tgamma, 10, 5)
#define ONE(name, most, most_single) +1
enum { FUNCTION_COUNT = FUNCTIONS(ONE) };

/* Rows of COUNT results. */
template <class T>
__global__ void compute(const T *x, T *results)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#define COMPUTE(name, most, most_single) results[i] = name(x[i]), results += COUNT;
	FUNCTIONS(COMPUTE)
}

/* How far `got` is from `right`, in units of the last place of the latter as a T. */
template <class T>
static double units(T got, long double right)
{
	const int digits = sizeof(T) == sizeof(float) ? 24 : 53, least = sizeof(T) == sizeof(float) ? -125 : -1021;
	T rounded = (T)right;
	int exponent;

	if (rounded != rounded || got != got)
		return rounded != rounded && got != got ? 0 : INFINITY;
	if (got == rounded)
		return std::signbit(got) == std::signbit(rounded) || rounded != 0 ? 0 : INFINITY;
	if (std::isinf(rounded) && std::isinf(right))
		return INFINITY;
	std::frexp(right, &exponent);
	if (std::isinf(got))
		got = std::copysign(std::ldexp((T)1, -least + 2), got) * 2;
	return (double)(std::fabs(got - right) / std::ldexp(1.0L, (exponent < least ? least : exponent) - digits));
}

static bool printing;

/* Where lgamma is near its zeros CUDA promises nothing. */
static bool is_left_out(const char *name, double x)
{
	return std::strcmp(name, "lgamma") == 0 && x > -11.0001 && x < -2.2637;
}

template <class T>
static bool is_near(const char *name, const T *x, const T *got, long double (*right)(long double), double most)
{
	double worst = 0;
	T where = 0;

	for (int i = 0; i < COUNT; i++) {
		double distance = is_left_out(name, x[i]) ? 0 : units(got[i], right(x[i]));

		if (!(distance <= worst))
			worst = distance, where = x[i];
	}
	if (printing || !(worst <= most))
		printf("%s, %zu bytes: %.2f units at %a, %g at most\n", name, sizeof(T), worst, where, most);
	return worst <= most;
}

/* Of both signs: zeros, subnormals, the ends of ranges, halves, wholes, infinity, and none. */
static void fill(double *x)
{
	static const double sizes[SPECIALS / 2] = {
	    0,        0x1p-1074, 0x1p-149, 0x1p-1022, 0x1p-126, 0x1p-60, 1e-9,  0.25, 0.5,  0x1.fffffep-1,
	    1,        1.5,       2,        2.5,       3,        4.5,     10,    27,   26.5, 88.7228,
	    89.5,     100.5,     171,      171.5,     184.5,    709.7,   710.5, 1e10, 1e30, 1e300,
	    INFINITY, NAN};
	uint64_t state = 1;

	for (int i = 0; i < COUNT; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		if (i < SPECIALS)
			x[i] = i & 1 ? -sizes[i / 2] : sizes[i / 2];
		else if (i % 4 == 0) /* of every size */
			x[i] = std::ldexp((double)(int64_t)state, (int)(state >> 20 & 0x7ff) - 1024 - 62);
		else if (i % 4 == 1)
			x[i] = (double)(int64_t)state * 0x1p-63;
		else
			x[i] = (double)(int64_t)state * (i % 4 == 2 ? 0x1p-60 : 0x1p-56);
	}
}

template <class T>
static bool all_near(const double *values)
{
	T *x, *results, *result;
	bool right = true;

	cudaMallocManaged(&x, COUNT * sizeof *x);
	cudaMallocManaged(&results, FUNCTION_COUNT * COUNT * sizeof *results);
	for (int i = 0; i < COUNT; i++)
		x[i] = (T)values[i];
	compute<<<COUNT / 256, 256>>>(x, results);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return false;
	result = results;
#define CHECK(name, most, most_single)                                                                                 \
	right &= is_near(#name, x, result, right_##name, sizeof(T) == sizeof(float) ? most_single : most);             \
	result += COUNT;
	FUNCTIONS(CHECK)
	return right;
}

int main(int argc, char **)
{
	static double x[COUNT];
	bool right;

	printing = argc > 1;
	fill(x);
	right = all_near<double>(x);
	right &= all_near<float>(x);
	if (right)
		puts("ok");
	return !right;
}
