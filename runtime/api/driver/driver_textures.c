/* Driver API: arrays, copies of rows, texture and surface objects; each is the runtime's call with another face. */
#include "runtime/api/driver/driver.h"

#include "runtime/api/textures/arrays.h"
#include "runtime/api/cudart/copies.h"

static cudaArray_t array_of(CUarray array)
{
	return (cudaArray_t)array;
}

/* --- Formats --- */

static const struct {
	CUarray_format format;
	int bits;
	enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

bool driver_channels(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *desc)
{
	for (unsigned i = 0; i < FORMATS && channels >= 1 && channels <= 4; i++)
		if (formats[i].format == format) {
			int bits = formats[i].bits;

			*desc = cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
						      channels > 3 ? bits : 0, formats[i].kind);
			return true;
		}
	return false;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *desc)
{
	for (unsigned i = 0; i < FORMATS; i++)
		if (formats[i].bits == desc->x && formats[i].kind == desc->f)
			return formats[i].format;
	return 0;
}

/* --- Arrays --- */

/* The flags have the runtime's numbers. */
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
	struct cudaChannelFormatDesc desc;
	struct cudaExtent extent;
	cudaArray_t made;
	CUresult result;

	if (!array || !descriptor || !driver_channels(descriptor->Format, descriptor->NumChannels, &desc))
		return CUDA_ERROR_INVALID_VALUE;
	extent = make_cudaExtent(descriptor->Width, descriptor->Height, descriptor->Depth);
	result = driver_result(cudaMalloc3DArray(&made, &desc, extent, descriptor->Flags));
	if (!result)
		*array = (CUarray)made;
	return result;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor)
{
	CUDA_ARRAY3D_DESCRIPTOR flat;

	if (!descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	flat = (CUDA_ARRAY3D_DESCRIPTOR){.Width = descriptor->Width,
					 .Height = descriptor->Height,
					 .Format = descriptor->Format,
					 .NumChannels = descriptor->NumChannels};
	return cuArray3DCreate(array, &flat);
}

CUresult cuArrayDestroy(CUarray array)
{
	return array ? driver_result(cudaFreeArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array)
{
	const struct cudaArray *a = array_of(array);

	if (!descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_is(a))
		return CUDA_ERROR_INVALID_HANDLE;
	*descriptor = (CUDA_ARRAY3D_DESCRIPTOR){.Width = a->extent.width,
						.Height = a->extent.height,
						.Depth = a->extent.depth,
						.Format = format_of(&a->format),
						.NumChannels = (unsigned)(a->element * 8 / (unsigned)a->format.x),
						.Flags = a->flags};
	return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR full;
	CUresult result = descriptor ? cuArray3DGetDescriptor(&full, array) : CUDA_ERROR_INVALID_VALUE;

	if (!result)
		*descriptor = (CUDA_ARRAY_DESCRIPTOR){full.Width, full.Height, full.Format, full.NumChannels};
	return result;
}

/* --- Mipmaps --- */

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned int levels)
{
	struct cudaChannelFormatDesc desc;
	cudaMipmappedArray_t made;
	CUresult result;

	if (!mipmap || !d || !driver_channels(d->Format, d->NumChannels, &desc))
		return CUDA_ERROR_INVALID_VALUE;
	result = driver_result(
	    cudaMallocMipmappedArray(&made, &desc, make_cudaExtent(d->Width, d->Height, d->Depth), levels, d->Flags));
	if (!result)
		*mipmap = (CUmipmappedArray)made;
	return result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmap, unsigned int number)
{
	return driver_result(cudaGetMipmappedArrayLevel((cudaArray_t *)level, (cudaMipmappedArray_t)mipmap, number));
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
	return mipmap ? driver_result(cudaFreeMipmappedArray((cudaMipmappedArray_t)mipmap)) : CUDA_ERROR_INVALID_HANDLE;
}

/* --- Copies of rows --- */

struct end {
	uint64_t address;
	size_t pitch;
};

/* One end of a copy: in an array, at an address. */
static CUresult end_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, size_t pitch, size_t x,
		       size_t y, size_t width, struct end *end)
{
	switch (type) {
	case CU_MEMORYTYPE_HOST: *end = (struct end){(uintptr_t)host, pitch}; break;
	case CU_MEMORYTYPE_DEVICE:
	case CU_MEMORYTYPE_UNIFIED: *end = (struct end){device, pitch}; break;
	case CU_MEMORYTYPE_ARRAY:
		if (!array_is(array_of(array)))
			return CUDA_ERROR_INVALID_HANDLE;
		*end = (struct end){array_of(array)->address, array_of(array)->pitch};
		break;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	if (!end->pitch)
		end->pitch = x + width;
	end->address += y * end->pitch + x;
	return CUDA_SUCCESS;
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
	struct end from, to;
	CUresult result;

	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	result = end_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch, c->srcXInBytes, c->srcY,
			c->WidthInBytes, &from);
	if (!result)
		result = end_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch, c->dstXInBytes,
				c->dstY, c->WidthInBytes, &to);
	if (result)
		return result;
	return driver_result(cudaMemcpy2DAsync((void *)(uintptr_t)to.address, to.pitch,
					       (const void *)(uintptr_t)from.address, from.pitch, c->WidthInBytes,
					       c->Height, cudaMemcpyDefault, stream));
}

