/*
 * expf and logf over numbers of every size and kind: within 2 units in the last place and 1 of the host's double
 * precision, as CUDA promises, and exact where the result is a zero, an infinity or no number.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

/* Every 65,539th bit pattern, a prime: all exponents, both signs, infinities' neighbours and NaNs. */
enum { STEP = 65539, COUNT = 65533 };

static const float special[] = {0.0f,      -0.0f,     1.0f,     INFINITY, -INFINITY, NAN,     -1.0f,
				0x1p-149f, 0x1p-126f, 88.7228f, 88.7229f, -87.3366f, -103.9f, -104.1f};
enum { SPECIAL = sizeof special / sizeof *special };

__global__ void compute(const float *x, float *exponentials, float *logarithms, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		exponentials[i] = expf(x[i]);
		logarithms[i] = logf(x[i]);
	}
}

/* How far `got` is from `wanted`, in units of the last place of the latter as a float. */
static double units(float got, double wanted)
{
	int exponent;

	if (wanted != wanted || std::isinf((float)wanted) || wanted == 0)
		return (wanted != wanted ? got != got : got == (float)wanted) ? 0 : INFINITY;
	std::frexp(wanted, &exponent);
	return std::fabs(got - wanted) / std::ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

int main()
{
	int count = COUNT + SPECIAL, wrong = 0;
	float *x, *exponentials, *logarithms;

	cudaMallocManaged(&x, count * sizeof *x);
	cudaMallocManaged(&exponentials, count * sizeof *exponentials);
	cudaMallocManaged(&logarithms, count * sizeof *logarithms);
	for (uint32_t i = 0, bits = 0; i < COUNT; i++, bits += STEP)
		std::memcpy(x + i, &bits, sizeof bits);
	std::memcpy(x + COUNT, special, sizeof special);
	compute<<<(count + 255) / 256, 256>>>(x, exponentials, logarithms, count);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < count; i++) {
		double exponential = std::exp((double)x[i]), logarithm = std::log((double)x[i]);

		if (units(exponentials[i], exponential) <= 2 && units(logarithms[i], logarithm) <= 1)
			continue;
		if (wrong++ < 10)
			printf("%a: expf %a, not %a; logf %a, not %a\n", x[i], exponentials[i], exponential,
			       logarithms[i], logarithm);
	}
	if (wrong)
		return 1;
	puts("ok");
	return 0;
}
