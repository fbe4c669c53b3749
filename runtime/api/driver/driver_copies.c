/* Driver API: copies and fills in streams, between devices, and in batches. */
#include "runtime/api/driver/driver.h"

static cudaArray_t array_of(CUarray array)
{
	return (cudaArray_t)array;
}

/* --- Arrays --- */

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t size, CUstream stream)
{
	return driver_result(
	    cudaMemcpyToArrayAsync(array_of(dstArray), dstOffset, 0, srcHost, size, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t size, CUstream stream)
{
	return driver_result(
	    cudaMemcpyFromArrayAsync(dstHost, array_of(srcArray), srcOffset, 0, size, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t size)
{
	return driver_result(cudaMemcpyArrayToArray(array_of(dstArray), dstOffset, 0, array_of(srcArray), srcOffset, 0,
						    size, cudaMemcpyDeviceToDevice));
}

/* --- Copies between devices, which are all the same device --- */

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
	CUDA_MEMCPY3D one;
	unsigned version;
	CUresult result = copy ? cuCtxGetApiVersion(copy->srcContext, &version) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		result = cuCtxGetApiVersion(copy->dstContext, &version);
	if (result)
		return result;
	one = (CUDA_MEMCPY3D){.srcXInBytes = copy->srcXInBytes,
			      .srcY = copy->srcY,
			      .srcZ = copy->srcZ,
			      .srcLOD = copy->srcLOD,
			      .srcMemoryType = copy->srcMemoryType,
			      .srcHost = copy->srcHost,
			      .srcDevice = copy->srcDevice,
			      .srcArray = copy->srcArray,
			      .srcPitch = copy->srcPitch,
			      .srcHeight = copy->srcHeight,
			      .dstXInBytes = copy->dstXInBytes,
			      .dstY = copy->dstY,
			      .dstZ = copy->dstZ,
			      .dstLOD = copy->dstLOD,
			      .dstMemoryType = copy->dstMemoryType,
			      .dstHost = copy->dstHost,
			      .dstDevice = copy->dstDevice,
			      .dstArray = copy->dstArray,
			      .dstPitch = copy->dstPitch,
			      .dstHeight = copy->dstHeight,
			      .WidthInBytes = copy->WidthInBytes,
			      .Height = copy->Height,
			      .Depth = copy->Depth};
	return cuMemcpy3DAsync(&one, stream);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy)
{
	return cuMemcpy3DPeerAsync(copy, NULL);
}

/* --- Batches: descriptors have the runtime's layout --- */

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
			    CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream stream)
{
	return driver_result(cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count,
						  (struct cudaMemcpyAttributes *)attrs, attrsIdxs, numAttrs, stream));
}

CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags, CUstream stream)
{
	return driver_result(cudaMemcpy3DBatchAsync(numOps, (struct cudaMemcpy3DBatchOp *)opList, flags, stream));
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
				 size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
				 CUstream stream)
{
	return driver_result(cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count,
						       (struct cudaMemLocation *)prefetchLocs, prefetchLocIdxs,
						       numPrefetchLocs, flags, stream));
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
				CUstream stream)
{
	return driver_result(cudaMemDiscardBatchAsync((void **)dptrs, sizes, count, flags, stream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
					   size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
					   CUstream stream)
{
	return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
				       stream);
}

/* --- Advice where managed memory should lie --- */

CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
			       CUstream stream)
{
	const struct cudaMemLocation place = {(enum cudaMemLocationType)location.type, location.id};

	return driver_result(cudaMemPrefetchAsync_v2((const void *)(uintptr_t)devPtr, count, place, flags, stream));
}

CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)
{
	const struct cudaMemLocation place = {(enum cudaMemLocationType)location.type, location.id};

	return driver_result(
	    cudaMemAdvise_v2((const void *)(uintptr_t)devPtr, count, (enum cudaMemoryAdvise)advice, place));
}

static CUmemLocation place_of(CUdevice device)
{
	return (CUmemLocation){device < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device, CUstream stream)
{
	return cuMemPrefetchAsync_v2(address, count, place_of(device), 0, stream);
}

CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device)
{
	return cuMemAdvise_v2(address, count, advice, place_of(device));
}
