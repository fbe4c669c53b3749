/* A stream that the program made. */
#ifndef ROMARK_API_STREAM_H
#define ROMARK_API_STREAM_H

#include "runtime/include/cuda_runtime_api.h"

#include <stdint.h>

struct CUstream_st {
	struct CUstream_st *next;
	unsigned flags;
	int priority;
	uint32_t number;
	struct cudaAccessPolicyWindow window;
	struct CUgraph_st *capture; /* the graph that is being captured, or NULL */
};

/* NULL for the default streams. */
struct CUstream_st *stream_state(cudaStream_t stream);

#endif
