/*
 * Driver API: texture and surface references of a module. Each is an 8-byte variable of the module that holds the
 * handle of an object; the object is made anew when something of the reference is set.
 */
#include "runtime/api/driver/driver.h"

#include "runtime/api/textures/arrays.h"
#include "runtime/api/textures/textures.h"

#include <stdlib.h>
#include <string.h>

struct CUtexref_st {
	struct CUtexref_st *next;
	struct api_module *module;
	char *name;
	bool is_surface, bound;
	struct cudaResourceDesc resource;
	CUDA_TEXTURE_DESC reading;
	struct cudaChannelFormatDesc format; /* of memory; arrays have their own */
	uint64_t handle;
};

/* --- The object behind a reference --- */

static cudaError_t point_to(struct runtime *rt, struct CUtexref_st *r, uint64_t handle)
{
	uint64_t address;
	size_t size;
	cudaError_t error = api_module_variable(rt, r->module, r->name, &address, &size);

	if (!error)
		error = status_error(rt, rt->ops->copy(rt->device, address, (uintptr_t)&handle, sizeof handle));
	if (!error && r->handle)
		image_object_destroy(rt, r->handle, r->is_surface);
	if (!error)
		r->handle = handle;
	return error;
}

static void put_format(struct CUtexref_st *r)
{
	if (r->resource.resType == cudaResourceTypeLinear)
		r->resource.res.linear.desc = r->format;
	else if (r->resource.resType == cudaResourceTypePitch2D)
		r->resource.res.pitch2D.desc = r->format;
}

static bool is_reference(CUtexref r)
{
	return handle_is(HANDLE_REFERENCE, r);
}

static CUresult renew(struct CUtexref_st *r)
{
	struct cudaTextureDesc texture;
	uint64_t handle = 0;
	cudaError_t error;

	if (!r->bound)
		return CUDA_SUCCESS;
	if (r->resource.resType == cudaResourceTypeArray && !array_is(r->resource.res.array.array))
		return CUDA_ERROR_INVALID_HANDLE;
	DRIVER_ENTER(rt);
	put_format(r);
	texture = driver_texture(&r->reading, &r->resource);
	error = image_object_create(rt, &r->resource, r->is_surface ? NULL : &texture, &handle);
	if (!error) {
		error = point_to(rt, r, handle);
		if (error)
			image_object_destroy(rt, handle, r->is_surface);
	}
	return driver_result(runtime_leave(error));
}

static CUresult bind(struct CUtexref_st *r, const struct cudaResourceDesc *resource)
{
	r->resource = *resource;
	r->bound = true;
	return renew(r);
}

/* --- References of a module --- */

static struct CUtexref_st *add_reference(struct runtime *rt, struct api_module *module, const char *name,
					 bool is_surface)
{
	struct CUtexref_st *r = handle_new(HANDLE_REFERENCE, sizeof *r);

	r->module = module;
	r->name = xstrdup(name);
	r->is_surface = is_surface;
	r->format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	r->reading.maxMipmapLevelClamp = IMAGE_LEVELS;
	r->next = rt->driver.references;
	rt->driver.references = r;
	return r;
}

/* An error unless the module has a variable of this name. */
static cudaError_t find_reference(struct runtime *rt, struct CUtexref_st **out, struct api_module *module,
				  const char *name, bool is_surface)
{
	uint64_t address;
	size_t size;
	cudaError_t error = api_module_variable(rt, module, name, &address, &size);

	if (error)
		return error;
	for (struct CUtexref_st *r = rt->driver.references; r; r = r->next)
		if (r->module == module && r->is_surface == is_surface && strcmp(r->name, name) == 0)
			return *out = r, cudaSuccess;
	*out = add_reference(rt, module, name, is_surface);
	return cudaSuccess;
}

static CUresult reference(struct CUtexref_st **out, CUmodule module, const char *name, bool is_surface)
{
	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	DRIVER_ENTER(rt);
	return driver_result(runtime_leave(find_reference(rt, out, (struct api_module *)module, name, is_surface)));
}

