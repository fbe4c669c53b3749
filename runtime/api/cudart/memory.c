/*
 * Allocation. The host can touch all memory of the CPU device. There device, managed, pinned and mapped memory differ
 * only in the attributes that calls report. A GPU has separate calls for managed and for pinned memory; both have the
 * same address for host and device.
 */
#include "runtime/api/cudart/allocations.h"

#include "common/integer.h"
#include "runtime/api/cudart/topics.h"

#include <uthash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PITCH_ALIGN = 512 };

struct allocation_entry {
	struct api_allocation allocation;
	UT_hash_handle hh;
};

static struct allocation_entry *entry_at(const struct runtime *rt, uint64_t address)
{
	struct allocation_entry *entry;

	HASH_FIND(hh, rt->allocations.live, &address, sizeof address, entry);
	return entry;
}

const struct api_allocation *allocation_at(const struct runtime *rt, uint64_t address)
{
	struct allocation_entry *entry = entry_at(rt, address);

	return entry ? &entry->allocation : NULL;
}

bool allocation_is_registered(const struct runtime *rt, uint64_t address, size_t size)
{
	for (const struct allocation_entry *e = rt->allocations.live; e; e = e->hh.next)
		if (e->allocation.kind == ALLOCATION_REGISTERED &&
		    address - e->allocation.address < e->allocation.size &&
		    size <= e->allocation.size - (address - e->allocation.address))
			return true;
	return false;
}

static void remember(struct runtime *rt, uint64_t address, enum allocation_kind kind, unsigned flags, size_t size)
{
	struct allocation_entry *entry = xcalloc(1, sizeof *entry);

	entry->allocation = (struct api_allocation){.address = address, .kind = kind, .flags = flags, .size = size};
	HASH_ADD(hh, rt->allocations.live, allocation.address, sizeof entry->allocation.address, entry);
}

void allocation_adopt(struct runtime *rt, uint64_t address, enum allocation_kind kind)
{
	remember(rt, address, kind, 0, 0);
}

static void forget(struct runtime *rt, struct allocation_entry *entry)
{
	if (entry->allocation.kind == ALLOCATION_HOST)
		rt->allocations.pinned -= entry->allocation.size;
	if (entry->allocation.pool)
		pool_count(entry->allocation.pool, -(int64_t)entry->allocation.size);
	regions_forget(&rt->allocations.regions, entry->allocation.address);
	HASH_DEL(rt->allocations.live, entry);
	free(entry);
}

void allocation_count(struct runtime *rt, uint64_t address, struct CUmemPoolHandle_st *pool)
{
	struct allocation_entry *entry = entry_at(rt, address);
	uint64_t base;

	entry->allocation.pool = pool;
	rt->ops->find(rt->device, address, &base, &entry->allocation.size);
}

static size_t free_bytes(struct runtime *rt)
{
	size_t available, total;

	rt->ops->memory_info(rt->device, &available, &total);
	return available;
}

/* Between host and device, where they are apart. */
static bool is_shared(enum allocation_kind kind)
{
	return kind == ALLOCATION_MANAGED || kind == ALLOCATION_HOST;
}

cudaError_t allocation_make(struct runtime *rt, void **ptr, size_t size, const char *call, enum allocation_kind kind,
			    unsigned flags)
{
	struct diag d = DIAG_INIT;
	size_t before, counted;
	char name[64];
	uint64_t address;
	cudaError_t error;

	if (!ptr)
		return cudaErrorInvalidValue;
	*ptr = NULL;
	if (!size)
		return cudaSuccess;
	snprintf(name, sizeof name, "%s#%llu", call, (unsigned long long)rt->allocations.made);
	before = free_bytes(rt);
	if (is_shared(kind) && rt->ops->alloc_shared)
		error =
		    status_error(rt, rt->ops->alloc_shared(rt->device, size, kind == ALLOCATION_MANAGED, &address, &d));
	else
		error = status_error(rt, rt->ops->alloc(rt->device, size, name, &address));
	runtime_notice(&d);
	if (error)
		return error;
	if (kind == ALLOCATION_HOST && rt->ops->host_writes)
		rt->ops->host_writes(rt->device, address, size);
	rt->allocations.made++;
	counted = kind == ALLOCATION_HOST && !rt->ops->alloc_shared ? before - free_bytes(rt) : 0;
	rt->allocations.pinned += counted;
	remember(rt, address, kind, flags, counted);
	*ptr = (void *)(uintptr_t)address;
	return cudaSuccess;
}

