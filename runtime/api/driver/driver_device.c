/* Driver API: start, errors, the device and its only context. */
#include "runtime/api/driver/driver.h"

#include "runtime/api/cudart/property_layouts.h"

#include <stdio.h>
#include <string.h>

static const struct {
	CUresult error;
	const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
#define ERROR(name, number, driver_name, text) {CUDA_ERROR_##driver_name, "CUDA_ERROR_" #driver_name, text},
#define RUNTIME_ERROR(name, number, text)
#include "runtime/include/romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
};

CUresult driver_result(cudaError_t error)
{
	if (error == cudaErrorInvalidSymbol || error == cudaErrorInvalidDeviceFunction)
		return CUDA_ERROR_NOT_FOUND;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == (CUresult)error)
			return (CUresult)error;
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = NULL;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			*name = errors[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = NULL;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			*text = errors[i].text;
	return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned int flags)
{
	int count;

	return flags ? CUDA_ERROR_INVALID_VALUE : driver_result(cudaGetDeviceCount(&count));
}

CUresult cuDriverGetVersion(int *version)
{
	return driver_result(cudaDriverGetVersion(version));
}

/* --- Device --- */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (ordinal)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	return driver_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
	struct cudaDeviceProp prop;
	cudaError_t error = name ? cudaGetDeviceProperties_v2(&prop, device) : cudaErrorInvalidValue;

	if (!error)
		snprintf(name, length > 0 ? (size_t)length : 0, "%s", prop.name);
	return driver_result(error);
}

CUresult cuDeviceGetUuid(struct CUuuid_st *uuid, CUdevice device)
{
	struct cudaDeviceProp prop;
	cudaError_t error = uuid ? cudaGetDeviceProperties_v2(&prop, device) : cudaErrorInvalidValue;

	if (!error)
		*uuid = prop.uuid;
	return driver_result(error);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	struct cudaDeviceProp prop;
	cudaError_t error = bytes ? cudaGetDeviceProperties_v2(&prop, device) : cudaErrorInvalidValue;

	if (!error)
		*bytes = prop.totalGlobalMem;
	return driver_result(error);
}

/* Virtual memory is managed here, whatever the device can do. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && !device && value) {
		*value = 1;
		return CUDA_SUCCESS;
	}
	return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device)
{
	struct cudaDeviceProp prop;
	cudaError_t error = properties ? cudaGetDeviceProperties_v2(&prop, device) : cudaErrorInvalidValue;

	if (error)
		return driver_result(error);
	*properties = (CUdevprop){.maxThreadsPerBlock = prop.maxThreadsPerBlock,
				  .sharedMemPerBlock = (int)prop.sharedMemPerBlock,
				  .totalConstantMemory = (int)prop.totalConstMem,
				  .SIMDWidth = prop.warpSize,
				  .memPitch = (int)prop.memPitch,
				  .regsPerBlock = prop.regsPerBlock,
				  .clockRate = prop.clockRate,
				  .textureAlign = (int)prop.textureAlignment};
	memcpy(properties->maxThreadsDim, prop.maxThreadsDim, sizeof prop.maxThreadsDim);
	memcpy(properties->maxGridSize, prop.maxGridSize, sizeof prop.maxGridSize);
	return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);

	return result ? result : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device)
{
	return driver_result(cudaDeviceGetPCIBusId(text, length, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
	return driver_result(cudaDeviceGetByPCIBusId(device, text));
}

/* --- Context: all handles mean the device; each thread has its own stack of current contexts --- */

/* Programs cannot look into a context, so any address serves as the handle. */
static CUcontext the_context(void)
{
	return (CUcontext)&runtime_state;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
	(void)flags;
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (device)
		return CUDA_ERROR_INVALID_DEVICE;
	*context = the_context();
	return cuCtxPushCurrent(the_context());
}

/* Affinity, and sharing with graphics, are not there. */
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
	if (params && (params->numExecAffinityParams || params->cigParams))
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuCtxCreate(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context)
{
	if (context != the_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (runtime_thread.contexts)
		runtime_thread.contexts--;
	return CUDA_SUCCESS;
}

/* There is a single context that never ends, so references to it are not counted. */
CUresult cuCtxAttach(CUcontext *context, unsigned int flags)
{
	if (!context || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!runtime_thread.contexts)
		return CUDA_ERROR_INVALID_CONTEXT;
	*context = the_context();
	return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context)
{
	return context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (device)
		return CUDA_ERROR_INVALID_DEVICE;
	*context = the_context();
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* Ends what programs allocated and loaded. */
CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : driver_result(cudaDeviceReset());
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : driver_result(cudaSetDeviceFlags(flags));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	if (device)
		return CUDA_ERROR_INVALID_DEVICE;
	*active = 1;
	return driver_result(cudaGetDeviceFlags(flags));
}

CUresult cuCtxPushCurrent(CUcontext context)
{
	if (context != the_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	runtime_thread.contexts++;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
	if (!runtime_thread.contexts)
		return CUDA_ERROR_INVALID_CONTEXT;
	runtime_thread.contexts--;
	if (context)
		*context = the_context();
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	if (context && context != the_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	runtime_thread.contexts = context != NULL;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = runtime_thread.contexts ? the_context() : NULL;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (!runtime_thread.contexts)
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
	return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
	return runtime_thread.contexts ? driver_result(cudaGetDeviceFlags(flags)) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
	enum { API_VERSION = 3020 }; /* of all drivers since then */

	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (context && context != the_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = API_VERSION;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	return driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* The only device has no peers. */
CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned int flags)
{
	(void)flags;
	return context == the_context() ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxDisablePeerAccess(CUcontext context)
{
	return context == the_context() ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	return driver_result(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	return driver_result(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	return driver_result(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	return driver_result(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	return driver_result(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

/* --- Calls that name a context; NULL is the current context --- */

static CUresult check_context(CUcontext context)
{
	bool good = context ? context == the_context() : runtime_thread.contexts != 0;

	return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
	CUresult result = device ? check_context(context) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		*device = 0;
	return result;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *ctxId)
{
	CUresult result = ctxId ? check_context(context) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		*ctxId = 1;
	return result;
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
	CUresult result = check_context(context);

	return result ? result : cuCtxSynchronize();
}

CUresult cuCtxSetFlags(unsigned int flags)
{
	return driver_result(cudaSetDeviceFlags(flags));
}

CUresult cuCtxResetPersistingL2Cache(void)
{
	return driver_result(cudaCtxResetPersistingL2Cache());
}

/* All streams are one order. */
CUresult cuCtxRecordEvent(CUcontext context, CUevent event)
{
	CUresult result = check_context(context);

	return result ? result : cuEventRecord(event, NULL);
}

CUresult cuCtxWaitEvent(CUcontext context, CUevent event)
{
	CUresult result = check_context(context);

	return result ? result : cuStreamWaitEvent(NULL, event, 0);
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice srcDevice, CUdevice dstDevice)
{
	return driver_result(cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, srcDevice, dstDevice));
}

CUresult cuProfilerStart(void)
{
	return driver_result(cudaProfilerStart());
}

CUresult cuProfilerStop(void)
{
	return driver_result(cudaProfilerStop());
}
