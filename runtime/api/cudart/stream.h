/* A stream that the program made. streams.c makes them; other files read these fields. */
#ifndef ROMARK_API_STREAM_H
#define ROMARK_API_STREAM_H

#include "runtime/include/cuda_runtime_api.h"

#include <stdbool.h>
#include <stdint.h>

struct CUstream_st {
	unsigned flags;
	int priority;
	uint32_t number;
	struct cudaAccessPolicyWindow window;
	struct CUgraph_st *capture; /* the graph that is being captured, or NULL */
};

/* The default streams have no state of their own. */
static inline bool stream_is_default(cudaStream_t stream)
{
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/* A small number for the trace; the default stream is 0. */
static inline uint32_t stream_number(cudaStream_t stream)
{
	return stream_is_default(stream) ? 0 : stream->number;
}

/* The graph that `stream` captures into, or NULL. */
static inline struct CUgraph_st *stream_graph(cudaStream_t stream)
{
	return stream_is_default(stream) ? NULL : stream->capture;
}

#endif
