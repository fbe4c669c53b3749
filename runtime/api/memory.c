/*
 * Allocation. The device's memory is one range of addresses that the host can touch too, so device, managed, pinned and
 * mapped memory differ only in what is said about them.
 */
#include "runtime/api/runtime.h"

#include "runtime/api/allocations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PITCH_ALIGN = 512 };

/* Allocations that are not plain device memory, by address. */
static struct allocation_note *notes;

static void note_allocation(uint64_t address, enum allocation_kind kind, unsigned flags)
{
	struct allocation_note *note = xcalloc(1, sizeof *note);

	note->address = address;
	note->kind = kind;
	note->flags = flags;
	HASH_ADD(hh, notes, address, sizeof note->address, note);
}

struct allocation_note *allocation_note(uint64_t address)
{
	struct allocation_note *note;

	HASH_FIND(hh, notes, &address, sizeof address, note);
	return note;
}

static void forget_allocation(uint64_t address)
{
	struct allocation_note *note = allocation_note(address);

	if (note) {
		HASH_DEL(notes, note);
		free(note);
	}
}

cudaError_t memory_allocate(struct runtime *rt, void **ptr, size_t size, const char *call)
{
	char name[64];
	uint64_t address;
	cudaError_t error;

	if (!ptr)
		return cudaErrorInvalidValue;
	*ptr = NULL;
	if (!size)
		return cudaSuccess;
	snprintf(name, sizeof name, "%s#%llu", call, (unsigned long long)rt->allocations);
	error = status_error(rt, rt->ops->alloc(rt->device, size, name, &address));
	if (!error) {
		rt->allocations++;
		*ptr = (void *)(uintptr_t)address;
	}
	return error;
}

static cudaError_t allocate(void **ptr, size_t size, const char *call)
{
	struct runtime *rt = runtime_enter();

	return rt ? runtime_leave(memory_allocate(rt, ptr, size, call)) : runtime_failed();
}

/* An allocation of a special kind: what is noted about it comes back from cudaPointerGetAttributes. */
static cudaError_t allocate_special(void **ptr, size_t size, const char *call, enum allocation_kind kind,
				    unsigned flags)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = memory_allocate(rt, ptr, size, call);
	if (!error && *ptr) {
		note_allocation((uintptr_t)*ptr, kind, flags);
		if (kind == ALLOCATION_MANAGED)
			memset(*ptr, 0, size);
	}
	return runtime_leave(error);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
	return allocate(ptr, size, "cudaMalloc");
}

cudaError_t cudaFree(void *ptr)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error = cudaSuccess;

	if (!rt)
		return runtime_failed();
	if (ptr && rt->ops->release(rt->device, (uintptr_t)ptr))
		error = cudaErrorInvalidValue;
	else
		forget_allocation((uintptr_t)ptr);
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
	return allocate(ptr, *pitch * height, "cudaMallocPitch");
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
	if (!ptr)
		return runtime_remember(cudaErrorInvalidValue);
	*ptr = make_cudaPitchedPtr(NULL, pitch_of(extent.width), extent.width, extent.height);
	return allocate(&ptr->ptr, ptr->pitch * extent.height * extent.depth, "cudaMalloc3D");
}

cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
	if (!size)
		return runtime_remember(cudaErrorInvalidValue);
	return allocate_special(ptr, size, "cudaMallocManaged", ALLOCATION_MANAGED, flags);
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
	return allocate_special(ptr, size, "cudaHostAlloc", ALLOCATION_HOST, flags);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
	return allocate_special(ptr, size, "cudaMallocHost", ALLOCATION_HOST, cudaHostAllocDefault);
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

/* --- The host's own memory --------------------------------------------------------------------------------------- */

/* Registration only promises not to move pages; a kernel cannot reach such memory, see cudaHostGetDevicePointer. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error = ptr && size ? cudaSuccess : cudaErrorInvalidValue;

	if (!rt)
		return runtime_failed();
	if (!error && allocation_note((uintptr_t)ptr))
		error = cudaErrorHostMemoryAlreadyRegistered;
	if (!error)
		note_allocation((uintptr_t)ptr, ALLOCATION_REGISTERED, flags);
	return runtime_leave(error);
}

cudaError_t cudaHostUnregister(void *ptr)
{
	struct runtime *rt = runtime_enter();
	struct allocation_note *note;

	if (!rt)
		return runtime_failed();
	note = allocation_note((uintptr_t)ptr);
	if (!note || note->kind != ALLOCATION_REGISTERED)
		return runtime_leave(cudaErrorHostMemoryNotRegistered);
	forget_allocation((uintptr_t)ptr);
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
		error = allocation_note((uintptr_t)host) ? cudaErrorNotSupported : cudaErrorInvalidValue;
	return runtime_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
	struct runtime *rt = runtime_enter();
	struct allocation_note *note;

	if (!rt)
		return runtime_failed();
	note = allocation_note((uintptr_t)host);
	if (!note || !flags)
		return runtime_leave(cudaErrorInvalidValue);
	*flags = note->flags;
	return runtime_leave(cudaSuccess);
}

/* --- Questions and hints ----------------------------------------------------------------------------------------- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
	static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
						    cudaMemoryTypeHost};
	struct runtime *rt = runtime_enter();
	struct allocation_note *note;
	uint64_t base = (uintptr_t)ptr;
	size_t size;
	bool on_device;

	if (!rt)
		return runtime_failed();
	if (!attributes)
		return runtime_leave(cudaErrorInvalidValue);
	memset(attributes, 0, sizeof *attributes);
	on_device = rt->ops->find(rt->device, (uintptr_t)ptr, &base, &size);
	note = allocation_note(base);
	if (on_device || note) {
		attributes->type = types[note ? note->kind : ALLOCATION_DEVICE];
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
