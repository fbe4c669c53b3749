/* Driver API: modules from PTX, functions, launches. A CUfunction is the runtime's kernel. */
#include "runtime/api/driver/driver.h"

#include "common/file.h"

#include <stdlib.h>
#include <string.h>

static struct api_module *module_of(CUmodule handle)
{
	return (struct api_module *)handle;
}

struct api_kernel *driver_kernel(CUfunction function)
{
	return handle_is(HANDLE_KERNEL, function) ? (struct api_kernel *)function : NULL;
}

/* --- Modules --- */

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	DRIVER_ENTER(rt);
	struct api_module *loaded;
	cudaError_t error;

	if (!module || !image)
		return driver_result(runtime_leave(cudaErrorInvalidValue));
	loaded = api_module_add(image);
	error = api_module_load(rt, loaded);
	if (error)
		api_module_remove(rt, loaded);
	else
		*module = (CUmodule)loaded;
	return driver_result(runtime_leave(error));
}

/* The options steer NVIDIA's compiler, so they are ignored. An error log stays empty, since errors go to stderr. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int noptions, CUjit_option *options,
			    void **values)
{
	for (unsigned i = 0; options && values && i < noptions; i++)
		if ((options[i] == CU_JIT_ERROR_LOG_BUFFER || options[i] == CU_JIT_INFO_LOG_BUFFER) && values[i])
			*(char *)values[i] = 0;
	return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	struct file_data file;
	struct diag d = DIAG_INIT;
	CUresult result;

	if (!module || !path)
		return CUDA_ERROR_INVALID_VALUE;
	if (file_read(path, &file, &d) < 0)
		return CUDA_ERROR_FILE_NOT_FOUND;
	result = cuModuleLoadData(module, file.data);
	file_data_release(&file);
	return result;
}

CUresult cuModuleUnload(CUmodule module)
{
	DRIVER_ENTER(rt);

	driver_references_forget(rt, module_of(module));
	return driver_result(runtime_leave(api_module_remove(rt, module_of(module))));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	DRIVER_ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error;

	if (!function || !name)
		return driver_result(runtime_leave(cudaErrorInvalidValue));
	kernel = api_module_kernel(rt, module_of(module), name);
	error = api_kernel_load(rt, kernel);
	if (!error)
		*function = (CUfunction)kernel;
	return driver_result(runtime_leave(error));
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module, const char *name)
{
	DRIVER_ENTER(rt);
	uint64_t found = 0;
	size_t bytes = 0;
	cudaError_t error =
	    name ? api_module_variable(rt, module_of(module), name, &found, &bytes) : cudaErrorInvalidValue;

	if (!error && address)
		*address = found;
	if (!error && size)
		*size = bytes;
	return driver_result(runtime_leave(error));
}

/* --- Functions --- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	DRIVER_KERNEL(kernel, function);
	struct cudaFuncAttributes a;
	cudaError_t error = cudaFuncGetAttributes(&a, kernel->handle);
	const int values[] = {
	    [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = a.maxThreadsPerBlock,
	    [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)a.sharedSizeBytes,
	    [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)a.constSizeBytes,
	    [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)a.localSizeBytes,
	    [CU_FUNC_ATTRIBUTE_NUM_REGS] = a.numRegs,
	    [CU_FUNC_ATTRIBUTE_PTX_VERSION] = a.ptxVersion,
	    [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = a.binaryVersion,
	    [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = a.cacheModeCA,
	    [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = a.maxDynamicSharedSizeBytes,
	    [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = a.preferredShmemCarveout,
	};

	if (!error && (!value || (unsigned)attribute >= sizeof values / sizeof *values))
		error = cudaErrorInvalidValue;
	if (!error)
		*value = values[attribute];
	return driver_result(error);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	DRIVER_KERNEL(kernel, function);

	return driver_result(cudaFuncSetAttribute(kernel->handle, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
	DRIVER_KERNEL(kernel, function);

	return driver_result(cudaFuncSetCacheConfig(kernel->handle, (enum cudaFuncCache)config));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
	DRIVER_KERNEL(kernel, function);

	return driver_result(cudaFuncSetSharedMemConfig(kernel->handle, (enum cudaSharedMemConfig)config));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize,
						     size_t dynamicSharedBytes)
{
	DRIVER_KERNEL(kernel, function);

	return driver_result(
	    cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel->handle, blockSize, dynamicSharedBytes));
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
					  CUoccupancyB2DSize shared, size_t dynamicSharedBytes, int limit)
{
	int best = 0, processors = 0, most = 0;
	CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);

	if (!minGridSize || !blockSize)
		return CUDA_ERROR_INVALID_VALUE;
	if (!result)
		result = cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	if (limit <= 0 || limit > most)
		limit = most;
	*minGridSize = *blockSize = 0;
	for (int size = limit; !result && size > 0; size = (size - 1) / 32 * 32) {
		int blocks = 0;

		result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size,
								     shared ? shared(size) : dynamicSharedBytes);
		if (blocks * size > best) {
			best = blocks * size;
			*blockSize = size;
			*minGridSize = blocks * processors;
		}
	}
	return result;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction function, int blockSize,
							      size_t dynamicSMemSize, unsigned int flags)
{
	if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
		return CUDA_ERROR_INVALID_VALUE;
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, function, blockSize, dynamicSMemSize);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
						   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
						   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)
{
	if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
		return CUDA_ERROR_INVALID_VALUE;
	return cuOccupancyMaxPotentialBlockSize(minGridSize, blockSize, function, blockSizeToDynamicSMemSize,
						dynamicSMemSize, blockSizeLimit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction function, int numBlocks,
						 int blockSize)
{
	DRIVER_KERNEL(kernel, function);

	return driver_result(
	    cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, kernel->handle, numBlocks, blockSize));
}

/* --- Launches --- */

