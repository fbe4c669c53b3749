// Types that template libraries need from the headers: kernels and their launchers name them, but seldom use them.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <mma.h>

#include <cstdio>

namespace wmma = nvcuda::wmma;

/* Not launched: fragments of less than a byte have to be types. */
__global__ void bits(int *out)
{
	wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 8, 8, 32, wmma::experimental::precision::s4, wmma::col_major> b;

	*out = a.num_elements + b.num_elements;
}

template <class T>
__global__ void add(const __grid_constant__ T values, int *out)
{
	*out = values.x + values.y;
}

int main()
{
	PFN_cuTensorMapEncodeTiled encode = cuTensorMapEncodeTiled;
	PFN_cuMemAlloc_v3020 allocate = cuMemAlloc;
	CUtensorMap map;
	CUmemPoolProps props = {};
	CUdeviceptr memory;
	CUmemoryPool pool;
	curandStatus_t random = CURAND_STATUS_SUCCESS;
	int *out;

	static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 128, "a tensor map is 128 bytes");
	if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 0, nullptr, nullptr, nullptr, nullptr, nullptr,
		   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
		   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS ||
	    allocate(&memory, 16) != CUDA_SUCCESS)
		return puts("by pointer"), 1;
	(void)props, (void)pool, (void)random;
	cudaMallocManaged(&out, sizeof *out);
	add<<<1, 1>>>(int2{1, 2}, out);
	cudaDeviceSynchronize();
	puts(*out == 3 ? "ok" : "wrong");
	return 0;
}
