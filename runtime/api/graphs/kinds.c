/*
 * Nodes beside kernels, copies, fills and host functions: graphs as nodes, events, copies to and from variables; nodes
 * of any kind by one call; nodes that are switched off.
 */
#include "runtime/api/graphs/graph_nodes.h"

#include "runtime/api/state/handles.h"

/* --- Graphs as nodes: the node has a copy --- */

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				       size_t count, cudaGraph_t childGraph)
{
	struct CUgraph_st *copy;

	if (graph_check_new(node, graph, dependencies, count, childGraph) || !handle_is(HANDLE_GRAPH, childGraph))
		return runtime_remember(cudaErrorInvalidValue);
	copy = graph_copy_as_child(childGraph); /* before the node is there: a graph may be its own child */
	*node = graph_add_node(graph, cudaGraphNodeTypeGraph, dependencies, count);
	(*node)->work.child = copy;
	return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
	const struct CUgraphNode_st *own = graph_node_of(node, cudaGraphNodeTypeGraph);

	if (!own || !graph)
		return runtime_remember(cudaErrorInvalidValue);
	*graph = own->work.child;
	return cudaSuccess;
}

/* --- Events --- */

static cudaError_t add_event(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			     size_t count, cudaEvent_t event, enum cudaGraphNodeType type)
{
	if (graph_check_new(node, graph, dependencies, count, event) || !handle_is(HANDLE_EVENT, event))
		return runtime_remember(cudaErrorInvalidValue);
	*node = graph_add_node(graph, type, dependencies, count);
	(*node)->work.event = event;
	return cudaSuccess;
}

static cudaError_t get_event(const struct CUgraphNode_st *node, cudaEvent_t *event)
{
	if (!node || !event)
		return runtime_remember(cudaErrorInvalidValue);
	*event = node->work.event;
	return cudaSuccess;
}

