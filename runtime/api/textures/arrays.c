/* Arrays, and copies that have an array at one end. */
#include "runtime/api/textures/arrays.h"

#include "common/integer.h"
#include "runtime/api/cudart/allocations.h"
#include "runtime/api/state/handles.h"
#include "runtime/api/textures/textures.h"

#include <string.h>

/* No dimension of any GPU's array is longer; so no product of them and an element overflows. */
enum { ROW_ALIGN = 64, MOST_ELEMENTS = 1 << 18 };

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* --- Memory --- */

static size_t halved(size_t n, unsigned times)
{
	return n && n >> times == 0 ? 1 : n >> times;
}

static size_t at_least_one(size_t n)
{
	return n ? n : 1;
}

/* The array that level `number` of this mipmap is, without memory. */
static struct cudaArray level_of(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned flags,
				 unsigned number)
{
	bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
	size_t element = (size_t)(desc->x + desc->y + desc->z + desc->w) / 8;
	struct cudaExtent own = make_cudaExtent(halved(extent.width, number), halved(extent.height, number),
						layered ? extent.depth : halved(extent.depth, number));
	size_t pitch = round_up(own.width * element, ROW_ALIGN);

	return (struct cudaArray){0, *desc, own, flags, element, pitch, at_least_one(own.height)};
}

/* A device with memory of its own for arrays makes all levels at once. */
static cudaError_t make_images(struct runtime *rt, struct cudaArray *levels, unsigned nlevels)
{
	const struct cudaExtent *e = &levels[0].extent;
	const uint32_t extent[3] = {(uint32_t)e->width, (uint32_t)e->height, (uint32_t)e->depth};
	struct device_image image = {.nlevels = nlevels};
	cudaError_t error = image_describe_format(&image, &levels[0].format);

	for (unsigned i = 0; i < nlevels; i++)
		image.levels[i] = (struct image_level){.pitch = levels[i].pitch,
						       .slice = levels[i].pitch * levels[i].rows,
						       .width = (uint32_t)levels[i].extent.width,
						       .height = (uint32_t)levels[i].rows,
						       .depth = (uint32_t)at_least_one(levels[i].extent.depth)};
	if (!error)
		error = status_error(rt, rt->ops->image_alloc(rt->device, &image, extent, levels[0].flags));
	for (unsigned i = 0; i < nlevels && !error; i++) {
		levels[i].address = image.levels[i].address;
		allocation_adopt(rt, levels[i].address, ALLOCATION_PART);
	}
	return error;
}

static cudaError_t make_memory(struct runtime *rt, struct cudaArray *levels, unsigned nlevels)
{
	cudaError_t error = cudaSuccess;

	for (unsigned i = 0; i < nlevels && !error; i++) {
		void *memory = NULL;

		error = allocation_make(rt, &memory,
					levels[i].pitch * levels[i].rows * at_least_one(levels[i].extent.depth),
					"cudaMallocArray", ALLOCATION_PART, 0);
		levels[i].address = (uintptr_t)memory;
	}
	for (unsigned i = 0; i < nlevels && error && levels[i].address; i++)
		allocation_free(rt, levels[i].address, 1u << ALLOCATION_PART);
	return error;
}

