/*
 * A graph is a list of nodes with the nodes they wait for. Instantiation copies it and puts it in an order that
 * respects the dependencies; a launch runs the nodes in that order.
 */
#include "runtime/api/graphs/graph.h"

#include "runtime/api/runtime/stream.h"

#include <stdlib.h>
#include <string.h>

struct kernel_work {
	struct api_kernel *kernel;
	uint32_t grid[3], block[3];
	size_t shared;
	struct launch_wishes wishes;
	unsigned char *params; /* the values of the parameters, one after the other at their offsets */
};

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	size_t index; /* in its graph */
	VEC(size_t) waits_for;
	union {
		struct kernel_work kernel;
		struct copy_box copy;
		struct fill_box fill;
		struct cudaHostNodeParams host;
	} work;
};

struct CUgraph_st {
	VEC(struct CUgraphNode_st *) nodes;
	cudaStream_t origin;       /* while it is being captured */
	VEC(cudaStream_t) streams; /* that capture into it */
};

struct CUgraphExec_st {
	struct CUgraph_st *graph; /* an own copy */
	size_t *order;
};

/* --- Nodes --- */

static struct CUgraphNode_st *add_node(struct CUgraph_st *graph, enum cudaGraphNodeType type,
				       const cudaGraphNode_t *dependencies, size_t count)
{
	struct CUgraphNode_st *node = xcalloc(1, sizeof *node);

	node->type = type;
	node->index = graph->nodes.len;
	for (size_t i = 0; i < count; i++)
		vec_push(&node->waits_for, dependencies[i]->index);
	vec_push(&graph->nodes, node);
	return node;
}

static void set_kernel(struct kernel_work *work, struct api_kernel *kernel, const uint32_t grid[3],
		       const uint32_t block[3], void **args, size_t shared, const struct launch_wishes *wishes)
{
	const struct kernel_attributes *a = &kernel->attributes;

	free(work->params);
	*work = (struct kernel_work){.kernel = kernel, .shared = shared, .wishes = *wishes};
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
	free(node);
}

static cudaError_t run_kernel(struct runtime *rt, const struct kernel_work *work)
{
	const struct kernel_attributes *a = &work->kernel->attributes;
	void *args[a->nparams + 1];
	cudaError_t error = api_kernel_load(rt, work->kernel);

	for (uint32_t i = 0; i < a->nparams; i++)
		args[i] = work->params + a->param_offsets[i];
	if (!error)
		error =
		    api_kernel_launch(rt, work->kernel, work->grid, work->block, args, work->shared, 0, &work->wishes);
	return error;
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

static cudaError_t run_node(struct runtime *rt, const struct CUgraphNode_st *node)
{
	switch (node->type) {
	case cudaGraphNodeTypeKernel: return run_kernel(rt, &node->work.kernel);
	case cudaGraphNodeTypeMemcpy: return copy_run(rt, &node->work.copy);
	case cudaGraphNodeTypeMemset: return fill_run(rt, &node->work.fill);
	case cudaGraphNodeTypeHost: return run_host(rt, &node->work.host);
	default: return cudaSuccess;
	}
}

/* --- Capture --- */

struct CUgraph_st *graph_capturing(cudaStream_t stream)
{
	struct CUstream_st *state = stream_state(stream);

	return state ? state->capture : NULL;
}

/* Captured work runs in the order of its capture: each node waits for the one before. */
static struct CUgraphNode_st *capture_node(cudaStream_t stream, enum cudaGraphNodeType type)
{
	struct CUgraph_st *graph = graph_capturing(stream);
	cudaGraphNode_t last = graph->nodes.len ? vec_last(&graph->nodes) : NULL;

	return add_node(graph, type, &last, last != NULL);
}

cudaError_t graph_capture_kernel(cudaStream_t stream, struct api_kernel *kernel, const uint32_t grid[3],
				 const uint32_t block[3], void **args, size_t shared,
				 const struct launch_wishes *wishes)
{
	struct CUgraphNode_st *node = capture_node(stream, cudaGraphNodeTypeKernel);

	set_kernel(&node->work.kernel, kernel, grid, block, args, shared, wishes);
	return cudaSuccess;
}

cudaError_t graph_capture_copy(cudaStream_t stream, const struct copy_box *box)
{
	capture_node(stream, cudaGraphNodeTypeMemcpy)->work.copy = *box;
	return cudaSuccess;
}

cudaError_t graph_capture_fill(cudaStream_t stream, const struct fill_box *box)
{
	capture_node(stream, cudaGraphNodeTypeMemset)->work.fill = *box;
	return cudaSuccess;
}

cudaError_t graph_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data)
{
	capture_node(stream, cudaGraphNodeTypeHost)->work.host = (struct cudaHostNodeParams){function, data};
	return cudaSuccess;
}

