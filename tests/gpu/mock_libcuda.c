/*
 * A stand-in for the CUDA driver: memory is the host's, a module is its PTX text, a launch is written down.
 * It lets the GPU device's choices be tested where there is no GPU; it executes nothing.
 */
#include "tests/gpu/mock_libcuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUmod_st {
	char *text;
};

struct CUfunc_st {
	char name[128];
};

static char last_launched[128];
static uint64_t first_param;
static char last_text[1 << 16];

const char *mock_last_launched(void)
{
	return last_launched;
}

uint64_t mock_first_param(void)
{
	return first_param;
}

const char *mock_last_module(void)
{
	return last_text;
}

CUresult cuInit(unsigned flags)
{
	return flags == 0 ? CUDA_SUCCESS : 1;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	*context = NULL;
	return device == 0 ? CUDA_SUCCESS : 1;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	(void)context;
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size)
{
	if (size > (size_t)1 << 30)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*address = (CUdeviceptr)(uintptr_t)malloc(size);
	return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
	free((void *)(uintptr_t)address);
	return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
	*free_bytes = *total_bytes = (size_t)1 << 30;
	return CUDA_SUCCESS;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count)
{
	memset((void *)(uintptr_t)to, value, count);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((unsigned short *)(uintptr_t)to)[i] = value;
	return CUDA_SUCCESS;
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((unsigned *)(uintptr_t)to)[i] = value;
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned noptions, int *options, void **values)
{
	(void)noptions;
	(void)options;
	(void)values;
	*module = malloc(sizeof **module);
	(*module)->text = strdup(image);
	snprintf(last_text, sizeof last_text, "%s", (const char *)image);
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	free(module->text);
	free(module);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	static struct CUfunc_st functions[16];
	static size_t used;
	char entry[160];

	snprintf(entry, sizeof entry, ".entry %s(", name);
	if (!strstr(module->text, entry) || used == sizeof functions / sizeof *functions)
		return 500;
	*function = &functions[used++];
	snprintf((*function)->name, sizeof (*function)->name, "%s", name);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name)
{
	static char storage[256];

	if (!strstr(module->text, name))
		return 500;
	*address = (CUdeviceptr)(uintptr_t)storage;
	*size = sizeof storage;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
	(void)function;
	*value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 24 : 0;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
	(void)function;
	(void)attribute;
	(void)value;
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
			unsigned bz, unsigned shared, CUstream stream, void **params, void **extra)
{
	(void)shared;
	(void)stream;
	(void)extra;
	if (!gx || !gy || !gz || !bx || !by || !bz)
		return 1;
	snprintf(last_launched, sizeof last_launched, "%s", function->name);
	memcpy(&first_param, params[0], sizeof first_param);
	return CUDA_SUCCESS;
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
				   unsigned bz, unsigned shared, CUstream stream, void **params)
{
	return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, NULL);
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
	(void)flags;
	*event = NULL;
	return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	(void)event;
	(void)stream;
	return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
	(void)event;
	return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	(void)start;
	(void)end;
	*milliseconds = 0.5F;
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
	(void)event;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : NULL;
	return *name ? CUDA_SUCCESS : 1;
}
