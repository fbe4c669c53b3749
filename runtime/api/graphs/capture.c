/* Capture: work submitted to a stream becomes nodes of a graph, in the order in which it was submitted. */
#include "runtime/api/graphs/capture.h"

#include "runtime/api/state/handles.h"

/* Adds a node that waits for the one captured before it: captured work runs in the order of its capture. */
static struct CUgraphNode_st *capture_node(cudaStream_t stream, enum cudaGraphNodeType type)
{
	struct CUgraph_st *graph = stream_graph(stream);
	cudaGraphNode_t last = graph->nodes.len ? vec_last(&graph->nodes) : NULL;

	return graph_add_node(graph, type, &last, last != NULL);
}

cudaError_t graph_capture_kernel(cudaStream_t stream, struct api_kernel *kernel, const uint32_t grid[3],
				 const uint32_t block[3], void **args, size_t shared,
				 const struct launch_options *options)
{
	struct CUgraphNode_st *node = capture_node(stream, cudaGraphNodeTypeKernel);

	graph_set_kernel(&node->work.kernel, kernel, grid, block, args, shared, options);
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

cudaError_t graph_capture_graph(cudaStream_t stream, const struct CUgraph_st *graph)
{
	capture_node(stream, cudaGraphNodeTypeGraph)->work.child = graph_copy_as_child(graph);
	return cudaSuccess;
}

cudaError_t graph_capture_join(cudaStream_t stream, struct CUgraph_st *graph)
{
	if (stream_is_default(stream) || (stream->capture && stream->capture != graph))
		return cudaErrorStreamCaptureIsolation;
	if (!stream->capture)
		vec_push(&graph->streams, stream);
	stream->capture = graph;
	return cudaSuccess;
}

void graph_capture_begin(cudaStream_t stream)
{
	stream->capture = handle_new(HANDLE_GRAPH, sizeof *stream->capture);
	stream->capture->origin = stream;
	vec_push(&stream->capture->streams, stream);
}

bool graph_is_captured(const struct CUgraph_st *graph)
{
	return handle_is(HANDLE_GRAPH, graph) && graph->origin;
}

void graph_capture_end(struct CUgraph_st *graph)
{
	for (size_t i = 0; i < graph->streams.len; i++)
		if (graph->streams.data[i])
			graph->streams.data[i]->capture = NULL;
	vec_release(&graph->streams);
	graph->origin = NULL;
}

void graph_capture_drop(cudaStream_t stream)
{
	struct CUgraph_st *graph = stream_graph(stream);

	if (!graph)
		return;
	for (size_t i = 0; i < graph->streams.len; i++)
		if (graph->streams.data[i] == stream)
			graph->streams.data[i] = NULL;
	if (graph->origin == stream) {
		graph_capture_end(graph);
		graph_free(graph);
	}
}
