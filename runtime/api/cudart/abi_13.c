/*
 * libcudart.so.13. Our header is CUDA 12's; here are the functions that differ in CUDA 13. cudaGetDeviceProperties
 * fills in CUDA 13's struct, and some functions take more arguments.
 */
#include "runtime/api/cudart/property_layouts.h"

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return properties_13((struct device_prop_13 *)prop, device);
}

/* The name that nvcc's programs call, given to a function that C cannot call by it. */
#define CUDA_13(name, ...) cudaError_t name##_13(__VA_ARGS__) __asm__(#name)

CUDA_13(cudaMemPrefetchAsync, const void *ptr, size_t count, struct cudaMemLocation location, unsigned flags,
	cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync_13(const void *ptr, size_t count, struct cudaMemLocation location, unsigned flags,
				    cudaStream_t stream)
{
	return cudaMemPrefetchAsync_v2(ptr, count, location, flags, stream);
}

CUDA_13(cudaMemAdvise, const void *ptr, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation location);
cudaError_t cudaMemAdvise_13(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
			     struct cudaMemLocation location)
{
	return cudaMemAdvise_v2(ptr, count, advice, location);
}

CUDA_13(cudaGraphAddDependencies, cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
	const cudaGraphEdgeData *edges, size_t count);
cudaError_t cudaGraphAddDependencies_13(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					const cudaGraphEdgeData *edges, size_t count)
{
	return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

CUDA_13(cudaGraphRemoveDependencies, cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
	const cudaGraphEdgeData *edges, size_t count);
cudaError_t cudaGraphRemoveDependencies_13(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					   const cudaGraphEdgeData *edges, size_t count)
{
	return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

CUDA_13(cudaGraphGetEdges, cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
	size_t *count);
cudaError_t cudaGraphGetEdges_13(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
				 cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

CUDA_13(cudaGraphNodeGetDependencies, cudaGraphNode_t node, cudaGraphNode_t *dependencies, cudaGraphEdgeData *edges,
	size_t *count);
cudaError_t cudaGraphNodeGetDependencies_13(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
					    cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}

CUDA_13(cudaGraphNodeGetDependentNodes, cudaGraphNode_t node, cudaGraphNode_t *dependents, cudaGraphEdgeData *edges,
	size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes_13(cudaGraphNode_t node, cudaGraphNode_t *dependents,
					      cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}

CUDA_13(cudaStreamGetCaptureInfo, cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
	cudaGraph_t *graph, const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges, size_t *count);
cudaError_t cudaStreamGetCaptureInfo_13(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					unsigned long long *id, cudaGraph_t *graph,
					const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
					size_t *count)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

CUDA_13(cudaStreamUpdateCaptureDependencies, cudaStream_t stream, cudaGraphNode_t *dependencies,
	const cudaGraphEdgeData *edges, size_t count, unsigned flags);
cudaError_t cudaStreamUpdateCaptureDependencies_13(cudaStream_t stream, cudaGraphNode_t *dependencies,
						   const cudaGraphEdgeData *edges, size_t count, unsigned flags)
{
	return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
