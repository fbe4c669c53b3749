/* cudaMemcpy and cudaMemset in all their shapes: each call becomes one box of bytes. */
#include "runtime/api/cudart/copies.h"

#include "runtime/api/cudart/allocations.h"
#include "runtime/api/cudart/topics.h"
#include "runtime/api/textures/arrays.h"
#include "runtime/api/graphs/capture.h"

#include <string.h>

/* --- Boxes --- */

cudaError_t copy_run(struct runtime *rt, const struct copy_box *box)
{
	enum device_status status = DEVICE_OK;

	if (!box->width || !box->height || !box->depth)
		return cudaSuccess;
	for (size_t z = 0; z < box->depth && !status; z++)
		for (size_t y = 0; y < box->height && !status; y++)
			status = rt->ops->copy(rt->device, box->to + z * box->to_slice + y * box->to_pitch,
					       box->from + z * box->from_slice + y * box->from_pitch, box->width);
	return status_error(rt, status);
}

cudaError_t fill_run(struct runtime *rt, const struct fill_box *box)
{
	enum device_status status = DEVICE_OK;

	if (!box->width)
		return cudaSuccess;
	for (size_t z = 0; z < box->depth && !status; z++)
		for (size_t y = 0; y < box->height && !status; y++)
			status = rt->ops->fill(rt->device, box->to + z * box->slice + y * box->pitch, &box->value,
					       box->element, box->width);
	return status_error(rt, status);
}

/*
 * The number of bytes from a box's first to its last. False if it overflows, or the box runs over the end of all
 * addresses.
 */
static bool span_of(uint64_t address, size_t pitch, size_t slice, size_t width, size_t height, size_t depth,
		    size_t *span)
{
	size_t rows, slices, end;

	*span = 0;
	if (!width || !height || !depth)
		return true;
	return !__builtin_mul_overflow(pitch, height - 1, &rows) &&
	       !__builtin_mul_overflow(slice, depth - 1, &slices) && !__builtin_add_overflow(rows, width, span) &&
	       !__builtin_add_overflow(*span, slices, span) && !__builtin_add_overflow(address, *span, &end);
}

/* No memory is mapped below this address. */
enum { FIRST_ADDRESS = 65536 };

/* True on a GPU: it can only reach memory that it knows, so any other address is refused here. */
static bool must_be_found(const struct runtime *rt)
{
	return !rt->ops->alloc_shared;
}

/*
 * Checks one end of a copy or fill. If it begins in an allocation, it must end in the same one. If `on_device`, it must
 * be memory that the device can reach.
 */
static cudaError_t check_end(struct runtime *rt, uint64_t address, size_t span, bool on_device)
{
	uint64_t base;
	size_t size;

	if (!span)
		return cudaSuccess;
	if (rt->ops->find(rt->device, address, &base, &size))
		return span <= size - (address - base) ? cudaSuccess : cudaErrorInvalidValue;
	if (on_device && must_be_found(rt) && !allocation_is_registered(rt, address, span) &&
	    !api_variable_is_shared(rt, address, span))
		return cudaErrorInvalidValue;
	return address < FIRST_ADDRESS ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t copy_check(struct runtime *rt, const struct copy_box *b, enum cudaMemcpyKind kind)
{
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
	size_t to, from;
	cudaError_t error;

	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!span_of(b->to, b->to_pitch, b->to_slice, b->width, b->height, b->depth, &to) ||
	    !span_of(b->from, b->from_pitch, b->from_slice, b->width, b->height, b->depth, &from))
		return cudaErrorInvalidValue;
	error = check_end(rt, b->to, to, to_device);
	return error ? error : check_end(rt, b->from, from, from_device);
}

cudaError_t fill_check(struct runtime *rt, const struct fill_box *b)
{
	size_t span, width;

	if (__builtin_mul_overflow(b->width, b->element, &width) ||
	    !span_of(b->to, b->pitch, b->slice, width, b->height, b->depth, &span))
		return cudaErrorInvalidValue;
	return check_end(rt, b->to, span, true);
}

