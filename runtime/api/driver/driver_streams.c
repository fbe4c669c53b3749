/* Driver API: streams and their properties; values that streams write to memory and wait for. */
#include "runtime/api/driver/driver.h"

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
	return driver_result(cudaStreamGetDevice(stream, device));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *streamId)
{
	return driver_result(cudaStreamGetId(stream, streamId));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
	unsigned flags;
	cudaError_t error = context ? cudaStreamGetFlags(stream, &flags) : cudaErrorInvalidValue;

	return error ? driver_result(error) : cuDevicePrimaryCtxRetain(context, 0);
}

/* No stream is of a part of the device. */
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *greenCtx)
{
	CUresult result = greenCtx ? cuStreamGetCtx(stream, context) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		*greenCtx = NULL;
	return result;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t length, unsigned int flags)
{
	return driver_result(cudaStreamAttachMemAsync(stream, (void *)(uintptr_t)address, length, flags));
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
	return driver_result(cudaStreamCopyAttributes(dst, src));
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
	return driver_result(
	    cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)attribute, (cudaLaunchAttributeValue *)value));
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
	return driver_result(
	    cudaStreamSetAttribute(stream, (cudaLaunchAttributeID)attribute, (const cudaLaunchAttributeValue *)value));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
	return driver_result(cudaEventRecordWithFlags(event, stream, flags));
}

/* --- Values in memory: work is done in the order of the calls --- */

static CUresult write_value(CUstream stream, CUdeviceptr address, const void *value, size_t bytes, unsigned flags)
{
	if (!address || address % bytes || flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)
		return CUDA_ERROR_INVALID_VALUE;
	return cuMemcpyHtoDAsync(address, value, bytes, stream);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
	return write_value(stream, addr, &value, sizeof value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
	return write_value(stream, addr, &value, sizeof value, flags);
}
