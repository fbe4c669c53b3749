/*
 * Driver API: virtual memory management. A reserved range is device memory from the start. A handle owns physical
 * memory: its contents move into the range when they are mapped, and out again when they are unmapped. So a handle can
 * be mapped at only one place at a time. The guards need this: two addresses never mean the same memory.
 */
#include "runtime/api/driver/driver.h"

#include "common/vec.h"
#include "runtime/api/cudart/allocations.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 2 << 20 };

struct physical_memory {
	struct physical_memory *next;
	size_t size;
	bool released;
	uint64_t mapped_at; /* 0: nowhere */
	void *contents;     /* while it is not mapped; NULL: never was */
	CUmemAllocationProp prop;
};

static CUmemGenericAllocationHandle handle_of(const struct physical_memory *p)
{
	return (uintptr_t)p;
}

static struct physical_memory *physical_of(const struct runtime *rt, CUmemGenericAllocationHandle handle)
{
	for (struct physical_memory *p = rt->driver.physical; p; p = p->next)
		if (handle_of(p) == handle && !p->released)
			return p;
	return NULL;
}

static struct physical_memory *mapped_at(const struct runtime *rt, uint64_t address)
{
	for (struct physical_memory *p = rt->driver.physical; p; p = p->next)
		if (p->mapped_at && address - p->mapped_at < p->size)
			return p;
	return NULL;
}

static struct address_range *range_of(const struct runtime *rt, uint64_t address, size_t size)
{
	for (size_t i = 0; i < rt->driver.ranges.len; i++) {
		struct address_range *r = &rt->driver.ranges.data[i];

		if (address - r->address < r->size && size <= r->size - (address - r->address))
			return r;
	}
	return NULL;
}

static void free_if_done(struct runtime *rt, struct physical_memory *done)
{
	if (!done->released || done->mapped_at)
		return;
	for (struct physical_memory **at = &rt->driver.physical; *at; at = &(*at)->next)
		if (*at == done) {
			*at = done->next;
			break;
		}
	free(done->contents);
	free(done);
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
				       CUmemAllocationGranularity_flags option)
{
	if ((unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED || !granularity || !prop ||
	    prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE || prop->location.id)
		return CUDA_ERROR_INVALID_VALUE;
	*granularity = GRANULARITY;
	return CUDA_SUCCESS;
}

/* --- Ranges --- */

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr wanted,
			     unsigned long long flags)
{
	struct address_range added = {.size = size};
	void *found = NULL;
	cudaError_t error;

	(void)wanted;
	if (!address || !size || size % GRANULARITY || flags || (alignment & (alignment - 1)) ||
	    alignment > GRANULARITY)
		return CUDA_ERROR_INVALID_VALUE;
	DRIVER_ENTER(rt);
	error = allocation_make(rt, &found, size, "cuMemAddressReserve", ALLOCATION_PART, 0);
	if (!error) {
		added.address = *address = (uintptr_t)found;
		vec_push(&rt->driver.ranges, added);
	}
	return driver_result(runtime_leave(error));
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t size)
{
	struct runtime *rt = runtime_lock();
	CUresult result = CUDA_ERROR_INVALID_VALUE;

	for (size_t i = 0; i < rt->driver.ranges.len; i++) {
		if (rt->driver.ranges.data[i].address != address || rt->driver.ranges.data[i].size != size)
			continue;
		for (struct physical_memory *p = rt->driver.physical; p; p = p->next)
			if (p->mapped_at && range_of(rt, p->mapped_at, 1) == &rt->driver.ranges.data[i]) {
				runtime_unlock();
				return CUDA_ERROR_INVALID_VALUE;
			}
		rt->driver.ranges.data[i] = vec_pop(&rt->driver.ranges);
		result = driver_result(allocation_free(rt, address, 1u << ALLOCATION_PART));
		break;
	}
	runtime_unlock();
	return result;
}

/* --- Physical memory --- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
		     unsigned long long flags)
{
	struct physical_memory *made;
	struct runtime *rt;

	if (!handle || !size || size % GRANULARITY || flags || !prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (prop->location.id)
		return CUDA_ERROR_INVALID_DEVICE;
	if (prop->requestedHandleTypes)
		return CUDA_ERROR_NOT_SUPPORTED;
	made = xcalloc(1, sizeof *made);
	made->size = size;
	made->prop = *prop;
	rt = runtime_lock();
	made->next = rt->driver.physical;
	rt->driver.physical = made;
	runtime_unlock();
	*handle = handle_of(made);
	return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	struct runtime *rt = runtime_lock();
	struct physical_memory *p = physical_of(rt, handle);

	if (p) {
		p->released = true;
		free_if_done(rt, p);
	}
	runtime_unlock();
	return p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
	struct runtime *rt = runtime_lock();
	const struct physical_memory *p = physical_of(rt, handle);

	if (p && prop)
		*prop = p->prop;
	runtime_unlock();
	return p && prop ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* --- Maps --- */

static bool is_free(const struct runtime *rt, uint64_t address, size_t size)
{
	for (const struct physical_memory *p = rt->driver.physical; p; p = p->next)
		if (p->mapped_at && address < p->mapped_at + p->size && p->mapped_at < address + size)
			return false;
	return true;
}

/* Memory that was never mapped becomes zero, as the driver promises. */
static CUresult move_in(struct physical_memory *p, uint64_t address)
{
	CUresult result = p->contents ? cuMemcpyHtoD(address, p->contents, p->size) : cuMemsetD8(address, 0, p->size);

	if (result)
		return result;
	free(p->contents);
	p->contents = NULL;
	p->mapped_at = address;
	return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
		  unsigned long long flags)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;
	struct runtime *rt = runtime_lock();
	struct physical_memory *p = physical_of(rt, handle);

	if (p && p->mapped_at)
		result = CUDA_ERROR_NOT_SUPPORTED;
	else if (p && !offset && !flags && size == p->size && range_of(rt, address, size) && is_free(rt, address, size))
		result = move_in(p, address);
	runtime_unlock();
	return result;
}

static CUresult move_out(struct runtime *rt, struct physical_memory *p)
{
	CUresult result = CUDA_SUCCESS;

	if (!p->released) {
		p->contents = xmalloc(p->size);
		result = cuMemcpyDtoH(p->contents, p->mapped_at, p->size);
	}
	p->mapped_at = 0;
	free_if_done(rt, p);
	return result;
}

/* Unmaps the whole maps in the range, one after the other. */
CUresult cuMemUnmap(CUdeviceptr address, size_t size)
{
	struct runtime *rt = runtime_lock();
	CUresult result = CUDA_SUCCESS;
	uint64_t at = address;

	while (!result && at < address + size) {
		struct physical_memory *p = mapped_at(rt, at);
		size_t bytes = p ? p->size : 0;

		result = p && p->mapped_at == at && bytes <= address + size - at ? move_out(rt, p)
										 : CUDA_ERROR_INVALID_VALUE;
		at += bytes;
	}
	runtime_unlock();
	return result;
}

/* Kernels reach the whole range anyway. */
CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *desc, size_t count)
{
	struct runtime *rt = runtime_lock();
	bool good = desc && count;

	for (uint64_t at = address; good && at < address + size; at += GRANULARITY)
		good = mapped_at(rt, at);
	for (size_t i = 0; good && i < count; i++)
		good = desc[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && !desc[i].location.id;
	runtime_unlock();
	return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
	struct runtime *rt = runtime_lock();
	bool good = flags && location && location->type == CU_MEM_LOCATION_TYPE_DEVICE && !location->id &&
		    mapped_at(rt, address);

	runtime_unlock();
	if (good)
		*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
