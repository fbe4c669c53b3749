/*
 * Changes the work of nodes, in a graph or in an instantiated graph. For the latter, the caller names the original's
 * node. An update takes the work of all nodes from another graph.
 */
#include "runtime/api/graphs/graph_nodes.h"

#include "runtime/api/state/handles.h"

#include <string.h>

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

static cudaError_t set_copy_1d(struct CUgraphNode_st *node, void *dst, const void *src, size_t count,
			       enum cudaMemcpyKind kind)
{
	const struct copy_box box = graph_copy_of(dst, src, count);
	cudaError_t error = set_copy(node, &box, kind);

	if (!error)
		node->described = graph_describe_copy(dst, src, count, kind);
	return error;
}

static cudaError_t set_copy_3d(struct CUgraphNode_st *node, const struct cudaMemcpy3DParms *params)
{
	struct copy_box box;
	cudaError_t error = node && params ? copy_box_3d(params, &box) : cudaErrorInvalidValue;

	if (error)
		return runtime_remember(error);
	error = set_copy(node, &box, params->kind);
	if (!error)
		node->described = *params;
	return error;
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
	return set_kernel(graph_node_of(node, cudaGraphNodeTypeKernel), params);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
	return set_copy_3d(graph_node_of(node, cudaGraphNodeTypeMemcpy), params);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
					   enum cudaMemcpyKind kind)
{
	return set_copy_1d(graph_node_of(node, cudaGraphNodeTypeMemcpy), dst, src, count, kind);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params)
{
	return set_fill(graph_node_of(node, cudaGraphNodeTypeMemset), params);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params)
{
	return set_host(graph_node_of(node, cudaGraphNodeTypeHost), params);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaKernelNodeParams *params)
{
	return set_kernel(graph_exec_node_of(exec, node, cudaGraphNodeTypeKernel), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemcpy3DParms *params)
{
	return set_copy_3d(graph_exec_node_of(exec, node, cudaGraphNodeTypeMemcpy), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
					       size_t count, enum cudaMemcpyKind kind)
{
	return set_copy_1d(graph_exec_node_of(exec, node, cudaGraphNodeTypeMemcpy), dst, src, count, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemsetParams *params)
{
	return set_fill(graph_exec_node_of(exec, node, cudaGraphNodeTypeMemset), params);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					   const struct cudaHostNodeParams *params)
{
	return set_host(graph_exec_node_of(exec, node, cudaGraphNodeTypeHost), params);
}

static bool waits_alike(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
	size_t n = a->waits_for.len;

	return n == b->waits_for.len &&
	       (n == 0 || memcmp(a->waits_for.data, b->waits_for.data, n * sizeof *a->waits_for.data) == 0);
}

/* Why `now` cannot take the place of `old`, and in *node the node at fault, if a single node is. */
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
		if ((*node)->type == cudaGraphNodeTypeGraph) {
			struct CUgraphNode_st *inner = NULL;
			enum cudaGraphExecUpdateResult result =
			    compare(old->nodes.data[i]->work.child, (*node)->work.child, &inner);

			if (result != cudaGraphExecUpdateSuccess)
				return result;
		}
	}
	*node = NULL;
	return cudaGraphExecUpdateSuccess;
}

cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
	if (!handle_is(HANDLE_EXEC, exec) || !handle_is(HANDLE_GRAPH, graph) || !info)
		return runtime_remember(cudaErrorInvalidValue);
	*info = (cudaGraphExecUpdateResultInfo){0};
	info->result = compare(exec->graph, graph, &info->errorNode);
	if (info->result != cudaGraphExecUpdateSuccess)
		return runtime_remember(cudaErrorGraphExecUpdateFailure);
	graph_take_work(exec->graph, graph);
	return cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t childGraph)
{
	struct CUgraphNode_st *own = graph_exec_node_of(exec, node, cudaGraphNodeTypeGraph), *other;

	if (!own || !handle_is(HANDLE_GRAPH, childGraph) ||
	    compare(own->work.child, childGraph, &other) != cudaGraphExecUpdateSuccess)
		return runtime_remember(cudaErrorInvalidValue);
	graph_take_work(own->work.child, childGraph);
	return cudaSuccess;
}
