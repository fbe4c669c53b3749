/* Copies, prefetches and discards of several pieces of memory in one call: each piece is what its own call would be. */
#include "runtime/api/cudart/copies.h"
#include "runtime/api/cudart/topics.h"
#include "runtime/api/textures/arrays.h"

/* The piece that each description begins with: the first of piece 0, and ascending. */
static bool indices_are_good(const size_t *indices, size_t n, size_t pieces)
{
	if (!indices || !n || n > pieces || indices[0])
		return false;
	for (size_t i = 1; i < n; i++)
		if (indices[i] <= indices[i - 1] || indices[i] >= pieces)
			return false;
	return true;
}

static bool order_is_good(enum cudaMemcpySrcAccessOrder order)
{
	return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/* Refuses NULL and empty copies before the first copy runs. A copy with a bad address fails when its turn comes. */
cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
				 struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
				 cudaStream_t stream)
{
	cudaError_t error = cudaSuccess;

	if (!dsts || !srcs || !sizes || !count || !attrs || !indices_are_good(attrsIdxs, numAttrs, count))
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < numAttrs; i++)
		if (!order_is_good(attrs[i].srcAccessOrder))
			return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		if (!dsts[i] || !srcs[i] || !sizes[i])
			return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count && !error; i++)
		error = cudaMemcpyAsync(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault, stream);
	return error;
}

/* One end of a copy of a batch. An array is at its offset; rows and layers of memory are counted in elements, of bytes.
 */
static cudaError_t end_of(const struct cudaMemcpy3DOperand *o, const struct cudaExtent *extent, cudaArray_t *array,
			  struct cudaPos *at, struct cudaPitchedPtr *ptr)
{
	if (o->type == cudaMemcpyOperandTypeArray) {
		*array = o->op.array.array;
		*at = (struct cudaPos){o->op.array.offset.x, o->op.array.offset.y, o->op.array.offset.z};
		return array_is(*array) ? cudaSuccess : cudaErrorInvalidValue;
	}
	if (o->type != cudaMemcpyOperandTypePointer || !o->op.ptr.ptr)
		return cudaErrorInvalidValue;
	*ptr = make_cudaPitchedPtr(o->op.ptr.ptr, o->op.ptr.rowLength ? o->op.ptr.rowLength : extent->width,
				   extent->width, o->op.ptr.layerHeight ? o->op.ptr.layerHeight : extent->height);
	return cudaSuccess;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DBatchOp *op, cudaStream_t stream)
{
	struct cudaMemcpy3DParms p = {.extent = op->extent, .kind = cudaMemcpyDefault};
	cudaError_t error = end_of(&op->src, &op->extent, &p.srcArray, &p.srcPos, &p.srcPtr);
	size_t element;

	if (!error)
		error = end_of(&op->dst, &op->extent, &p.dstArray, &p.dstPos, &p.dstPtr);
	if (error || !order_is_good(op->srcAccessOrder))
		return error ? error : cudaErrorInvalidValue;
	element = p.srcArray ? p.srcArray->element : p.dstArray ? p.dstArray->element : 1;
	if (__builtin_mul_overflow(p.srcPtr.pitch, element, &p.srcPtr.pitch) ||
	    __builtin_mul_overflow(p.dstPtr.pitch, element, &p.dstPtr.pitch))
		return cudaErrorInvalidValue;
	return cudaMemcpy3DAsync(&p, stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
				   cudaStream_t stream)
{
	cudaError_t error = numOps && opList && !flags ? cudaSuccess : cudaErrorInvalidValue;

	for (size_t i = 0; i < numOps && !error; i++)
		error = copy_3d(&opList[i], stream);
	return runtime_remember(error);
}

/* --- Managed memory: where it lies makes no difference --- */

static cudaError_t check_pieces(void **ptrs, const size_t *sizes, size_t count, unsigned long long flags,
				cudaStream_t stream)
{
	const struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
	cudaError_t error = cudaSuccess;

	if (!ptrs || !sizes || !count || flags)
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count && !error; i++)
		error = sizes[i] ? cudaMemPrefetchAsync_v2(ptrs[i], sizes[i], here, 0, stream)
				 : runtime_remember(cudaErrorInvalidValue);
	return error;
}

static bool locations_are_good(const struct cudaMemLocation *list, size_t n)
{
	for (size_t i = 0; list && i < n; i++)
		if (list[i].type == cudaMemLocationTypeInvalid ||
		    (list[i].type == cudaMemLocationTypeDevice && list[i].id))
			return false;
	return list;
}

cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
				      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
				      cudaStream_t stream)
{
	if (!indices_are_good(prefetchLocIdxs, numPrefetchLocs, count) ||
	    !locations_are_good(prefetchLocs, numPrefetchLocs))
		return runtime_remember(cudaErrorInvalidValue);
	return check_pieces(dptrs, sizes, count, flags, stream);
}

/* CUDA lets discarded memory keep its contents, so only the arguments are checked. */
cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
				     cudaStream_t stream)
{
	return check_pieces(dptrs, sizes, count, flags, stream);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
						struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
						size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream)
{
	return cudaMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
					 stream);
}