void allocations_release(struct runtime *rt)
{
	struct allocation_entry *entry, *next;

	HASH_ITER(hh, rt->allocations.live, entry, next) {
		if (entry->allocation.kind != ALLOCATION_REGISTERED)
			rt->ops->release(rt->device, entry->allocation.address);
		forget(rt, entry);
	}
}

static cudaError_t allocate(void **ptr, size_t size, const char *call, enum allocation_kind kind, unsigned flags)
{
	ENTER(rt);
	const unsigned char zero = 0;
	cudaError_t error = allocation_make(rt, ptr, size, call, kind, flags);

	if (!error && *ptr && kind == ALLOCATION_MANAGED)
		error = status_error(rt, rt->ops->fill(rt->device, (uintptr_t)*ptr, &zero, 1, size));
	return runtime_leave(error);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
	return allocate(ptr, size, "cudaMalloc", ALLOCATION_DEVICE, 0);
}

cudaError_t allocation_free(struct runtime *rt, uint64_t address, unsigned kinds)
{
	struct allocation_entry *entry = entry_at(rt, address);
	cudaError_t error;

	if (!entry || !(kinds & 1u << entry->allocation.kind))
		return cudaErrorInvalidValue;
	error = status_error(rt, rt->ops->release(rt->device, address));
	forget(rt, entry);
	return error;
}

static cudaError_t free_if(void *ptr, unsigned kinds)
{
	ENTER(rt);

	return runtime_leave(ptr ? allocation_free(rt, (uintptr_t)ptr, kinds) : cudaSuccess);
}

cudaError_t cudaFree(void *ptr)
{
	return free_if(ptr, 1u << ALLOCATION_DEVICE | 1u << ALLOCATION_MANAGED);
}

static size_t pitch_of(size_t width)
{
	return round_up(width, PITCH_ALIGN);
}

/* Bytes of all rows. SIZE_MAX, which no device has, if that overflows, or if the pitch is too small. */
static size_t bytes_of(size_t width, size_t pitch, size_t height, size_t depth)
{
	size_t bytes;

	if (pitch < width || __builtin_mul_overflow(pitch, height, &bytes) ||
	    __builtin_mul_overflow(bytes, depth, &bytes))
		return SIZE_MAX;
	return bytes;
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
	if (!pitch)
		return runtime_remember(cudaErrorInvalidValue);
	*pitch = pitch_of(width);
	return allocate(ptr, bytes_of(width, *pitch, height, 1), "cudaMallocPitch", ALLOCATION_DEVICE, 0);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
	if (!ptr)
		return runtime_remember(cudaErrorInvalidValue);
	*ptr = make_cudaPitchedPtr(NULL, pitch_of(extent.width), extent.width, extent.height);
	return allocate(&ptr->ptr, bytes_of(extent.width, ptr->pitch, extent.height, extent.depth), "cudaMalloc3D",
			ALLOCATION_DEVICE, 0);
}

cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
	if (!size)
		return runtime_remember(cudaErrorInvalidValue);
	return allocate(ptr, size, "cudaMallocManaged", ALLOCATION_MANAGED, flags);
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
	return allocate(ptr, size, "cudaHostAlloc", ALLOCATION_HOST, flags);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
	return allocate(ptr, size, "cudaMallocHost", ALLOCATION_HOST, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr)
{
	return free_if(ptr, 1u << ALLOCATION_HOST);
}

