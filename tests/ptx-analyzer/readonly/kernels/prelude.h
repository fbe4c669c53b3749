/*
 * Declarations that the kernels of this folder need when Clang compiles them without CUDA headers. nvcc brings its own.
 */
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#include <__clang_cuda_builtin_vars.h>
typedef unsigned long size_t;
struct __attribute__((aligned(16))) float4 {
	float x, y, z, w;
};
static inline __device__ float __ldg(const float *p)
{
	return __nvvm_ldg_f(p);
}
static inline __device__ void __threadfence()
{
	__nvvm_membar_gl();
}
static inline __device__ int atomicAdd(int *p, int v)
{
	return __nvvm_atom_add_gen_i(p, v);
}
static inline __device__ int atomicCAS(int *p, int c, int v)
{
	return __nvvm_atom_cas_gen_i(p, c, v);
}
struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x) : x(x), y(1), z(1)
	{
	}
};
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = nullptr);
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
#endif
#ifdef __clang__
#define __grid_constant__
#endif
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
