/*
 * Driver API: virtual memory management. A reserved range is device memory from the start; physical memory is what a
 * handle keeps: its contents move into the range when they are mapped, and out again. So one handle is mapped at one
 * place at a time, which is also what the guards need: two addresses never mean the same memory.
 */
#include "runtime/api/driver/driver.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 2 << 20 };

struct physical {
	struct physical *next;
	size_t size;
	bool released;
	uint64_t mapped_at; /* 0: nowhere */
	void *contents;     /* while it is not mapped; NULL: never was */
	CUmemAllocationProp prop;
};

struct range {
	uint64_t address;
	size_t size;
};

static struct physical *handles;
static VEC(struct range) ranges;

static CUmemGenericAllocationHandle handle_of(const struct physical *p)
{
	return (uintptr_t)p;
}

static struct physical *physical_of(CUmemGenericAllocationHandle handle)
{
	for (struct physical *p = handles; p; p = p->next)
		if (handle_of(p) == handle && !p->released)
			return p;
	return NULL;
}

static struct physical *mapped_at(uint64_t address)
{
	for (struct physical *p = handles; p; p = p->next)
		if (p->mapped_at && address - p->mapped_at < p->size)
			return p;
	return NULL;
}

static struct range *range_of(uint64_t address, size_t size)
{
	for (size_t i = 0; i < ranges.len; i++) {
		struct range *r = &ranges.data[i];

		if (address - r->address < r->size && size <= r->size - (address - r->address))
			return r;
	}
	return NULL;
}

static void free_if_done(struct physical *done)
{
	if (!done->released || done->mapped_at)
		return;
	for (struct physical **at = &handles; *at; at = &(*at)->next)
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
	(void)option;
	if (!granularity || !prop || prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE || prop->location.id)
		return CUDA_ERROR_INVALID_VALUE;
	*granularity = GRANULARITY;
	return CUDA_SUCCESS;
}

/* --- Ranges --- */

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr wanted,
			     unsigned long long flags)
{
	struct range added = {.size = size};
	CUdeviceptr found;
	CUresult result;

	(void)wanted;
	if (!address || !size || size % GRANULARITY || flags || (alignment & (alignment - 1)) ||
	    alignment > GRANULARITY)
		return CUDA_ERROR_INVALID_VALUE;
	result = cuMemAlloc(&found, size);
	if (result)
		return result;
	added.address = *address = found;
	runtime_lock();
	vec_push(&ranges, added);
	runtime_unlock();
	return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t size)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;

	runtime_lock();
	for (size_t i = 0; i < ranges.len; i++) {
		if (ranges.data[i].address != address || ranges.data[i].size != size)
			continue;
		for (struct physical *p = handles; p; p = p->next)
			if (p->mapped_at && range_of(p->mapped_at, 1) == &ranges.data[i]) {
				runtime_unlock();
				return CUDA_ERROR_INVALID_VALUE;
			}
		ranges.data[i] = vec_pop(&ranges);
		result = cuMemFree(address);
		break;
	}
	runtime_unlock();
	return result;
}

/* --- Physical memory --- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
		     unsigned long long flags)
{
	struct physical *made;

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
	runtime_lock();
	made->next = handles;
	handles = made;
	runtime_unlock();
	*handle = handle_of(made);
	return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	struct physical *p;

	runtime_lock();
	p = physical_of(handle);
	if (p) {
		p->released = true;
		free_if_done(p);
	}
	runtime_unlock();
	return p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
	const struct physical *p;

	runtime_lock();
	p = physical_of(handle);
	if (p)
		*prop = p->prop;
	runtime_unlock();
	return p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* --- Maps --- */

static bool is_free(uint64_t address, size_t size)
{
	for (const struct physical *p = handles; p; p = p->next)
		if (p->mapped_at && address < p->mapped_at + p->size && p->mapped_at < address + size)
			return false;
	return true;
}

/* New memory is zero, as it is from the driver. */
static CUresult move_in(struct physical *p, uint64_t address)
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
	struct physical *p;

	runtime_lock();
	p = physical_of(handle);
	if (p && p->mapped_at)
		result = CUDA_ERROR_NOT_SUPPORTED;
	else if (p && !offset && !flags && size == p->size && range_of(address, size) && is_free(address, size))
		result = move_in(p, address);
	runtime_unlock();
	return result;
}

static CUresult move_out(struct physical *p)
{
	CUresult result = CUDA_SUCCESS;

	if (!p->released) {
		p->contents = xmalloc(p->size);
		result = cuMemcpyDtoH(p->contents, p->mapped_at, p->size);
	}
	p->mapped_at = 0;
	free_if_done(p);
	return result;
}

/* Whole maps only; one after the other. */
CUresult cuMemUnmap(CUdeviceptr address, size_t size)
{
	CUresult result = CUDA_SUCCESS;
	uint64_t at = address;

	runtime_lock();
	while (!result && at < address + size) {
		struct physical *p = mapped_at(at);
		size_t bytes = p ? p->size : 0;

		result =
		    p && p->mapped_at == at && bytes <= address + size - at ? move_out(p) : CUDA_ERROR_INVALID_VALUE;
		at += bytes;
	}
	runtime_unlock();
	return result;
}

/* Kernels reach the whole range anyway. */
CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *desc, size_t count)
{
	bool good = desc && count;

	runtime_lock();
	for (uint64_t at = address; good && at < address + size; at += GRANULARITY)
		good = mapped_at(at);
	for (size_t i = 0; good && i < count; i++)
		good = desc[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && !desc[i].location.id;
	runtime_unlock();
	return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
	bool good;

	runtime_lock();
	good =
	    flags && location && location->type == CU_MEM_LOCATION_TYPE_DEVICE && !location->id && mapped_at(address);
	runtime_unlock();
	if (good)
		*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