/* Pinned memory is the host's, although the CPU device has it among its own. */
cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	ENTER(rt);
	size_t unused, total_bytes;

	rt->ops->memory_info(rt->device, &unused, &total_bytes);
	if (available)
		*available = unused + rt->allocations.pinned;
	if (total)
		*total = total_bytes;
	return runtime_leave(cudaSuccess);
}

/* --- The host's own memory --- */

/* Registration only promises not to move pages; a kernel cannot reach such memory, see cudaHostGetDevicePointer. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	ENTER(rt);
	cudaError_t error = ptr && size ? cudaSuccess : cudaErrorInvalidValue;

	if (!error && entry_at(rt, (uintptr_t)ptr))
		error = cudaErrorHostMemoryAlreadyRegistered;
	if (!error)
		remember(rt, (uintptr_t)ptr, ALLOCATION_REGISTERED, flags, size);
	return runtime_leave(error);
}

cudaError_t cudaHostUnregister(void *ptr)
{
	ENTER(rt);
	struct allocation_entry *entry = entry_at(rt, (uintptr_t)ptr);

	if (!entry || entry->allocation.kind != ALLOCATION_REGISTERED)
		return runtime_leave(cudaErrorHostMemoryNotRegistered);
	forget(rt, entry);
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	ENTER(rt);
	uint64_t base;
	size_t size;
	cudaError_t error = cudaSuccess;

	(void)flags;
	if (!device)
		error = cudaErrorInvalidValue;
	else if (rt->ops->find(rt->device, (uintptr_t)host, &base, &size))
		*device = host;
	else
		error = allocation_at(rt, (uintptr_t)host) ? cudaErrorNotSupported : cudaErrorInvalidValue;
	return runtime_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
	ENTER(rt);
	const struct api_allocation *found = allocation_at(rt, (uintptr_t)host);

	if (!found || !flags)
		return runtime_leave(cudaErrorInvalidValue);
	*flags = found->flags;
	return runtime_leave(cudaSuccess);
}

/* --- Questions and hints --- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
	ENTER(rt);
	static const enum cudaMemoryType types[ALLOCATION_KINDS] = {
	    [ALLOCATION_DEVICE] = cudaMemoryTypeDevice,   [ALLOCATION_MANAGED] = cudaMemoryTypeManaged,
	    [ALLOCATION_HOST] = cudaMemoryTypeHost,       [ALLOCATION_PART] = cudaMemoryTypeDevice,
	    [ALLOCATION_REGISTERED] = cudaMemoryTypeHost,
	};
	const struct api_allocation *found;
	uint64_t base = (uintptr_t)ptr;
	size_t size;
	bool on_device;

	if (!attributes)
		return runtime_leave(cudaErrorInvalidValue);
	memset(attributes, 0, sizeof *attributes);
	on_device = rt->ops->find(rt->device, (uintptr_t)ptr, &base, &size);
	found = allocation_at(rt, base);
	if (on_device || found) {
		attributes->type = types[found ? found->kind : ALLOCATION_DEVICE];
		attributes->devicePointer = on_device ? (void *)ptr : NULL;
		attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? NULL : (void *)ptr;
	} else {
		attributes->device = cudaInvalidDeviceId;
		attributes->hostPointer = (void *)ptr;
	}
	return runtime_leave(cudaSuccess);
}

/* Checks the arguments; where managed memory lies makes no difference here. */
static cudaError_t check_managed(const void *ptr, size_t count)
{
	ENTER(rt);
	uint64_t base;
	size_t size;
	bool inside =
	    rt->ops->find(rt->device, (uintptr_t)ptr, &base, &size) && count <= size - ((uintptr_t)ptr - base);

	return runtime_leave(inside ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t count, struct cudaMemLocation location, unsigned int flags,
				    cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	(void)location, (void)flags;
	return runtime_leave(error ? error : check_managed(ptr, count));
}

cudaError_t cudaMemAdvise_v2(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
			     struct cudaMemLocation location)
{
	(void)location;
	if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
		return runtime_remember(cudaErrorInvalidValue);
	return check_managed(ptr, count);
}
