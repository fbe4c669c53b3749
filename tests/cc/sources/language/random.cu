/* curand_kernel.h: Philox against its published test vectors, and the shape of the distributions. */
#include <cstdio>
#include <curand_kernel.h>

#define THREADS 256
#define NUMBERS 64

__global__ void known(unsigned *wrong)
{
	curandStatePhilox4_32_10_t state;
	/* Counter and key 0, from the reference implementation's known answers. */
	const unsigned expected[4] = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};

	curand_init(0, 0, 0, &state);
	for (int i = 0; i < 4; i++)
		*wrong += curand(&state) != expected[i];
	curand_init(0, 0, 2, &state);
	*wrong += curand(&state) != expected[2];
	unsigned next = (curand(&state), curand(&state));
	curand_init(0, 0, 4, &state);
	*wrong += curand(&state) != next;
}

template <class State>
__global__ void draw(double *sums)
{
	State state;

	curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
	for (int i = 0; i < NUMBERS; i++) {
		float u = curand_uniform(&state);
		double n = i % 2 ? curand_normal(&state) : curand_normal_double(&state);

		atomicAdd(&sums[0], (double)u);
		atomicAdd(&sums[1], (double)(u <= 0.0f || u > 1.0f));
		atomicAdd(&sums[2], n);
		atomicAdd(&sums[3], n * n);
		atomicAdd(&sums[4], (double)curand_poisson(&state, 4.0));
	}
}

template <class State>
static int check(const char *name)
{
	double *sums, n = (double)THREADS * NUMBERS;
	int wrong;

	cudaMallocManaged(&sums, 5 * sizeof *sums);
	draw<State><<<THREADS / 64, 64>>>(sums);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	wrong = !(sums[0] / n > 0.49 && sums[0] / n < 0.51) + (sums[1] != 0) +
		!(sums[2] / n > -0.03 && sums[2] / n < 0.03) + !(sums[3] / n > 0.96 && sums[3] / n < 1.04) +
		!(sums[4] / n > 3.9 && sums[4] / n < 4.1);
	if (wrong)
		printf("%s: %g %g %g %g %g\n", name, sums[0] / n, sums[1], sums[2] / n, sums[3] / n, sums[4] / n);
	return wrong;
}

int main()
{
	unsigned *wrong;

	cudaMallocManaged(&wrong, sizeof *wrong);
	known<<<1, 1>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	if (*wrong)
		printf("%u numbers differ\n", *wrong);
	if (*wrong + check<curandState>("XORWOW") + check<curandStatePhilox4_32_10_t>("Philox"))
		return 1;
	puts("ok");
	return 0;
}
