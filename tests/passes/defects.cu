// Errors of LLVM's own NVPTX back end: see docs/llvm-pass.md. Compiled by tests/passes/run_defects.sh.
#ifdef PLAIN_CLANG
#include "cuda/prelude.h"
#endif

struct three {
	float x, y, z;
};
struct five {
	double v[5];
};

extern "C" __global__ void volatile_spin(const int *__restrict__ flag, const int *__restrict__ data, int *__restrict__ out)
{
	while (*(const volatile int *)flag == 0)
		;
	*out = *data;
}

extern "C" __global__ void relaxed(const int *__restrict__ in, int *__restrict__ out)
{
	*out = __atomic_load_n(in, __ATOMIC_RELAXED);
}

extern "C" __global__ void copy12(const three *__restrict__ in, three *__restrict__ out)
{
	*out = *in;
}

extern "C" __global__ void copy40(const five *__restrict__ in, five *__restrict__ out)
{
	*out = *in;
}