cudaError_t copy_submit(struct runtime *rt, cudaStream_t stream, const struct copy_box *box, enum cudaMemcpyKind kind)
{
	cudaError_t error = copy_check(rt, box, kind);

	if (error)
		return error;
	return stream_graph(stream) ? graph_capture_copy(stream, box) : copy_run(rt, box);
}

cudaError_t fill_submit(struct runtime *rt, cudaStream_t stream, const struct fill_box *box)
{
	cudaError_t error = fill_check(rt, box);

	if (error)
		return error;
	return stream_graph(stream) ? graph_capture_fill(stream, box) : fill_run(rt, box);
}

static cudaError_t copy(const struct copy_box *box, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	return runtime_leave(error ? error : copy_submit(rt, stream, box, kind));
}

static cudaError_t fill(const struct fill_box *box, cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	return runtime_leave(error ? error : fill_submit(rt, stream, box));
}

/* --- Linear copies --- */

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct copy_box box = {.to = (uintptr_t)dst, .from = (uintptr_t)src, .width = count, .height = 1, .depth = 1};

	return copy(&box, kind, stream);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
	return cudaMemcpyAsync(dst, src, count, kind, NULL);
}

cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t count)
{
	return cudaMemcpyPeerAsync(dst, to, src, from, count, NULL);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t count, cudaStream_t stream)
{
	if (to || from)
		return runtime_remember(cudaErrorInvalidDevice);
	return cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
}

/* --- Copies of rows and slices --- */

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
			      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct copy_box box = {.to = (uintptr_t)dst,
			       .to_pitch = dpitch,
			       .from = (uintptr_t)src,
			       .from_pitch = spitch,
			       .width = width,
			       .height = height,
			       .depth = 1};

	if (width > dpitch || width > spitch)
		return runtime_remember(cudaErrorInvalidPitchValue);
	return copy(&box, kind, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
			 enum cudaMemcpyKind kind)
{
	return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, NULL);
}

/*
 * Address, pitch and slice of one end of a 3D copy: an array, or pitched memory. `pos` counts elements in an array, and
 * bytes in memory. False if the address overflows.
 */
static bool place(cudaArray_t array, const struct cudaPitchedPtr *ptr, const struct cudaPos *pos, uint64_t *address,
		  size_t *pitch, size_t *slice)
{
	size_t x, y, z;

	*address = array ? array->address : (uintptr_t)ptr->ptr;
	*pitch = array ? array->pitch : ptr->pitch;
	return !__builtin_mul_overflow(*pitch, array ? array->rows : ptr->ysize, slice) &&
	       !__builtin_mul_overflow(pos->x, array ? array->element : 1, &x) &&
	       !__builtin_mul_overflow(pos->y, *pitch, &y) && !__builtin_mul_overflow(pos->z, *slice, &z) &&
	       !__builtin_add_overflow(*address, x, address) && !__builtin_add_overflow(*address, y, address) &&
	       !__builtin_add_overflow(*address, z, address);
}

/* True for memory, which has no bounds here. In an array, position and extent count elements. */
static bool in_array(cudaArray_const_t array, struct cudaPos at, struct cudaExtent extent, size_t unit)
{
	size_t width;

	if (!array)
		return true;
	return !__builtin_mul_overflow(at.x, array->element, &at.x) &&
	       !__builtin_mul_overflow(extent.width, unit, &width) &&
	       array_holds(array, &at, width, extent.height, extent.depth);
}

