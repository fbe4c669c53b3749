/*
 * What a node does, set anew: in a graph, or in an instantiated one, where the node is named by that of the graph which
 * it was made from. All nodes of an instantiated graph are set from those of another graph.
 */
#include "runtime/api/graphs/nodes.h"

#include "runtime/api/state/handles.h"

#include <string.h>

/* The node itself, if it is of this kind. */
static struct CUgraphNode_st *of_graph(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	return handle_is(HANDLE_NODE, node) && node->type == type ? node : NULL;
}

/* The instantiated graph's own copy of the node. */
static struct CUgraphNode_st *of_exec(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	if (!handle_is(HANDLE_EXEC, exec) || !of_graph(node, type) || node->index >= exec->graph->nodes.len)
		return NULL;
	return of_graph(exec->graph->nodes.data[node->index], type);
}

static cudaError_t set_kernel(struct CUgraphNode_st *node, const struct cudaKernelNodeParams *params)
{
	ENTER(rt);

	return runtime_leave(node && params ? graph_kernel_of(rt, params, &node->work.kernel) : cudaErrorInvalidValue);
}

static cudaError_t set_copy(struct CUgraphNode_st *node, const struct copy_box *box, enum cudaMemcpyKind kind)
{
	ENTER(rt);
	cudaError_t error = node ? copy_check(rt, box, kind) : cudaErrorInvalidValue;

	if (!error)
		node->work.copy = *box;
	return runtime_leave(error);
}

static cudaError_t set_copy_3d(struct CUgraphNode_st *node, const struct cudaMemcpy3DParms *params)
{
	struct copy_box box;
	cudaError_t error = node && params ? copy_box_3d(params, &box) : cudaErrorInvalidValue;

	return error ? runtime_remember(error) : set_copy(node, &box, params->kind);
}

static cudaError_t set_fill(struct CUgraphNode_st *node, const struct cudaMemsetParams *params)
{
	ENTER(rt);

	return runtime_leave(node && params ? graph_fill_of(rt, params, &node->work.fill) : cudaErrorInvalidValue);
}

static cudaError_t set_host(struct CUgraphNode_st *node, const struct cudaHostNodeParams *params)
{
	if (!node || !params || !params->fn)
		return runtime_remember(cudaErrorInvalidValue);
	node->work.host = *params;
	return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
	return set_kernel(of_graph(node, cudaGraphNodeTypeKernel), params);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
	return set_copy_3d(of_graph(node, cudaGraphNodeTypeMemcpy), params);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
					   enum cudaMemcpyKind kind)
{
	const struct copy_box box = graph_copy_of(dst, src, count);

	return set_copy(of_graph(node, cudaGraphNodeTypeMemcpy), &box, kind);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params)
{
	return set_fill(of_graph(node, cudaGraphNodeTypeMemset), params);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params)
{
	return set_host(of_graph(node, cudaGraphNodeTypeHost), params);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaKernelNodeParams *params)
{
	return set_kernel(of_exec(exec, node, cudaGraphNodeTypeKernel), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemcpy3DParms *params)
{
	return set_copy_3d(of_exec(exec, node, cudaGraphNodeTypeMemcpy), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
					       size_t count, enum cudaMemcpyKind kind)
{
	const struct copy_box box = graph_copy_of(dst, src, count);

	return set_copy(of_exec(exec, node, cudaGraphNodeTypeMemcpy), &box, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemsetParams *params)
{
	return set_fill(of_exec(exec, node, cudaGraphNodeTypeMemset), params);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					   const struct cudaHostNodeParams *params)
{
	return set_host(of_exec(exec, node, cudaGraphNodeTypeHost), params);
}

static bool waits_alike(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
	size_t n = a->waits_for.len;

	return n == b->waits_for.len &&
	       (n == 0 || memcmp(a->waits_for.data, b->waits_for.data, n * sizeof *a->waits_for.data) == 0);
}

/* What forbids that `now` takes the place of `old`; the first such node, if it is one. */
static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *old, const struct CUgraph_st *now,
					      struct CUgraphNode_st **node)
{
	if (old->nodes.len != now->nodes.len)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (size_t i = 0; i < now->nodes.len; i++) {
		*node = now->nodes.data[i];
		if ((*node)->type != old->nodes.data[i]->type)
			return cudaGraphExecUpdateErrorNodeTypeChanged;
		if (!waits_alike(*node, old->nodes.data[i]))
			return cudaGraphExecUpdateErrorTopologyChanged;
	}
	*node = NULL;
	return cudaGraphExecUpdateSuccess;
}

cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
	struct CUgraph_st *copy;

	if (!handle_is(HANDLE_EXEC, exec) || !handle_is(HANDLE_GRAPH, graph) || !info)
		return runtime_remember(cudaErrorInvalidValue);
	*info = (cudaGraphExecUpdateResultInfo){0};
	info->result = compare(exec->graph, graph, &info->errorNode);
	if (info->result != cudaGraphExecUpdateSuccess)
		return runtime_remember(cudaErrorGraphExecUpdateFailure);
	cudaGraphClone(&copy, graph);
	graph_free(exec->graph);
	exec->graph = copy; /* in the same order as before */
	return cudaSuccess;
}
