/* Texture and surface objects. */
#include "runtime/api/textures/textures.h"

#include "runtime/api/textures/arrays.h"

#include <uthash.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A texture and a surface may have the same number. */
struct key {
	uint64_t handle, is_surface;
};

struct image_object {
	struct key key;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc texture; /* without its last member, which CUDA 11 does not have */
	UT_hash_handle hh;
};

static const size_t texture_desc_bytes = offsetof(struct cudaTextureDesc, seamlessCubemap);

/* --- Descriptors --- */

/* Channels have the same width, and there are 1, 2 or 4 of them. */
cudaError_t image_describe_format(struct device_image *image, const struct cudaChannelFormatDesc *f)
{
	const int bits[4] = {f->x, f->y, f->z, f->w};
	unsigned channels = 0;

	while (channels < 4 && bits[channels])
		channels++;
	for (unsigned i = 0; i < channels; i++)
		if (bits[i] != f->x)
			return cudaErrorInvalidChannelDescriptor;
	if (channels == 0 || channels == 3 || (f->x != 8 && f->x != 16 && f->x != 32))
		return cudaErrorInvalidChannelDescriptor;
	if ((unsigned)f->f > cudaChannelFormatKindFloat || (f->f == cudaChannelFormatKindFloat && f->x == 8))
		return cudaErrorInvalidChannelDescriptor;
	image->channels = (uint8_t)channels;
	image->channel_bytes = (uint8_t)(f->x / 8);
	image->format = f->f == cudaChannelFormatKindSigned  ? IMAGE_SIGNED
			: f->f == cudaChannelFormatKindFloat ? IMAGE_FLOAT
							     : IMAGE_UNSIGNED;
	return cudaSuccess;
}

static uint32_t at_least_one(size_t n)
{
	return n ? (uint32_t)n : 1;
}

static void describe_level(struct device_image *image, const struct cudaArray *array)
{
	bool layered = array->flags & (cudaArrayLayered | cudaArrayCubemap);

	image->layers = layered ? (uint32_t)array->extent.depth : 0;
	image->levels[image->nlevels++] =
	    (struct image_level){.address = array->address,
				 .pitch = array->pitch,
				 .slice = array->pitch * array->rows,
				 .width = (uint32_t)array->extent.width,
				 .height = at_least_one(array->extent.height),
				 .depth = layered ? 1 : at_least_one(array->extent.depth)};
}

static cudaError_t describe_linear(struct device_image *image, const struct cudaResourceDesc *resource)
{
	size_t bytes = resource->res.linear.sizeInBytes;
	cudaError_t error = image_describe_format(image, &resource->res.linear.desc);

	if (error)
		return error;
	if (!resource->res.linear.devPtr || bytes < (size_t)image->channels * image->channel_bytes)
		return cudaErrorInvalidValue;
	image->nlevels = 1;
	image->is_buffer = true;
	image->levels[0] = (struct image_level){.address = (uintptr_t)resource->res.linear.devPtr,
						.pitch = bytes,
						.slice = bytes,
						.width = (uint32_t)(bytes / image->channels / image->channel_bytes),
						.height = 1,
						.depth = 1};
	return cudaSuccess;
}

static cudaError_t describe_pitched(struct device_image *image, const struct cudaResourceDesc *resource)
{
	size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
	size_t pitch = resource->res.pitch2D.pitchInBytes;
	cudaError_t error = image_describe_format(image, &resource->res.pitch2D.desc);

	if (error)
		return error;
	if (!resource->res.pitch2D.devPtr || !width || !height ||
	    pitch < width * image->channels * image->channel_bytes)
		return cudaErrorInvalidValue;
	image->nlevels = 1;
	image->levels[0] = (struct image_level){.address = (uintptr_t)resource->res.pitch2D.devPtr,
						.pitch = pitch,
						.slice = pitch * height,
						.width = (uint32_t)width,
						.height = (uint32_t)height,
						.depth = 1};
	return cudaSuccess;
}

static cudaError_t describe_array(struct device_image *image, const struct cudaArray *array)
{
	if (!array_is(array))
		return cudaErrorInvalidResourceHandle;
	describe_level(image, array);
	return image_describe_format(image, &array->format);
}

static cudaError_t describe_mipmap(struct device_image *image, const struct cudaMipmappedArray *mipmap)
{
	if (!mipmap_is(mipmap))
		return cudaErrorInvalidResourceHandle;
	for (unsigned i = 0; i < mipmap->nlevels; i++)
		describe_level(image, mipmap->levels[i]);
	return image_describe_format(image, &mipmap->levels[0]->format);
}

static cudaError_t describe_resource(struct device_image *image, const struct cudaResourceDesc *resource)
{
	switch (resource->resType) {
	case cudaResourceTypeArray: return describe_array(image, resource->res.array.array);
	case cudaResourceTypeMipmappedArray: return describe_mipmap(image, resource->res.mipmap.mipmap);
	case cudaResourceTypeLinear: return describe_linear(image, resource);
	case cudaResourceTypePitch2D: return describe_pitched(image, resource);
	default: return cudaErrorInvalidValue;
	}
}