cudaError_t graph_capture_join(cudaStream_t stream, struct CUgraph_st *graph)
{
	struct CUstream_st *state = stream_state(stream);

	if (!state || (state->capture && state->capture != graph))
		return cudaErrorStreamCaptureIsolation;
	if (!state->capture)
		vec_push(&graph->streams, stream);
	state->capture = graph;
	return cudaSuccess;
}

static void end_capture(struct CUgraph_st *graph)
{
	for (size_t i = 0; i < graph->streams.len; i++)
		if (graph->streams.data[i])
			graph->streams.data[i]->capture = NULL;
	vec_release(&graph->streams);
	graph->origin = NULL;
}

void graph_capture_drop(cudaStream_t stream)
{
	struct CUgraph_st *graph = graph_capturing(stream);

	if (!graph)
		return;
	for (size_t i = 0; i < graph->streams.len; i++)
		if (graph->streams.data[i] == stream)
			graph->streams.data[i] = NULL;
	if (graph->origin == stream) {
		end_capture(graph);
		cudaGraphDestroy(graph);
	}
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	struct runtime *rt = runtime_enter();
	struct CUstream_st *state;
	cudaError_t error;

	(void)mode;
	if (!rt)
		return runtime_failed();
	error = stream_check(stream);
	state = error ? NULL : stream_state(stream);
	if (!error && !state)
		error = cudaErrorStreamCaptureUnsupported;
	else if (!error && state->capture)
		error = cudaErrorIllegalState;
	if (!error) {
		state->capture = xcalloc(1, sizeof *state->capture);
		state->capture->origin = stream;
		vec_push(&state->capture->streams, stream);
	}
	return runtime_leave(error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	struct runtime *rt = runtime_enter();
	struct CUgraph_st *captured;
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = stream_check(stream);
	captured = error ? NULL : graph_capturing(stream);
	if (!error && !captured)
		error = cudaErrorIllegalState;
	else if (!error && captured->origin != stream)
		error = cudaErrorStreamCaptureUnmatched;
	if (!error) {
		end_capture(captured);
		*graph = captured;
	}
	return runtime_leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = stream_check(stream);
	if (!error)
		*status = graph_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
	return runtime_leave(error);
}

/* --- Graphs node by node --- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
	if (!graph || flags)
		return runtime_remember(cudaErrorInvalidValue);
	*graph = xcalloc(1, sizeof **graph);
	return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	if (!graph)
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->nodes.len; i++)
		free_node(graph->nodes.data[i]);
	vec_release(&graph->nodes);
	free(graph);
	return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
	if (!clone || !graph)
		return runtime_remember(cudaErrorInvalidValue);
	*clone = xcalloc(1, sizeof **clone);
	for (size_t i = 0; i < graph->nodes.len; i++) {
		const struct CUgraphNode_st *from = graph->nodes.data[i];
		struct CUgraphNode_st *to = add_node(*clone, from->type, NULL, 0);

		to->work = from->work;
		for (size_t k = 0; k < from->waits_for.len; k++)
			vec_push(&to->waits_for, from->waits_for.data[k]);
		if (from->type == cudaGraphNodeTypeKernel) {
			size_t bytes = from->work.kernel.kernel->attributes.param_bytes;

			to->work.kernel.params = xmalloc(bytes + 1);
			memcpy(to->work.kernel.params, from->work.kernel.params, bytes);
		}
	}
	return cudaSuccess;
}

static cudaError_t node_kernel(struct runtime *rt, struct kernel_work *work, const struct cudaKernelNodeParams *params)
{
	const uint32_t grid[3] = {params->gridDim.x, params->gridDim.y, params->gridDim.z};
	const uint32_t block[3] = {params->blockDim.x, params->blockDim.y, params->blockDim.z};
	struct api_kernel *kernel;
	cudaError_t error = params->kernelParams ? api_kernel_find(rt, params->func, &kernel) : cudaErrorNotSupported;

	if (!error)
		set_kernel(work, kernel, grid, block, params->kernelParams, params->sharedMemBytes,
			   &(struct launch_wishes){.cooperative = false});
	return error;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaKernelNodeParams *params)
{
	struct runtime *rt = runtime_enter();
	struct kernel_work work = {0};
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = node_kernel(rt, &work, params);
	if (!error) {
		*node = add_node(graph, cudaGraphNodeTypeKernel, dependencies, count);
		(*node)->work.kernel = work;
	}
	return runtime_leave(error);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaMemcpy3DParms *params)
{
	struct copy_box box;
	cudaError_t error = copy_box_3d(params, &box);

	if (error)
		return runtime_remember(error);
	*node = add_node(graph, cudaGraphNodeTypeMemcpy, dependencies, count);
	(*node)->work.copy = box;
	return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				     size_t ndependencies, void *dst, const void *src, size_t count,
				     enum cudaMemcpyKind kind)
{
	(void)kind;
	*node = add_node(graph, cudaGraphNodeTypeMemcpy, dependencies, ndependencies);
	(*node)->work.copy =
	    (struct copy_box){.to = (uintptr_t)dst, .from = (uintptr_t)src, .width = count, .height = 1, .depth = 1};
	return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, const struct cudaMemsetParams *params)
{
	if (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4)
		return runtime_remember(cudaErrorInvalidValue);
	*node = add_node(graph, cudaGraphNodeTypeMemset, dependencies, count);
	(*node)->work.fill = (struct fill_box){.to = (uintptr_t)params->dst,
					       .pitch = params->pitch,
					       .width = params->width,
					       .height = params->height ? params->height : 1,
					       .depth = 1,
					       .value = params->value,
					       .element = params->elementSize};
	return cudaSuccess;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				 size_t count, const struct cudaHostNodeParams *params)
{
	*node = add_node(graph, cudaGraphNodeTypeHost, dependencies, count);
	(*node)->work.host = *params;
	return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				  size_t count)
{
	*node = add_node(graph, cudaGraphNodeTypeEmpty, dependencies, count);
	return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				     size_t count)
{
	(void)graph;
	for (size_t i = 0; i < count; i++)
		vec_push(&to[i]->waits_for, from[i]->index);
	return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	size_t wanted = *count;

	*count = graph->nodes.len;
	for (size_t i = 0; nodes && i < wanted && i < graph->nodes.len; i++)
		nodes[i] = graph->nodes.data[i];
	return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	*type = node->type;
	return cudaSuccess;
}

/* --- Running --- */

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
	(void)flags;
	if (!exec || !graph)
		return runtime_remember(cudaErrorInvalidValue);
	*exec = xcalloc(1, sizeof **exec);
	cudaGraphClone(&(*exec)->graph, graph);
	(*exec)->order = xcalloc(graph->nodes.len + 1, sizeof *(*exec)->order);
	if (put_in_order(graph, (*exec)->order))
		return cudaSuccess;
	cudaGraphExecDestroy(*exec);
	*exec = NULL;
	return runtime_remember(cudaErrorInvalidValue);
}

/*
 * The name that programs made with NVIDIA's headers call; CUDA 11 passes a place for the failing node instead of flags.
 */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = exec ? stream_check(stream) : cudaErrorInvalidValue;
	for (size_t i = 0; !error && i < exec->graph->nodes.len; i++)
		error = run_node(rt, exec->graph->nodes.data[exec->order[i]]);
	return runtime_leave(error);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
	(void)exec, (void)stream;
	return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaKernelNodeParams *params)
{
	struct runtime *rt = runtime_enter();
	struct CUgraphNode_st *own;

	if (!rt)
		return runtime_failed();
	own = node->index < exec->graph->nodes.len ? exec->graph->nodes.data[node->index] : NULL;
	if (!own || own->type != cudaGraphNodeTypeKernel)
		return runtime_leave(cudaErrorInvalidValue);
	return runtime_leave(node_kernel(rt, &own->work.kernel, params));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	if (!exec)
		return runtime_remember(cudaErrorInvalidValue);
	cudaGraphDestroy(exec->graph);
	free(exec->order);
	free(exec);
	return cudaSuccess;
}
