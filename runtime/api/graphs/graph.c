/*
 * Graphs: work that is recorded once, from a stream or node by node, and runs any number of times. Instantiation copies
 * a graph and sorts its nodes by their dependencies. A launch runs the nodes in that order.
 */
#include "runtime/api/graphs/capture.h"

#include "runtime/api/state/handles.h"

#include <stdlib.h>
#include <string.h>

/* --- Capture --- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	if (!error && (unsigned)mode > cudaStreamCaptureModeRelaxed)
		error = cudaErrorInvalidValue;
	else if (!error && stream_is_default(stream))
		error = cudaErrorStreamCaptureUnsupported;
	else if (!error && stream_graph(stream))
		error = cudaErrorIllegalState;
	if (!error)
		graph_capture_begin(stream);
	return runtime_leave(error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	ENTER(rt);
	struct CUgraph_st *captured;
	cudaError_t error = graph ? stream_check(stream) : cudaErrorInvalidValue;

	captured = error ? NULL : stream_graph(stream);
	if (!error && !captured)
		error = cudaErrorIllegalState;
	else if (!error && captured->origin != stream)
		error = cudaErrorStreamCaptureUnmatched;
	if (!error) {
		graph_capture_end(captured);
		*graph = captured;
	}
	return runtime_leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	ENTER(rt);
	cudaError_t error = status ? stream_check(stream) : cudaErrorInvalidValue;

	if (!error)
		*status = stream_graph(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
	return runtime_leave(error);
}

/* --- Graphs node by node --- */

static bool is_graph(cudaGraph_t graph)
{
	return handle_is(HANDLE_GRAPH, graph);
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
	if (!graph || flags)
		return runtime_remember(cudaErrorInvalidValue);
	*graph = handle_new(HANDLE_GRAPH, sizeof **graph);
	return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	if (!is_graph(graph) || graph->is_child)
		return runtime_remember(cudaErrorInvalidValue);
	graph_free(graph);
	return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
	if (!clone || !is_graph(graph))
		return runtime_remember(cudaErrorInvalidValue);
	*clone = graph_copy(graph);
	return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaKernelNodeParams *params)
{
	ENTER(rt);
	struct kernel_work work = {0};
	cudaError_t error = graph_check_new(node, graph, dependencies, count, params);

	if (!error)
		error = graph_kernel_of(rt, params, &work);
	if (!error) {
		*node = graph_add_node(graph, cudaGraphNodeTypeKernel, dependencies, count);
		(*node)->work.kernel = work;
	}
	return runtime_leave(error);
}

/* Checks both ends as for a copy that runs now. */
static cudaError_t add_copy(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
			    const struct copy_box *box, enum cudaMemcpyKind kind)
{
	ENTER(rt);
	cudaError_t error = copy_check(rt, box, kind);

	if (!error) {
		*node = graph_add_node(graph, cudaGraphNodeTypeMemcpy, dependencies, count);
		(*node)->work.copy = *box;
	}
	return runtime_leave(error);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaMemcpy3DParms *params)
{
	struct copy_box box;
	cudaError_t error = graph_check_new(node, graph, dependencies, count, params);

	if (!error)
		error = copy_box_3d(params, &box);
	if (error)
		return runtime_remember(error);
	error = add_copy(node, graph, dependencies, count, &box, params->kind);
	if (!error)
		(*node)->described = *params;
	return error;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				     size_t ndependencies, void *dst, const void *src, size_t count,
				     enum cudaMemcpyKind kind)
{
	const struct copy_box box = graph_copy_of(dst, src, count);
	cudaError_t error;

	if (graph_check_new(node, graph, dependencies, ndependencies, dst))
		return runtime_remember(cudaErrorInvalidValue);
	error = add_copy(node, graph, dependencies, ndependencies, &box, kind);
	if (!error)
		(*node)->described = graph_describe_copy(dst, src, count, kind);
	return error;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaMemsetParams *params)
{
	ENTER(rt);
	struct fill_box box;
	cudaError_t error = graph_check_new(node, graph, dependencies, count, params);

	if (!error)
		error = graph_fill_of(rt, params, &box);
	if (!error) {
		*node = graph_add_node(graph, cudaGraphNodeTypeMemset, dependencies, count);
		(*node)->work.fill = box;
	}
	return runtime_leave(error);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				 size_t count, const struct cudaHostNodeParams *params)
{
	if (graph_check_new(node, graph, dependencies, count, params) || !params->fn)
		return runtime_remember(cudaErrorInvalidValue);
	*node = graph_add_node(graph, cudaGraphNodeTypeHost, dependencies, count);
	(*node)->work.host = *params;
	return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				  size_t count)
{
	if (graph_check_new(node, graph, dependencies, count, node))
		return runtime_remember(cudaErrorInvalidValue);
	*node = graph_add_node(graph, cudaGraphNodeTypeEmpty, dependencies, count);
	return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	if (!handle_is(HANDLE_NODE, node) || !type)
		return runtime_remember(cudaErrorInvalidValue);
	*type = node->type;
	return cudaSuccess;
}

/* --- Running --- */

static cudaError_t run_kernel(struct runtime *rt, const struct kernel_work *work)
{
	const struct kernel_attributes *a = &work->kernel->attributes;
	void *args[a->nparams + 1];

	for (uint32_t i = 0; i < a->nparams; i++)
		args[i] = work->params + a->param_offsets[i];
	return api_kernel_launch(rt, work->kernel, work->grid, work->block, args, work->shared, 0, &work->options);
}

/* After the work before it, which on a GPU has only been submitted. */
static cudaError_t run_host(struct runtime *rt, const struct cudaHostNodeParams *work)
{
	struct diag d = DIAG_INIT;
	cudaError_t error = status_error(rt, rt->ops->synchronize(rt->device, &d));

	runtime_notice(&d);
	if (!error)
		work->fn(work->userData);
	return error;
}

