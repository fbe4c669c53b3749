/* Memory that a kernel must not touch, and memory that nobody frees. */
//! memory misaligned: ========= Invalid __global__ write of size 4 bytes
//! memory misaligned: at misaligned: 'st.global.u32 .*memory.cu:@misaligned)
//! memory misaligned: by thread (0,0,0) in block (0,0,0)
//! memory misaligned: and is misaligned: an access of 4 bytes
//! memory beyond: ========= Invalid __global__ write of size 4 bytes
//! memory beyond: at beyond: .*memory.cu:@far)
//! memory beyond: by thread (25,0,0) in block (0,0,0), and 6 more of its warp
//! memory beyond: 0 bytes behind the end of cudaMalloc#0 (100 bytes at 0x[0-9a-f]*)
//! memory before: 4 bytes before cudaMalloc#0
//! memory wild: Address 0x87654320 of global memory, in no allocation
//! memory freed: ========= Invalid __global__ read of size 4 bytes
//! memory freed: is freed memory, 0 bytes into cudaMalloc#0 (100 bytes
//! memory freed: allocated at .*+0x
//! memory freed: freed at .*+0x
//! memory reused: is freed memory
//! memory pool: is freed memory, 0 bytes into cudaMallocAsync#
//! memory shared: ========= Invalid __shared__ write of size 4 bytes
//! memory shared: Address 0x80 of shared memory, which has 128 bytes
//! memory heap: is freed memory, 0 bytes into malloc#1 (64 bytes
//! memory heap: freed at heap: 'call.uni free, .*memory.cu:@free), thread (0,0,0) in block (0,0,0)
//! leak leak: ========= Leaked 100 bytes at 0x[0-9a-f]*: cudaMalloc#0
//! leak leak: allocated at .*+0x
//! leak leak: LEAK SUMMARY: 236 bytes leaked in 3 allocations
//! leak heap_leak: ========= Leaked 64 bytes at .*: malloc#1
//! leak heap_leak: ERROR SUMMARY: 1 error$
//! memory,leak pools:
//! memory,leak nothing:
//! memory,leak whole:
#include <cstdio>
#include <cstring>

__global__ void misaligned(char *base)
{
	*(int *)(base + 1) = 42; // @misaligned
}

__device__ void store_far(int *p)
{
	p[threadIdx.x] = 7; // @far
}

__global__ void beyond(int *p)
{
	store_far(p);
}

__global__ void wild()
{
	*(int *)(size_t)0x87654320 = 1;
}

__global__ void reads(const int *p, int *out)
{
	out[threadIdx.x] = p[threadIdx.x];
}

__global__ void shared_far(int *out, int i)
{
	__shared__ int box[32];

	box[threadIdx.x + i] = 1;
	__syncthreads();
	out[threadIdx.x] = box[31 - threadIdx.x];
}

__global__ void heap(int **p)
{
	*p = (int *)malloc(64);
	**p = 1;
	free(*p); // @free
}

__global__ void heap_use(int **p)
{
	**p = 2;
}

__global__ void heap_leak(int **p)
{
	*p = (int *)malloc(64);
}

static int *a, *b, **h;

static void use_after_free(bool again)
{
	int *c = nullptr;

	cudaFree(a);
	if (again)
		cudaMalloc(&c, 100);
	reads<<<1, 25>>>(a, b);
	cudaFree(c);
}

static void pools(bool late)
{
	for (int i = 0; i < 4; i++) {
		int *p;

		cudaMallocAsync(&p, 128, 0);
		cudaMemsetAsync(p, 0, 128, 0);
		if (!late)
			reads<<<1, 32>>>(p, b);
		cudaFreeAsync(p, 0);
		if (late)
			reads<<<1, 32>>>(p, b);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	auto is = [&](const char *name) { return strcmp(what, name) == 0; };

	cudaMalloc(&a, 100);
	cudaMalloc(&b, 128);
	cudaMalloc(&h, 8);
	cudaMemset(a, 0, 100);
	cudaMemset(b, 0, 128);
	if (is("misaligned"))
		misaligned<<<1, 1>>>((char *)a);
	if (is("beyond"))
		beyond<<<1, 32>>>(a);
	if (is("before"))
		reads<<<1, 1>>>(a - 1, b);
	if (is("whole"))
		reads<<<1, 25>>>(a, b);
	if (is("wild"))
		wild<<<1, 1>>>();
	if (is("freed") || is("reused"))
		use_after_free(is("reused"));
	if (is("pool") || is("pools"))
		pools(is("pool"));
	if (is("shared"))
		shared_far<<<1, 32>>>(b, 1);
	if (is("heap")) {
		heap<<<1, 1>>>(h);
		heap_use<<<1, 1>>>(h);
	}
	if (is("heap_leak"))
		heap_leak<<<1, 1>>>(h);
	cudaDeviceSynchronize();
	if (is("leak"))
		return 0;
	cudaFree(a);
	cudaFree(b);
	cudaFree(h);
	return 0;
}
