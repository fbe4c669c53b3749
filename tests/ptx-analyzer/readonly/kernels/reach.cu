/* Stores that reach less than they seem to. */
#include "prelude.h"

/* All blocks meet, at a counter in memory that the driver gave. Spelled as nvcc's cooperative groups are. */
static inline __device__ void meet()
{
	unsigned high, low, old, now, share = blockIdx.x == 0 ? 0x80000001u - gridDim.x : 1u;
	unsigned long long counter;

	asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
	asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
	counter = (unsigned long long)high << 32 | low;
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter + 4), "r"(share) : "memory");
		do
			asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter + 4) : "memory");
		while ((int)(now ^ old) >= 0);
	}
	__syncthreads();
}

KERNEL grid_sync(const float *in, float *out, int n)
{
	out[INDEX] = in[INDEX];
	meet();
	out[n + INDEX] = in[INDEX + 1];
}

/* The barrier orders the writes, but they are still writes. */
KERNEL grid_sync_in_place(float *a, float *out)
{
	a[INDEX] = 1.0f;
	meet();
	out[INDEX] = a[INDEX + 1];
}

/* One kernel forbids the marks that another allows: what is marked calls copies. */
static __device__ __noinline__ float fifth(const float *p, int n) { return p[5 * n]; }
static __device__ __noinline__ float fifths(const float *p, int n) { return fifth(p, n) + fifth(p, n + 1); }

KERNEL hindered(const float *in, float *out) { out[INDEX] = fifths(in, INDEX); }

KERNEL hinders(float *out)
{
	__shared__ float tile[256];

	tile[threadIdx.x] = out[INDEX];
	__syncthreads();
	out[INDEX] = fifths(tile, threadIdx.x / 8);
}

struct tree {
	tree *left, *right;
	float value;
};

/* Everything behind the root is read, whatever the depth. */
KERNEL tree_search(const tree *root, const float *keys, float *out)
{
	const tree *at = root;

	for (int i = 0; i < 16 && at; i++)
		at = keys[INDEX] < at->value ? at->left : at->right;
	out[INDEX] = at ? at->value : 0.0f;
}

/* The nodes are written, so that nobody knows where their pointers lead. */
KERNEL tree_update(tree *root, const float *keys)
{
	tree *at = root;

	for (int i = 0; i < 16 && at; i++) {
		tree *next = keys[INDEX] < at->value ? at->left : at->right;

		at->value += 1.0f;
		at = next;
	}
}
