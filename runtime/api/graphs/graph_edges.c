/* The nodes of a graph and its edges: which node waits for which. */
#include "runtime/api/graphs/graph_nodes.h"

#include "runtime/api/state/handles.h"

/* Nodes go where there is room, and `count` becomes the number of them; without a place all are only counted. */
struct list {
	cudaGraphNode_t *from, *to;
	cudaGraphEdgeData *edges;
	size_t room, count;
};

static void put(struct list *l, cudaGraphNode_t from, cudaGraphNode_t to)
{
	if (l->count < l->room && l->from)
		l->from[l->count] = from;
	if (l->count < l->room && l->to)
		l->to[l->count] = to;
	if (l->count < l->room && l->edges)
		l->edges[l->count] = (cudaGraphEdgeData){0};
	l->count++;
}

/* Sets elements that were not filled to NULL. */
static cudaError_t finish(const struct list *l, size_t *count)
{
	for (size_t i = l->count; i < l->room; i++) {
		if (l->from)
			l->from[i] = NULL;
		if (l->to)
			l->to[i] = NULL;
	}
	*count = (l->from || l->to) && l->count > l->room ? l->room : l->count;
	return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	struct list l = {.from = nodes};

	if (!handle_is(HANDLE_GRAPH, graph) || !count)
		return runtime_remember(cudaErrorInvalidValue);
	l.room = nodes ? *count : 0;
	for (size_t i = 0; i < graph->nodes.len; i++)
		put(&l, graph->nodes.data[i], NULL);
	return finish(&l, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *rootNodes, size_t *numRootNodes)
{
	struct list l = {.from = rootNodes};

	if (!handle_is(HANDLE_GRAPH, graph) || !numRootNodes)
		return runtime_remember(cudaErrorInvalidValue);
	l.room = rootNodes ? *numRootNodes : 0;
	for (size_t i = 0; i < graph->nodes.len; i++)
		if (!graph->nodes.data[i]->waits_for.len)
			put(&l, graph->nodes.data[i], NULL);
	return finish(&l, numRootNodes);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
				 cudaGraphEdgeData *edgeData, size_t *numEdges)
{
	struct list l = {.from = from, .to = to, .edges = edgeData};

	if (!handle_is(HANDLE_GRAPH, graph) || !numEdges || !from != !to)
		return runtime_remember(cudaErrorInvalidValue);
	l.room = from ? *numEdges : 0;
	for (size_t i = 0; i < graph->nodes.len; i++)
		for (size_t k = 0; k < graph->nodes.data[i]->waits_for.len; k++)
			put(&l, graph->nodes.data[graph->nodes.data[i]->waits_for.data[k]], graph->nodes.data[i]);
	return finish(&l, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
					    cudaGraphEdgeData *edgeData, size_t *count)
{
	struct list l = {.from = dependencies, .edges = edgeData};

	if (!handle_is(HANDLE_NODE, node) || !count)
		return runtime_remember(cudaErrorInvalidValue);
	l.room = dependencies ? *count : 0;
	for (size_t k = 0; k < node->waits_for.len; k++)
		put(&l, node->graph->nodes.data[node->waits_for.data[k]], NULL);
	return finish(&l, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependentNodes,
					      cudaGraphEdgeData *edgeData, size_t *numDependentNodes)
{
	struct list l = {.from = dependentNodes, .edges = edgeData};

	if (!handle_is(HANDLE_NODE, node) || !numDependentNodes)
		return runtime_remember(cudaErrorInvalidValue);
	l.room = dependentNodes ? *numDependentNodes : 0;
	for (size_t i = 0; i < node->graph->nodes.len; i++)
		for (size_t k = 0; k < node->graph->nodes.data[i]->waits_for.len; k++)
			if (node->graph->nodes.data[i]->waits_for.data[k] == node->index)
				put(&l, node->graph->nodes.data[i], NULL);
	return finish(&l, numDependentNodes);
}

static size_t edge_at(const struct CUgraphNode_st *to, const struct CUgraphNode_st *from)
{
	size_t k = 0;

	while (k < to->waits_for.len && to->waits_for.data[k] != from->index)
		k++;
	return k;
}

static bool is_named_before(const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (from[k] == from[i] && to[k] == to[i])
			return true;
	return false;
}

static void remove_edge(struct CUgraphNode_st *to, size_t k)
{
	for (; k + 1 < to->waits_for.len; k++)
		to->waits_for.data[k] = to->waits_for.data[k + 1];
	to->waits_for.len--;
}

/* An edge is there once. */
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					const cudaGraphEdgeData *edges, size_t count)
{
	if (!graph_edges_are_plain(edges, count))
		return runtime_remember(cudaErrorNotSupported);
	if (!handle_is(HANDLE_GRAPH, graph) || !graph_has_nodes(from, count, graph) ||
	    !graph_has_nodes(to, count, graph))
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		if (edge_at(to[i], from[i]) < to[i]->waits_for.len || is_named_before(from, to, i))
			return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		vec_push(&to[i]->waits_for, from[i]->index);
	return cudaSuccess;
}

/* Edges that there are not are an error, before any is removed. */
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					   const cudaGraphEdgeData *edgeData, size_t count)
{
	if (!handle_is(HANDLE_GRAPH, graph) || !graph_has_nodes(from, count, graph) ||
	    !graph_has_nodes(to, count, graph) || !graph_edges_are_plain(edgeData, count))
		return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		if (edge_at(to[i], from[i]) == to[i]->waits_for.len || is_named_before(from, to, i))
			return runtime_remember(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		remove_edge(to[i], edge_at(to[i], from[i]));
	return cudaSuccess;
}

/* Copies have their nodes in the same order. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph)
{
	if (!node || !handle_is(HANDLE_NODE, originalNode) || !handle_is(HANDLE_GRAPH, clonedGraph) ||
	    clonedGraph->source != originalNode->graph || originalNode->index >= clonedGraph->nodes.len)
		return runtime_remember(cudaErrorInvalidValue);
	*node = clonedGraph->nodes.data[originalNode->index];
	return cudaSuccess;
}