/* Makes the levels of a mipmap, or an array's single level. After an error none is left. */
static cudaError_t make_levels(struct cudaArray **arrays, enum handle_kind kind, unsigned nlevels,
			       const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned flags)
{
	ENTER(rt);
	struct cudaArray levels[IMAGE_LEVELS];
	cudaError_t error;

	if (!desc || desc->x + desc->y + desc->z + desc->w < 8 || !extent.width)
		return runtime_leave(cudaErrorInvalidValue);
	if (extent.width > MOST_ELEMENTS || extent.height > MOST_ELEMENTS || extent.depth > MOST_ELEMENTS)
		return runtime_leave(cudaErrorInvalidValue);
	for (unsigned i = 0; i < nlevels; i++)
		levels[i] = level_of(desc, extent, flags, i);
	error = rt->ops->image_alloc ? make_images(rt, levels, nlevels) : make_memory(rt, levels, nlevels);
	for (unsigned i = 0; i < nlevels && !error; i++) {
		arrays[i] = handle_new(kind, sizeof levels[i]);
		*arrays[i] = levels[i];
	}
	return runtime_leave(error);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			      unsigned int flags)
{
	return array ? make_levels(array, HANDLE_ARRAY, 1, desc, extent, flags)
		     : runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
			    unsigned int flags)
{
	return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

bool array_is(cudaArray_const_t array)
{
	return handle_is(HANDLE_ARRAY, array) || handle_is(HANDLE_LEVEL, array);
}

bool mipmap_is(cudaMipmappedArray_const_t mipmap)
{
	return handle_is(HANDLE_MIPMAP, mipmap);
}

static cudaError_t free_array(cudaArray_t array)
{
	ENTER(rt);
	cudaError_t error = allocation_free(rt, array->address, 1u << ALLOCATION_PART);

	handle_free(array);
	return runtime_leave(error);
}

/* Levels go with their mipmap. */
cudaError_t cudaFreeArray(cudaArray_t array)
{
	if (!array)
		return cudaSuccess;
	return handle_is(HANDLE_ARRAY, array) ? free_array(array) : runtime_remember(cudaErrorInvalidResourceHandle);
}

/* Their memory is released with all other memory. */
void arrays_release(struct runtime *rt)
{
	static const enum handle_kind kinds[] = {HANDLE_ARRAY, HANDLE_LEVEL, HANDLE_MIPMAP};
	void *handle;

	(void)rt;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		while ((handle = handle_next(kinds[i], NULL)))
			handle_free(handle);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
			     cudaArray_t array)
{
	if (!array_is(array))
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
	if (!array_is(array) || !desc)
		return runtime_remember(cudaErrorInvalidValue);
	*desc = array->format;
	return cudaSuccess;
}

/* --- Mipmaps --- */

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *desc,
				     struct cudaExtent extent, unsigned int numLevels, unsigned int flags)
{
	bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
	struct cudaArray *levels[IMAGE_LEVELS] = {NULL};
	size_t largest = extent.width > extent.height ? extent.width : extent.height;
	unsigned most = 1, nlevels;
	cudaError_t error;

	largest = layered || largest > extent.depth ? largest : extent.depth;
	while (most < IMAGE_LEVELS && largest >> most)
		most++;
	if (!mipmap)
		return runtime_remember(cudaErrorInvalidValue);
	nlevels = !numLevels ? 1 : numLevels < most ? numLevels : most;
	error = make_levels(levels, HANDLE_LEVEL, nlevels, desc, extent, flags);
	if (error)
		return error;
	*mipmap = handle_new(HANDLE_MIPMAP, sizeof **mipmap);
	(*mipmap)->nlevels = nlevels;
	memcpy((*mipmap)->levels, levels, sizeof levels);
	return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned int level)
{
	if (!array || !mipmap_is(mipmap) || level >= mipmap->nlevels)
		return runtime_remember(cudaErrorInvalidValue);
	*array = mipmap->levels[level];
	return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap)
{
	cudaError_t error = cudaSuccess;

	if (!mipmap)
		return cudaSuccess;
	if (!mipmap_is(mipmap))
		return runtime_remember(cudaErrorInvalidResourceHandle);
	for (unsigned i = 0; i < mipmap->nlevels; i++) {
		cudaError_t of_level = free_array(mipmap->levels[i]);

		error = error ? error : of_level;
	}
	handle_free(mipmap);
	return error;
}

/* --- Copies: offsets across a row are in bytes --- */

static bool fits(size_t at, size_t count, size_t all)
{
	return at <= all && count <= all - at;
}

bool array_holds(cudaArray_const_t array, const struct cudaPos *at, size_t width, size_t height, size_t depth)
{
	return fits(at->x, width, array->extent.width * array->element) && fits(at->y, height, array->rows) &&
	       fits(at->z, depth, at_least_one(array->extent.depth));
}