static bool put_in_order(const struct CUgraph_st *graph, size_t *order);
static cudaError_t run_node(struct runtime *rt, const struct CUgraphNode_st *node);

/* A graph inside a node. Instantiation of the outer graph has checked that it has no cycle. */
static cudaError_t run_child(struct runtime *rt, const struct CUgraph_st *graph)
{
	size_t *order = xcalloc(graph->nodes.len + 1, sizeof *order);
	cudaError_t error = put_in_order(graph, order) ? cudaSuccess : cudaErrorInvalidValue;

	for (size_t i = 0; i < graph->nodes.len && !error; i++)
		error = run_node(rt, graph->nodes.data[order[i]]);
	free(order);
	return error;
}

static cudaError_t run_node(struct runtime *rt, const struct CUgraphNode_st *node)
{
	cudaError_t error;

	if (node->disabled)
		return cudaSuccess;
	switch (node->type) {
	case cudaGraphNodeTypeKernel:
		error = api_kernel_load(rt, node->work.kernel.kernel);
		return error ? error : run_kernel(rt, &node->work.kernel);
	case cudaGraphNodeTypeMemcpy: return copy_run(rt, &node->work.copy);
	case cudaGraphNodeTypeMemset: return fill_run(rt, &node->work.fill);
	case cudaGraphNodeTypeHost: return run_host(rt, &node->work.host);
	case cudaGraphNodeTypeGraph: return run_child(rt, node->work.child);
	case cudaGraphNodeTypeEventRecord: return cudaEventRecord(node->work.event, NULL);
	case cudaGraphNodeTypeWaitEvent: return cudaStreamWaitEvent(NULL, node->work.event, 0);
	default: return cudaSuccess;
	}
}

/* False if a graph inside a node, at any depth, has a cycle. */
static bool children_have_order(const struct CUgraph_st *graph)
{
	bool good = true;

	for (size_t i = 0; i < graph->nodes.len && good; i++)
		if (graph->nodes.data[i]->type == cudaGraphNodeTypeGraph) {
			const struct CUgraph_st *child = graph->nodes.data[i]->work.child;
			size_t *order = xcalloc(child->nodes.len + 1, sizeof *order);

			good = put_in_order(child, order) && children_have_order(child);
			free(order);
		}
	return good;
}

/* Repeatedly takes the first node whose dependencies have all been taken; false if there is a cycle. */
static bool put_in_order(const struct CUgraph_st *graph, size_t *order)
{
	size_t n = graph->nodes.len, done = 0;
	bool *taken = xcalloc(n + 1, sizeof *taken), progress = true;

	while (done < n && progress) {
		progress = false;
		for (size_t i = 0; i < n; i++) {
			const struct CUgraphNode_st *node = graph->nodes.data[i];
			bool ready = !taken[i];

			for (size_t k = 0; ready && k < node->waits_for.len; k++)
				ready = taken[node->waits_for.data[k]];
			if (!ready)
				continue;
			taken[i] = progress = true;
			order[done++] = i;
		}
	}
	free(taken);
	return done == n;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	if (!exec || !is_graph(graph))
		return runtime_remember(cudaErrorInvalidValue);
	*exec = handle_new(HANDLE_EXEC, sizeof **exec);
	(*exec)->flags = flags;
	(*exec)->graph = graph_copy(graph);
	(*exec)->order = xcalloc(graph->nodes.len + 1, sizeof *(*exec)->order);
	if (put_in_order(graph, (*exec)->order) && children_have_order(graph))
		return cudaSuccess;
	cudaGraphExecDestroy(*exec);
	*exec = NULL;
	return runtime_remember(cudaErrorInvalidValue);
}

/*
 * The name that programs made with NVIDIA's headers call; CUDA 11 passes a place for the failing node instead of flags.
 */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					   cudaGraphInstantiateParams *instantiateParams)
{
	ENTER(rt);
	const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
					 cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
	cudaError_t error =
	    instantiateParams && !(instantiateParams->flags & ~known) ? cudaSuccess : cudaErrorInvalidValue;

	if (!error && (instantiateParams->flags & cudaGraphInstantiateFlagUpload))
		error = stream_check(instantiateParams->uploadStream);
	if (error)
		return runtime_leave(error);
	instantiateParams->errNode_out = NULL;
	error = cudaGraphInstantiateWithFlags(exec, graph, instantiateParams->flags);
	instantiateParams->result_out = !error                    ? cudaGraphInstantiateSuccess
					: exec && is_graph(graph) ? cudaGraphInstantiateInvalidStructure
								  : cudaGraphInstantiateError;
	return runtime_leave(error);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
	if (!handle_is(HANDLE_EXEC, exec) || !flags)
		return runtime_remember(cudaErrorInvalidValue);
	*flags = exec->flags;
	return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	ENTER(rt);
	cudaError_t error = handle_is(HANDLE_EXEC, exec) ? stream_check(stream) : cudaErrorInvalidValue;

	if (!error && stream_graph(stream))
		return runtime_leave(graph_capture_graph(stream, exec->graph));
	for (size_t i = 0; !error && i < exec->graph->nodes.len; i++)
		error = run_node(rt, exec->graph->nodes.data[exec->order[i]]);
	return runtime_leave(error);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
	ENTER(rt);

	return runtime_leave(handle_is(HANDLE_EXEC, exec) ? stream_check(stream) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	if (!handle_is(HANDLE_EXEC, exec))
		return runtime_remember(cudaErrorInvalidValue);
	graph_free(exec->graph);
	free(exec->order);
	handle_free(exec);
	return cudaSuccess;
}
