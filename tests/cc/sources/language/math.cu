/* Math on the device against the host's, single and double precision, and what only CUDA has. */
#include <cmath>
#include <cstdio>

#define COUNT 64

/* name, expression of x, allowed relative error in units of the type's precision */
#define DOUBLES(X)                                                                                                     \
	X(exp(x), 4) X(exp2(x), 4) X(expm1(x), 4) X(log(x + 3), 4) X(log2(x + 3), 4) X(log10(x + 3), 4)                \
	X(log1p(x + 2), 4) X(sin(x), 4) X(cos(x), 4) X(tan(x), 8) X(asin(x / 3), 8) X(acos(x / 3), 8) X(atan(x), 4)      \
	X(sinh(x), 8) X(cosh(x), 8) X(tanh(x), 8) X(asinh(x), 16) X(acosh(x + 4), 16) X(atanh(x / 3), 16)                \
	X(sqrt(x + 3), 1) X(cbrt(x), 4) X(pow(x + 3, 1.7), 16) X(hypot(x, 2.5), 4) X(atan2(x, 1.5), 4)                   \
	X(erf(x), 16) X(erfc(x), 32) X(tgamma(x + 4), 64) X(lgamma(x + 5), 64) X(fmod(x, 0.7), 1) X(floor(x), 0)         \
	X(ceil(x), 0) X(trunc(x), 0) X(round(x), 0) X(rint(x), 0) X(fabs(x), 0) X(fma(x, x, 1.0), 1) X(fmax(x, 0.5), 0)   \
	X(fdim(x, 0.5), 1) X(copysign(2.0, x), 0) X(ldexp(x, 3), 0) X(nextafter(x, 9.0), 0) X(remainder(x, 0.7), 1)
#define SINGLES(X)                                                                                                     \
	X(expf(x), 4) X(exp2f(x), 4) X(logf(x + 3), 4) X(log2f(x + 3), 4) X(sinf(x), 4) X(cosf(x), 4) X(tanf(x), 8)       \
	X(atanf(x), 4) X(tanhf(x), 8) X(sqrtf(x + 3), 1) X(powf(x + 3, 1.7f), 16) X(hypotf(x, 2.5f), 4)                   \
	X(erff(x), 16) X(floorf(x), 0) X(roundf(x), 0) X(fmodf(x, 0.7f), 1) X(x / 3.0f, 1)                              \
	/* the overloads of C's names */                                                                               \
	X(acosh(x + 4), 16) X(asinh(x), 16) X(atanh(x / 3), 16) X(cbrt(x), 4) X(erf(x), 16) X(erfc(x), 32)              \
	X(exp2(x), 4) X(expm1(x), 8) X(ilogb(x), 0) X(lgamma(x + 5), 64) X(llrint(x), 0) X(llround(x), 0)               \
	X(log1p(x + 2), 4) X(log2(x + 3), 4) X(logb(x + 4), 0) X(lrint(x), 0) X(lround(x), 0) X(nearbyint(x), 0)            \
	X(rint(x), 0) X(round(x), 0) X(tgamma(x + 4), 64) X(trunc(x), 0) X(copysign(2.0f, x), 0) X(fdim(x, 0.5f), 1)     \
	X(fmax(x, 0.5f), 0) X(fmin(x, 0.5f), 0) X(hypot(x, 2.5f), 4) X(nextafter(x, 9.0f), 1) X(remainder(x, 0.7f), 1)  \
	X(scalbln(x, 3l), 0) X(scalbn(x, -2), 0) X(fma(x, x, 1.0f), 1) X(std::round(x), 0) X(std::fmin(x, 0.25f), 0)

#define NAME(expression, units) #expression,
static const char *const double_names[] = {DOUBLES(NAME)};
static const char *const single_names[] = {SINGLES(NAME)};
#define UNITS(expression, units) units,
static const int double_units[] = {DOUBLES(UNITS)};
static const int single_units[] = {SINGLES(UNITS)};
enum { DOUBLE_FUNCTIONS = sizeof double_units / sizeof(int), SINGLE_FUNCTIONS = sizeof single_units / sizeof(int) };

#define STORE(expression, units) out[n++ * COUNT + i] = expression;

__host__ __device__ void doubles(double x, int i, double *out)
{
	int n = 0;
	DOUBLES(STORE)
}

__host__ __device__ void singles(float x, int i, float *out)
{
	int n = 0;
	SINGLES(STORE)
}

__host__ __device__ double place(int i)
{
	return -2.9 + i * 5.8 / COUNT;
}

