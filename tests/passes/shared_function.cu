/* A function that one kernel calls with global and another with shared memory: a mark in it is right for neither. */
#define DEVICE static __attribute__((device, noinline))
#define KERNEL extern "C" __attribute__((global)) void
#include <__clang_cuda_builtin_vars.h>

DEVICE int sum(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += p[i * i % 7];
	return s;
}

KERNEL from_global(const int *in, int *out, int n)
{
	out[threadIdx.x] = sum(in, n);
}

KERNEL from_shared(int *out, int n)
{
	__attribute__((shared)) static int tile[64];

	tile[threadIdx.x] = threadIdx.x;
	__nvvm_bar_sync(0);
	out[threadIdx.x] = sum(tile, n);
}
