/*
 * Driver API: libraries, their kernels, and launches with attributes. CUDA loads a library for all contexts; here there
 * is a single context, so a library is a module, and its kernels are functions.
 */
#include "runtime/api/driver/driver.h"

/* --- Libraries --- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **jitValues, unsigned int njit,
			   CUlibraryOption *options, void **values, unsigned int noptions)
{
	(void)options, (void)values, (void)noptions;
	return library ? cuModuleLoadDataEx((CUmodule *)library, code, njit, jit, jitValues) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit, void **jitValues,
			       unsigned int njit, CUlibraryOption *options, void **values, unsigned int noptions)
{
	(void)jit, (void)jitValues, (void)njit, (void)options, (void)values, (void)noptions;
	return library && path ? cuModuleLoad((CUmodule *)library, path) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryUnload(CUlibrary library)
{
	return cuModuleUnload((CUmodule)library);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, library))
		return CUDA_ERROR_INVALID_HANDLE;
	*module = (CUmodule)library;
	return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	return cuModuleGetFunction((CUfunction *)kernel, (CUmodule)library, name);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name)
{
	return cuModuleGetGlobal(address, size, (CUmodule)library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name)
{
	return cuModuleGetGlobal(address, size, (CUmodule)library, name);
}

/* --- Kernels --- */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_KERNEL, kernel))
		return CUDA_ERROR_INVALID_HANDLE;
	*function = (CUfunction)kernel;
	return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
	DRIVER_KERNEL(known, (CUfunction)kernel);

	if (!library)
		return CUDA_ERROR_INVALID_VALUE;
	*library = (CUlibrary)known->module;
	return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
	return cuFuncGetName(name, (CUfunction)kernel);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)kernel, config);
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
	if (!name || !function)
		return CUDA_ERROR_INVALID_VALUE;
	DRIVER_KERNEL(kernel, function);
	*name = kernel->name;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
	DRIVER_KERNEL(kernel, function);

	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	*module = (CUmodule)kernel->module;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
	DRIVER_KERNEL(kernel, function);
	const struct kernel_attributes *a = &kernel->attributes;

	if (index >= a->nparams || !offset)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = a->param_offsets[index];
	if (size)
		*size = a->param_sizes[index];
	return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
	return cuFuncGetParamInfo((CUfunction)kernel, paramIndex, paramOffset, paramSize);
}

/* --- Contents of a library or module --- */

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)
{
	return driver_result(cudaLibraryGetKernelCount(count, (cudaLibrary_t)lib));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib)
{
	return driver_result(cudaLibraryEnumerateKernels((cudaKernel_t *)kernels, numKernels, (cudaLibrary_t)lib));
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
	return cuLibraryGetKernelCount(count, (CUlibrary)module);
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule module)
{
	return cuLibraryEnumerateKernels((CUkernel *)functions, numFunctions, (CUlibrary)module);
}

/* --- Loading: modules are loaded whole --- */

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
	DRIVER_KERNEL(kernel, function);

	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	*state = kernel->loaded ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
	return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
	DRIVER_ENTER(rt);

	return driver_result(runtime_leave(api_kernel_load(rt, (struct api_kernel *)function)));
}

/* --- Launches --- */

/* Attributes have the runtime's numbers and layout. */
static cudaLaunchConfig_t launch_of(const CUlaunchConfig *config)
{
	return (cudaLaunchConfig_t){.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
				    .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
				    .dynamicSmemBytes = config->sharedMemBytes,
				    .stream = config->hStream,
				    .attrs = (cudaLaunchAttribute *)config->attrs,
				    .numAttrs = config->numAttrs};
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction function, const CUlaunchConfig *config)
{
	DRIVER_KERNEL(kernel, function);
	cudaLaunchConfig_t c;

	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	c = launch_of(config);
	return driver_result(cudaOccupancyMaxPotentialClusterSize(clusterSize, kernel->handle, &c));
}

CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction function, const CUlaunchConfig *config)
{
	DRIVER_KERNEL(kernel, function);
	cudaLaunchConfig_t c;

	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	c = launch_of(config);
	return driver_result(cudaOccupancyMaxActiveClusters(numClusters, kernel->handle, &c));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
	DRIVER_KERNEL(kernel, function);
	void *args[kernel->attributes.nparams + 1];
	cudaLaunchConfig_t c;
	cudaError_t error;

	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	error = params ? cudaSuccess : driver_unpack(kernel, extra, args);
	c = launch_of(config);
	if (!error)
		error = cudaLaunchKernelExC(&c, kernel->handle, params ? params : args);
	return driver_result(error);
}