cudaError_t copy_box_3d(const struct cudaMemcpy3DParms *p, struct copy_box *box)
{
	size_t unit;

	if ((p->srcArray && !array_is(p->srcArray)) || (p->dstArray && !array_is(p->dstArray)))
		return cudaErrorInvalidResourceHandle;
	unit = p->srcArray ? p->srcArray->element : p->dstArray ? p->dstArray->element : 1;
	if (!p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr)
		return cudaErrorInvalidValue;
	if (!in_array(p->srcArray, p->srcPos, p->extent, unit) || !in_array(p->dstArray, p->dstPos, p->extent, unit))
		return cudaErrorInvalidValue;
	if (!place(p->dstArray, &p->dstPtr, &p->dstPos, &box->to, &box->to_pitch, &box->to_slice) ||
	    !place(p->srcArray, &p->srcPtr, &p->srcPos, &box->from, &box->from_pitch, &box->from_slice))
		return cudaErrorInvalidValue;
	box->width = p->extent.width * unit;
	box->height = p->extent.height;
	box->depth = p->extent.depth;
	return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params, cudaStream_t stream)
{
	struct copy_box box;
	cudaError_t error = params ? copy_box_3d(params, &box) : cudaErrorInvalidValue;

	return error ? runtime_remember(error) : copy(&box, params->kind, stream);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *params)
{
	return cudaMemcpy3DAsync(params, NULL);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
	struct cudaMemcpy3DParms params;

	if (!p)
		return runtime_remember(cudaErrorInvalidValue);
	if (p->srcDevice || p->dstDevice)
		return runtime_remember(cudaErrorInvalidDevice);
	params = (struct cudaMemcpy3DParms){p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
					    p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
	return cudaMemcpy3DAsync(&params, stream);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
	return cudaMemcpy3DPeerAsync(p, NULL);
}

/* --- Fills --- */

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent, cudaStream_t stream)
{
	struct fill_box box = {.to = (uintptr_t)ptr.ptr,
			       .pitch = ptr.pitch,
			       .width = extent.width,
			       .height = extent.height,
			       .depth = extent.depth,
			       .value = (unsigned char)value,
			       .element = 1};

	if (__builtin_mul_overflow(ptr.pitch, ptr.ysize, &box.slice))
		return runtime_remember(cudaErrorInvalidValue);
	return fill(&box, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
{
	return cudaMemset3DAsync(ptr, value, extent, NULL);
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	return cudaMemset3DAsync(make_cudaPitchedPtr(ptr, pitch, width, height), value,
				 make_cudaExtent(width, height, 1), stream);
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
	return cudaMemset2DAsync(ptr, pitch, value, width, height, NULL);
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t count, cudaStream_t stream)
{
	return cudaMemset2DAsync(ptr, count, value, count, 1, stream);
}

cudaError_t cudaMemset(void *ptr, int value, size_t count)
{
	return cudaMemsetAsync(ptr, value, count, NULL);
}

/* --- Module variables --- */

static cudaError_t symbol_box(const void *symbol, size_t offset, size_t count, uint64_t *address)
{
	ENTER(rt);
	size_t size;
	cudaError_t error = api_variable_find(rt, symbol, address, &size);

	if (!error && (offset > size || count > size - offset))
		error = cudaErrorInvalidValue;
	*address += offset;
	return runtime_leave(error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
				    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	uint64_t address = 0;
	cudaError_t error = symbol_box(symbol, offset, count, &address);

	return error ? error : cudaMemcpyAsync((void *)(uintptr_t)address, src, count, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
			       enum cudaMemcpyKind kind)
{
	return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, NULL);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
				      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	uint64_t address = 0;
	cudaError_t error = symbol_box(symbol, offset, count, &address);

	return error ? error : cudaMemcpyAsync(dst, (const void *)(uintptr_t)address, count, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, NULL);
}

cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
	uint64_t address = 0;
	cudaError_t error = ptr ? symbol_box(symbol, 0, 0, &address) : runtime_remember(cudaErrorInvalidValue);

	if (!error)
		*ptr = (void *)(uintptr_t)address;
	return error;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
	ENTER(rt);
	uint64_t address;

	return runtime_leave(size ? api_variable_find(rt, symbol, &address, size) : cudaErrorInvalidValue);
}
