/* Driver API: memory by address, streams and events; each is the runtime's call with another face. */
#include "runtime/api/driver/driver.h"

#include "runtime/api/cudart/copies.h"

#include <string.h>

static void *pointer(CUdeviceptr address)
{
	return (void *)(uintptr_t)address;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t size)
{
	void *ptr;
	cudaError_t error = address && size ? cudaMalloc(&ptr, size) : cudaErrorInvalidValue;

	if (!error)
		*address = (uintptr_t)ptr;
	return driver_result(error);
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int elementSize)
{
	void *ptr;
	cudaError_t error = address ? cudaMallocPitch(&ptr, pitch, width, height) : cudaErrorInvalidValue;

	(void)elementSize;
	if (!error)
		*address = (uintptr_t)ptr;
	return driver_result(error);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned int flags)
{
	void *ptr;
	cudaError_t error = address ? cudaMallocManaged(&ptr, size, flags) : cudaErrorInvalidValue;

	if (!error)
		*address = (uintptr_t)ptr;
	return driver_result(error);
}

CUresult cuMemFree(CUdeviceptr address)
{
	return driver_result(cudaFree(pointer(address)));
}

CUresult cuMemAllocHost(void **ptr, size_t size)
{
	return driver_result(cudaMallocHost(ptr, size));
}

CUresult cuMemHostAlloc(void **ptr, size_t size, unsigned int flags)
{
	return driver_result(cudaHostAlloc(ptr, size, flags));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *ptr, unsigned int flags)
{
	void *device;
	cudaError_t error = cudaHostGetDevicePointer(address ? &device : NULL, ptr, flags);

	if (!error && address)
		*address = (uintptr_t)device;
	return driver_result(error);
}

CUresult cuMemFreeHost(void *ptr)
{
	return driver_result(cudaFreeHost(ptr));
}

CUresult cuMemHostRegister(void *ptr, size_t size, unsigned int flags)
{
	return driver_result(cudaHostRegister(ptr, size, flags));
}

CUresult cuMemHostUnregister(void *ptr)
{
	return driver_result(cudaHostUnregister(ptr));
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *ptr)
{
	return driver_result(cudaHostGetFlags(flags, ptr));
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream)
{
	void *ptr;
	cudaError_t error = address && size ? cudaMallocAsync(&ptr, size, stream) : cudaErrorInvalidValue;

	if (!error)
		*address = (uintptr_t)ptr;
	return driver_result(error);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	return driver_result(cudaFreeAsync(pointer(address), stream));
}

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
	return driver_result(cudaMemGetInfo(available, total));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
	DRIVER_ENTER(rt);
	uint64_t start;
	size_t bytes;
	bool found = rt->ops->find(rt->device, address, &start, &bytes);

	if (found && base)
		*base = start;
	if (found && size)
		*size = bytes;
	return driver_result(runtime_leave(found ? cudaSuccess : cudaErrorSymbolNotFound));
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
	struct cudaPointerAttributes attributes;
	CUresult result = driver_result(cudaPointerGetAttributes(&attributes, pointer(address)));
	CUdeviceptr base = 0;
	size_t size = 0;

	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!result)
		result = cuMemGetAddressRange(&base, &size, address);
	if (result)
		return CUDA_ERROR_INVALID_VALUE;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(unsigned *)value = attributes.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
	case CU_POINTER_ATTRIBUTE_HOST_POINTER: *(CUdeviceptr *)value = address; return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned *)value = attributes.type == cudaMemoryTypeManaged;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = 0; return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)value = base; return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)value = size; return CUDA_SUCCESS;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

/* As in CUDA, attributes that the pointer does not have are 0. If CUDA does not know the pointer, all are 0. */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
				CUdeviceptr ptr)
{
	if (!numAttributes || !attributes || !data)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < numAttributes; i++) {
		bool is_wide = attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
			       attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
			       attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
			       attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE;

		if (!data[i])
			return CUDA_ERROR_INVALID_VALUE;
		if (cuPointerGetAttribute(data[i], attributes[i], ptr) != CUDA_SUCCESS)
			memset(data[i], 0, is_wide ? 8 : 4);
	}
	return CUDA_SUCCESS;
}

