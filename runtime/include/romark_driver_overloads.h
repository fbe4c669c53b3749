/*
 * Calls of the driver API that take more arguments since CUDA 13: a location, or edge data. In C++ both forms have the
 * same name. In C the newer form's name ends in _v2 or _v3.
 */
#ifndef ROMARK_DRIVER_OVERLOADS_H
#define ROMARK_DRIVER_OVERLOADS_H

#if defined(__cplusplus)

static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
	return cuCtxCreate_v4(context, params, flags, device);
}

static inline CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUmemLocation location, unsigned int flags,
					  CUstream stream)
{
	return cuMemPrefetchAsync_v2(address, count, location, flags, stream);
}

static inline CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice, CUmemLocation location)
{
	return cuMemAdvise_v2(address, count, advice, location);
}

static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
					      const CUgraphEdgeData *edges, size_t count)
{
	return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}

static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
						 const CUgraphEdgeData *edges, size_t count)
{
	return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges,
				       size_t *count)
{
	return cuGraphGetEdges_v2(graph, from, to, edges, count);
}

static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *edges,
						  size_t *count)
{
	return cuGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}

static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, CUgraphEdgeData *edges,
						    size_t *count)
{
	return cuGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}

static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
					      CUgraph *graph, const CUgraphNode **dependencies,
					      const CUgraphEdgeData **edges, size_t *count)
{
	return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
							 const CUgraphEdgeData *edges, size_t count, unsigned int flags)
{
	return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}

#endif

#endif
