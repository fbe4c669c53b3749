// Kernels launched by kernels: parameters of all kinds, templates, recursion, order of streams.
// options: -rdc=true -lcudadevrt
#include "nested.h"

#include <cstdio>
#include <cstring>

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d: %s\n", __LINE__, #condition);                                                 \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

__global__ void add_from_header(int *out, int value)
{
	atomicAdd(out, value);
}

struct point {
	double x;
	char name;
};

__global__ void mixed(int *out, char c, double d, point p, short s, float4 v, const char *text)
{
	out[threadIdx.x] = c + (int)d + (int)p.x + p.name + s + (int)v.w + text[1];
}

namespace deep
{
template <class T, int N> __global__ void scale(T *data, T by)
{
	extern __shared__ char room[];
	T *mine = reinterpret_cast<T *>(room) + threadIdx.x;

	*mine = data[threadIdx.x];
	data[threadIdx.x] = *mine * by + N;
}
} // namespace deep

__device__ const char digits[] = "0123 <<<no launch>>> \" {";

__device__ void launch_mixed(int *out)
{
	/* in a comment: mixed<<<1, 1>>>(); and a brace { */
	point p = {2.5, '\1'};

	mixed<<<dim3(1), 32>>>(out, 'a', 3.9, p, -7, make_float4(0, 0, 0, 1'000), digits);
	deep::scale<int, (3 > 2 ? 7 : 0)><<<1, 32, 32 * sizeof(int)>>>(out, 2);
}

__global__ void parents(int *out)
{
	if (threadIdx.x == 0)
		launch_mixed(out);
}

/* Sorts data[first..last] with a launch for each part, each in a stream of its own. */
__global__ void sort(int *data, int first, int last)
{
	int pivot = data[(first + last) / 2], left = first, right = last;

	while (left <= right) {
		while (data[left] < pivot)
			left++;
		while (data[right] > pivot)
			right--;
		if (left <= right) {
			int swapped = data[left];
			data[left++] = data[right];
			data[right--] = swapped;
		}
	}
	cudaStream_t stream;
	if (first < right) {
		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
		sort<<<1, 1, 0, stream>>>(data, first, right);
		cudaStreamDestroy(stream);
	}
	if (left < last)
		sort<<<1, 1>>>(data, left, last);
	if (cudaGetLastError() != cudaSuccess)
		data[first] = -1;
}

__global__ void put(int *log, int value)
{
	log[1 + log[0]++] = value;
}

__global__ void ordered(int *log)
{
	put<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 3);
	put<<<1, 1>>>(log, 1);
	put<<<1, 1>>>(log, 2);
}

/* Every thread launches. */
__global__ void many(int *out)
{
	add_from_header<<<1, threadIdx.x + 1, 0, cudaStreamFireAndForget>>>(out, 1);
}

/* The launch is the host's. */
__host__ __device__ void launch_from_host(int *out)
{
#ifndef __CUDA_ARCH__
	add_from_header<<<1, 1>>>(out, 5);
#endif
}

int main()
{
	const int n = 1000;
	int *data, host[n], log[4];

	CHECK(cudaMallocManaged(&data, n * sizeof(int)) == cudaSuccess);
	parents<<<1, 32>>>(data);
	CHECK(cudaDeviceSynchronize() == cudaSuccess);
	for (int i = 0; i < 32; i++)
		CHECK(data[i] == 2 * ('a' + 3 + 2 + 1 - 7 + 1000 + '1') + 7);

	for (int i = 0; i < n; i++)
		data[i] = i * 7919 % n;
	sort<<<1, 1>>>(data, 0, n - 1);
	CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
	for (int i = 0; i < n; i++)
		CHECK(host[i] == i);

	memset(data, 0, sizeof log);
	ordered<<<1, 1>>>(data);
	CHECK(cudaMemcpy(log, data, sizeof log, cudaMemcpyDeviceToHost) == cudaSuccess);
	CHECK(log[0] == 3 && log[1] == 1 && log[2] == 2 && log[3] == 3);

	data[0] = 0;
	launch_from_header<<<1, 32>>>(data);
	many<<<2, 40>>>(data);
	CHECK(cudaDeviceSynchronize() == cudaSuccess);
	CHECK(data[0] == 64 * 5 + 2 * 40 * 41 / 2);
	launch_from_host(data);
	CHECK(cudaDeviceSynchronize() == cudaSuccess);
	CHECK(data[0] == 64 * 5 + 2 * 40 * 41 / 2 + 5);
	puts("ok");
	return 0;
}
