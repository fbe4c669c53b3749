// One kernel that squares numbers; the program checks them.
#include <cstdio>

__global__ void square(int *numbers)
{
	numbers[threadIdx.x] *= numbers[threadIdx.x];
}

int main()
{
	int host[32], *device;

	for (int i = 0; i < 32; i++)
		host[i] = i;
	cudaMalloc(&device, sizeof host);
	cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
	square<<<1, 32>>>(device);
	if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
		return 1;
	for (int i = 0; i < 32; i++)
		if (host[i] != i * i)
			return printf("%d squared is not %d\n", i, host[i]);
	return 0;
}
