/*
 * A kernel that is given two regions of one arena, and an index by which it may leave the first. The arguments are the
 * index, "read" or "write", and "told" if romark hears of the regions.
 */
#include "../../samples/common/check.h"

#include <romark.h>

#include <cstdlib>
#include <cstring>

enum { WORDS = 128, GAP = 64 }; /* ints of a region, and between them */

__global__ void read_at(const int *in, int *out, int at)
{
	out[threadIdx.x] = in[at + (int)threadIdx.x];
}

__global__ void write_at(int *in, int *out, int at)
{
	in[at + (int)threadIdx.x] = out[threadIdx.x];
}

int main(int argc, char **argv)
{
	int *arena, at = atoi(argv[1]);
	int *a, *b;

	CHECK(cudaMalloc(&arena, 1 << 16));
	CHECK(cudaMemset(arena, 0, 1 << 16));
	a = arena + GAP;
	b = a + WORDS + GAP;
	if (argc > 3) {
		CHECK((cudaError_t)romark_region(a, WORDS * sizeof(int), 0));
		CHECK((cudaError_t)romark_region(b, WORDS * sizeof(int), 0));
	}
	if (strcmp(argv[2], "read") == 0)
		read_at<<<1, 32>>>(a, b, at);
	else
		write_at<<<1, 32>>>(a, b, at);
	CHECK(cudaDeviceSynchronize());
	return 0;
}
