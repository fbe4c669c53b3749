/* Device code in one file, host code in others; a header's declaration ties them together. */
#include "two.h"

__constant__ int table[3] = {21, 42, 63};

__global__ void fill(const int *factor, int *out)
{
	out[threadIdx.x] = table[threadIdx.x] * factor[0];
}

void fill_on_device(int *out, int n)
{
	int one = one_from_c(), *factor, *device;

	cudaMalloc(&factor, sizeof one);
	cudaMalloc(&device, n * sizeof *out);
	cudaMemcpy(factor, &one, sizeof one, cudaMemcpyHostToDevice);
	fill<<<1, n>>>(factor, device);
	cudaMemcpy(out, device, n * sizeof *out, cudaMemcpyDeviceToHost);
	cudaFree(factor);
	cudaFree(device);
}