static cudaError_t describe_reading(struct device_image *image, const struct cudaTextureDesc *t)
{
	bool floats = image->format == IMAGE_FLOAT || t->readMode == cudaReadModeNormalizedFloat;

	for (int i = 0; i < 3; i++) {
		if ((unsigned)t->addressMode[i] > cudaAddressModeBorder)
			return cudaErrorInvalidValue;
		image->edge[i] = (enum image_edge)t->addressMode[i];
	}
	if (t->readMode == cudaReadModeNormalizedFloat && image->format != IMAGE_FLOAT && image->channel_bytes == 4)
		return cudaErrorInvalidNormSetting;
	if (t->filterMode == cudaFilterModeLinear && !floats)
		return cudaErrorInvalidFilterSetting;
	image->filters = t->filterMode == cudaFilterModeLinear;
	image->filters_levels = t->mipmapFilterMode == cudaFilterModeLinear;
	image->normalized_coordinates = t->normalizedCoords;
	image->normalized_values = t->readMode == cudaReadModeNormalizedFloat && image->format != IMAGE_FLOAT;
	image->srgb = t->sRGB;
	memcpy(image->border, t->borderColor, sizeof image->border);
	image->level_bias = t->mipmapLevelBias;
	image->least_level = t->minMipmapLevelClamp;
	image->most_level = t->maxMipmapLevelClamp;
	return cudaSuccess;
}

cudaError_t image_describe(struct device_image *image, const struct cudaResourceDesc *resource,
			   const struct cudaTextureDesc *texture)
{
	cudaError_t error;

	*image = (struct device_image){.is_surface = !texture};
	error = describe_resource(image, resource);
	return error || !texture ? error : describe_reading(image, texture);
}

/* --- Objects --- */

cudaError_t image_object_create(struct runtime *rt, const struct cudaResourceDesc *resource,
				const struct cudaTextureDesc *texture, uint64_t *handle)
{
	struct device_image image;
	struct image_object *object;
	cudaError_t error = image_describe(&image, resource, texture);

	if (error)
		return error;
	if (!rt->ops->image_create)
		return cudaErrorNotSupported;
	error = status_error(rt, rt->ops->image_create(rt->device, &image, handle));
	if (error)
		return error;
	object = xcalloc(1, sizeof *object);
	object->key = (struct key){*handle, !texture};
	object->resource = *resource;
	if (texture)
		memcpy(&object->texture, texture, texture_desc_bytes);
	HASH_ADD(hh, rt->images.objects, key, sizeof object->key, object);
	return cudaSuccess;
}

static struct image_object *find(const struct runtime *rt, uint64_t handle, bool is_surface)
{
	const struct key key = {handle, is_surface};
	struct image_object *object;

	HASH_FIND(hh, rt->images.objects, &key, sizeof key, object);
	return object;
}

static void destroy(struct runtime *rt, struct image_object *object)
{
	rt->ops->image_destroy(rt->device, object->key.handle, object->key.is_surface);
	HASH_DEL(rt->images.objects, object);
	free(object);
}

cudaError_t image_object_destroy(struct runtime *rt, uint64_t handle, bool is_surface)
{
	struct image_object *object = find(rt, handle, is_surface);

	if (!object)
		return cudaErrorInvalidValue;
	destroy(rt, object);
	return cudaSuccess;
}

void image_objects_release(struct runtime *rt)
{
	struct image_object *object, *next;

	HASH_ITER(hh, rt->images.objects, object, next) {
		destroy(rt, object);
	}
}

/* --- API --- */

static cudaError_t create(unsigned long long *handle, const struct cudaResourceDesc *resource,
			  const struct cudaTextureDesc *texture)
{
	ENTER(rt);
	uint64_t made = 0;
	cudaError_t error =
	    handle && resource ? image_object_create(rt, resource, texture, &made) : cudaErrorInvalidValue;

	if (!error)
		*handle = made;
	return runtime_leave(error);
}

static cudaError_t destroy_object(unsigned long long handle, bool is_surface)
{
	ENTER(rt);
	cudaError_t error = cudaSuccess;

	if (handle)
		error = image_object_destroy(rt, handle, is_surface);
	return runtime_leave(error);
}

/* Copies the descriptors that an object was made of to the caller's pointers. */
static cudaError_t describe(unsigned long long handle, bool is_surface, struct cudaResourceDesc *resource,
			    struct cudaTextureDesc *texture)
{
	struct runtime *rt = runtime_lock();
	const struct image_object *object;
	cudaError_t error = cudaErrorInvalidValue;

	object = find(rt, handle, is_surface);
	if (object && resource) {
		*resource = object->resource;
		error = cudaSuccess;
	}
	if (object && texture) {
		memcpy(texture, &object->texture, texture_desc_bytes);
		error = cudaSuccess;
	}
	runtime_unlock();
	return runtime_remember(error);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
	if (view && view->format != cudaResViewFormatNone)
		return runtime_remember(cudaErrorNotSupported);
	if (!texture)
		return runtime_remember(cudaErrorInvalidValue);
	return create(object, resource, texture);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	return destroy_object(object, false);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t object)
{
	return describe(object, false, desc, NULL);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t object)
{
	return describe(object, false, NULL, desc);
}

/* No object here has a view, and CUDA makes it an error to look for one. */
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *resViewDesc,
						 cudaTextureObject_t texObject)
{
	(void)resViewDesc, (void)texObject;
	return runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
	if (resource && resource->resType != cudaResourceTypeArray)
		return runtime_remember(cudaErrorInvalidValue);
	return create(object, resource, NULL);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	return destroy_object(object, true);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc, cudaSurfaceObject_t object)
{
	return describe(object, true, desc, NULL);
}
