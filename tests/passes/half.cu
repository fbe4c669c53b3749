// Half precision, whose type and instructions differ from release to release of Clang: the read-only data must not.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void half_axpy(__half *y, const __half *x, __half a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = __hfma(a, x[i], y[i]);
}

__global__ void half_pairs(__half2 *y, const __half2 *__restrict__ x, const __half2 *__restrict__ w, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = __hfma2(x[i], w[i], y[i]) * x[n - i];
}

__global__ void half_filter(float *y, const __half *x, const __half *w, int taps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < taps; k++)
		sum += __half2float(x[i + k]) * __half2float(w[k]);
	y[i] = sum;
}

__global__ void half_scatter(__half *bins, const __half *values, const int *bin_of)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	atomicAdd(&bins[bin_of[i]], values[i]);
}

__global__ void half_ldg(__half *y, const __half *x)
{
	y[threadIdx.x] = __ldg(x + threadIdx.x) + __half(1.0f);
}

__global__ void bfloat16_scale(__nv_bfloat16 *y, const __nv_bfloat16 *x, float by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	y[i] = x[i] * __float2bfloat16(by);
}

__global__ void half_matrices(const __half *a, const __half *b, float *c)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;

	wmma::fill_fragment(fc, 0.0f);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
