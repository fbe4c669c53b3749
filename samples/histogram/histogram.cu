/*
 * Histogram of bytes: each block counts into shared memory, then adds its counts to the result. The data is read once;
 * the 256 counters are shared by all blocks and updated with atomics.
 *
 *   histogram [bytes]
 */
#include "../common/check.h"

#include <vector>

#define BINS 256

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

int main(int argc, char **argv)
{
	int n = argc > 1 ? positive(argv[1], "histogram [bytes]") : 1 << 20;
	std::vector<unsigned char> data(n);
	unsigned counts[BINS], expected[BINS] = {0}, state = 3, *dcounts;
	unsigned char *ddata;

	for (unsigned char &byte : data) {
		float x = next_random(&state);

		byte = (unsigned char)(x * x * BINS);
		expected[byte]++;
	}
	CHECK(cudaMalloc(&ddata, n));
	CHECK(cudaMalloc(&dcounts, sizeof counts));
	CHECK(cudaMemcpy(ddata, data.data(), n, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(dcounts, 0, sizeof counts));
	histogram<<<64, 256>>>(ddata, dcounts, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(counts, dcounts, sizeof counts, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int bin = 0; bin < BINS; bin++)
		wrong += counts[bin] != expected[bin];
	CHECK(cudaFree(ddata));
	CHECK(cudaFree(dcounts));
	printf("histogram: %d bytes, %d of %d counters wrong\n", n, wrong, BINS);
	return wrong != 0;
}
