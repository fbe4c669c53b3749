/*
 * The part of the runtime API that device code calls to launch kernels. Declared for libraries that name it on paths they
 * take only when a program is built for it; there is no dynamic parallelism.
 */
#ifndef ROMARK_CUDA_DEVICE_RUNTIME_API_H
#define ROMARK_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
					unsigned int sharedBytes, cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif

#endif
