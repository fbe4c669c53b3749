/* What the samples share: stopping at a CUDA error, and reading numbers from the command line. */
#ifndef ROMARK_SAMPLES_CHECK_H
#define ROMARK_SAMPLES_CHECK_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error_ = (call);                                                                           \
		if (error_ != cudaSuccess) {                                                                           \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));     \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* A positive whole number, or a usage error. */
static inline int positive(const char *text, const char *usage)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || value <= 0 || value > 1 << 28) {
		fprintf(stderr, "usage: %s\n", usage);
		exit(2);
	}
	return (int)value;
}

/* A repeatable sequence of numbers in [0, 1). */
static inline float next_random(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / (1 << 24);
}

#endif
