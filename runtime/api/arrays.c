/* Arrays, and copies that have an array at one end. */
#include "runtime/api/arrays.h"

#include "runtime/api/allocations.h"

#include <stdlib.h>

enum { ROW_ALIGN = 64 };

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			      unsigned int flags)
{
	size_t element = desc ? (size_t)(desc->x + desc->y + desc->z + desc->w) / 8 : 0;
	size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
	size_t pitch = (extent.width * element + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
	struct runtime *rt = runtime_enter();
	void *memory = NULL;
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	if (!array || !element || !extent.width)
		return runtime_leave(cudaErrorInvalidValue);
	error = allocation_make(rt, &memory, pitch * rows * slices, "cudaMallocArray", ALLOCATION_DEVICE, 0);
	if (!error) {
		*array = xcalloc(1, sizeof **array);
		**array = (struct cudaArray){(uintptr_t)memory, *desc, extent, flags, element, pitch, rows};
	}
	return runtime_leave(error);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
			    unsigned int flags)
{
	return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
	cudaError_t error;

	if (!array)
		return cudaSuccess;
	error = cudaFree((void *)(uintptr_t)array->address);
	if (!error)
		free(array);
	return error;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
			     cudaArray_t array)
{
	if (!array)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	if (desc)
		*desc = array->format;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	if (!array || !desc)
		return runtime_remember(cudaErrorInvalidValue);
	*desc = array->format;
	return cudaSuccess;
}

/* --- Mipmaps ----------------------------------------------------------------------------------------------------- */

static size_t halved(size_t n, unsigned times)
{
	return n && n >> times == 0 ? 1 : n >> times;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *desc,
				     struct cudaExtent extent, unsigned int numLevels, unsigned int flags)
{
	bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
	struct cudaMipmappedArray *made;
	size_t largest = extent.width > extent.height ? extent.width : extent.height;
	unsigned most = 1;
	cudaError_t error = cudaSuccess;

	largest = layered || largest > extent.depth ? largest : extent.depth;
	while (largest >> most)
		most++;
	if (!mipmap || !numLevels)
		return runtime_remember(cudaErrorInvalidValue);
	most = most < IMAGE_LEVELS ? most : IMAGE_LEVELS;
	made = xcalloc(1, sizeof *made);
	for (; made->nlevels < numLevels && made->nlevels < most && !error; made->nlevels++)
		error = cudaMalloc3DArray(&made->levels[made->nlevels], desc,
					  make_cudaExtent(halved(extent.width, made->nlevels),
							  halved(extent.height, made->nlevels),
							  layered ? extent.depth : halved(extent.depth, made->nlevels)),
					  flags);
	if (error)
		cudaFreeMipmappedArray(made);
	else
		*mipmap = made;
	return runtime_remember(error);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned int level)
{
	if (!array || !mipmap || level >= mipmap->nlevels)
		return runtime_remember(cudaErrorInvalidValue);
	*array = mipmap->levels[level];
	return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap)
{
	cudaError_t error = cudaSuccess;

	for (unsigned i = 0; mipmap && i < mipmap->nlevels; i++) {
		cudaError_t of_level = cudaFreeArray(mipmap->levels[i]);

		error = error ? error : of_level;
	}
	free(mipmap);
	return error;
}

/* --- Copies: offsets across a row are in bytes ------------------------------------------------------------------- */

static void *place(cudaArray_const_t array, size_t x, size_t y)
{
	return (void *)(uintptr_t)(array->address + y * array->pitch + x);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
				     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	if (!dst)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	return cudaMemcpy2DAsync(place(dst, x, y), dst->pitch, src, spitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
				size_t height, enum cudaMemcpyKind kind)
{
	return cudaMemcpy2DToArrayAsync(dst, x, y, src, spitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
				  size_t height, enum cudaMemcpyKind kind)
{
	if (!src)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	return cudaMemcpy2D(dst, dpitch, place(src, x, y), src->pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t xd, size_t yd, cudaArray_const_t src, size_t xs, size_t ys,
				     size_t width, size_t height, enum cudaMemcpyKind kind)
{
	if (!dst || !src)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	return cudaMemcpy2D(place(dst, xd, yd), dst->pitch, place(src, xs, ys), src->pitch, width, height, kind);
}

/* `count` bytes row after row, beginning at (x, y). */
static cudaError_t copy_rows(cudaArray_const_t array, size_t x, size_t y, uintptr_t linear, size_t count, bool to_array,
			     enum cudaMemcpyKind kind)
{
	size_t row = array->extent.width * array->element;
	cudaError_t error = cudaSuccess;

	if (x > row)
		return runtime_remember(cudaErrorInvalidValue);
	for (; count && !error; y++, x = 0) {
		size_t part = count < row - x ? count : row - x;
		void *in_array = place(array, x, y);

		error = to_array ? cudaMemcpy(in_array, (const void *)linear, part, kind)
				 : cudaMemcpy((void *)linear, in_array, part, kind);
		linear += part;
		count -= part;
	}
	return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
			      enum cudaMemcpyKind kind)
{
	if (!dst)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	return copy_rows(dst, x, y, (uintptr_t)src, count, true, kind);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
				enum cudaMemcpyKind kind)
{
	if (!src)
		return runtime_remember(cudaErrorInvalidResourceHandle);
	return copy_rows(src, x, y, (uintptr_t)dst, count, false, kind);
}