/* Slices follow one another at `height` rows; an array's own at its rows. */
static void slices_of(CUmemorytype type, CUarray array, size_t height, size_t z, size_t rows, struct end *end,
		      size_t *slice)
{
	if (type == CU_MEMORYTYPE_ARRAY)
		height = array_of(array)->rows;
	*slice = (height ? height : rows) * end->pitch;
	end->address += z * *slice;
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream)
{
	struct copy_box box;
	struct end from, to;
	cudaError_t error;
	CUresult result;

	if (!c || c->srcLOD || c->dstLOD)
		return CUDA_ERROR_INVALID_VALUE;
	result = end_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch, c->srcXInBytes, c->srcY,
			c->WidthInBytes, &from);
	if (!result)
		result = end_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch, c->dstXInBytes,
				c->dstY, c->WidthInBytes, &to);
	if (result)
		return result;
	box = (struct copy_box){.to_pitch = to.pitch,
				.from_pitch = from.pitch,
				.width = c->WidthInBytes,
				.height = c->Height,
				.depth = c->Depth};
	slices_of(c->srcMemoryType, c->srcArray, c->srcHeight, c->srcZ, c->Height, &from, &box.from_slice);
	slices_of(c->dstMemoryType, c->dstArray, c->dstHeight, c->dstZ, c->Height, &to, &box.to_slice);
	box.from = from.address;
	box.to = to.address;
	DRIVER_ENTER(rt);
	error = stream_check(stream);
	return driver_result(runtime_leave(error ? error : copy_submit(rt, stream, &box, cudaMemcpyDefault)));
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
	return cuMemcpy3DAsync(copy, NULL);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size)
{
	return driver_result(cudaMemcpyToArray(array_of(to), offset, 0, from, size, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size)
{
	return driver_result(cudaMemcpyFromArray(to, array_of(from), offset, 0, size, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size)
{
	return cuMemcpyHtoA(to, offset, (const void *)(uintptr_t)from, size);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size)
{
	return cuMemcpyAtoH((void *)(uintptr_t)to, from, offset, size);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
	return cuMemcpy2DAsync(copy, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
	return cuMemcpy2DAsync(copy, NULL);
}

/* --- Objects --- */

static bool resource_of(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to)
{
	*to = (struct cudaResourceDesc){.resType = (enum cudaResourceType)from->resType};
	switch (from->resType) {
	case CU_RESOURCE_TYPE_ARRAY: to->res.array.array = array_of(from->res.array.hArray); return true;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		to->res.mipmap.mipmap = (cudaMipmappedArray_t)from->res.mipmap.hMipmappedArray;
		return to->res.mipmap.mipmap;
	case CU_RESOURCE_TYPE_LINEAR:
		to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
		to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
		return driver_channels(from->res.linear.format, from->res.linear.numChannels, &to->res.linear.desc);
	case CU_RESOURCE_TYPE_PITCH2D:
		to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
		to->res.pitch2D.width = from->res.pitch2D.width;
		to->res.pitch2D.height = from->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
		return driver_channels(from->res.pitch2D.format, from->res.pitch2D.numChannels, &to->res.pitch2D.desc);
	default: return false;
	}
}

/* The driver reads integers as floats unless told otherwise, where they are narrow enough. */
struct cudaTextureDesc driver_texture(const CUDA_TEXTURE_DESC *t, const struct cudaResourceDesc *resource)
{
	const struct cudaChannelFormatDesc *format =
	    resource->resType == cudaResourceTypeLinear           ? &resource->res.linear.desc
	    : resource->resType == cudaResourceTypePitch2D        ? &resource->res.pitch2D.desc
	    : resource->resType == cudaResourceTypeMipmappedArray ? &resource->res.mipmap.mipmap->levels[0]->format
								  : &resource->res.array.array->format;
	bool raw = t->flags & CU_TRSF_READ_AS_INTEGER || format->f == cudaChannelFormatKindFloat || format->x == 32;
	struct cudaTextureDesc d = {.filterMode = (enum cudaTextureFilterMode)t->filterMode,
				    .readMode = raw ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
				    .sRGB = (t->flags & CU_TRSF_SRGB) != 0,
				    .normalizedCoords = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
				    .maxAnisotropy = t->maxAnisotropy,
				    .mipmapFilterMode = (enum cudaTextureFilterMode)t->mipmapFilterMode,
				    .mipmapLevelBias = t->mipmapLevelBias,
				    .minMipmapLevelClamp = t->minMipmapLevelClamp,
				    .maxMipmapLevelClamp = t->maxMipmapLevelClamp};

	for (int i = 0; i < 3; i++)
		d.addressMode[i] = (enum cudaTextureAddressMode)t->addressMode[i];
	for (int i = 0; i < 4; i++)
		d.borderColor[i] = t->borderColor[i];
	return d;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
			   const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct cudaResourceDesc r;
	struct cudaTextureDesc t;

	if (!object || !resource || !texture || !resource_of(resource, &r))
		return CUDA_ERROR_INVALID_VALUE;
	if ((r.resType == cudaResourceTypeArray && !array_is(r.res.array.array)) ||
	    (r.resType == cudaResourceTypeMipmappedArray && !mipmap_is(r.res.mipmap.mipmap)))
		return CUDA_ERROR_INVALID_HANDLE;
	if (view)
		return CUDA_ERROR_NOT_SUPPORTED;
	t = driver_texture(texture, &r);
	return driver_result(cudaCreateTextureObject(object, &r, &t, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
	return driver_result(cudaDestroyTextureObject(object));
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
	struct cudaResourceDesc r;

	if (!object || !resource || !resource_of(resource, &r))
		return CUDA_ERROR_INVALID_VALUE;
	return driver_result(cudaCreateSurfaceObject(object, &r));
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
	return driver_result(cudaDestroySurfaceObject(object));
}
