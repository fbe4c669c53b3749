/*
 * The mock driver's arrays, textures and surfaces. Texels lie in rows of the CPU device's memory, at no address that a
 * program knows; It refuses what hardware would: unaligned memory, and formats that it cannot read.
 */
#include "tests/runtime/gpu/mock_driver.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* A level of a mipmap, or an array with a single level. */
struct CUarray_st {
	struct CUarray_st *next;
	struct CUmipmappedArray_st *mipmap; /* it is a level of, or NULL */
	CUDA_ARRAY3D_DESCRIPTOR shape;
	size_t element;
	struct image_level level;
};

struct CUmipmappedArray_st {
	unsigned nlevels;
	struct CUarray_st *levels[IMAGE_LEVELS];
};

enum { LAYERED = 1, SURFACE = 2, CUBE = 4, ROW_ALIGN = 64, TEXTURE_ALIGN = 512, PITCH_ALIGN = 32 };

static struct CUarray_st *arrays;

/* clang-format off */
static const struct {
	CUarray_format format;
	unsigned bytes;
	enum image_format as;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 1, IMAGE_UNSIGNED}, {CU_AD_FORMAT_UNSIGNED_INT16, 2, IMAGE_UNSIGNED},
    {CU_AD_FORMAT_UNSIGNED_INT32, 4, IMAGE_UNSIGNED}, {CU_AD_FORMAT_SIGNED_INT8, 1, IMAGE_SIGNED},
    {CU_AD_FORMAT_SIGNED_INT16, 2, IMAGE_SIGNED},     {CU_AD_FORMAT_SIGNED_INT32, 4, IMAGE_SIGNED},
    {CU_AD_FORMAT_HALF, 2, IMAGE_FLOAT},              {CU_AD_FORMAT_FLOAT, 4, IMAGE_FLOAT},
};
/* clang-format on */

static bool put_format(struct device_image *image, CUarray_format format, unsigned channels)
{
	if (channels != 1 && channels != 2 && channels != 4)
		return false;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].format == format) {
			image->channels = (uint8_t)channels;
			image->channel_bytes = (uint8_t)formats[i].bytes;
			image->format = formats[i].as;
			return true;
		}
	return false;
}

/* --- Arrays --- */

static size_t at_least_one(size_t n)
{
	return n ? n : 1;
}

