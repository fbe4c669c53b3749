/* The GPU device's textures and surfaces: objects of libcuda over memory, arrays and mipmaps. */
#include "runtime/gpu/gpu_device.h"

#include <string.h>

static CUDA_RESOURCE_DESC resource_of(struct device *dev, const struct device_image *image)
{
	const struct image_level *level = &image->levels[0];
	const struct gpu_array *array = gpu_array_at(dev, level->address);
	CUDA_RESOURCE_DESC r = {.flags = 0};

	if (array && image->nlevels > 1) {
		r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
		r.res.mipmap.hMipmappedArray = array->mipmap;
	} else if (array) {
		r.resType = CU_RESOURCE_TYPE_ARRAY;
		r.res.array.hArray = array->handle;
	} else if (image->is_buffer) {
		r.resType = CU_RESOURCE_TYPE_LINEAR;
		r.res.linear.devPtr = level->address;
		r.res.linear.format = gpu_format(image);
		r.res.linear.numChannels = image->channels;
		r.res.linear.sizeInBytes = level->pitch;
	} else {
		r.resType = CU_RESOURCE_TYPE_PITCH2D;
		r.res.pitch2D.devPtr = level->address;
		r.res.pitch2D.format = gpu_format(image);
		r.res.pitch2D.numChannels = image->channels;
		r.res.pitch2D.width = level->width;
		r.res.pitch2D.height = level->height;
		r.res.pitch2D.pitchInBytes = level->pitch;
	}
	return r;
}

/* Modes have CUDA's numbers; libcuda reads integers as fractions unless told otherwise. */
static CUDA_TEXTURE_DESC reading_of(const struct device_image *image)
{
	CUDA_TEXTURE_DESC t = {.filterMode = image->filters,
			       .mipmapFilterMode = image->filters_levels,
			       .mipmapLevelBias = image->level_bias,
			       .minMipmapLevelClamp = image->least_level,
			       .maxMipmapLevelClamp = image->most_level};

	for (int i = 0; i < 3; i++)
		t.addressMode[i] = image->edge[i];
	memcpy(t.borderColor, image->border, sizeof t.borderColor);
	if (image->format != IMAGE_FLOAT && !image->normalized_values)
		t.flags |= CU_TRSF_READ_AS_INTEGER;
	if (image->normalized_coordinates)
		t.flags |= CU_TRSF_NORMALIZED_COORDINATES;
	if (image->srgb)
		t.flags |= CU_TRSF_SRGB;
	return t;
}

/* The memory that guards compare: the allocation, or an array's own addresses. Levels are in none. */
static void find_memory(struct device *dev, const struct device_image *image, struct gpu_image *added)
{
	const struct gpu_array *array = gpu_array_at(dev, image->levels[0].address);
	const struct gpu_allocation *a = gpu_allocation(dev, image->levels[0].address);

	if (array && image->nlevels == 1) {
		added->base = array->address;
		added->size = array->bytes;
	} else if (a) {
		added->base = a->address;
		added->size = a->size;
	}
}

enum device_status gpu_image_create(struct device *dev, const struct device_image *image, uint64_t *handle)
{
	GPU_CONTEXT(dev);
	const CUDA_RESOURCE_DESC resource = resource_of(dev, image);
	const CUDA_TEXTURE_DESC texture = reading_of(image);
	struct gpu_image added = {.is_surface = image->is_surface};
	unsigned long long made = 0;
	CUresult result = image->is_surface ? dev->lib.cuSurfObjectCreate(&made, &resource)
					    : dev->lib.cuTexObjectCreate(&made, &resource, &texture, NULL);

	if (result != CUDA_SUCCESS)
		return gpu_status(dev, result, "image", NULL);
	*handle = added.handle = made;
	find_memory(dev, image, &added);
	vec_push(&dev->images, added);
	dev->changes++;
	return DEVICE_OK;
}

enum device_status gpu_image_destroy(struct device *dev, uint64_t handle, bool is_surface)
{
	GPU_CONTEXT(dev);
	CUresult result = is_surface ? dev->lib.cuSurfObjectDestroy(handle) : dev->lib.cuTexObjectDestroy(handle);

	dev->changes++;
	for (size_t i = 0; i < dev->images.len; i++)
		if (dev->images.data[i].handle == handle && dev->images.data[i].is_surface == is_surface) {
			dev->images.data[i] = dev->images.data[--dev->images.len];
			break;
		}
	return gpu_status(dev, result, "image", NULL);
}

/*
 * The memory behind a handle. A texture and a surface may have the same number; then it is unclear which is meant, and
 * the result is false.
 */
bool gpu_image_find(const struct device *dev, uint64_t handle, uint64_t *base, size_t *size)
{
	const struct gpu_image *found = NULL;

	for (size_t i = 0; i < dev->images.len; i++) {
		if (dev->images.data[i].handle != handle)
			continue;
		if (found)
			return false;
		found = &dev->images.data[i];
	}
	if (!found || !found->size)
		return false;
	*base = found->base;
	*size = found->size;
	return true;
}

void gpu_images_forget(struct device *dev)
{
	dev->images.len = 0;
	dev->changes++;
	gpu_arrays_forget(dev);
}
