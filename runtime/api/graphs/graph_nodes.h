/*
 * A graph: a list of nodes, each a piece of work with the nodes that it waits for. graph.c runs graphs, capture.c fills
 * them from a stream, and node_parameters.c changes their nodes' work.
 */
#ifndef ROMARK_API_GRAPH_NODES_H
#define ROMARK_API_GRAPH_NODES_H

#include "runtime/api/cudart/copies.h"
#include "runtime/api/cudart/topics.h"

struct kernel_work {
	struct api_kernel *kernel;
	uint32_t grid[3], block[3];
	size_t shared;
	struct launch_options options;
	size_t param_bytes;
	unsigned char *params; /* the parameters' values, at their offsets */
	void **args;           /* points to each parameter; NULL before a program reads them */
};

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	struct CUgraph_st *graph;
	size_t index; /* in its graph */
	VEC(size_t) waits_for;
	bool disabled;                      /* only in instantiated graphs: the node does nothing */
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
	/*
	 * `source`: the graph that this one was copied from. `updated`: the last graph whose work it has taken. Only
	 * their addresses are compared: the graphs may be gone.
	 */
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
/* Sets a kernel node's work. Copies the parameters' values now. */
void graph_set_kernel(struct kernel_work *work, struct api_kernel *kernel, const uint32_t grid[3],
		      const uint32_t block[3], void **args, size_t shared, const struct launch_options *options);
void graph_free(struct CUgraph_st *graph);
struct CUgraph_st *graph_copy(const struct CUgraph_st *graph);
struct CUgraph_st *graph_copy_as_child(const struct CUgraph_st *graph);
/* Each node does what the one of `from` in its place does, which is of the same kind; what is switched off stays so. */
void graph_take_work(struct CUgraph_st *graph, const struct CUgraph_st *from);
bool graph_has_nodes(const cudaGraphNode_t *nodes, size_t count, const struct CUgraph_st *graph);
/* True if each edge leads from the end of a node's work, the only kind of edge that is supported. */
bool graph_edges_are_plain(const cudaGraphEdgeData *edges, size_t count);
/*
 * Checks the arguments of a call that adds a node: a place for its handle, a graph, dependencies in that graph, and
 * work.
 */
cudaError_t graph_check_new(const cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			    size_t count, const void *work);
/*
 * graph_node_of returns the node itself; graph_exec_node_of returns the instantiated graph's own copy of it. NULL if
 * the node is not of this kind. It may belong to the graph that was instantiated, to the graph of the last update, or
 * to a graph inside a node of these.
 */
struct CUgraphNode_st *graph_node_of(cudaGraphNode_t node, enum cudaGraphNodeType type);
struct CUgraphNode_st *graph_exec_node_of(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type);
/* user_objects.c: what a graph that is copied, or goes, does with its references. */
void graph_users_copy(struct CUgraph_st *to, const struct CUgraph_st *from);
void graph_users_release(struct CUgraph_st *graph);
/* Gives all nodes the work of the nodes of `graph`, whose nodes must have the same kinds and dependencies. */
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
