/*
 * Allocation. The CPU device's memory is one range of addresses that the host can touch too, so device, managed, pinned
 * and mapped memory differ only in what is said about them; on a GPU managed and pinned memory are made apart, and each
 * has one address for host and device.
 */
#include "runtime/api/runtime/allocations.h"

#include <uthash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PITCH_ALIGN = 512 };

struct allocation_entry {
	struct api_allocation allocation;
	UT_hash_handle hh;
};

static struct allocation_entry *entries; /* by address */

static struct allocation_entry *entry_at(uint64_t address)
{
	struct allocation_entry *entry;

	HASH_FIND(hh, entries, &address, sizeof address, entry);
	return entry;
}

const struct api_allocation *allocation_at(uint64_t address)
{
	struct allocation_entry *entry = entry_at(address);

	return entry ? &entry->allocation : NULL;
}

static void remember(uint64_t address, enum allocation_kind kind, unsigned flags)
{
	struct allocation_entry *entry = xcalloc(1, sizeof *entry);

	entry->allocation = (struct api_allocation){address, kind, flags};
	HASH_ADD(hh, entries, allocation.address, sizeof entry->allocation.address, entry);
}

void allocation_adopt(uint64_t address, enum allocation_kind kind)
{
	remember(address, kind, 0);
}

static void forget(struct allocation_entry *entry)
{
	HASH_DEL(entries, entry);
	free(entry);
}

cudaError_t allocation_make(struct runtime *rt, void **ptr, size_t size, const char *call, enum allocation_kind kind,
			    unsigned flags)
{
	struct diag d = DIAG_INIT;
	char name[64];
	uint64_t address;
	cudaError_t error;

	if (!ptr)
		return cudaErrorInvalidValue;
	*ptr = NULL;
	if (!size)
		return cudaSuccess;
	snprintf(name, sizeof name, "%s#%llu", call, (unsigned long long)rt->allocations);
	if (kind != ALLOCATION_DEVICE && rt->ops->alloc_shared)
		error =
		    status_error(rt, rt->ops->alloc_shared(rt->device, size, kind == ALLOCATION_MANAGED, &address, &d));
	else
		error = status_error(rt, rt->ops->alloc(rt->device, size, name, &address));
	runtime_notice(&d);
	if (error)
		return error;
	rt->allocations++;
	remember(address, kind, flags);
	*ptr = (void *)(uintptr_t)address;
	return cudaSuccess;
}

void allocations_release(struct runtime *rt)
{
	struct allocation_entry *entry, *next;

	HASH_ITER(hh, entries, entry, next) {
		if (entry->allocation.kind != ALLOCATION_REGISTERED)
			rt->ops->release(rt->device, entry->allocation.address);
		forget(entry);
	}
}

static cudaError_t allocate(void **ptr, size_t size, const char *call, enum allocation_kind kind, unsigned flags)
{
	struct runtime *rt = runtime_enter();
	const unsigned char zero = 0;
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = allocation_make(rt, ptr, size, call, kind, flags);
	if (!error && *ptr && kind == ALLOCATION_MANAGED)
		error = status_error(rt, rt->ops->fill(rt->device, (uintptr_t)*ptr, &zero, 1, size));
	return runtime_leave(error);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
	return allocate(ptr, size, "cudaMalloc", ALLOCATION_DEVICE, 0);
}

cudaError_t cudaFree(void *ptr)
{
	struct runtime *rt = runtime_enter();
	struct allocation_entry *entry;
	cudaError_t error = cudaSuccess;

	if (!rt)
		return runtime_failed();
	entry = entry_at((uintptr_t)ptr);
	if (entry && entry->allocation.kind != ALLOCATION_REGISTERED) {
		error = status_error(rt, rt->ops->release(rt->device, (uintptr_t)ptr));
		forget(entry);
	} else if (ptr) {
		error = cudaErrorInvalidValue;
	}
	return runtime_leave(error);
}

