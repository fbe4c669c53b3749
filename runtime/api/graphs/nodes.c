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
