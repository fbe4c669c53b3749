/*
 * The GPU device's arrays. Where an array's texels lie is libcuda's secret: each level gets addresses of its own,
 * reserved and never touched, and copies from or to them go to the array.
 */
#include "runtime/gpu/gpu_device.h"

#include <sys/mman.h>

/* --- Addresses --- */

struct gpu_array *gpu_array_at(struct device *dev, uint64_t address)
{
	for (size_t i = 0; i < dev->arrays.len; i++)
		if (address - dev->arrays.data[i].address < dev->arrays.data[i].bytes)
			return &dev->arrays.data[i];
	return NULL;
}

/* --- Arrays --- */

CUarray_format gpu_format(const struct device_image *image)
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
					   .Format = gpu_format(image),
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
	struct gpu_array *at = gpu_array_at(dev, address), array;

	if (!at || at->address != address)
		return CUDA_ERROR_NOT_FOUND;
	array = *at;
	munmap((void *)(uintptr_t)array.address, array.bytes);
	*at = dev->arrays.data[--dev->arrays.len];
	if (!array.mipmap)
		return dev->lib.cuArrayDestroy(array.handle);
	return has_levels(dev, array.mipmap) ? CUDA_SUCCESS : dev->lib.cuMipmappedArrayDestroy(array.mipmap);
}

void gpu_arrays_forget(struct device *dev)
{
	release_levels(dev, 0);
}

/* --- Copies: part of a row of an array at a time --- */

struct gpu_place {
	const struct gpu_array *array; /* NULL: memory at `address` */
	uint64_t address;
	size_t x, y, z; /* x in bytes */
};

static struct gpu_place place_of(struct device *dev, uint64_t address)
{
	struct gpu_place p = {.array = gpu_array_at(dev, address), .address = address};
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
