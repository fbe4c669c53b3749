// Uses device code of two other files: a function, variables, a kernel; has a static variable of the same name as theirs.
#include "parts.h"

#include <cstdio>

static __device__ int hidden = 1;

__global__ void gather(const int *from, int *to)
{
	to[threadIdx.x] = transform(from[threadIdx.x]) + table[threadIdx.x % 4] + hidden;
	atomicAdd(&calls, 1);
}

int main()
{
	const int host_table[4] = {10, 20, 30, 40};
	int *from, *to, count = 0, shown = 0;

	cudaMallocManaged(&from, 32 * sizeof *from);
	cudaMallocManaged(&to, 32 * sizeof *to);
	for (int i = 0; i < 32; i++)
		from[i] = i;
	cudaMemcpyToSymbol(table, host_table, sizeof host_table);
	gather<<<1, 32>>>(from, to);
	finish<<<1, 32>>>(to);
	cudaMemcpyFromSymbol(&count, calls, sizeof count);
	cudaMemcpyFromSymbol(&shown, hidden, sizeof shown);
	printf("%s: %d %d, %d calls, hidden %d\n", cudaGetErrorString(cudaGetLastError()), to[0], to[31], count, shown);
	return 0;
}