/* --- Copies --- */

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
	return driver_result(cudaMemcpyAsync(pointer(to), pointer(from), size, cudaMemcpyDefault, stream));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	return cuMemcpyAsync(to, from, size, NULL);
}

/* All contexts are the one of the device. */
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size,
			   CUstream stream)
{
	unsigned version;
	CUresult result = toContext && fromContext ? cuCtxGetApiVersion(toContext, &version) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		result = cuCtxGetApiVersion(fromContext, &version);
	return result ? result : cuMemcpyAsync(to, from, size, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size)
{
	return cuMemcpyPeerAsync(to, toContext, from, fromContext, size, NULL);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
	return cuMemcpyAsync(to, (uintptr_t)from, size, stream);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
	return cuMemcpyAsync((uintptr_t)to, from, size, stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
	return cuMemcpyAsync(to, from, size, stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size)
{
	return cuMemcpyHtoDAsync(to, from, size, NULL);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size)
{
	return cuMemcpyDtoHAsync(to, from, size, NULL);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	return cuMemcpyDtoDAsync(to, from, size, NULL);
}

static CUresult fill_rows(CUdeviceptr address, size_t pitch, uint32_t value, unsigned element, size_t width,
			  size_t height, CUstream stream)
{
	DRIVER_ENTER(rt);
	struct fill_box box = {.to = address,
			       .pitch = pitch,
			       .width = width,
			       .height = height,
			       .depth = 1,
			       .value = value,
			       .element = element};
	cudaError_t error = stream_check(stream);

	return driver_result(runtime_leave(error ? error : fill_submit(rt, stream, &box)));
}

static CUresult fill(CUdeviceptr address, uint32_t value, unsigned element, size_t count, CUstream stream)
{
	return fill_rows(address, 0, value, element, count, 1, stream);
}

CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count)
{
	return fill(address, value, 1, count, NULL);
}

CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count)
{
	return fill(address, value, 2, count, NULL);
}

CUresult cuMemsetD32(CUdeviceptr address, unsigned int value, size_t count)
{
	return fill(address, value, 4, count, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream)
{
	return fill(address, value, 1, count, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream)
{
	return fill(address, value, 2, count, stream);
}

CUresult cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height)
{
	return fill_rows(address, pitch, value, 1, width, height, NULL);
}

CUresult cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height)
{
	return fill_rows(address, pitch, value, 2, width, height, NULL);
}

CUresult cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned int value, size_t width, size_t height)
{
	return fill_rows(address, pitch, value, 4, width, height, NULL);
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t width, size_t height,
			   CUstream stream)
{
	return fill_rows(dstDevice, dstPitch, uc, 1, width, height, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t width, size_t height,
			    CUstream stream)
{
	return fill_rows(dstDevice, dstPitch, us, 2, width, height, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t width, size_t height,
			    CUstream stream)
{
	return fill_rows(dstDevice, dstPitch, ui, 4, width, height, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream stream)
{
	return fill(address, value, 4, count, stream);
}

/* --- Streams and events --- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return driver_result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	return driver_result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
	return driver_result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
	return driver_result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
	return driver_result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	return driver_result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	return driver_result(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	return driver_result(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags)
{
	CUresult result = cuStreamSynchronize(stream);

	(void)flags;
	if (!callback)
		return CUDA_ERROR_INVALID_VALUE;
	callback(stream, result, data);
	return result;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
	return driver_result(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	return driver_result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	return driver_result(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event)
{
	return driver_result(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event)
{
	return driver_result(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	return driver_result(cudaEventElapsedTime(milliseconds, start, end));
}

CUresult cuEventDestroy(CUevent event)
{
	return driver_result(cudaEventDestroy(event));
}
