// The host's and device's side of the part that is compiled in several files; both programs with it are the same.
#include "device.h"

#include <cstdio>

static __device__ int offset = 5;

__global__ void add_offset(int *number);

__global__ void scale(int *number)
{
	*number = scaled(*number, 2) + offset;
	launches++;
}

static int run()
{
	const int host_factors[4] = {1, 2, 3, 4};
	int *number, count = -1, local_offset = -1;

	cudaMallocManaged(&number, sizeof *number);
	*number = 4;
	cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);
	scale<<<1, 1>>>(number);
	add_offset<<<1, 1>>>(number);
	cudaMemcpyFromSymbol(&count, launches, sizeof count);
	cudaMemcpyFromSymbol(&local_offset, offset, sizeof local_offset);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	printf("%d, %d launches, offset %d\n", *number, count, local_offset);
	return *number != 1017 || count != 1 || local_offset != 5;
}
