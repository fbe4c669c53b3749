/*
 * Libraries and kernels by handle. There is a single context, so a library is a module that is loaded at once. A
 * kernel's handle works wherever the address of a kernel's stub does.
 */
#include "runtime/api/cudart/topics.h"

#include "common/file.h"
#include "runtime/api/state/handles.h"

static struct api_module *module_of(cudaLibrary_t library)
{
	return (struct api_module *)library;
}

/* Options steer NVIDIA's compiler. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
				void **jitOptionsValues, unsigned int numJitOptions,
				enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
				unsigned int numLibraryOptions)
{
	ENTER(rt);
	struct api_module *module;
	cudaError_t error;

	(void)jitOptionsValues, (void)libraryOptionValues;
	if (!library || !code || (numJitOptions && !jitOptions) || (numLibraryOptions && !libraryOptions))
		return runtime_leave(cudaErrorInvalidValue);
	module = api_module_add(code);
	error = api_module_load(rt, module);
	if (error)
		api_module_remove(rt, module);
	else
		*library = (cudaLibrary_t)module;
	return runtime_leave(error);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions,
				    void **jitOptionsValues, unsigned int numJitOptions,
				    enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
				    unsigned int numLibraryOptions)
{
	struct diag d = DIAG_INIT;
	struct file_data file;
	cudaError_t error;

	if (!library || !fileName)
		return runtime_remember(cudaErrorInvalidValue);
	if (file_read(fileName, &file, &d) < 0)
		return runtime_remember(cudaErrorFileNotFound);
	error = cudaLibraryLoadData(library, file.data, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
				    libraryOptionValues, numLibraryOptions);
	file_data_release(&file);
	return error;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
	ENTER(rt);

	return runtime_leave(api_module_remove(rt, module_of(library)));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
	ENTER(rt);
	struct api_kernel *found;
	cudaError_t error;

	if (!kernel || !name)
		return runtime_leave(cudaErrorInvalidValue);
	found = api_module_kernel(rt, module_of(library), name);
	error = api_kernel_load(rt, found);
	if (!error)
		*kernel = (cudaKernel_t)found;
	return runtime_leave(error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library, const char *name)
{
	ENTER(rt);
	uint64_t found = 0;
	size_t bytes = 0;
	cudaError_t error =
	    name ? api_module_variable(rt, module_of(library), name, &found, &bytes) : cudaErrorInvalidValue;

	if (!error && address)
		*address = (void *)(uintptr_t)found;
	if (!error && size)
		*size = bytes;
	return runtime_leave(error);
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library, const char *name)
{
	return cudaLibraryGetGlobal(address, size, library, name);
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib)
{
	ENTER(rt);

	if (!count)
		return runtime_leave(cudaErrorInvalidValue);
	return runtime_leave(api_module_kernels(rt, module_of(lib), NULL, 0, count));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib)
{
	ENTER(rt);
	unsigned count;

	if (!kernels || !numKernels)
		return runtime_leave(cudaErrorInvalidValue);
	return runtime_leave(api_module_kernels(rt, module_of(lib), (struct api_kernel **)kernels, numKernels, &count));
}

/* --- Kernels --- */

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = kernelPtr ? api_kernel_find(rt, entryFuncAddr, &kernel) : cudaErrorInvalidValue;

	if (!error)
		*kernelPtr = (cudaKernel_t)(uintptr_t)entryFuncAddr;
	return runtime_leave(error);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
					    int device)
{
	return device ? runtime_remember(cudaErrorInvalidDevice) : cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = paramOffset ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue;

	if (!error && paramIndex >= kernel->attributes.nparams)
		error = cudaErrorInvalidValue;
	if (!error)
		*paramOffset = kernel->attributes.param_offsets[paramIndex];
	if (!error && paramSize)
		*paramSize = kernel->attributes.param_sizes[paramIndex];
	return runtime_leave(error);
}
