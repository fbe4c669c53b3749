/*
 * Calls of the runtime API that take more arguments since CUDA 13: a location, or edge data. In C++ both forms have the
 * same name. In C the newer form's name ends in _v2 or _v3.
 */
#ifndef ROMARK_RUNTIME_OVERLOADS_H
#define ROMARK_RUNTIME_OVERLOADS_H

#if defined(__cplusplus)

static inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, struct cudaMemLocation location,
					       unsigned int flags, cudaStream_t stream = 0)
{
	return cudaMemPrefetchAsync_v2(ptr, count, location, flags, stream);
}

static inline cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
					struct cudaMemLocation location)
{
	return cudaMemAdvise_v2(ptr, count, advice, location);
}

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
						   size_t count)
{
	return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						      const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
						      size_t count)
{
	return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
					    cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
						       cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
							 cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}

static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
						   unsigned long long *id, cudaGraph_t *graph,
						   const cudaGraphNode_t **dependencies,
						   const cudaGraphEdgeData **edges, size_t *count)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
							      const cudaGraphEdgeData *edges, size_t count,
							      unsigned int flags)
{
	return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}

#endif

#endif
