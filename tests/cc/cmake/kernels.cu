// A kernel behind a function that C++ calls; a header found by its folder.
#include <more kernels.h>

constexpr int one()
{
	return 1;
}

__global__ void increment(int *numbers)
{
	numbers[threadIdx.x] += one();
}

int incremented(int number)
{
	int *device, result = number;

	cudaMalloc(&device, sizeof result);
	cudaMemcpy(device, &result, sizeof result, cudaMemcpyHostToDevice);
	increment<<<1, 1>>>(device);
	cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost);
	cudaFree(device);
	return doubled(result);
}