static CUresult make(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d, struct CUmipmappedArray_st *mipmap)
{
	struct device_image image = {.channels = 0};
	struct CUarray_st *made;
	struct image_level *l;
	uint64_t address;

	if (!d->Width || d->Flags > 0xf || !put_format(&image, d->Format, d->NumChannels))
		return CUDA_ERROR_INVALID_VALUE;
	made = xcalloc(1, sizeof *made);
	made->shape = *d;
	made->mipmap = mipmap;
	made->element = (size_t)image.channels * image.channel_bytes;
	l = &made->level;
	*l = (struct image_level){.width = (uint32_t)d->Width,
				  .height = (uint32_t)at_least_one(d->Height),
				  .depth = (uint32_t)at_least_one(d->Depth)};
	l->pitch = (d->Width * made->element + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
	l->slice = l->pitch * l->height;
	if (cpu_device_ops.alloc(mock.cpu, l->slice * l->depth, "array", &address) != DEVICE_OK) {
		free(made);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	l->address = address;
	made->next = arrays;
	*array = arrays = made;
	return CUDA_SUCCESS;
}

static CUresult unmake(CUarray array)
{
	for (struct CUarray_st **at = &arrays; *at; at = &(*at)->next)
		if (*at == array) {
			*at = array->next;
			cpu_device_ops.release(mock.cpu, array->level.address);
			free(array);
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_INVALID_HANDLE;
}

void mock_images_forget(void)
{
	while (arrays)
		unmake(arrays);
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
	MOCK_ENTER();
	return make(array, descriptor, NULL);
}

/* Pending work may still use it; a level goes with its mipmap. */
CUresult cuArrayDestroy(CUarray array)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	if (result)
		return result;
	return array && !array->mipmap ? unmake(array) : CUDA_ERROR_INVALID_HANDLE;
}

static size_t halved(size_t n, unsigned times)
{
	return n && n >> times == 0 ? 1 : n >> times;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	CUresult result = CUDA_SUCCESS;
	MOCK_ENTER();
	if (!levels || levels > IMAGE_LEVELS)
		return CUDA_ERROR_INVALID_VALUE;
	*mipmap = xcalloc(1, sizeof **mipmap);
	for (unsigned i = 0; i < levels && result == CUDA_SUCCESS; i++) {
		CUDA_ARRAY3D_DESCRIPTOR level = *d;

		level.Width = halved(d->Width, i);
		level.Height = halved(d->Height, i);
		level.Depth = d->Flags & (LAYERED | CUBE) ? d->Depth : halved(d->Depth, i);
		result = make(&(*mipmap)->levels[i], &level, *mipmap);
		(*mipmap)->nlevels += result == CUDA_SUCCESS;
	}
	return result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmap, unsigned number)
{
	MOCK_ENTER();
	if (number >= mipmap->nlevels)
		return CUDA_ERROR_INVALID_VALUE;
	*level = mipmap->levels[number];
	return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	for (unsigned i = 0; i < mipmap->nlevels && !result; i++)
		unmake(mipmap->levels[i]);
	free(mipmap);
	return result;
}

/* --- Copies --- */

/* Where a row of a copy begins; false if it is not all inside. */
static bool find_row(CUmemorytype type, CUdeviceptr address, CUarray array, size_t pitch, size_t height, size_t x,
		     size_t y, size_t z, size_t width, uint64_t *row)
{
	*row = address + (z * height + y) * pitch + x;
	if (type == CU_MEMORYTYPE_UNIFIED)
		return address && pitch >= x + width;
	if (type != CU_MEMORYTYPE_ARRAY || !array)
		return false;
	*row = array->level.address + z * array->level.slice + y * array->level.pitch + x;
	return x + width <= array->level.width * array->element && x % array->element == 0 &&
	       width % array->element == 0 && y < array->level.height && z < array->level.depth;
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *c)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	for (size_t z = 0; z < c->Depth && !result; z++)
		for (size_t y = 0; y < c->Height && !result; y++) {
			uint64_t from, to;

			if (!find_row(c->srcMemoryType, c->srcDevice, c->srcArray, c->srcPitch, c->srcHeight,
				      c->srcXInBytes, c->srcY + y, c->srcZ + z, c->WidthInBytes, &from) ||
			    !find_row(c->dstMemoryType, c->dstDevice, c->dstArray, c->dstPitch, c->dstHeight,
				      c->dstXInBytes, c->dstY + y, c->dstZ + z, c->WidthInBytes, &to) ||
			    cpu_device_ops.copy(mock.cpu, to, from, c->WidthInBytes) != DEVICE_OK)
				result = CUDA_ERROR_INVALID_VALUE;
		}
	return result;
}

/* --- Textures and surfaces --- */

static bool put_array(struct device_image *image, const struct CUarray_st *array)
{
	bool layered = array->shape.Flags & (LAYERED | CUBE);

	image->layers = layered ? array->level.depth : 0;
	image->levels[image->nlevels] = array->level;
	if (layered)
		image->levels[image->nlevels].depth = 1;
	image->nlevels++;
	return put_format(image, array->shape.Format, array->shape.NumChannels);
}

static bool put_mipmap(struct device_image *image, const struct CUmipmappedArray_st *mipmap)
{
	bool good = true;

	for (unsigned i = 0; i < mipmap->nlevels; i++)
		good = good && put_array(image, mipmap->levels[i]);
	return good;
}

static bool put_rows(struct device_image *image, CUdeviceptr address, size_t width, size_t height, size_t pitch,
		     size_t pitch_align)
{
	uint64_t base;
	size_t size;

	image->nlevels = 1;
	image->levels[0] = (struct image_level){.address = address,
						.pitch = pitch,
						.slice = pitch * height,
						.width = (uint32_t)width,
						.height = (uint32_t)height,
						.depth = 1};
	return width && height && address % TEXTURE_ALIGN == 0 && pitch % pitch_align == 0 &&
	       pitch >= width * image->channels * image->channel_bytes &&
	       cpu_device_ops.find(mock.cpu, address, &base, &size) && address - base + pitch * height <= size;
}

static bool put_resource(struct device_image *image, const CUDA_RESOURCE_DESC *r)
{
	switch (r->resType) {
	case CU_RESOURCE_TYPE_ARRAY: return r->res.array.hArray && put_array(image, r->res.array.hArray);
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		return r->res.mipmap.hMipmappedArray && put_mipmap(image, r->res.mipmap.hMipmappedArray);
	case CU_RESOURCE_TYPE_LINEAR:
		image->is_buffer = true;
		return put_format(image, r->res.linear.format, r->res.linear.numChannels) &&
		       put_rows(image, r->res.linear.devPtr,
				r->res.linear.sizeInBytes / image->channels / image->channel_bytes, 1,
				r->res.linear.sizeInBytes, 1);
	case CU_RESOURCE_TYPE_PITCH2D:
		return put_format(image, r->res.pitch2D.format, r->res.pitch2D.numChannels) &&
		       put_rows(image, r->res.pitch2D.devPtr, r->res.pitch2D.width, r->res.pitch2D.height,
				r->res.pitch2D.pitchInBytes, PITCH_ALIGN);
	default: return false;
	}
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *t,
			   const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct device_image image = {.filters = t->filterMode,
				     .filters_levels = t->mipmapFilterMode,
				     .level_bias = t->mipmapLevelBias,
				     .least_level = t->minMipmapLevelClamp,
				     .most_level = t->maxMipmapLevelClamp,
				     .srgb = t->flags & CU_TRSF_SRGB,
				     .normalized_coordinates = t->flags & CU_TRSF_NORMALIZED_COORDINATES};
	uint64_t handle;
	MOCK_ENTER();
	for (int i = 0; i < 3; i++)
		image.edge[i] = (enum image_edge)t->addressMode[i];
	memcpy(image.border, t->borderColor, sizeof image.border);
	if (view || !put_resource(&image, resource))
		return CUDA_ERROR_INVALID_VALUE;
	image.normalized_values =
	    image.format != IMAGE_FLOAT && image.channel_bytes < 4 && !(t->flags & CU_TRSF_READ_AS_INTEGER);
	if (image.filters && image.format != IMAGE_FLOAT && !image.normalized_values)
		return CUDA_ERROR_INVALID_VALUE;
	if (cpu_device_ops.image_create(mock.cpu, &image, &handle) != DEVICE_OK)
		return CUDA_ERROR_INVALID_VALUE;
	*object = handle;
	return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
	struct device_image image = {.is_surface = true};
	uint64_t handle;
	MOCK_ENTER();
	if (resource->resType != CU_RESOURCE_TYPE_ARRAY || !put_resource(&image, resource) ||
	    !(resource->res.array.hArray->shape.Flags & SURFACE))
		return CUDA_ERROR_INVALID_VALUE;
	if (cpu_device_ops.image_create(mock.cpu, &image, &handle) != DEVICE_OK)
		return CUDA_ERROR_INVALID_VALUE;
	*object = handle;
	return CUDA_SUCCESS;
}

static CUresult destroy(uint64_t handle)
{
	CUresult result = mock_run_all();

	if (result)
		return result;
	return cpu_device_ops.image_destroy(mock.cpu, handle, false) == DEVICE_OK ? CUDA_SUCCESS
										  : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
	MOCK_ENTER();
	return destroy(object);
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
	MOCK_ENTER();
	return destroy(object);
}
