/*
 * libromark_cudart.so, libcudart.so.11.0 and .12: calls as they were before CUDA 13 gave them a location or edge data.
 * The newer forms, under the same name with _v2 or _v3, do the work.
 */
#include "runtime/include/cuda_runtime_api.h"

static struct cudaMemLocation location_of(int device)
{
	return (struct cudaMemLocation){device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
					device};
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, int device, cudaStream_t stream)
{
	return cudaMemPrefetchAsync_v2(ptr, count, location_of(device), 0, stream);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, int device)
{
	return cudaMemAdvise_v2(ptr, count, advice, location_of(device));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				     size_t count)
{
	return cudaGraphAddDependencies_v2(graph, from, to, NULL, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					size_t count)
{
	return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
	return cudaGraphGetEdges_v2(graph, from, to, NULL, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, size_t *count)
{
	return cudaGraphNodeGetDependencies_v2(node, dependencies, NULL, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, size_t *count)
{
	return cudaGraphNodeGetDependentNodes_v2(node, dependents, NULL, count);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
				     cudaGraph_t *graph, const cudaGraphNode_t **dependencies, size_t *count)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, count);
}

/* By this name CUDA 12's header calls it. */
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					unsigned long long *id, cudaGraph_t *graph,
					const cudaGraphNode_t **dependencies, size_t *count)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count,
						unsigned int flags)
{
	return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, count, flags);
}
