// Managed variables: initial values, and what one side writes seen by the other, by name, by pointer and by copy.
#include <cstdio>

struct settings {
	int scale;
	double offset;
};

static int before[3] = {11, 12, 13};
__managed__ int counter = 5;
__device__ __managed__ float table[3000] = {1.5f, 2.5f};
static __managed__ settings chosen = {3, 0.25};
__managed__ unsigned long long untouched;
static int after[3] = {21, 22, 23};
__device__ int ordinary = 7;

__global__ void by_name(int *wrong)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < 3000)
		table[i] = table[i] * chosen.scale + (float)chosen.offset;
	atomicAdd(&counter, 1);
	if (i == 0)
		*wrong = (untouched != 0) + (ordinary != 7);
}

__global__ void by_pointer(float *p, settings *s, int *n)
{
	p[threadIdx.x] = -p[threadIdx.x];
	if (threadIdx.x == 0)
		s->scale = *n;
}

int main()
{
	int *wrong, failures = 0;
	float copy[8];

	cudaMallocManaged(&wrong, sizeof *wrong);
	failures += counter != 5 || table[0] != 1.5f || table[1] != 2.5f || table[2999] != 0.0f || chosen.offset != 0.25;
	table[2999] = 10.0f;
	counter = 100;
	by_name<<<12, 256>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	failures += *wrong != 0 || counter != 100 + 12 * 256;
	failures += table[0] != 4.75f || table[1] != 7.75f || table[2] != 0.25f || table[2999] != 30.25f;
	by_pointer<<<1, 8>>>(table, &chosen, &counter);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	failures += table[0] != -4.75f || table[7] != -0.25f || table[8] != 0.25f || chosen.scale != counter;
	cudaMemcpy(copy, table, sizeof copy, cudaMemcpyDefault);
	failures += copy[0] != -4.75f || copy[7] != -0.25f;
	copy[1] = 99.0f;
	cudaMemcpyToSymbol(table, copy, sizeof copy);
	failures += table[1] != 99.0f;
	for (int i = 0; i < 3; i++)
		failures += before[i] != 11 + i || after[i] != 21 + i;
	if (failures) {
		printf("%d wrong\n", failures);
		return 1;
	}
	puts("ok");
	return 0;
}
