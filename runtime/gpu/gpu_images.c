/*
 * The GPU device's arrays, textures and surfaces. Where an array's texels lie is the driver's secret: each level gets
 * addresses of its own, reserved and never touched, and copies from or to them go to the array.
 */
#include "runtime/gpu/gpu_device.h"

#include <string.h>
#include <sys/mman.h>

/* --- Addresses --- */

static struct gpu_array *array_at(struct device *dev, uint64_t address)
{
	for (size_t i = 0; i < dev->arrays.len; i++)
		if (address - dev->arrays.data[i].address < dev->arrays.data[i].bytes)
			return &dev->arrays.data[i];
	return NULL;
}

bool gpu_is_array(struct device *dev, uint64_t address)
{
	return array_at(dev, address) != NULL;
}

/* --- Arrays --- */

static CUarray_format format_of(const struct device_image *image)
{
	static const CUarray_format formats[][5] = {
	    [IMAGE_UNSIGNED] = {[1] = CU_AD_FORMAT_UNSIGNED_INT8,
				[2] = CU_AD_FORMAT_UNSIGNED_INT16,
				[4] = CU_AD_FORMAT_UNSIGNED_INT32},
	    [IMAGE_SIGNED] =
		{[1] = CU_AD_FORMAT_SIGNED_INT8, [2] = CU_AD_FORMAT_SIGNED_INT16, [4] = CU_AD_FORMAT_SIGNED_INT32},
	    [IMAGE_FLOAT] = {[2] = CU_AD_FORMAT_HALF, [4] = CU_AD_FORMAT_FLOAT},
	};

	return formats[image->format][image->channel_bytes];
}

static void release_levels(struct device *dev, size_t first)
{
	for (size_t i = first; i < dev->arrays.len; i++)
		munmap((void *)(uintptr_t)dev->arrays.data[i].address, dev->arrays.data[i].bytes);
	dev->arrays.len = first;
}

