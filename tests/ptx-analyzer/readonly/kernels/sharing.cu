/* The sharing classes of well-known kernels. */
#include "prelude.h"

KERNEL matmul(const float *a, const float *b, float *c, int n)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col];
	c[row * n + col] = sum;
}

KERNEL matmul_tiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float ta[16][16], tb[16][16];
	int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;

	for (int t = 0; t < n; t += 16) {
		ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
		tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

/* One CTA per sample, one thread per neuron: all CTAs read the same weights. */
KERNEL fully_connected(const float *weights, const float *bias, const float *x, float *y, int inputs)
{
	float sum = bias[threadIdx.x];

	for (int i = 0; i < inputs; i++)
		sum += weights[i * blockDim.x + threadIdx.x] * x[blockIdx.x * inputs + i];
	y[blockIdx.x * blockDim.x + threadIdx.x] = sum > 0 ? sum : 0;
}

KERNEL stencil(const float *in, float *out) { out[INDEX] = in[INDEX] + in[INDEX + 1] + in[INDEX + 2]; }

KERNEL uniform_table(const float *table, float *out, int n)
{
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += table[i];
	out[INDEX] = sum;
}

KERNEL per_cta(const float *per_block, float *out) { out[INDEX] = per_block[blockIdx.x]; }

KERNEL one_cta(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

KERNEL histogram(const unsigned char *in, int *bins, int n)
{
	for (int i = INDEX; i < n; i += blockDim.x * gridDim.x)
		atomicAdd(bins + in[i], 1);
}

KERNEL bfs_step(const int *rows, const int *edges, const int *level, int *next, int n, int depth)
{
	int v = INDEX;

	if (v >= n || level[v] != depth)
		return;
	for (int e = rows[v]; e < rows[v + 1]; e++)
		next[edges[e]] = depth + 1;
}