static size_t pitch_of(size_t width)
{
	return (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
	if (!pitch)
		return runtime_remember(cudaErrorInvalidValue);
	*pitch = pitch_of(width);
	return allocate(ptr, *pitch * height, "cudaMallocPitch", ALLOCATION_DEVICE, 0);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
	if (!ptr)
		return runtime_remember(cudaErrorInvalidValue);
	*ptr = make_cudaPitchedPtr(NULL, pitch_of(extent.width), extent.width, extent.height);
	return allocate(&ptr->ptr, ptr->pitch * extent.height * extent.depth, "cudaMalloc3D", ALLOCATION_DEVICE, 0);
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
	return cudaFree(ptr);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	struct runtime *rt = runtime_enter();
	size_t free_bytes, total_bytes;

	if (!rt)
		return runtime_failed();
	rt->ops->memory_info(rt->device, &free_bytes, &total_bytes);
	if (available)
		*available = free_bytes;
	if (total)
		*total = total_bytes;
	return runtime_leave(cudaSuccess);
}

/* --- The host's own memory --- */

/* Registration only promises not to move pages; a kernel cannot reach such memory, see cudaHostGetDevicePointer. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error = ptr && size ? cudaSuccess : cudaErrorInvalidValue;

	if (!rt)
		return runtime_failed();
	if (!error && entry_at((uintptr_t)ptr))
		error = cudaErrorHostMemoryAlreadyRegistered;
	if (!error)
		remember((uintptr_t)ptr, ALLOCATION_REGISTERED, flags);
	return runtime_leave(error);
}

cudaError_t cudaHostUnregister(void *ptr)
{
	struct runtime *rt = runtime_enter();
	struct allocation_entry *entry;

	if (!rt)
		return runtime_failed();
	entry = entry_at((uintptr_t)ptr);
	if (!entry || entry->allocation.kind != ALLOCATION_REGISTERED)
		return runtime_leave(cudaErrorHostMemoryNotRegistered);
	forget(entry);
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	struct runtime *rt = runtime_enter();
	uint64_t base;
	size_t size;
	cudaError_t error = cudaSuccess;

	(void)flags;
	if (!rt)
		return runtime_failed();
	if (!device)
		error = cudaErrorInvalidValue;
	else if (rt->ops->find(rt->device, (uintptr_t)host, &base, &size))
		*device = host;
	else
		error = allocation_at((uintptr_t)host) ? cudaErrorNotSupported : cudaErrorInvalidValue;
	return runtime_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
	struct runtime *rt = runtime_enter();
	const struct api_allocation *found;

	if (!rt)
		return runtime_failed();
	found = allocation_at((uintptr_t)host);
	if (!found || !flags)
		return runtime_leave(cudaErrorInvalidValue);
	*flags = found->flags;
	return runtime_leave(cudaSuccess);
}

/* --- Questions and hints --- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
	static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
						    cudaMemoryTypeHost};
	struct runtime *rt = runtime_enter();
	const struct api_allocation *found;
	uint64_t base = (uintptr_t)ptr;
	size_t size;
	bool on_device;

	if (!rt)
		return runtime_failed();
	if (!attributes)
		return runtime_leave(cudaErrorInvalidValue);
	memset(attributes, 0, sizeof *attributes);
	on_device = rt->ops->find(rt->device, (uintptr_t)ptr, &base, &size);
	found = allocation_at(base);
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

/* Where memory lies makes no difference here; the arguments are checked all the same. */
static cudaError_t check_managed(const void *ptr, size_t count)
{
	struct runtime *rt = runtime_enter();
	uint64_t base;
	size_t size;
	bool inside;

	if (!rt)
		return runtime_failed();
	inside = rt->ops->find(rt->device, (uintptr_t)ptr, &base, &size) && count <= size - ((uintptr_t)ptr - base);
	return runtime_leave(inside ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, int device, cudaStream_t stream)
{
	(void)device, (void)stream;
	return check_managed(ptr, count);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, int device)
{
	(void)advice, (void)device;
	return check_managed(ptr, count);
}
