/*
 * A graph: a list of nodes, each a piece of work with the nodes that it waits for. What runs them is in graph.c, what
 * fills them from a stream in capture.c, what changes their work in parameters.c.
 */
#ifndef ROMARK_API_NODES_H
#define ROMARK_API_NODES_H

#include "runtime/api/runtime/copies.h"
#include "runtime/api/runtime/topics.h"

struct kernel_work {
	struct api_kernel *kernel;
	uint32_t grid[3], block[3];
	size_t shared;
	struct launch_options options;
	size_t param_bytes;
	unsigned char *params; /* the values of the parameters, one after the other at their offsets */
};

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	struct CUgraph_st *graph;
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
	struct CUgraph_st *graph; /* an own copy, whose nodes have the indices of the original */
	size_t *order;
};

/* Appends a node that waits for the `count` dependencies. Its work is for the caller to fill in. */
struct CUgraphNode_st *graph_add_node(struct CUgraph_st *graph, enum cudaGraphNodeType type,
				      const cudaGraphNode_t *dependencies, size_t count);
/* Sets (or sets anew) what a kernel's node does; the parameters are taken as they are now. */
void graph_set_kernel(struct kernel_work *work, struct api_kernel *kernel, const uint32_t grid[3],
		      const uint32_t block[3], void **args, size_t shared, const struct launch_options *options);
void graph_free(struct CUgraph_st *graph);
/* The work of all nodes becomes that of `graph`, which has to have the same kinds of nodes and dependencies. */
cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);

/*
 * The work of a node from the parameters of its kind, which are checked as those of a call that runs now. What there
 * was is replaced, or left as it is with an error.
 */
cudaError_t graph_kernel_of(struct runtime *rt, const struct cudaKernelNodeParams *params, struct kernel_work *work);
struct copy_box graph_copy_of(void *to, const void *from, size_t bytes);
cudaError_t graph_fill_of(struct runtime *rt, const struct cudaMemsetParams *params, struct fill_box *box);

#endif
