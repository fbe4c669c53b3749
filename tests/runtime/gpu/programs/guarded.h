/*
 * A launch that is verified: its kernel reads its input again after it has written its output, so that a stale read
 * gives another result.
 *
 *   fill(a, 10);                              // a[i] = 10 + 3 i
 *   kernel<<<1, N>>>(a, b, sums);             // body(a, b, sums)
 *   verify("kernel", b, 10, a == b);          // prints a line, and adds to `wrong`
 */
#include "../../../../samples/common/check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 256 };

static int *sums;
static int wrong;

/* One block: out[i] = in[i] + 1, then sums[i] = in[i + 1] as it is now. */
__device__ __forceinline__ void body(const int *in, int *out, int *sums)
{
	int i = threadIdx.x;

	out[i] = in[i] + 1;
	__syncthreads();
	sums[i] = in[(i + 1) % N];
}

static void fill(int *data, int start)
{
	int host[N];

	for (int i = 0; i < N; i++)
		host[i] = start + 3 * i;
	CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyDefault));
}

/* After a launch with in[i] = start + 3 i: what out and sums hold when both are apart or the same. */
static void verify(const char *name, const int *out, int start, bool aliased)
{
	int got[N], got_sums[N], bad = 0;

	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDefault));
	CHECK(cudaMemcpy(got_sums, sums, sizeof got_sums, cudaMemcpyDefault));
	for (int i = 0; i < N; i++) {
		bad += got[i] != start + 3 * i + 1;
		bad += got_sums[i] != start + 3 * ((i + 1) % N) + aliased;
	}
	printf("%-32s %s, %d wrong\n", name, aliased ? "aliased" : "apart", bad);
	wrong += bad;
}
