/* The CUDA runtime of the program that uses this library: a shared library, or romark's in place of a static one. */
#ifndef ROMARK_CURAND_PROGRAM_RUNTIME_H
#define ROMARK_CURAND_PROGRAM_RUNTIME_H

#include "runtime/include/cuda_runtime_api.h"

/* cudaErrorInitializationError where the program has none. */
cudaError_t program_copy(void *to, const void *from, size_t size, cudaStream_t stream);
cudaError_t program_wait(cudaStream_t stream);

#endif
