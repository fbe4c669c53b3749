/*
 * Names for test_dwarf.c. debug.nvcc.ptx: nvcc -G -ptx; debug.clang.ptx: clang++ -O0 -g -S with the options that
 * readonly/kernels/regenerate.sh has.
 */
#ifndef __CUDACC__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#endif

struct base {
	int *marks;
};
struct view : base {
	const float *data;
	int n;
	struct {
		int *hits;
	} inner;
};
template <class T> struct box {
	T *ptr;
};
typedef const view alias;
static __device__ int counter;

extern "C" __global__ void scale(const float *in, float *out, alias v, box<int> b, int)
{
	*out = *in * *v.data + *v.inner.hits + *b.ptr + *v.marks;
	counter = 1;
}

namespace space {
__global__ void plain(const float *x, float *y)
{
	*y = *x;
}
}
