/*
 * Functions that the device library computes itself, and the trigonometric ones of double precision, over numbers of
 * every size and kind: within the units in the last place that CUDA promises, and exact where the result is a zero, an
 * infinity or no number. The host's double and long double precision are the measure.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

/* Every 65,539th bit pattern, a prime: all exponents, both signs, infinities' neighbours and NaNs. */
enum { STEP = 65539, COUNT = 65533 };

static const float special[] = {0.0f,       -0.0f,      1.0f,      INFINITY,  -INFINITY, NAN,     -1.0f,
				0x1p-149f,  0x1p-126f,  88.7228f,  88.7229f,  -87.3366f, -103.9f, -104.1f,
				1.5707964f, 3.1415927f, 105615.0f, 105616.0f, 1e30f};
enum { SPECIAL = sizeof special / sizeof *special };

/* X(function, units in the last place) */
#define FUNCTIONS(X)                                                                                                   \
	X(exp, 2) X(exp2, 2) X(log, sizeof(T) == sizeof(float) ? 1 : 1.5 /* libclc's */) X(sin, 2) X(cos, 2) X(tan, 4)
#define ONE(name, most) +1
enum { FUNCTION_COUNT = FUNCTIONS(ONE) };

/* Rows of `count` results: one for each function, and then sine and cosine of both together. */
template <class T>
__global__ void compute(const T *x, T *results, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		T *result = results + i;

#define COMPUTE(name, most) *result = name(x[i]), result += count;
		FUNCTIONS(COMPUTE)
		sincos(x[i], result, result + count);
	}
}

/* How far `got` is from `wanted`, in units of the last place of the latter as a T. */
template <class T>
double units(T got, long double wanted)
{
	const int digits = sizeof(T) == sizeof(float) ? 24 : 53, least = sizeof(T) == sizeof(float) ? -125 : -1021;
	T rounded = (T)wanted;
	int exponent;

	if (wanted != wanted)
		return got != got ? 0 : INFINITY;
	if (std::isinf(rounded) || rounded == 0)
		return got == rounded && std::signbit(got) == std::signbit(rounded) ? 0 : INFINITY;
	std::frexp(wanted, &exponent);
	return (double)(std::fabs(got - wanted) / std::ldexp(1.0L, (exponent < least ? least : exponent) - digits));
}

template <class T>
int compare(const char *name, const T *x, const T *got, long double (*wanted)(long double), double most)
{
	int wrong = 0;

	for (int i = 0; i < COUNT + SPECIAL; i++)
		if (!(units(got[i], wanted(x[i])) <= most) && wrong++ < 3)
			printf("%s, %zu bytes: %a gives %a, not %La\n", name, sizeof(T), x[i], got[i], wanted(x[i]));
	return wrong;
}

/* `further` is added to each number in units of its size: digits that a float lacks. */
template <class T>
int wrong_results(double further)
{
	int count = COUNT + SPECIAL, wrong = 0;
	T *x, *results, *result;

	cudaMallocManaged(&x, count * sizeof *x);
	cudaMallocManaged(&results, (FUNCTION_COUNT + 2) * count * sizeof *results);
	for (uint32_t i = 0, bits = 0; i < COUNT; i++, bits += STEP) {
		float number;

		std::memcpy(&number, &bits, sizeof bits);
		x[i] = (T)(number * (1 + further));
	}
	for (int i = 0; i < SPECIAL; i++)
		x[COUNT + i] = special[i];
	compute<<<(count + 255) / 256, 256>>>(x, results, count);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	result = results;
#define COMPARE(name, most) wrong += compare<T>(#name, x, result, std::name, most), result += count;
	FUNCTIONS(COMPARE)
	wrong += compare<T>("sincos: sin", x, result, std::sin, 2);
	return wrong + compare<T>("sincos: cos", x, result + count, std::cos, 2);
}

int main()
{
	if (wrong_results<float>(0) + wrong_results<double>(0x1p-30))
		return 1;
	puts("ok");
	return 0;
}
