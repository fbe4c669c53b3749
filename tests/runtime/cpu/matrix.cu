// Kernels of test_matrix.c. matrix.ptx is what nvcc makes of them (-ptx -arch=compute_90, comments removed).
#include <mma.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#define KERNEL extern "C" __global__ void

using namespace nvcuda;

template <int M, int N, int K, typename T, typename C, typename LA, typename LB>
__device__ void product(const T *a, const T *b, const C *c, C *d)
{
	wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, C> fc;

	wmma::load_matrix_sync(fa, a, K);
	wmma::load_matrix_sync(fb, b, K);
	wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] = fc.x[i] + fc.x[i];
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}

/* d = a b + 2 c; a by rows, b by columns. */
KERNEL wmma_f16(const half *a, const half *b, const float *c, float *d)
{
	product<16, 16, 16, half, float, wmma::row_major, wmma::col_major>(a, b, c, d);
}

KERNEL wmma_f16_wide(const half *a, const half *b, const float *c, float *d)
{
	product<32, 8, 16, half, float, wmma::row_major, wmma::col_major>(a, b, c, d);
}

KERNEL wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d)
{
	product<8, 32, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(a, b, c, d);
}

KERNEL wmma_s8(const signed char *a, const signed char *b, const int *c, int *d)
{
	product<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(a, b, c, d);
}

KERNEL wmma_f64(const double *a, const double *b, const double *c, double *d)
{
	product<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(a, b, c, d);
}

KERNEL wmma_tf32(const float *a, const float *b, const float *c, float *d)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;

	wmma::load_matrix_sync(fa, a, 8);
	wmma::load_matrix_sync(fb, b, 8);
	wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] *= 2;
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

/* mma.m16n8k16 of a (16 x 16 by rows) from ldmatrix, b (8 x 16: by columns) from ldmatrix, the result by the manual's layout. */
KERNEL mma_f16(const half *a, const half *b, float *d)
{
	__shared__ __align__(16) half as[16 * 16], bs[8 * 16];
	unsigned lane = threadIdx.x, ra[4], rb[2], at;
	float c[4] = {0, 0, 0, 0};

	for (int i = lane; i < 256; i += 32)
		as[i] = a[i];
	for (int i = lane; i < 128; i += 32)
		bs[i] = b[i];
	__syncwarp();
	at = (unsigned)__cvta_generic_to_shared(as + lane % 16 * 16 + lane / 16 * 8);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(at));
	at = (unsigned)__cvta_generic_to_shared(bs + lane % 8 * 16 + lane / 8 % 2 * 8);
	asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(at));
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
		     "{%0, %1, %2, %3};"
		     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
	for (int i = 0; i < 4; i++)
		d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

/* mma.m16n8k32 of bytes, loaded by the manual's layout. */
KERNEL mma_s8(const signed char *a, const signed char *b, int *d)
{
	unsigned lane = threadIdx.x, g = lane / 4, t = lane % 4;
	const int *wa = (const int *)a, *wb = (const int *)b;
	int c[4] = {1, 2, 3, 4};

	asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
		     "{%0, %1, %2, %3};"
		     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
		     : "r"(wa[g * 8 + t]), "r"(wa[(g + 8) * 8 + t]), "r"(wa[g * 8 + t + 4]), "r"(wa[(g + 8) * 8 + t + 4]),
		       "r"(wb[g * 8 + t]), "r"(wb[g * 8 + t + 4]));
	for (int i = 0; i < 4; i++)
		d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
}

KERNEL transposed(const half *a, half *d)
{
	__shared__ __align__(16) half s[64];
	unsigned lane = threadIdx.x, r, at;

	s[lane] = a[lane];
	s[lane + 32] = a[lane + 32];
	__syncwarp();
	at = (unsigned)__cvta_generic_to_shared(s + lane % 8 * 8);
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at));
	((unsigned *)d)[lane] = r;
	asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r));
	((unsigned *)d)[lane + 32] = r;
	at = (unsigned)__cvta_generic_to_shared(s + lane % 8 * 8);
	asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(r) : "memory");
	__syncwarp();
	d[128 + lane] = s[lane];
	d[160 + lane] = s[lane + 32];
}

KERNEL pipeline(const int4 *a, int *d)
{
	__shared__ int4 s[64];
	int i = threadIdx.x;

	__pipeline_memcpy_async(&s[i], &a[i], 16);
	__pipeline_memcpy_async(&s[i + 32], &a[i + 32], 16, i & 1 ? 8 : 0);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	for (int k = 0; k < 8; k++)
		d[i * 8 + k] = ((int *)s)[(31 - i) * 8 + k];
}

KERNEL transactions(const int *a, int *d)
{
	__shared__ __align__(16) int s[64];
	__shared__ __align__(8) unsigned long long bar;
	unsigned b = (unsigned)__cvta_generic_to_shared(&bar), to = (unsigned)__cvta_generic_to_shared(s), done = 0;

	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b) : "memory");
	__syncthreads();
	for (int phase = 0; phase < 3; phase++) {
		if (threadIdx.x == 0) {
			asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
			asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(to),
				     "l"(a + 64 * phase), "r"(b) : "memory");
		} else {
			asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
		}
		do
			asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
				     : "=r"(done) : "r"(b), "r"(phase & 1) : "memory");
		while (!done);
		d[phase * 64 + threadIdx.x] = s[63 - threadIdx.x];
		__syncthreads();
	}
}

KERNEL video(const unsigned *a, unsigned *d)
{
	unsigned x = a[threadIdx.x], y = a[threadIdx.x + 32], r;

	asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(7));
	d[threadIdx.x] = r;
	asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0));
	d[threadIdx.x + 32] = r;
	asm("vadd2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0));
	d[threadIdx.x + 64] = r;
	asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0));
	d[threadIdx.x + 96] = r;
}
