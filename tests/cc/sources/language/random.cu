/* curand_kernel.h: Philox against its published test vectors, skips, and the shape of the distributions. */
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

/* A skip gives what as many numbers or two skips give, however far it leads. */
template <class State>
__global__ void skip(unsigned *wrong)
{
	unsigned long long far = 0x123456789abcdefull >> threadIdx.x % 48, few = 3000 + 50 * threadIdx.x;
	State a, b;

	curand_init(5, threadIdx.x, 0, &a);
	b = a;
	for (unsigned long long i = 0; i < few; i++)
		curand(&a);
	skipahead(few, &b);
	*wrong += curand(&a) != curand(&b);
	skipahead(far, &a);
	skipahead(few + 1, &a);
	skipahead(far + few + 1, &b);
	*wrong += curand(&a) != curand(&b);
	skipahead_sequence(2, &a);
	skipahead_sequence(3, &a);
	skipahead_sequence(5, &b);
	*wrong += curand(&a) != curand(&b);
	curand_init(5, threadIdx.x, far, &a);
	curand_init(5, threadIdx.x, 0, &b);
	skipahead(far, &b);
	*wrong += curand(&a) != curand(&b);
}

/* A sequence of XORWOW has 2^67 numbers; Philox's are counted by the upper half of its counter. */
__global__ void sequences(unsigned *wrong)
{
	curandState a, b;
	curandStatePhilox4_32_10_t p, q;

	curand_init(5, 0, 0, &a);
	b = a;
	skipahead_sequence(1, &a);
	for (int i = 0; i < 32; i++)
		skipahead(1ull << 62, &b);
	*wrong += curand(&a) != curand(&b);
	curand_init(5, 3, 9, &p);
	curand_init(5, 1, 9, &q);
	skipahead_sequence(2, &q);
	*wrong += curand(&p) != curand(&q);
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
	skip<curandState><<<1, 32>>>(wrong);
	skip<curandStatePhilox4_32_10_t><<<1, 32>>>(wrong);
	sequences<<<1, 1>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	if (*wrong)
		printf("%u numbers differ\n", *wrong);
	if (*wrong + check<curandState>("XORWOW") + check<curandStatePhilox4_32_10_t>("Philox"))
		return 1;
	puts("ok");
	return 0;
}
