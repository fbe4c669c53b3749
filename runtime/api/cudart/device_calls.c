/* Calls that choose or describe a device: there is a single device, number 0. */
#include "runtime/api/cudart/topics.h"

#include <stdio.h>
#include <string.h>

enum { DRIVER_VERSION = 13000, LIMITS = 8 };

static const size_t usual_limits[LIMITS] = {[cudaLimitStackSize] = 1024,
					    [cudaLimitPrintfFifoSize] = 1 << 20,
					    [cudaLimitMallocHeapSize] = 8 << 20,
					    [cudaLimitDevRuntimeSyncDepth] = 2,
					    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
					    [cudaLimitMaxL2FetchGranularity] = 64};

cudaError_t cudaGetDeviceCount(int *count)
{
	ENTER(rt);

	if (count)
		*count = 1;
	return runtime_leave(count ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t check(int device)
{
	ENTER(rt);

	return runtime_leave(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDevice(int device)
{
	return check(device);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
	(void)deviceFlags, (void)flags;
	return check(device);
}

cudaError_t cudaGetDevice(int *device)
{
	cudaError_t error = device ? check(0) : runtime_remember(cudaErrorInvalidValue);

	if (!error)
		*device = 0;
	return error;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
	return prop ? cudaGetDevice(device) : runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
	return count > 0 && devices ? check(devices[0]) : runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
	if (flags & ~(unsigned)cudaDeviceMask)
		return runtime_remember(cudaErrorInvalidValue);
	runtime_state.about.flags = flags;
	return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
	if (!flags)
		return runtime_remember(cudaErrorInvalidValue);
	*flags = runtime_state.about.flags | cudaDeviceMapHost;
	return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	enum device_status status = DEVICE_OK;
	struct diag d = DIAG_INIT;

	if ((unsigned)limit >= LIMITS)
		return runtime_remember(cudaErrorUnsupportedLimit);
	ENTER(rt);
	if (rt->ops->set_limit)
		status = rt->ops->set_limit(rt->device, limit, value, &d);
	runtime_notice(&d);
	if (!status)
		rt->about.limits[limit] = value;
	return runtime_leave(status == DEVICE_UNSUPPORTED ? cudaErrorUnsupportedLimit : status_error(rt, status));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	if ((unsigned)limit >= LIMITS || !value)
		return runtime_remember(value ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue);
	ENTER(rt);
	*value = rt->about.limits[limit] ? rt->about.limits[limit] : usual_limits[limit];
	if (rt->ops->limit && !rt->ops->limit(rt->device, limit, value))
		return runtime_leave(cudaErrorUnsupportedLimit);
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	if ((unsigned)config > cudaFuncCachePreferEqual)
		return runtime_remember(cudaErrorInvalidValue);
	runtime_state.about.cache = config;
	return check(0);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	if (!config)
		return runtime_remember(cudaErrorInvalidValue);
	*config = runtime_state.about.cache;
	return check(0);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	if ((unsigned)config > cudaSharedMemBankSizeEightByte)
		return runtime_remember(cudaErrorInvalidValue);
	runtime_state.about.banks = config;
	return check(0);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	if (!config)
		return runtime_remember(cudaErrorInvalidValue);
	*config = runtime_state.about.banks ? runtime_state.about.banks : cudaSharedMemBankSizeFourByte;
	return check(0);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return check(0);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	return check(0);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
	cudaError_t error = id ? check(device) : runtime_remember(cudaErrorInvalidValue);

	if (!error && snprintf(id, length > 0 ? (size_t)length : 0, "0000:01:00.0") >= length)
		error = runtime_remember(cudaErrorInvalidValue);
	return error;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	if (!device || !id)
		return runtime_remember(cudaErrorInvalidValue);
	*device = 0;
	return strstr(id, "01:00") ? check(0) : runtime_remember(cudaErrorInvalidDevice);
}

static cudaError_t tell_version(int *version, int number)
{
	if (!version)
		return runtime_remember(cudaErrorInvalidValue);
	*version = number;
	return cudaSuccess;
}

/* Elements of any format. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
						 const struct cudaChannelFormatDesc *fmtDesc, int device)
{
	int bits = fmtDesc ? fmtDesc->x + fmtDesc->y + fmtDesc->z + fmtDesc->w : 0;
	ENTER(rt);

	if (!maxWidthInElements || bits < 8)
		return runtime_leave(cudaErrorInvalidValue);
	*maxWidthInElements = (size_t)device_properties(rt)->maxTexture1DLinear;
	return runtime_leave(device ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *version)
{
	return tell_version(version, DRIVER_VERSION);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	return tell_version(version, CUDART_VERSION);
}

/* --- Peers: none --- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	cudaError_t error = can ? check(device) : runtime_remember(cudaErrorInvalidValue);

	if (!error)
		error = check(peer);
	if (!error)
		*can = 0;
	return error;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	(void)peer, (void)flags;
	return runtime_remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	(void)peer;
	return runtime_remember(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to)
{
	(void)from, (void)to;
	if (!value || attr < cudaDevP2PAttrPerformanceRank || attr > cudaDevP2PAttrCudaArrayAccessSupported)
		return runtime_remember(cudaErrorInvalidValue);
	return runtime_remember(cudaErrorInvalidDevice);
}

/* --- Other processes: not shared with --- */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
	(void)handle, (void)ptr;
	return runtime_remember(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags)
{
	(void)ptr, (void)handle, (void)flags;
	return runtime_remember(cudaErrorNotSupported);
}

cudaError_t cudaIpcCloseMemHandle(void *ptr)
{
	(void)ptr;
	return runtime_remember(cudaErrorNotSupported);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
	(void)handle, (void)event;
	return runtime_remember(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
	(void)event, (void)handle;
	return runtime_remember(cudaErrorNotSupported);
}

/* --- Profiler: traces cover the whole run --- */

cudaError_t cudaProfilerStart(void)
{
	return check(0);
}

cudaError_t cudaProfilerStop(void)
{
	return check(0);
}

/* --- Old names --- */

cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
	return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
	return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
	return cudaDeviceGetCacheConfig(config);
}
