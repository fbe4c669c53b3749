/*
 * A graph: a list of nodes, each a piece of work with the nodes that it waits for. What runs them is in graph.c, what
 * fills them from a stream in capture.c, what changes their work in node_parameters.c.
 */
#ifndef ROMARK_API_NODES_H
#define ROMARK_API_NODES_H

#include "runtime/api/cudart/copies.h"
#include "runtime/api/cudart/topics.h"

struct kernel_work {
	struct api_kernel *kernel;
	uint32_t grid[3], block[3];
	size_t shared;
	struct launch_options options;
	size_t param_bytes;
	unsigned char *params; /* the values of the parameters, one after the other at their offsets */
	void **args;           /* to each of them, once a program has asked; or NULL */
};

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	struct CUgraph_st *graph;
	size_t index; /* in its graph */
	VEC(size_t) waits_for;
	bool disabled;                      /* of an instantiated graph: does nothing */
	struct cudaMemcpy3DParms described; /* of a copy that was described so; else zeros */
	union {
		struct kernel_work kernel;
		struct copy_box copy;
		struct fill_box fill;
		struct cudaHostNodeParams host;
		struct CUgraph_st *child; /* an own copy */
		cudaEvent_t event;
	} work;
};

/* References to an object of the program that a graph holds. */
struct user_reference {
	struct CUuserObject_st *object;
	unsigned count;
};

struct CUgraph_st {
	VEC(struct CUgraphNode_st *) nodes;
	cudaStream_t origin;       /* while it is being captured */
	VEC(cudaStream_t) streams; /* that capture into it */
	/* What it is a copy of, and whose work it has taken since; addresses to compare with. */
	const struct CUgraph_st *source, *updated;
	bool is_child; /* belongs to a node */
	VEC(struct user_reference) users;
};

struct CUgraphExec_st {
	struct CUgraph_st *graph; /* an own copy, whose nodes have the indices of the original */
	size_t *order;
	unsigned long long flags;
};

/* Appends a node that waits for the `count` dependencies. Its work is for the caller to fill in. */
struct CUgraphNode_st *graph_add_node(struct CUgraph_st *graph, enum cudaGraphNodeType type,
				      const cudaGraphNode_t *dependencies, size_t count);
/* Sets (or sets anew) what a kernel's node does; the parameters are taken as they are now. */
void graph_set_kernel(struct kernel_work *work, struct api_kernel *kernel, const uint32_t grid[3],
		      const uint32_t block[3], void **args, size_t shared, const struct launch_options *options);
void graph_free(struct CUgraph_st *graph);
struct CUgraph_st *graph_copy(const struct CUgraph_st *graph);
struct CUgraph_st *graph_copy_as_child(const struct CUgraph_st *graph);
/* Each node does what the one of `from` in its place does, which is of the same kind; what is switched off stays so. */
void graph_take_work(struct CUgraph_st *graph, const struct CUgraph_st *from);
bool graph_has_nodes(const cudaGraphNode_t *nodes, size_t count, const struct CUgraph_st *graph);
/* An edge says at which part of a kernel the next one may start; here it is always the end. */
bool graph_edges_are_plain(const cudaGraphEdgeData *edges, size_t count);
/* What every node that is added needs: a place for its handle, a graph, nodes of that to wait for, and its work. */
cudaError_t graph_check_new(const cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			    size_t count, const void *work);
/*
 * The node itself, and the instantiated graph's own copy of it, if it is of this kind; else NULL. The node is one of
 * the graph that was instantiated, of the one that it was last updated from, or of a graph that is a node of these.
 */
struct CUgraphNode_st *graph_node_of(cudaGraphNode_t node, enum cudaGraphNodeType type);
struct CUgraphNode_st *graph_exec_node_of(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type);
/* user_objects.c: what a graph that is copied, or goes, does with its references. */
void graph_users_copy(struct CUgraph_st *to, const struct CUgraph_st *from);
void graph_users_release(struct CUgraph_st *graph);
/* The work of all nodes becomes that of `graph`, which has to have the same kinds of nodes and dependencies. */
cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);

/*
 * The work of a node from the parameters of its kind, which are checked as for a call that runs now. It replaces the
 * old work, or leaves it unchanged after an error.
 */
cudaError_t graph_kernel_of(struct runtime *rt, const struct cudaKernelNodeParams *params, struct kernel_work *work);
struct copy_box graph_copy_of(void *to, const void *from, size_t bytes);
struct cudaMemcpy3DParms graph_describe_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t graph_fill_of(struct runtime *rt, const struct cudaMemsetParams *params, struct fill_box *box);

#endif