void driver_references_release(struct runtime *rt)
{
	for (struct CUtexref_st *r = rt->driver.references; r; r = r->next)
		r->handle = 0;
}

void driver_references_forget(struct runtime *rt, const struct api_module *module)
{
	for (struct CUtexref_st **at = &rt->driver.references; *at;) {
		struct CUtexref_st *r = *at;

		if (r->module != module) {
			at = &r->next;
			continue;
		}
		*at = r->next;
		if (r->handle)
			image_object_destroy(rt, r->handle, r->is_surface);
		free(r->name);
		handle_free(r);
	}
}

CUresult cuModuleGetTexRef(CUtexref *reference_, CUmodule module, const char *name)
{
	return reference(reference_, module, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref *reference_, CUmodule module, const char *name)
{
	return reference((struct CUtexref_st **)reference_, module, name, true);
}

/* --- Binding to memory --- */

CUresult cuTexRefSetArray(CUtexref r, CUarray array, unsigned int flags)
{
	const struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray,
						  .res.array.array = (cudaArray_t)array};

	(void)flags;
	if (!is_reference(r) || !array_is((cudaArray_t)array))
		return CUDA_ERROR_INVALID_HANDLE;
	return bind(r, &resource);
}

/* Any alignment will do, so that offsets are always 0. */
CUresult cuTexRefSetAddress(size_t *offset, CUtexref r, CUdeviceptr address, size_t bytes)
{
	const struct cudaResourceDesc resource = {
	    .resType = cudaResourceTypeLinear,
	    .res.linear = {.devPtr = (void *)(uintptr_t)address, .sizeInBytes = bytes}};

	if (offset)
		*offset = 0;
	return is_reference(r) ? bind(r, &resource) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuTexRefSetAddress2D(CUtexref r, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address, size_t pitch)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};

	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!d || !driver_channels(d->Format, d->NumChannels, &r->format))
		return CUDA_ERROR_INVALID_VALUE;
	resource.res.pitch2D.devPtr = (void *)(uintptr_t)address;
	resource.res.pitch2D.width = d->Width;
	resource.res.pitch2D.height = d->Height;
	resource.res.pitch2D.pitchInBytes = pitch;
	return bind(r, &resource);
}

CUresult cuSurfRefSetArray(CUsurfref r, CUarray array, unsigned int flags)
{
	return flags ? CUDA_ERROR_INVALID_VALUE : cuTexRefSetArray((CUtexref)r, array, 0);
}

/* --- Addressing and filters --- */

CUresult cuTexRefSetFormat(CUtexref r, CUarray_format format, int channels)
{
	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	if (channels < 1 || !driver_channels(format, (unsigned)channels, &r->format))
		return CUDA_ERROR_INVALID_VALUE;
	return renew(r);
}

CUresult cuTexRefSetAddressMode(CUtexref r, int dimension, CUaddress_mode mode)
{
	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	if (dimension < 0 || dimension > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
		return CUDA_ERROR_INVALID_VALUE;
	r->reading.addressMode[dimension] = mode;
	return renew(r);
}

CUresult cuTexRefSetFilterMode(CUtexref r, CUfilter_mode mode)
{
	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
		return CUDA_ERROR_INVALID_VALUE;
	r->reading.filterMode = mode;
	return renew(r);
}

CUresult cuTexRefSetFlags(CUtexref r, unsigned int flags)
{
	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	r->reading.flags = flags;
	return renew(r);
}

CUresult cuTexRefSetBorderColor(CUtexref r, float *color)
{
	if (!is_reference(r))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!color)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(r->reading.borderColor, color, sizeof r->reading.borderColor);
	return renew(r);
}

/* A kernel finds its references by name. */
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref r)
{
	(void)unit;
	return driver_kernel(function) && is_reference(r) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
