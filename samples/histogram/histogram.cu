/*
 * Histogram of bytes, with 240 blocks of six warps. Each warp counts into its own 256 bins in shared memory, and each
 * block stores the sums of its warps. Then a block for each bin adds up what all blocks stored. The data is read once,
 * and blocks share none of it. The shape follows a public sample.
 *
 *   histogram [--global] [small|paper|BYTES]
 *
 * --global is a simpler variant: a block counts into a single histogram, and adds it to the result with atomics on
 * global memory. So all blocks update the same 256 counters.
 */
#include "../common/size.h"

#include <vector>

enum { BINS = 256, WARPS = 6, THREADS = WARPS * 32, BLOCKS = 240, MERGERS = 256 };

/* Counts the bytes of each word one by one. `words` is a number of whole words. */
__global__ void count(const unsigned *data, unsigned *partial, int words)
{
	__shared__ unsigned bins[WARPS * BINS];
	unsigned *own = bins + threadIdx.x / 32 * BINS;

	for (int bin = threadIdx.x; bin < WARPS * BINS; bin += THREADS)
		bins[bin] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
		unsigned word = data[i];

		atomicAdd(&own[word & 0xff], 1u);
		atomicAdd(&own[word >> 8 & 0xff], 1u);
		atomicAdd(&own[word >> 16 & 0xff], 1u);
		atomicAdd(&own[word >> 24], 1u);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
		unsigned sum = 0;

		for (int warp = 0; warp < WARPS; warp++)
			sum += bins[warp * BINS + bin];
		partial[blockIdx.x * BINS + bin] = sum;
	}
}

/* A block adds up its bin: each thread has some of the blocks' sums, and pairs of threads join theirs. */
__global__ void merge(const unsigned *partial, unsigned *counts, int blocks)
{
	__shared__ unsigned sums[MERGERS];
	unsigned sum = 0;

	for (int i = threadIdx.x; i < blocks; i += MERGERS)
		sum += partial[i * BINS + blockIdx.x];
	sums[threadIdx.x] = sum;
	for (unsigned others = MERGERS / 2; others > 0; others /= 2) {
		__syncthreads();
		if (threadIdx.x < others)
			sums[threadIdx.x] += sums[threadIdx.x + others];
	}
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sums[0];
}

__global__ void histogram(const unsigned char *data, unsigned *counts, int n)
{
	__shared__ unsigned local[BINS];

	for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
		local[bin] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[data[i]], 1u);
	__syncthreads();
	for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
		if (local[bin])
			atomicAdd(&counts[bin], local[bin]);
}

static void run(const unsigned *data, unsigned *result, int n, bool global)
{
	unsigned *partial;

	if (global) {
		CHECK(cudaMemset(result, 0, BINS * sizeof *result));
		histogram<<<64, 256>>>((const unsigned char *)data, result, n);
		CHECK(cudaGetLastError());
		return;
	}
	CHECK(cudaMalloc(&partial, BLOCKS * BINS * sizeof *partial));
	count<<<BLOCKS, THREADS>>>(data, partial, n / 4);
	merge<<<BINS, MERGERS>>>(partial, result, BLOCKS);
	CHECK(cudaGetLastError());
	CHECK(cudaFree(partial));
}

int main(int argc, char **argv)
{
	static const char usage[] = "histogram [--global] [small|paper|BYTES], a multiple of 4";
	bool global = argc > 1 && strcmp(argv[1], "--global") == 0;
	int n = chosen_size(argc - global, argv + global, 1 << 20, 64 << 20, usage), wrong = 0;
	unsigned counts[BINS], expected[BINS] = {0}, state = 3, *data, *result;
	std::vector<unsigned char> bytes(n);

	if (n % 4) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	for (unsigned char &byte : bytes) {
		float x = next_random(&state);

		byte = (unsigned char)(x * x * BINS);
		expected[byte]++;
	}
	CHECK(cudaMalloc(&data, n));
	CHECK(cudaMalloc(&result, sizeof counts));
	CHECK(cudaMemcpy(data, bytes.data(), n, cudaMemcpyHostToDevice));
	run(data, result, n, global);
	CHECK(cudaMemcpy(counts, result, sizeof counts, cudaMemcpyDeviceToHost));
	for (int bin = 0; bin < BINS; bin++)
		wrong += counts[bin] != expected[bin];
	CHECK(cudaFree(data));
	CHECK(cudaFree(result));
	printf("histogram: %d bytes, %d of %d counters wrong\n", n, wrong, BINS);
	return wrong != 0;
}