__global__ void compute(double *d, float *f)
{
	doubles(place(threadIdx.x), threadIdx.x, d);
	singles((float)place(threadIdx.x), threadIdx.x, f);
}

/* Functions without a host version here, against identities. */
__global__ void identities(int *wrong)
{
	double x = 0.03 + threadIdx.x * 0.015;
	double s, c, sp, cp;
	int bad = 0;

	sincos(x * 5, &s, &c);
	bad += !(fabs(s * s + c * c - 1) < 1e-14);
	sincospi(x, &sp, &cp);
	bad += !(fabs(sp - sin(3.14159265358979323846 * x)) < 1e-14);
	bad += !(fabs(erf(erfinv(x)) - x) < 1e-14);
	bad += !(fabs(erfc(erfcinv(x * 1e-30)) / (x * 1e-30) - 1) < 1e-11);
	bad += !(fabs(normcdf(normcdfinv(x)) - x) < 1e-14);
	bad += !(fabs(rsqrt(x) * sqrt(x) - 1) < 1e-14);
	bad += !(fabs(rcbrt(x) * cbrt(x) - 1) < 1e-14);
	bad += !(fabs(exp10(log10(x)) / x - 1) < 1e-13);
	bad += !(fabs(erfcx(x) - exp(x * x) * erfc(x)) < 1e-13);
	bad += !(fabs(norm3d(x, 2 * x, 2 * x) - 3 * x) < 1e-14);
	/* J1 Y0 - J0 Y1 = 2 / (pi z), for small and large z. */
	for (double z = x * 10; z < 100; z *= 3)
		bad += !(fabs((j1(z) * y0(z) - j0(z) * y1(z)) * 3.14159265358979323846 * z / 2 - 1) < 1e-9);
	bad += !(fabs(jn(2, x) - (2 / x * j1(x) - j0(x))) < 1e-10);
	bad += !(fabs(cyl_bessel_i0(1.0) - 1.2660658777520084) < 1e-14);
	bad += !(fabsf(__expf(2.0f) - expf(2.0f)) < 1e-5f) + !(fabsf(__sinf(1.0f) - sinf(1.0f)) < 1e-6f);
	bad += __fdividef(6.0f, 3.0f) != 2.0f;
	/* small far below 0, where the sign changes at each whole number; infinite at 0, with its sign */
	bad += tgamma(-200.5) != 0 || !signbit(tgamma(-200.5)) || signbit(tgamma(-201.5)) || tgamma(-201.5) != 0;
	bad += tgammaf(-60.5f) != 0 || tgammaf(-0.0f) != -INFINITY || tgamma(0.0) != INFINITY || !isnan(tgamma(-3.0));
	if (bad)
		atomicAdd(wrong, bad);
}

template <class T>
static int compare(const char *const *names, const int *units, int functions, const T *host, const T *device, T epsilon)
{
	int wrong = 0;

	for (int n = 0; n < functions; n++)
		for (int i = 0; i < COUNT; i++) {
			T h = host[n * COUNT + i], d = device[n * COUNT + i];
			T size = std::fabs(h) > (T)0.05 ? std::fabs(h) : (T)0.05;

			if (std::fabs(h - d) <= units[n] * epsilon * size || (h != h && d != d))
				continue;
			if (!wrong++)
				printf("%s at %g: %.17g, on the host %.17g\n", names[n], place(i), (double)d, (double)h);
		}
	return wrong;
}

int main()
{
	static double host_d[DOUBLE_FUNCTIONS * COUNT], *d;
	static float host_f[SINGLE_FUNCTIONS * COUNT], *f;
	int wrong = 0, *counter;

	cudaMallocManaged(&d, sizeof host_d);
	cudaMallocManaged(&f, sizeof host_f);
	cudaMallocManaged(&counter, sizeof *counter);
	*counter = 0;
	compute<<<1, COUNT>>>(d, f);
	identities<<<1, COUNT>>>(counter);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < COUNT; i++) {
		doubles(place(i), i, host_d);
		singles((float)place(i), i, host_f);
	}
	wrong += compare(double_names, double_units, DOUBLE_FUNCTIONS, host_d, d, 2.3e-16);
	wrong += compare(single_names, single_units, SINGLE_FUNCTIONS, host_f, f, 1.2e-7f);
	if (*counter)
		printf("%d identities do not hold\n", *counter);
	if (wrong || *counter)
		return 1;
	puts("ok");
	return 0;
}
