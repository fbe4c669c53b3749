// options: -arch=sm_80
// The list of architectures is the same for the host and the device: libraries give kernels names that depend on it.
#include <cstdio>

template <int list> __global__ void named_after(int *out)
{
	*out = list == __CUDA_ARCH_LIST__ ? list : 0;
}

int main()
{
	int *out;

	cudaMallocManaged(&out, sizeof *out);
	named_after<__CUDA_ARCH_LIST__><<<1, 1>>>(out);
	if (cudaDeviceSynchronize() != cudaSuccess || *out != 800) {
		printf("%d instead of 800: %s\n", *out, cudaGetErrorString(cudaGetLastError()));
		return 1;
	}
	puts("ok");
	return 0;
}
