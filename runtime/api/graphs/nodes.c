/* What a graph is made of. Nothing here runs it. */
#include "runtime/api/graphs/nodes.h"

#include "runtime/api/state/handles.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st *graph_add_node(struct CUgraph_st *graph, enum cudaGraphNodeType type,
				      const cudaGraphNode_t *dependencies, size_t count)
{
	struct CUgraphNode_st *node = handle_new(HANDLE_NODE, sizeof *node);

	node->type = type;
	node->graph = graph;
	node->index = graph->nodes.len;
	for (size_t i = 0; i < count; i++)
		vec_push(&node->waits_for, dependencies[i]->index);
	vec_push(&graph->nodes, node);
	return node;
}

void graph_set_kernel(struct kernel_work *work, struct api_kernel *kernel, const uint32_t grid[3],
		      const uint32_t block[3], void **args, size_t shared, const struct launch_options *options)
{
	const struct kernel_attributes *a = &kernel->attributes;

	free(work->params);
	*work = (struct kernel_work){
	    .kernel = kernel, .shared = shared, .options = *options, .param_bytes = a->param_bytes};
	memcpy(work->grid, grid, sizeof work->grid);
	memcpy(work->block, block, sizeof work->block);
	work->params = xcalloc(1, a->param_bytes + 1);
	for (uint32_t i = 0; i < a->nparams; i++)
		memcpy(work->params + a->param_offsets[i], args[i], a->param_sizes[i]);
}

cudaError_t graph_kernel_of(struct runtime *rt, const struct cudaKernelNodeParams *params, struct kernel_work *work)
{
	const uint32_t grid[3] = {params->gridDim.x, params->gridDim.y, params->gridDim.z};
	const uint32_t block[3] = {params->blockDim.x, params->blockDim.y, params->blockDim.z};
	struct api_kernel *kernel;
	cudaError_t error = params->kernelParams ? api_kernel_find(rt, params->func, &kernel) : cudaErrorNotSupported;

	if (!error)
		graph_set_kernel(work, kernel, grid, block, params->kernelParams, params->sharedMemBytes,
				 &(struct launch_options){.cooperative = false});
	return error;
}

struct copy_box graph_copy_of(void *to, const void *from, size_t bytes)
{
	return (struct copy_box){.to = (uintptr_t)to, .from = (uintptr_t)from, .width = bytes, .height = 1, .depth = 1};
}

cudaError_t graph_fill_of(struct runtime *rt, const struct cudaMemsetParams *params, struct fill_box *box)
{
	const struct fill_box fill = {.to = (uintptr_t)params->dst,
				      .pitch = params->pitch,
				      .width = params->width,
				      .height = params->height ? params->height : 1,
				      .depth = 1,
				      .value = params->value,
				      .element = params->elementSize};
	cudaError_t error;

	if (fill.element != 1 && fill.element != 2 && fill.element != 4)
		return cudaErrorInvalidValue;
	error = fill_check(rt, &fill);
	if (!error)
		*box = fill;
	return error;
}

static void free_node(struct CUgraphNode_st *node)
{
	if (node->type == cudaGraphNodeTypeKernel)
		free(node->work.kernel.params);
	vec_release(&node->waits_for);
	handle_free(node);
}

void graph_free(struct CUgraph_st *graph)
{
	for (size_t i = 0; i < graph->nodes.len; i++)
		free_node(graph->nodes.data[i]);
	vec_release(&graph->nodes);
	handle_free(graph);
}
