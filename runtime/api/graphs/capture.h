/*
 * Capture of a stream. Functions that submit work first call stream_graph() (stream.h). If the stream captures, they
 * call the functions here instead of running the work.
 */
#ifndef ROMARK_API_CAPTURE_H
#define ROMARK_API_CAPTURE_H

#include "runtime/api/graphs/graph_nodes.h"
#include "runtime/api/cudart/stream.h"

/* Starts a capture of `stream` into a new graph. `stream` must not be a default stream. */
void graph_capture_begin(cudaStream_t stream);
/* For any address of a graph that there was: whether streams capture into it now. */
bool graph_is_captured(const struct CUgraph_st *graph);
/* No stream captures into the graph any more. */
void graph_capture_end(struct CUgraph_st *graph);

/* Each appends one node to the graph that `stream` captures. */
cudaError_t graph_capture_kernel(cudaStream_t stream, struct api_kernel *kernel, const uint32_t grid[3],
				 const uint32_t block[3], void **args, size_t shared,
				 const struct launch_options *options);
cudaError_t graph_capture_copy(cudaStream_t stream, const struct copy_box *box);
cudaError_t graph_capture_fill(cudaStream_t stream, const struct fill_box *box);
cudaError_t graph_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data);
/* A graph that is launched in a capture is a node of it. */
cudaError_t graph_capture_graph(cudaStream_t stream, const struct CUgraph_st *graph);
/* `stream` waits for an event of a capture: from now on it captures into the same graph. */
cudaError_t graph_capture_join(cudaStream_t stream, struct CUgraph_st *graph);
/* The stream goes away in the middle of its capture. */
void graph_capture_drop(cudaStream_t stream);

#endif
