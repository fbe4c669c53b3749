/* Functions that the device's own library provides, and a function that is unknown. */
#include "prelude.h"
#ifndef __clang__
#include <cstdio>
#endif

extern "C" __device__ void mystery(float *);

KERNEL unknown_function(const float *in, float *out)
{
	out[INDEX] = in[INDEX];
	mystery(out);
}

KERNEL prints(const int *in, int *out)
{
	out[INDEX] = in[INDEX];
#ifdef __clang__
	int value = in[INDEX];
	vprintf("%d\n", (const char *)&value);
#else
	printf("%d\n", in[INDEX]);
#endif
}

KERNEL heap(const float *in, float *out)
{
	float *scratch = (float *)malloc(64);

	for (int i = 0; i < 16; i++)
		scratch[i] = in[i * threadIdx.x];
	out[INDEX] = scratch[threadIdx.x & 15];
	free(scratch);
}
