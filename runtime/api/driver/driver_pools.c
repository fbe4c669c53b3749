/* Driver API: memory pools; each call is the runtime's with another face, and descriptors have the same layout. */
#include "runtime/api/driver/driver.h"

static cudaMemPool_t pool_of(CUmemoryPool pool)
{
	return (cudaMemPool_t)pool;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
	return driver_result(cudaMemPoolCreate((cudaMemPool_t *)pool, (const struct cudaMemPoolProps *)poolProps));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
	return driver_result(cudaMemPoolDestroy(pool_of(pool)));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
	return driver_result(cudaMemPoolTrimTo(pool_of(pool), minBytesToKeep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	return driver_result(cudaMemPoolSetAttribute(pool_of(pool), (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	return driver_result(cudaMemPoolGetAttribute(pool_of(pool), (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
	return driver_result(cudaMemPoolSetAccess(pool_of(pool), (const struct cudaMemAccessDesc *)map, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)
{
	return driver_result(cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool_of(memPool),
						  (struct cudaMemLocation *)location));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream)
{
	void *ptr;
	cudaError_t error =
	    address && size ? cudaMallocFromPoolAsync(&ptr, size, pool_of(pool), stream) : cudaErrorInvalidValue;

	if (!error)
		*address = (uintptr_t)ptr;
	return driver_result(error);
}

/* --- The pool of a device, or of a place --- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
	return driver_result(cudaDeviceGetDefaultMemPool((cudaMemPool_t *)pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
	return driver_result(cudaDeviceGetMemPool((cudaMemPool_t *)pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
	return driver_result(cudaDeviceSetMemPool(device, pool_of(pool)));
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
	return driver_result(cudaMemGetDefaultMemPool((cudaMemPool_t *)pool, (struct cudaMemLocation *)location,
						      (enum cudaMemAllocationType)type));
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
	return driver_result(cudaMemGetMemPool((cudaMemPool_t *)pool, (struct cudaMemLocation *)location,
					       (enum cudaMemAllocationType)type));
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
	return driver_result(
	    cudaMemSetMemPool((struct cudaMemLocation *)location, (enum cudaMemAllocationType)type, pool_of(pool)));
}