/* The first slice's rows at (x, y), or an error. */
static cudaError_t place(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height, void **address)
{
	const struct cudaPos at = {x, y, 0};

	if (!array_is(array))
		return runtime_remember(cudaErrorInvalidResourceHandle);
	if (!array_holds(array, &at, width, height, 1))
		return runtime_remember(cudaErrorInvalidValue);
	*address = (void *)(uintptr_t)(array->address + y * array->pitch + x);
	return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
				     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *to = NULL;
	cudaError_t error = place(dst, x, y, width, height, &to);

	return error ? error : cudaMemcpy2DAsync(to, dst->pitch, src, spitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
				size_t height, enum cudaMemcpyKind kind)
{
	return cudaMemcpy2DToArrayAsync(dst, x, y, src, spitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
				       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *from = NULL;
	cudaError_t error = place(src, x, y, width, height, &from);

	return error ? error : cudaMemcpy2DAsync(dst, dpitch, from, src->pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
				  size_t height, enum cudaMemcpyKind kind)
{
	return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, x, y, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t xd, size_t yd, cudaArray_const_t src, size_t xs, size_t ys,
				     size_t width, size_t height, enum cudaMemcpyKind kind)
{
	void *to = NULL, *from = NULL;
	cudaError_t error = place(dst, xd, yd, width, height, &to);

	if (!error)
		error = place(src, xs, ys, width, height, &from);
	return error ? error : cudaMemcpy2D(to, dst->pitch, from, src->pitch, width, height, kind);
}

/* A run of bytes, row after row, from (x, y) on. */
struct array_run {
	cudaArray_const_t array;
	size_t x, y;
};

static size_t rest_of_row(const struct array_run *run)
{
	return run->array->extent.width * run->array->element - run->x;
}

/* An error if fewer than `count` bytes are left in the array. */
static cudaError_t check_run(const struct array_run *run, size_t count)
{
	size_t row;

	if (!array_is(run->array))
		return runtime_remember(cudaErrorInvalidResourceHandle);
	row = run->array->extent.width * run->array->element;
	if (run->x > row || run->y >= run->array->rows || count > row * (run->array->rows - run->y) - run->x)
		return runtime_remember(cudaErrorInvalidValue);
	return cudaSuccess;
}

/* The address of the next `part` bytes, which lie in one row; the run goes on behind them. */
static void *run_take(struct array_run *run, size_t part)
{
	uint64_t address = run->array->address + run->y * run->array->pitch + run->x;

	run->x += part;
	if (!rest_of_row(run)) {
		run->x = 0;
		run->y++;
	}
	return (void *)(uintptr_t)address;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
				   enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct array_run to = {dst, x, y};
	const char *from = src;
	cudaError_t error = check_run(&to, count);

	while (count && !error) {
		size_t part = smaller(count, rest_of_row(&to));

		error = cudaMemcpyAsync(run_take(&to, part), from, part, kind, stream);
		from += part;
		count -= part;
	}
	return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
			      enum cudaMemcpyKind kind)
{
	return cudaMemcpyToArrayAsync(dst, x, y, src, count, kind, NULL);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
				     enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct array_run from = {src, x, y};
	char *to = dst;
	cudaError_t error = check_run(&from, count);

	while (count && !error) {
		size_t part = smaller(count, rest_of_row(&from));

		error = cudaMemcpyAsync(to, run_take(&from, part), part, kind, stream);
		to += part;
		count -= part;
	}
	return error;
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
				enum cudaMemcpyKind kind)
{
	return cudaMemcpyFromArrayAsync(dst, src, x, y, count, kind, NULL);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t xd, size_t yd, cudaArray_const_t src, size_t xs, size_t ys,
				   size_t count, enum cudaMemcpyKind kind)
{
	struct array_run to = {dst, xd, yd}, from = {src, xs, ys};
	cudaError_t error = check_run(&to, count);

	if (!error)
		error = check_run(&from, count);
	while (count && !error) {
		size_t part = smaller(count, smaller(rest_of_row(&to), rest_of_row(&from)));

		error = cudaMemcpy(run_take(&to, part), run_take(&from, part), part, kind);
		count -= part;
	}
	return error;
}
