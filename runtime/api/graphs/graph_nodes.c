/* Graphs and their nodes: made, copied, freed and looked up. graph.c runs them. */
#include "runtime/api/graphs/graph_nodes.h"

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
	struct kernel_work now = {
	    .kernel = kernel, .shared = shared, .options = *options, .param_bytes = a->param_bytes};

	now.options.is_replayed = true;
	now.options.regions_seen = runtime_state.allocations.regions.changes;
	memcpy(now.grid, grid, sizeof now.grid);
	memcpy(now.block, block, sizeof now.block);
	now.params = xcalloc(1, a->param_bytes + 1);
	for (uint32_t i = 0; i < a->nparams; i++)
		memcpy(now.params + a->param_offsets[i], args[i], a->param_sizes[i]);
	free(work->params); /* only now: `args` may be those that the node gave to the program */
	free(work->args);
	*work = now;
}

cudaError_t graph_kernel_of(struct runtime *rt, const struct cudaKernelNodeParams *params, struct kernel_work *work)
{
	const uint32_t grid[3] = {params->gridDim.x, params->gridDim.y, params->gridDim.z};
	const uint32_t block[3] = {params->blockDim.x, params->blockDim.y, params->blockDim.z};
	struct api_kernel *kernel;
	bool packed = !params->kernelParams && params->extra;
	cudaError_t error = packed ? cudaErrorNotSupported : api_kernel_find(rt, params->func, &kernel);

	if (!error && !params->kernelParams && kernel->attributes.nparams)
		error = cudaErrorInvalidValue;
	if (!error)
		graph_set_kernel(work, kernel, grid, block, params->kernelParams, params->sharedMemBytes,
				 &work->options);
	return error;
}

struct copy_box graph_copy_of(void *to, const void *from, size_t bytes)
{
	return (struct copy_box){.to = (uintptr_t)to, .from = (uintptr_t)from, .width = bytes, .height = 1, .depth = 1};
}

struct cudaMemcpy3DParms graph_describe_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
					  .dstPtr = {to, bytes, bytes, 1},
					  .extent = {bytes, 1, 1},
					  .kind = kind};
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

static void release_work(struct CUgraphNode_st *node)
{
	if (node->type == cudaGraphNodeTypeKernel) {
		free(node->work.kernel.params);
		free(node->work.kernel.args);
	} else if (node->type == cudaGraphNodeTypeGraph) {
		graph_free(node->work.child);
	}
}

/* Releases the user objects last. That may call the program's destructors, which must not find half a graph. */
void graph_free(struct CUgraph_st *graph)
{
	struct CUgraph_st going = *graph;

	handle_free(graph);
	for (size_t i = 0; i < going.nodes.len; i++) {
		release_work(going.nodes.data[i]);
		vec_release(&going.nodes.data[i]->waits_for);
		handle_free(going.nodes.data[i]);
	}
	vec_release(&going.nodes);
	graph_users_release(&going);
}

static void copy_work(struct CUgraphNode_st *to, const struct CUgraphNode_st *from)
{
	to->work = from->work;
	to->described = from->described;
	to->disabled = from->disabled;
	if (from->type == cudaGraphNodeTypeKernel) {
		size_t bytes = from->work.kernel.param_bytes;

		to->work.kernel.args = NULL;
		to->work.kernel.params = xmalloc(bytes + 1);
		memcpy(to->work.kernel.params, from->work.kernel.params, bytes);
	} else if (from->type == cudaGraphNodeTypeGraph) {
		to->work.child = graph_copy_as_child(from->work.child);
	}
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *graph)
{
	struct CUgraph_st *copy = handle_new(HANDLE_GRAPH, sizeof *copy);

	copy->source = graph;
	for (size_t i = 0; i < graph->nodes.len; i++) {
		const struct CUgraphNode_st *from = graph->nodes.data[i];
		struct CUgraphNode_st *to = graph_add_node(copy, from->type, NULL, 0);

		for (size_t k = 0; k < from->waits_for.len; k++)
			vec_push(&to->waits_for, from->waits_for.data[k]);
		copy_work(to, from);
	}
	graph_users_copy(copy, graph);
	return copy;
}

struct CUgraph_st *graph_copy_as_child(const struct CUgraph_st *graph)
{
	struct CUgraph_st *copy = graph_copy(graph);

	copy->is_child = true;
	return copy;
}

void graph_take_work(struct CUgraph_st *graph, const struct CUgraph_st *from)
{
	struct CUgraph_st before = *graph;

	for (size_t i = 0; i < graph->nodes.len; i++) {
		struct CUgraphNode_st *node = graph->nodes.data[i];
		bool disabled = node->disabled;

		if (node->type == cudaGraphNodeTypeGraph) {
			graph_take_work(node->work.child, from->nodes.data[i]->work.child);
			continue;
		}
		release_work(node);
		copy_work(node, from->nodes.data[i]);
		node->disabled = disabled;
	}
	graph->updated = from;
	memset(&graph->users, 0, sizeof graph->users);
	graph_users_copy(graph, from);
	graph_users_release(&before);
}

/* --- Checks --- */

static bool is_node(cudaGraphNode_t node, const struct CUgraph_st *graph)
{
	return handle_is(HANDLE_NODE, node) && node->graph == graph;
}

bool graph_has_nodes(const cudaGraphNode_t *nodes, size_t count, const struct CUgraph_st *graph)
{
	if (count && !nodes)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!is_node(nodes[i], graph))
			return false;
	return true;
}

bool graph_edges_are_plain(const cudaGraphEdgeData *edges, size_t count)
{
	static const cudaGraphEdgeData plain;

	for (size_t i = 0; edges && i < count; i++)
		if (memcmp(&edges[i], &plain, sizeof plain) != 0)
			return false;
	return true;
}

cudaError_t graph_check_new(const cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			    size_t count, const void *work)
{
	bool good = node && handle_is(HANDLE_GRAPH, graph) && work && graph_has_nodes(dependencies, count, graph);

	for (size_t i = 0; good && i < count; i++)
		for (size_t k = 0; good && k < i; k++)
			good = dependencies[k] != dependencies[i];
	return good ? cudaSuccess : cudaErrorInvalidValue;
}

struct CUgraphNode_st *graph_node_of(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	return handle_is(HANDLE_NODE, node) && node->type == type ? node : NULL;
}

static struct CUgraphNode_st *copy_of_node(const struct CUgraph_st *graph, cudaGraphNode_t node)
{
	struct CUgraphNode_st *own = NULL;

	if (graph->source == node->graph || graph->updated == node->graph)
		return node->index < graph->nodes.len ? graph->nodes.data[node->index] : NULL;
	for (size_t i = 0; i < graph->nodes.len && !own; i++)
		if (graph->nodes.data[i]->type == cudaGraphNodeTypeGraph)
			own = copy_of_node(graph->nodes.data[i]->work.child, node);
	return own;
}

struct CUgraphNode_st *graph_exec_node_of(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	if (!handle_is(HANDLE_EXEC, exec) || !graph_node_of(node, type))
		return NULL;
	return graph_node_of(copy_of_node(exec->graph, node), type);
}
