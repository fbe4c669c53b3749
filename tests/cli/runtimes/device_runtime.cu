/* Dynamic parallelism with what CUDA's device runtime has beside launches; prints ok. */
#include <cuda_runtime.h>

#include <stdio.h>
#include <string.h>

enum { N = 64 };

static __device__ int source[N], target[N], rows[8][16], filled[N];
static __device__ unsigned failures;
static __device__ char text[32];

static __device__ void check(cudaError_t error, unsigned bit)
{
	if (error != cudaSuccess)
		atomicOr(&failures, 1u << bit);
}

static __device__ void expect(bool good, unsigned bit)
{
	if (!good)
		atomicOr(&failures, 1u << bit);
}

static __global__ void child(int *p, int value)
{
	p[threadIdx.x] = value + threadIdx.x;
}

/* The copy comes after the child in its stream, and before the next child. */
static __device__ void in_order()
{
	cudaStream_t s;
	cudaEvent_t e;

	check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), 0);
	check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), 1);
	child<<<1, N, 0, s>>>(source, 100);
	check(cudaEventRecord(e, s), 2);
	check(cudaStreamWaitEvent(s, e, 0), 3);
	check(cudaMemcpyAsync(target, source, sizeof source, cudaMemcpyDeviceToDevice, s), 4);
	child<<<1, N, 0, s>>>(source, 200);
	check(cudaMemsetAsync(filled, 0x11, sizeof filled, s), 5);
	check(cudaMemset2DAsync(&rows[1][2], sizeof rows[0], 0x22, 8, 3, s), 6);
	check(cudaMemcpy2DAsync(&rows[6][0], sizeof rows[0], &source[8], 64, 16, 2, cudaMemcpyDeviceToDevice, s), 7);
	check(cudaEventDestroy(e), 8);
	check(cudaStreamDestroy(s), 9);
}

static __device__ void questions()
{
	const char *name = cudaGetErrorString(cudaErrorMemoryAllocation);
	int value = -1, *heap;

	check(cudaGetDevice(&value), 10);
	expect(value == 0, 11);
	check(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), 12);
	expect(value == 32, 13);
	check(cudaMalloc((void **)&heap, 400), 14);
	heap[99] = 7;
	expect(heap[99] == 7, 15);
	check(cudaFree(heap), 16);
	expect(cudaMemcpyAsync(target, (void *)16, 4, cudaMemcpyDeviceToDevice, 0) == cudaErrorInvalidValue, 17);
	check(cudaGetLastError(), 18);
	for (int i = 0; i < 31 && name[i]; i++)
		text[i] = name[i];
}

static __global__ void parent()
{
	in_order();
	questions();
}

int main()
{
	int s[N], t[N], f[N], r[8][16];
	unsigned failed = ~0u;
	char said[32] = "";
	bool good = true;

	parent<<<1, 1>>>();
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	cudaMemcpyFromSymbol(s, source, sizeof s);
	cudaMemcpyFromSymbol(t, target, sizeof t);
	cudaMemcpyFromSymbol(f, filled, sizeof f);
	cudaMemcpyFromSymbol(r, rows, sizeof r);
	cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
	cudaMemcpyFromSymbol(said, text, sizeof said);
	for (int i = 0; i < N; i++)
		good = good && t[i] == 100 + i && s[i] == 200 + i && f[i] == 0x11111111;
	for (int y = 0; y < 8; y++)
		for (int x = 0; x < 16; x++) {
			int expected = y >= 1 && y < 4 && (x == 2 || x == 3) ? 0x22222222
				       : y >= 6 && x < 4                      ? 208 + (y - 6) * 16 + x
									      : 0;

			good = good && r[y][x] == expected;
		}
	if (failed || strcmp(said, "out of memory") != 0)
		printf("failed %#x, said '%s'\n", failed, said);
	puts(good && !failed && strcmp(said, "out of memory") == 0 ? "ok" : "wrong");
	return 0;
}
