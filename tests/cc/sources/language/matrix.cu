// options: -arch=sm_80
// nvcuda::wmma in every type, shape and layout against plain loops. The values are small integers: every sum is exact.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <class T>
struct stored {
	typedef T type;
};
template <>
struct stored<wmma::precision::tf32> {
	typedef float type;
};

// Leading dimensions are longer than the rows, and nothing may be written in between.
#define GAP 8
#define UNTOUCHED 77

template <int m, int n, int k, class T, class C, class D, class LayoutA, class LayoutB>
__global__ void multiply(const typename stored<T>::type *a, int lda, const typename stored<T>::type *b, int ldb,
			 const C *c, D *d, int ldc, wmma::layout_t layout)
{
	wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
	wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
	wmma::fragment<wmma::accumulator, m, n, k, C> fc;
	wmma::fragment<wmma::accumulator, m, n, k, D> fd;

	wmma::load_matrix_sync(fa, a, lda);
	wmma::load_matrix_sync(fb, b, ldb);
	wmma::load_matrix_sync(fc, c, ldc, layout);
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] = fc.x[i] * C(2);
	wmma::mma_sync(fd, fa, fb, fc);
	wmma::store_matrix_sync(d, fd, ldc, layout);
}

static int failures;

static int at(int row, int col, int stride, bool by_column)
{
	return by_column ? col * stride + row : row * stride + col;
}

static int small(int i, int seed)
{
	return (i * 7 + i / 5 * 3 + seed) % 11;
}

template <class T>
static T *filled(int elements, int seed)
{
	T *p;

	cudaMallocManaged(&p, elements * sizeof(T));
	for (int i = 0; i < elements; i++)
		p[i] = T(float(small(i, seed)));
	return p;
}

template <int m, int n, int k, class T, class C, class D, class LayoutA, class LayoutB, bool a_by_column, bool b_by_column>
static void check(const char *name, wmma::layout_t layout)
{
	typedef typename stored<T>::type element;
	int lda = (a_by_column ? m : k) + GAP, ldb = (b_by_column ? k : n) + GAP;
	bool by_column = layout == wmma::mem_col_major;
	int ldc = (by_column ? m : n) + GAP, size = ldc * (by_column ? n : m);
	element *a = filled<element>(lda * (a_by_column ? k : m), 1), *b = filled<element>(ldb * (b_by_column ? n : k), 4);
	C *c = filled<C>(size, 3);
	D *d = filled<D>(size, 0);
	int wrong = 0;

	for (int i = 0; i < size; i++)
		d[i] = D(float(UNTOUCHED));
	multiply<m, n, k, T, C, D, LayoutA, LayoutB><<<1, 32>>>(a, lda, b, ldb, c, d, ldc, layout);
	if (cudaDeviceSynchronize() != cudaSuccess)
		wrong = 1;
	for (int row = 0; row < m; row++)
		for (int col = 0; col < n; col++) {
			float sum = 2 * small(at(row, col, ldc, by_column), 3);

			for (int i = 0; i < k; i++)
				sum += small(at(row, i, lda, a_by_column), 1) * small(at(i, col, ldb, b_by_column), 4);
			wrong += float(d[at(row, col, ldc, by_column)]) != sum;
			d[at(row, col, ldc, by_column)] = D(float(UNTOUCHED));
		}
	for (int i = 0; i < size; i++)
		wrong += float(d[i]) != UNTOUCHED;
	if (wrong) {
		printf("%s %dx%dx%d: %d wrong\n", name, m, n, k, wrong);
		failures++;
	}
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	cudaFree(d);
}

template <int m, int n, int k, class T, class C, class D>
static void layouts(const char *name)
{
	for (int i = 0; i < 2; i++) {
		wmma::layout_t layout = i ? wmma::mem_col_major : wmma::mem_row_major;

		check<m, n, k, T, C, D, wmma::row_major, wmma::row_major, false, false>(name, layout);
		check<m, n, k, T, C, D, wmma::row_major, wmma::col_major, false, true>(name, layout);
		check<m, n, k, T, C, D, wmma::col_major, wmma::row_major, true, false>(name, layout);
		check<m, n, k, T, C, D, wmma::col_major, wmma::col_major, true, true>(name, layout);
	}
}

template <int m, int n>
static void shape()
{
	layouts<m, n, 16, __half, __half, __half>("half, half, half");
	layouts<m, n, 16, __half, __half, float>("half, half, float");
	layouts<m, n, 16, __half, float, __half>("half, float, half");
	layouts<m, n, 16, __half, float, float>("half, float, float");
	layouts<m, n, 16, __nv_bfloat16, float, float>("bfloat16");
	layouts<m, n, 16, signed char, int, int>("signed char");
	layouts<m, n, 16, unsigned char, int, int>("unsigned char");
}

// A fragment filled with one value, saturation of integers, rounding to tf32.
__global__ void others(int *wrong)
{
	__shared__ int sums[16 * 16], stopped[16 * 16];
	wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
	wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, d;

	wmma::fill_fragment(a, -100);
	wmma::fill_fragment(b, 100);
	wmma::fill_fragment(c, -2147400000);
	wmma::mma_sync(d, a, b, c);
	wmma::store_matrix_sync(sums, d, 16, wmma::mem_row_major);
	wmma::mma_sync(d, a, b, c, true);
	wmma::store_matrix_sync(stopped, d, 16, wmma::mem_row_major);
	__syncwarp();
	for (int i = threadIdx.x; i < 16 * 16; i += 32) {
		atomicAdd(wrong, sums[i] != (int)(2147483648u - 160000 + 83648));
		atomicAdd(wrong, stopped[i] != -2147483647 - 1);
	}
	atomicAdd(wrong, wmma::__float_to_tf32(1.00048828125f + 1.0f / 4096) != 1.0009765625f);
	atomicAdd(wrong, wmma::__float_to_tf32(-3.0f) != -3.0f);
}

int main()
{
	int *wrong = filled<int>(1, 0);

	shape<16, 16>();
	shape<32, 8>();
	shape<8, 32>();
	layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
	layouts<8, 8, 4, double, double, double>("double");
	*wrong = 0;
	others<<<1, 32>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess || *wrong) {
		printf("others: %d wrong\n", *wrong);
		failures++;
	}
	if (failures)
		return 1;
	puts("ok");
	return 0;
}
