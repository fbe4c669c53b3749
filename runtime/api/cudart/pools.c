/*
 * Stream-ordered memory. Streams run work when it is submitted, so a pool only counts the device memory in use by it.
 * Memory that is freed goes back to the device at once.
 */
#include "runtime/api/cudart/allocations.h"
#include "runtime/api/cudart/topics.h"
#include "runtime/api/state/handles.h"

static struct CUmemPoolHandle_st *usual_pool(void)
{
	return &runtime_state.pools.usual;
}

static bool is_pool(cudaMemPool_t pool)
{
	return pool == usual_pool() || handle_is(HANDLE_POOL, pool);
}

static struct CUmemPoolHandle_st *current_pool(void)
{
	return runtime_state.pools.current ? runtime_state.pools.current : usual_pool();
}

/* In use, and reserved for that; and the most there were of both. */
void pool_count(cudaMemPool_t pool, int64_t bytes)
{
	if (!is_pool(pool))
		return;
	for (int i = cudaMemPoolAttrReservedMemCurrent; i <= cudaMemPoolAttrUsedMemCurrent; i += 2) {
		pool->values[i] += (uint64_t)bytes;
		if (pool->values[i + 1] < pool->values[i])
			pool->values[i + 1] = pool->values[i];
	}
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = is_pool(pool) ? stream_check(stream) : cudaErrorInvalidValue;

	if (!error)
		error = allocation_make(rt, ptr, size, "cudaMallocAsync", ALLOCATION_DEVICE, 0);
	if (!error && *ptr) {
		allocation_count(rt, (uintptr_t)*ptr, pool);
		pool_count(pool, (int64_t)size);
	}
	return runtime_leave(error);
}

cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
{
	return cudaMallocFromPoolAsync(ptr, size, current_pool(), stream);
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	if (!error)
		error = cudaFree(ptr);
	return runtime_leave(error);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
	if (!pool || device)
		return runtime_remember(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	*pool = usual_pool();
	return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
	cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);

	if (!error)
		*pool = current_pool();
	return error;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
	if (device || !is_pool(pool))
		return runtime_remember(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	runtime_state.pools.current = pool;
	return cudaSuccess;
}

/* Accepts pools of this device's memory that are not shared with other processes. */
static cudaError_t check_props(const struct cudaMemPoolProps *p)
{
	if (p->allocType != cudaMemAllocationTypePinned || p->location.type == cudaMemLocationTypeInvalid)
		return cudaErrorInvalidValue;
	if (p->location.type != cudaMemLocationTypeDevice || p->handleTypes != cudaMemHandleTypeNone)
		return cudaErrorNotSupported;
	return p->location.id ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
	cudaError_t error = pool && props ? check_props(props) : cudaErrorInvalidValue;

	if (error)
		return runtime_remember(error);
	*pool = handle_new(HANDLE_POOL, sizeof **pool);
	return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
	if (!handle_is(HANDLE_POOL, pool))
		return runtime_remember(cudaErrorInvalidValue);
	if (runtime_state.pools.current == pool)
		runtime_state.pools.current = NULL;
	handle_free(pool);
	return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
	(void)keep;
	return is_pool(pool) ? cudaSuccess : runtime_remember(cudaErrorInvalidValue);
}

/* The first three attributes are ints, the others 64-bit. */
static bool is_int(enum cudaMemPoolAttr attr)
{
	return attr <= cudaMemPoolReuseAllowInternalDependencies;
}

static bool is_counter(enum cudaMemPoolAttr attr)
{
	return attr == cudaMemPoolAttrReservedMemCurrent || attr == cudaMemPoolAttrUsedMemCurrent;
}

/* May be set to 0, which means: from now on. */
static bool is_peak(enum cudaMemPoolAttr attr)
{
	return attr == cudaMemPoolAttrReservedMemHigh || attr == cudaMemPoolAttrUsedMemHigh;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
	if (!is_pool(pool) || !value || attr < 1 || attr > cudaMemPoolAttrUsedMemHigh || is_counter(attr))
		return runtime_remember(cudaErrorInvalidValue);
	if (is_peak(attr) && *(uint64_t *)value)
		return runtime_remember(cudaErrorInvalidValue);
	if (is_peak(attr))
		pool->values[attr] = pool->values[attr - 1];
	else
		pool->values[attr] = is_int(attr) ? (uint64_t)*(int *)value : *(uint64_t *)value;
	return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
	if (!is_pool(pool) || !value || attr < 1 || attr > cudaMemPoolAttrUsedMemHigh)
		return runtime_remember(cudaErrorInvalidValue);
	if (is_int(attr))
		*(int *)value = (int)pool->values[attr];
	else
		*(uint64_t *)value = pool->values[attr];
	return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
	if (count && !list)
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		if (list[i].location.type == cudaMemLocationTypeDevice && list[i].location.id)
			return runtime_remember(cudaErrorInvalidDevice);
	return is_pool(pool) ? cudaSuccess : runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
	if (!flags || !is_pool(pool) || !location)
		return runtime_remember(cudaErrorInvalidValue);
	*flags = location->id ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite;
	return cudaSuccess;
}

/* --- By place: there is memory of one device --- */

static cudaError_t check_place(const struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
	if (!location || location->type == cudaMemLocationTypeInvalid || type == cudaMemAllocationTypeInvalid)
		return cudaErrorInvalidValue;
	if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
		return cudaErrorNotSupported;
	return location->id ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
				     enum cudaMemAllocationType type)
{
	cudaError_t error = memPool ? check_place(location, type) : cudaErrorInvalidValue;

	return error ? runtime_remember(error) : cudaDeviceGetDefaultMemPool(memPool, 0);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
	cudaError_t error = memPool ? check_place(location, type) : cudaErrorInvalidValue;

	return error ? runtime_remember(error) : cudaDeviceGetMemPool(memPool, 0);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t memPool)
{
	cudaError_t error = check_place(location, type);

	return error ? runtime_remember(error) : cudaDeviceSetMemPool(0, memPool);
}
