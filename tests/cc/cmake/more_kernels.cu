// A second file with device code; a definition with a space in it.
#include <more kernels.h>

#include <cstring>

__global__ void twice(int *number)
{
	*number *= 2;
}

int doubled(int number)
{
	int *device;

	if (strcmp(GREETING, "two words") != 0)
		return -1;
	cudaMallocManaged(&device, sizeof *device);
	*device = number;
	twice<<<1, 1>>>(device);
	cudaDeviceSynchronize();
	number = *device;
	cudaFree(device);
	return number;
}
