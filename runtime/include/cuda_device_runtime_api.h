/*
 * The part of the runtime API that device code can call. Kernels launched by kernels are in romark_device_launch.h; the
 * streams and events that they name have no effect, since such launches run in the order of their calls.
 */
#ifndef ROMARK_CUDA_DEVICE_RUNTIME_API_H
#define ROMARK_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#if defined(ROMARK_CUDA)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
					unsigned int sharedBytes, cudaStream_t stream);
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
__device__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
__device__ cudaError_t cudaRuntimeGetVersion(int *version);
__device__ cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
				       cudaStream_t stream);
__device__ cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
					 size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void *ptr, int value, size_t count, cudaStream_t stream);
__device__ cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
					 cudaStream_t stream);
__device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
					 cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ void free(void *ptr) __attribute__((nothrow));
__device__ void *malloc(size_t size) __attribute__((nothrow)) __attribute__((malloc));

/* There is no last error: a failed call returns its error, and a kernel stops at a fault. */
static __device__ __inline__ cudaError_t cudaGetLastError(void)
{
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaPeekAtLastError(void)
{
	return cudaSuccess;
}
static __device__ __inline__ const char *cudaGetErrorString(cudaError_t error)
{
	switch ((int)error) {
#define ERROR(name, number, driver_name, text)                                                                         \
	case number: return text;
#define RUNTIME_ERROR(name, number, text)                                                                              \
	case number: return text;
#include "romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
	case 0: return "no error";
	default: return "unrecognized error code";
	}
}
static __device__ __inline__ cudaError_t cudaGetDevice(int *device)
{
	*device = 0;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaGetDeviceCount(int *count)
{
	*count = 1;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	(void)flags;
	*stream = cudaStreamPerThread;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	(void)stream;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	(void)stream, (void)event, (void)flags;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	(void)flags;
	*event = (cudaEvent_t)1;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	(void)event, (void)stream;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	(void)event;
	return cudaSuccess;
}
static __device__ __inline__ cudaError_t cudaMalloc(void **ptr, size_t size)
{
	*ptr = malloc(size);
	return *ptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
static __device__ __inline__ cudaError_t cudaFree(void *ptr)
{
	free(ptr);
	return cudaSuccess;
}
}

template <class T>
static __device__ __inline__ cudaError_t cudaMalloc(T **ptr, size_t size)
{
	return ::cudaMalloc((void **)ptr, size);
}

#if __clang_major__ < 22 /* later Clangs would take this call for a launch */
#include "romark_device_launch.h"
#endif
#endif

#endif
