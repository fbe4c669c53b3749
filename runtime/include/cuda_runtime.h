/*
 * The header that every CUDA source file includes (romark cc includes it before the first line, as nvcc does): the
 * runtime API with its C++ overloads and, for Clang's CUDA mode, the device side of the language.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#include "cuda.h"
#if defined(ROMARK_CUDA)
#include "romark_device_runtime.h"
#endif
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "channel_descriptor.h"
#include "romark_dpx.h"
#include "cuda_texture_types.h"

#if defined(__cplusplus)

/* --- Typed overloads of the C functions --- */

template <class T>
static inline cudaError_t cudaMalloc(T **ptr, size_t size)
{
	return ::cudaMalloc((void **)ptr, size);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
	return ::cudaHostAlloc((void **)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
	return ::cudaHostGetDevicePointer((void **)device, host, flags);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **ptr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
	return ::cudaMallocManaged((void **)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)ptr, pitch, width, height);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
	return ::cudaMallocAsync((void **)ptr, size, stream);
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)ptr, size, pool, stream);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
					     enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
					       enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
						  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
						  cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
						    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
						    cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol)
{
	return ::cudaGetSymbolAddress(ptr, (const void *)&symbol);
}

template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
	return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return ::cudaEventCreateWithFlags(event, flags);
}

/* --- Kernels --- */

/* romark cc hands them the parts of a launch's <<<...>>> that are braced lists. */
#if defined(ROMARK_CUDA)
static __host__ __device__ inline dim3 romark_dim3(dim3 shape)
{
	return shape;
}

/* A value that may be written in braces without a warning. */
template <class T>
struct romark_argument {
	T value;
	__host__ __device__ romark_argument(T value = T()) : value(value)
	{
	}
};

static __host__ __device__ inline size_t romark_bytes(romark_argument<size_t> bytes)
{
	return bytes.value;
}

static __host__ __device__ inline cudaStream_t romark_stream(romark_argument<cudaStream_t> stream)
{
	return stream.value;
}
#endif

template <class T>
static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args, size_t sharedBytes = 0,
					   cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)function, grid, block, args, sharedBytes, stream);
}

template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args,
						      size_t sharedBytes = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, args, sharedBytes, stream);
}

template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function)
{
	return ::cudaFuncGetAttributes(attributes, (const void *)function);
}

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attr, int value)
{
	return ::cudaFuncSetAttribute((const void *)function, attr, value);
}

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config)
{
	return ::cudaFuncSetCacheConfig((const void *)function, config);
}

template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config)
{
	return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int blockSize,
									size_t dynamicSharedBytes)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize,
							       dynamicSharedBytes);
}

/* The block size with the most resident threads; `shared(size)` gives the dynamic shared memory of a block. */
template <class Shared, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T function,
									 Shared shared, int limit = 0)
{
	struct cudaFuncAttributes attributes;
	int device, processors, warp, best = 0;
	cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)function);

	if (error == cudaSuccess)
		error = ::cudaGetDevice(&device);
	if (error == cudaSuccess)
		error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
	if (error == cudaSuccess)
		error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
	if (error != cudaSuccess)
		return error;
	if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
		limit = attributes.maxThreadsPerBlock;
	*blockSize = *minGridSize = 0;
	for (int size = limit; size > 0; size = (size - 1) / warp * warp) {
		int blocks = 0;

		error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
									shared(size));
		if (error != cudaSuccess)
			return error;
		if (blocks * size > best) {
			best = blocks * size;
			*blockSize = size;
			*minGridSize = blocks * processors;
		}
	}
	return cudaSuccess;
}

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T function,
							     size_t dynamicSharedBytes = 0, int limit = 0)
{
	struct constant {
		size_t bytes;
		size_t operator()(int) const
		{
			return bytes;
		}
	} shared = {dynamicSharedBytes};

	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, function, shared, limit);
}

#if __cplusplus >= 201103L
template <typename... Expected, typename... Actual>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...),
					     Actual &&...actual)
{
	return [&](Expected... converted) {
		void *args[] = {(void *)&converted..., nullptr};
		return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
	}(static_cast<Actual &&>(actual)...);
}
#endif

/* --- Graphs --- */

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *errorNode,
					       char *log, size_t size)
{
	if (errorNode)
		*errorNode = 0;
	if (log && size)
		*log = 0;
	return ::cudaGraphInstantiateWithFlags(exec, graph, 0);
}

#endif
#include "romark_texture_binding.h"
#include "surface_indirect_functions.h"
#include "texture_fetch_functions.h"
#include "texture_indirect_functions.h"

#if defined(ROMARK_CUDA)
#undef __CUDA__
#endif

#endif