static CUresult add_level(struct device *dev, struct gpu_array array, struct image_level *level)
{
	void *reserved;

	array.pitch = level->pitch;
	array.slice = level->slice;
	array.bytes = level->slice * level->depth;
	reserved = mmap(NULL, array.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (reserved == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	array.address = level->address = (uintptr_t)reserved;
	vec_push(&dev->arrays, array);
	return CUDA_SUCCESS;
}

static CUresult make_array(struct device *dev, struct device_image *image, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	struct gpu_array array = {.handle = NULL};
	CUresult result = dev->lib.cuArray3DCreate_v2(&array.handle, d);

	if (result != CUDA_SUCCESS)
		return result;
	result = add_level(dev, array, &image->levels[0]);
	if (result != CUDA_SUCCESS)
		dev->lib.cuArrayDestroy(array.handle);
	return result;
}

static CUresult make_mipmap(struct device *dev, struct device_image *image, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	struct gpu_array array = {.handle = NULL};
	size_t first = dev->arrays.len;
	CUresult result = dev->lib.cuMipmappedArrayCreate(&array.mipmap, d, image->nlevels);

	if (result != CUDA_SUCCESS)
		return result;
	for (unsigned i = 0; i < image->nlevels && result == CUDA_SUCCESS; i++) {
		result = dev->lib.cuMipmappedArrayGetLevel(&array.handle, array.mipmap, i);
		if (result == CUDA_SUCCESS)
			result = add_level(dev, array, &image->levels[i]);
	}
	if (result != CUDA_SUCCESS) {
		release_levels(dev, first);
		dev->lib.cuMipmappedArrayDestroy(array.mipmap);
	}
	return result;
}

enum device_status gpu_image_alloc(struct device *dev, struct device_image *image, const uint32_t extent[3],
				   unsigned flags)
{
	GPU_CONTEXT(dev);
	const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = extent[0],
					   .Height = extent[1],
					   .Depth = extent[2],
					   .Format = format_of(image),
					   .NumChannels = image->channels,
					   .Flags = flags};

	return gpu_status(dev, image->nlevels > 1 ? make_mipmap(dev, image, &d) : make_array(dev, image, &d), "array",
			  NULL);
}

static bool has_levels(const struct device *dev, CUmipmappedArray mipmap)
{
	for (size_t i = 0; i < dev->arrays.len; i++)
		if (dev->arrays.data[i].mipmap == mipmap)
			return true;
	return false;
}

/* A mipmap goes with the last of its levels. */
CUresult gpu_array_release(struct device *dev, uint64_t address)
{
	struct gpu_array *at = array_at(dev, address), array;

	if (!at || at->address != address)
		return CUDA_ERROR_NOT_FOUND;
	array = *at;
	munmap((void *)(uintptr_t)array.address, array.bytes);
	*at = dev->arrays.data[--dev->arrays.len];
	if (!array.mipmap)
		return dev->lib.cuArrayDestroy(array.handle);
	return has_levels(dev, array.mipmap) ? CUDA_SUCCESS : dev->lib.cuMipmappedArrayDestroy(array.mipmap);
}

void gpu_images_forget(struct device *dev)
{
	release_levels(dev, 0);
	dev->images.len = 0;
}

/* --- Copies: a row of an array, or a part of one --- */

struct gpu_place {
	const struct gpu_array *array; /* NULL: memory at `address` */
	uint64_t address;
	size_t x, y, z; /* x in bytes */
};

static struct gpu_place place_of(struct device *dev, uint64_t address)
{
	struct gpu_place p = {.array = array_at(dev, address), .address = address};
	uint64_t offset;

	if (!p.array)
		return p;
	offset = address - p.array->address;
	p.x = offset % p.array->slice % p.array->pitch;
	p.y = offset % p.array->slice / p.array->pitch;
	p.z = offset / p.array->slice;
	return p;
}

CUresult gpu_array_copy(struct device *dev, uint64_t to, uint64_t from, size_t size)
{
	const struct gpu_place t = place_of(dev, to), f = place_of(dev, from);
	CUDA_MEMCPY3D copy = {.srcXInBytes = f.x,
			      .srcY = f.y,
			      .srcZ = f.z,
			      .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .srcPitch = size,
			      .srcHeight = 1,
			      .dstXInBytes = t.x,
			      .dstY = t.y,
			      .dstZ = t.z,
			      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .dstPitch = size,
			      .dstHeight = 1,
			      .WidthInBytes = size,
			      .Height = 1,
			      .Depth = 1};

	if (f.array) {
		copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
		copy.srcArray = f.array->handle;
	} else {
		copy.srcDevice = from;
	}
	if (t.array) {
		copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
		copy.dstArray = t.array->handle;
	} else {
		copy.dstDevice = to;
	}
	return dev->lib.cuMemcpy3D_v2(&copy);
}

/* --- Textures and surfaces --- */

static CUDA_RESOURCE_DESC resource_of(struct device *dev, const struct device_image *image)
{
	const struct image_level *level = &image->levels[0];
	const struct gpu_array *array = array_at(dev, level->address);
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
		r.res.linear.format = format_of(image);
		r.res.linear.numChannels = image->channels;
		r.res.linear.sizeInBytes = level->pitch;
	} else {
		r.resType = CU_RESOURCE_TYPE_PITCH2D;
		r.res.pitch2D.devPtr = level->address;
		r.res.pitch2D.format = format_of(image);
		r.res.pitch2D.numChannels = image->channels;
		r.res.pitch2D.width = level->width;
		r.res.pitch2D.height = level->height;
		r.res.pitch2D.pitchInBytes = level->pitch;
	}
	return r;
}

/* Modes have CUDA's numbers; the driver reads integers as fractions unless told otherwise. */
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
	const struct gpu_array *array = array_at(dev, image->levels[0].address);
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
	return DEVICE_OK;
}

enum device_status gpu_image_destroy(struct device *dev, uint64_t handle, bool is_surface)
{
	GPU_CONTEXT(dev);
	CUresult result = is_surface ? dev->lib.cuSurfObjectDestroy(handle) : dev->lib.cuTexObjectDestroy(handle);

	for (size_t i = 0; i < dev->images.len; i++)
		if (dev->images.data[i].handle == handle && dev->images.data[i].is_surface == is_surface) {
			dev->images.data[i] = dev->images.data[--dev->images.len];
			break;
		}
	return gpu_status(dev, result, "image", NULL);
}

/* A texture and a surface may have the same number: then it is not known which of them is meant. */
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
