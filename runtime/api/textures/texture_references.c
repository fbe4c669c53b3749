/*
 * Texture and surface references: variables of the program that the host binds to memory. On the device each is an
 * 8-byte variable that holds the handle of an object made by the binding. A binding takes any alignment, so that
 * offsets are always 0.
 */
#include "runtime/api/textures/textures.h"

#include "runtime/api/textures/arrays.h"
#include "runtime/api/cudart/registration.h"

#include <uthash.h>

#include <stdlib.h>

struct image_reference {
	const void *host; /* textureReference or surfaceReference */
	bool is_surface, normalized_values;
	uint64_t handle; /* 0: not bound */
	UT_hash_handle hh;
};

/* --- Registration, called by the program's start-up code --- */

static void register_reference(void **module, const void *host, const char *name, bool is_surface, bool normalized)
{
	struct image_reference *r = xcalloc(1, sizeof *r);
	struct runtime *rt;

	r->host = host;
	r->is_surface = is_surface;
	r->normalized_values = normalized;
	rt = runtime_lock();
	HASH_ADD_PTR(rt->images.references, host, r);
	runtime_unlock();
	__cudaRegisterVar(module, (char *)(uintptr_t)host, NULL, name, 0, sizeof r->handle, 0, 0);
}

void __cudaRegisterTexture(void **module, const struct textureReference *host, const void **device, const char *name,
			   int dimensions, int normalized, int external)
{
	(void)device, (void)dimensions, (void)external;
	register_reference(module, host, name, false, normalized);
}

void __cudaRegisterSurface(void **module, const struct surfaceReference *host, const void **device, const char *name,
			   int dimensions, int external)
{
	(void)device, (void)dimensions, (void)external;
	register_reference(module, host, name, true, false);
}

/* --- Binding --- */

static struct image_reference *find(const struct runtime *rt, const void *host, bool is_surface)
{
	struct image_reference *r;

	HASH_FIND_PTR(rt->images.references, &host, r);
	return r && r->is_surface == is_surface ? r : NULL;
}

static cudaError_t point_to(struct runtime *rt, struct image_reference *r, uint64_t handle)
{
	uint64_t address;
	size_t size;
	cudaError_t error = api_variable_find(rt, r->host, &address, &size);

	if (!error)
		error = status_error(rt, rt->ops->copy(rt->device, address, (uintptr_t)&handle, sizeof handle));
	if (error)
		return error;
	if (r->handle)
		image_object_destroy(rt, r->handle, r->is_surface);
	r->handle = handle;
	return cudaSuccess;
}

/* The descriptor of a texture object that reads as the reference does. */
static struct cudaTextureDesc description_of(const struct image_reference *r, const struct textureReference *t)
{
	return (struct cudaTextureDesc){.addressMode = {t->addressMode[0], t->addressMode[1], t->addressMode[2]},
					.filterMode = t->filterMode,
					.readMode = r->normalized_values ? cudaReadModeNormalizedFloat
									 : cudaReadModeElementType,
					.sRGB = t->sRGB,
					.normalizedCoords = t->normalized,
					.maxAnisotropy = t->maxAnisotropy,
					.mipmapFilterMode = t->mipmapFilterMode,
					.mipmapLevelBias = t->mipmapLevelBias,
					.minMipmapLevelClamp = t->minMipmapLevelClamp,
					.maxMipmapLevelClamp = t->maxMipmapLevelClamp};
}

static cudaError_t bind(const void *host, bool is_surface, const struct cudaResourceDesc *resource)
{
	ENTER(rt);
	struct cudaTextureDesc texture;
	struct image_reference *r;
	uint64_t handle = 0;
	cudaError_t error;

	r = find(rt, host, is_surface);
	if (!r)
		return runtime_leave(is_surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture);
	if (!is_surface)
		texture = description_of(r, host);
	error = image_object_create(rt, resource, is_surface ? NULL : &texture, &handle);
	if (!error) {
		error = point_to(rt, r, handle);
		if (error)
			image_object_destroy(rt, handle, is_surface);
	}
	return runtime_leave(error);
}

void image_references_release(struct runtime *rt)
{
	for (struct image_reference *r = rt->images.references; r; r = r->hh.next)
		r->handle = 0;
}

/* --- API --- */

/* A size that goes beyond the allocation, as the default does, ends with it. */
static size_t limited(const void *ptr, size_t size)
{
	struct runtime *rt = runtime_enter();
	uint64_t base = 0;
	size_t bytes = 0;

	if (!rt)
		return size;
	if (rt->ops->find(rt->device, (uintptr_t)ptr, &base, &bytes) && size > base + bytes - (uintptr_t)ptr)
		size = base + bytes - (uintptr_t)ptr;
	runtime_leave(cudaSuccess);
	return size;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *ptr,
			    const struct cudaChannelFormatDesc *desc, size_t size)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};

	if (!ptr || !desc)
		return runtime_remember(cudaErrorInvalidValue);
	resource.res.linear.devPtr = (void *)(uintptr_t)ptr;
	resource.res.linear.desc = *desc;
	resource.res.linear.sizeInBytes = limited(ptr, size);
	if (offset)
		*offset = 0;
	return bind(reference, false, &resource);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *ptr,
			      const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};

	if (!ptr || !desc)
		return runtime_remember(cudaErrorInvalidValue);
	resource.res.pitch2D.devPtr = (void *)(uintptr_t)ptr;
	resource.res.pitch2D.desc = *desc;
	resource.res.pitch2D.width = width;
	resource.res.pitch2D.height = height;
	resource.res.pitch2D.pitchInBytes = pitch;
	if (offset)
		*offset = 0;
	return bind(reference, false, &resource);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *desc)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};

	(void)desc;
	resource.res.array.array = (cudaArray_t)(uintptr_t)array;
	return bind(reference, false, &resource);
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *reference, cudaMipmappedArray_const_t mipmap,
					    const struct cudaChannelFormatDesc *desc)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeMipmappedArray};

	(void)desc;
	resource.res.mipmap.mipmap = (cudaMipmappedArray_t)(uintptr_t)mipmap;
	return bind(reference, false, &resource);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *reference, cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *desc)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};

	(void)desc;
	resource.res.array.array = (cudaArray_t)(uintptr_t)array;
	return bind(reference, true, &resource);
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
	ENTER(rt);
	struct image_reference *r = find(rt, reference, false);

	if (!r)
		return runtime_leave(cudaErrorInvalidTexture);
	return runtime_leave(r->handle ? point_to(rt, r, 0) : cudaSuccess);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
	struct runtime *rt = runtime_lock();
	const struct image_reference *r = find(rt, reference, false);

	runtime_unlock();
	if (!offset || !r)
		return runtime_remember(offset ? cudaErrorInvalidTexture : cudaErrorInvalidValue);
	*offset = 0;
	return runtime_remember(r->handle ? cudaSuccess : cudaErrorInvalidTextureBinding);
}

cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol)
{
	struct runtime *rt = runtime_lock();
	const struct image_reference *r = find(rt, symbol, false);

	runtime_unlock();
	if (!reference || !r)
		return runtime_remember(cudaErrorInvalidTexture);
	*reference = r->host;
	return cudaSuccess;
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **reference, const void *symbol)
{
	struct runtime *rt = runtime_lock();
	const struct image_reference *r = find(rt, symbol, true);

	runtime_unlock();
	if (!reference || !r)
		return runtime_remember(cudaErrorInvalidSurface);
	*reference = r->host;
	return cudaSuccess;
}