static cudaError_t set_event(struct CUgraphNode_st *node, cudaEvent_t event)
{
	if (!node || !handle_is(HANDLE_EVENT, event))
		return runtime_remember(cudaErrorInvalidValue);
	node->work.event = event;
	return cudaSuccess;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
					size_t count, cudaEvent_t event)
{
	return add_event(node, graph, dependencies, count, event, cudaGraphNodeTypeEventRecord);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(graph_node_of(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(graph_node_of(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(graph_exec_node_of(exec, node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				      size_t count, cudaEvent_t event)
{
	return add_event(node, graph, dependencies, count, event, cudaGraphNodeTypeWaitEvent);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(graph_node_of(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(graph_node_of(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(graph_exec_node_of(exec, node, cudaGraphNodeTypeWaitEvent), event);
}

/* --- Copies to and from variables: this looks up the variable's address now --- */

static cudaError_t address_in(const void *symbol, size_t count, size_t offset, char **address)
{
	size_t size = 0;
	cudaError_t error = cudaGetSymbolSize(&size, symbol);

	if (!error)
		error = cudaGetSymbolAddress((void **)address, symbol);
	if (!error && (offset > size || count > size - offset))
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error)
		*address += offset;
	return error;
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					   const cudaGraphNode_t *dependencies, size_t ndependencies,
					   const void *symbol, const void *src, size_t count, size_t offset,
					   enum cudaMemcpyKind kind)
{
	char *to = NULL;
	cudaError_t error = address_in(symbol, count, offset, &to);

	return error ? error : cudaGraphAddMemcpyNode1D(node, graph, dependencies, ndependencies, to, src, count, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					     const cudaGraphNode_t *dependencies, size_t ndependencies, void *dst,
					     const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	char *from = NULL;
	cudaError_t error = address_in(symbol, count, offset, &from);

	return error ? error
		     : cudaGraphAddMemcpyNode1D(node, graph, dependencies, ndependencies, dst, from, count, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
						 size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	char *to = NULL;
	cudaError_t error = address_in(symbol, count, offset, &to);

	return error ? error : cudaGraphMemcpyNodeSetParams1D(node, to, src, count, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
						   size_t offset, enum cudaMemcpyKind kind)
{
	char *from = NULL;
	cudaError_t error = address_in(symbol, count, offset, &from);

	return error ? error : cudaGraphMemcpyNodeSetParams1D(node, dst, from, count, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
						     const void *src, size_t count, size_t offset,
						     enum cudaMemcpyKind kind)
{
	char *to = NULL;
	cudaError_t error = address_in(symbol, count, offset, &to);

	return error ? error : cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, src, count, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
						       const void *symbol, size_t count, size_t offset,
						       enum cudaMemcpyKind kind)
{
	char *from = NULL;
	cudaError_t error = address_in(symbol, count, offset, &from);

	return error ? error : cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, from, count, kind);
}

/* --- Nodes that can be switched off: kernels, copies and fills --- */

static struct CUgraphNode_st *switched(cudaGraphExec_t exec, cudaGraphNode_t node)
{
	struct CUgraphNode_st *own = graph_exec_node_of(exec, node, cudaGraphNodeTypeKernel);

	if (!own)
		own = graph_exec_node_of(exec, node, cudaGraphNodeTypeMemcpy);
	return own ? own : graph_exec_node_of(exec, node, cudaGraphNodeTypeMemset);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int isEnabled)
{
	struct CUgraphNode_st *own = switched(exec, node);

	if (!own)
		return runtime_remember(cudaErrorInvalidValue);
	own->disabled = !isEnabled;
	return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *isEnabled)
{
	const struct CUgraphNode_st *own = switched(exec, node);

	if (!own || !isEnabled)
		return runtime_remember(cudaErrorInvalidValue);
	*isEnabled = !own->disabled;
	return cudaSuccess;
}

/* --- One call for all kinds --- */

static struct cudaKernelNodeParams kernel_of(const struct cudaGraphNodeParams *p)
{
	return (struct cudaKernelNodeParams){p->kernel.func,           p->kernel.gridDim,      p->kernel.blockDim,
					     p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra};
}

static struct cudaMemsetParams fill_of(const struct cudaGraphNodeParams *p)
{
	return (struct cudaMemsetParams){p->memset.dst,         p->memset.pitch, p->memset.value,
					 p->memset.elementSize, p->memset.width, p->memset.height};
}

static struct cudaHostNodeParams host_of(const struct cudaGraphNodeParams *p)
{
	return (struct cudaHostNodeParams){p->host.fn, p->host.userData};
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			     const cudaGraphEdgeData *dependencyData, size_t count, struct cudaGraphNodeParams *params)
{
	struct cudaKernelNodeParams kernel;
	struct cudaMemsetParams fill;
	struct cudaHostNodeParams host;

	if (!params)
		return runtime_remember(cudaErrorInvalidValue);
	if (!graph_edges_are_plain(dependencyData, count))
		return runtime_remember(cudaErrorNotSupported);
	switch (params->type) {
	case cudaGraphNodeTypeKernel:
		kernel = kernel_of(params);
		return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
	case cudaGraphNodeTypeMemcpy:
		return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		fill = fill_of(params);
		return cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill);
	case cudaGraphNodeTypeHost:
		host = host_of(params);
		return cudaGraphAddHostNode(node, graph, dependencies, count, &host);
	case cudaGraphNodeTypeGraph:
		if (params->graph.ownership == cudaGraphChildGraphOwnershipMove)
			return runtime_remember(cudaErrorNotSupported);
		return cudaGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
	case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, dependencies, count);
	case cudaGraphNodeTypeWaitEvent:
		return cudaGraphAddEventWaitNode(node, graph, dependencies, count, params->eventWait.event);
	case cudaGraphNodeTypeEventRecord:
		return cudaGraphAddEventRecordNode(node, graph, dependencies, count, params->eventRecord.event);
	default:
		return runtime_remember((unsigned)params->type < cudaGraphNodeTypeCount ? cudaErrorNotSupported
											: cudaErrorInvalidValue);
	}
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
	struct cudaKernelNodeParams kernel;
	struct cudaMemsetParams fill;
	struct cudaHostNodeParams host;

	if (!params || !graph_node_of(node, params->type))
		return runtime_remember(cudaErrorInvalidValue);
	switch (params->type) {
	case cudaGraphNodeTypeKernel: kernel = kernel_of(params); return cudaGraphKernelNodeSetParams(node, &kernel);
	case cudaGraphNodeTypeMemcpy: return cudaGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
	case cudaGraphNodeTypeMemset: fill = fill_of(params); return cudaGraphMemsetNodeSetParams(node, &fill);
	case cudaGraphNodeTypeHost: host = host_of(params); return cudaGraphHostNodeSetParams(node, &host);
	case cudaGraphNodeTypeWaitEvent: return cudaGraphEventWaitNodeSetEvent(node, params->eventWait.event);
	case cudaGraphNodeTypeEventRecord: return cudaGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
	default: return runtime_remember(cudaErrorNotSupported);
	}
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
	struct CUgraphNode_st *own = params ? graph_exec_node_of(exec, node, params->type) : NULL;

	if (!own)
		return runtime_remember(cudaErrorInvalidValue);
	if (params->type == cudaGraphNodeTypeGraph)
		return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
	return cudaGraphNodeSetParams(own, params);
}
