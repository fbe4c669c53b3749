/* Launches that the device refuses, and a kernel that does not end by itself. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void rounds(volatile int *data, long count)
{
	for (long i = 0; i < count; i++)
		data[threadIdx.x] += i;
}

__global__ void __launch_bounds__(128) bounded(int *data)
{
	data[threadIdx.x] = 1;
}

__global__ void with_array(int *data)
{
	__shared__ int box[8192];

	box[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	data[threadIdx.x] = box[threadIdx.x ^ 1];
}

__global__ void together(int *data)
{
	cooperative_groups::this_grid().sync();
	data[0] = 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	auto is = [&](const char *name) { return strcmp(what, name) == 0; };
	int *data;

	cudaMalloc(&data, 1 << 20);
	if (is("threads"))
		rounds<<<1, dim3(64, 32)>>>(data, 1);
	if (is("depth"))
		rounds<<<1, dim3(1, 1, 65)>>>(data, 1);
	if (is("empty"))
		rounds<<<0, 32>>>(data, 1);
	if (is("grid"))
		rounds<<<dim3(1, 70000), 32>>>(data, 1);
	if (is("bounds"))
		bounded<<<1, 256>>>(data);
	if (is("shared"))
		rounds<<<1, 32, 50000>>>(data, 1);
	if (is("both")) {
		cudaFuncSetAttribute(with_array, cudaFuncAttributeMaxDynamicSharedMemorySize, 130000);
		with_array<<<1, 32, 131000>>>(data);
	}
	if (is("cooperative")) {
		void *args[] = {&data};
		printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((const void *)together, dim3(100000), dim3(32), args, 0, 0)));
	}
	if (is("long")) {
		rounds<<<1, 32>>>(data, 1);
		puts("started");
		fflush(stdout);
		rounds<<<1, 32>>>(data, 1L << 40);
	}
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize() ? cudaGetLastError() : cudaGetLastError()));
	return 0;
}
