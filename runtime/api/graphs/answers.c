/* Describes the work of nodes, in the same structs that set it. */
#include "runtime/api/graphs/graph_nodes.h"

#include "common/xalloc.h"

/* The pointers are the node's, until it is set anew or goes. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
	struct CUgraphNode_st *own = graph_node_of(node, cudaGraphNodeTypeKernel);
	struct kernel_work *w;

	if (!own || !params)
		return runtime_remember(cudaErrorInvalidValue);
	w = &own->work.kernel;
	if (!w->args)
		w->args = xcalloc(w->kernel->attributes.nparams + 1, sizeof *w->args);
	for (uint32_t i = 0; i < w->kernel->attributes.nparams; i++)
		w->args[i] = w->params + w->kernel->attributes.param_offsets[i];
	*params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)w->kernel->handle,
						.gridDim = {w->grid[0], w->grid[1], w->grid[2]},
						.blockDim = {w->block[0], w->block[1], w->block[2]},
						.sharedMemBytes = (unsigned)w->shared,
						.kernelParams = w->args};
	return cudaSuccess;
}

/* One end of a copy of plain memory. */
static struct cudaPitchedPtr end_of(uint64_t address, size_t pitch, size_t slice, const struct copy_box *box)
{
	size_t row = pitch ? pitch : box->width;

	return make_cudaPitchedPtr((void *)(uintptr_t)address, row, box->width, slice ? slice / row : box->height);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
	const struct CUgraphNode_st *own = graph_node_of(node, cudaGraphNodeTypeMemcpy);
	const struct copy_box *box;

	if (!own || !params)
		return runtime_remember(cudaErrorInvalidValue);
	box = &own->work.copy;
	*params = own->described;
	if (own->described.srcArray || own->described.srcPtr.ptr)
		return cudaSuccess;
	params->srcPtr = end_of(box->from, box->from_pitch, box->from_slice, box);
	params->dstPtr = end_of(box->to, box->to_pitch, box->to_slice, box);
	params->extent = make_cudaExtent(box->width, box->height, box->depth);
	params->kind = cudaMemcpyDefault;
	return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params)
{
	const struct CUgraphNode_st *own = graph_node_of(node, cudaGraphNodeTypeMemset);
	const struct fill_box *box;

	if (!own || !params)
		return runtime_remember(cudaErrorInvalidValue);
	box = &own->work.fill;
	*params = (struct cudaMemsetParams){.dst = (void *)(uintptr_t)box->to,
					    .pitch = box->pitch,
					    .value = box->value,
					    .elementSize = box->element,
					    .width = box->width,
					    .height = box->height};
	return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params)
{
	const struct CUgraphNode_st *own = graph_node_of(node, cudaGraphNodeTypeHost);

	if (!own || !params)
		return runtime_remember(cudaErrorInvalidValue);
	*params = own->work.host;
	return cudaSuccess;
}