cudaError_t driver_unpack(const struct api_kernel *kernel, void **extra, void **args)
{
	const struct kernel_attributes *a = &kernel->attributes;
	char *buffer = NULL;
	size_t size = SIZE_MAX; /* unlimited if the program names no size */

	for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
			size = *(const size_t *)extra[1];
	if (!buffer && a->nparams)
		return cudaErrorInvalidValue;
	for (uint32_t i = 0; i < a->nparams; i++) {
		if (a->param_offsets[i] > size || a->param_sizes[i] > size - a->param_offsets[i])
			return cudaErrorInvalidValue;
		args[i] = buffer + a->param_offsets[i];
	}
	return cudaSuccess;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
			unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes,
			CUstream stream, void **params, void **extra)
{
	DRIVER_KERNEL(kernel, function);
	dim3 grid = {gridX, gridY, gridZ}, block = {blockX, blockY, blockZ};
	void *args[kernel->attributes.nparams + 1];
	cudaError_t error = params ? cudaSuccess : driver_unpack(kernel, extra, args);

	if (!error)
		error = cudaLaunchKernel(kernel->handle, grid, block, params ? params : args, sharedBytes, stream);
	return driver_result(error);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
				   unsigned int blockX, unsigned int blockY, unsigned int blockZ,
				   unsigned int sharedBytes, CUstream stream, void **params)
{
	DRIVER_KERNEL(kernel, function);
	dim3 grid = {gridX, gridY, gridZ}, block = {blockX, blockY, blockZ};

	return driver_result(cudaLaunchCooperativeKernel(kernel->handle, grid, block, params, sharedBytes, stream));
}

/* --- Launches of old: the state is the calling thread's --- */

/* An error unless the kernel exists and the sizes are positive. */
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
	if (!driver_kernel(function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (x <= 0 || y <= 0 || z <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	runtime_thread.old_launch.block[0] = x;
	runtime_thread.old_launch.block[1] = y;
	runtime_thread.old_launch.block[2] = z;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes)
{
	if (!driver_kernel(function))
		return CUDA_ERROR_INVALID_HANDLE;
	runtime_thread.old_launch.shared = bytes;
	return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes)
{
	if (!driver_kernel(function))
		return CUDA_ERROR_INVALID_HANDLE;
	return bytes <= OLD_PARAM_BYTES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes)
{
	if (!driver_kernel(function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!value || offset < 0 || bytes > OLD_PARAM_BYTES || (unsigned)offset > OLD_PARAM_BYTES - bytes)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(runtime_thread.old_launch.params + offset, value, bytes);
	return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
	size_t size = sizeof runtime_thread.old_launch.params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, runtime_thread.old_launch.params, CU_LAUNCH_PARAM_BUFFER_SIZE,
			 &size, CU_LAUNCH_PARAM_END};

	return cuLaunchKernel(
	    function, (unsigned)width, (unsigned)height, 1, (unsigned)runtime_thread.old_launch.block[0],
	    (unsigned)runtime_thread.old_launch.block[1], (unsigned)runtime_thread.old_launch.block[2],
	    runtime_thread.old_launch.shared, NULL, NULL, extra);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
	CUresult result = driver_result(stream_check(stream));

	return result ? result : cuLaunchGrid(function, width, height);
}

CUresult cuLaunch(CUfunction function)
{
	return cuLaunchGrid(function, 1, 1);
}
