/* The runtime API's graphs and captures, and what other interfaces share. */
#ifndef ROMARK_RUNTIME_GRAPHS_H
#define ROMARK_RUNTIME_GRAPHS_H

/* --- Captures and graphs --- */

ROMARK_API cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
ROMARK_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
ROMARK_API cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
ROMARK_API cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
ROMARK_API cudaGraphDestroy(cudaGraph_t graph);
ROMARK_API cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
ROMARK_API cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				  size_t count, const struct cudaKernelNodeParams *params);
ROMARK_API cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				  size_t count, const struct cudaMemcpy3DParms *params);
ROMARK_API cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				    size_t ndependencies, void *dst, const void *src, size_t count,
				    enum cudaMemcpyKind kind);
ROMARK_API cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				  size_t count, const struct cudaMemsetParams *params);
ROMARK_API cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				size_t count, const struct cudaHostNodeParams *params);
ROMARK_API cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				 size_t count);
ROMARK_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				    size_t count);
ROMARK_API cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
ROMARK_API cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
ROMARK_API cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
ROMARK_API cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
ROMARK_API cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
ROMARK_API cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					    const struct cudaKernelNodeParams *params);
ROMARK_API cudaGraphExecDestroy(cudaGraphExec_t exec);
ROMARK_API cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
					 const cudaGraphEdgeData *dependencyData, size_t count,
					 enum cudaStreamCaptureMode mode);
ROMARK_API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
ROMARK_API cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *dependencies,
						  const cudaGraphEdgeData *dependencyData, size_t count,
						  unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
ROMARK_API cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
ROMARK_API cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src);
ROMARK_API cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
					   cudaLaunchAttributeValue *value);
ROMARK_API cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
					   const cudaLaunchAttributeValue *value);
ROMARK_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
					  size_t ndependencies, const void *symbol, const void *src, size_t count,
					  size_t offset, enum cudaMemcpyKind kind);
ROMARK_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					    const cudaGraphNode_t *dependencies, size_t ndependencies, void *dst,
					    const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind);
ROMARK_API cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params);
ROMARK_API cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
ROMARK_API cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src, size_t count,
						size_t offset, enum cudaMemcpyKind kind);
ROMARK_API cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
						  size_t offset, enum cudaMemcpyKind kind);
ROMARK_API cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
					  enum cudaMemcpyKind kind);
ROMARK_API cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params);
ROMARK_API cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params);
ROMARK_API cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params);
ROMARK_API cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params);
ROMARK_API cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				      size_t count, cudaGraph_t childGraph);
ROMARK_API cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);
ROMARK_API cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				       size_t count, cudaEvent_t event);
ROMARK_API cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
ROMARK_API cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
ROMARK_API cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				     size_t count, cudaEvent_t event);
ROMARK_API cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
ROMARK_API cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
ROMARK_API cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *node, cudaGraph_t graph,
						    const cudaGraphNode_t *dependencies, size_t count,
						    const struct cudaExternalSemaphoreSignalNodeParams *params);
ROMARK_API cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t node,
							  struct cudaExternalSemaphoreSignalNodeParams *params);
ROMARK_API cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t node,
							  const struct cudaExternalSemaphoreSignalNodeParams *params);
ROMARK_API cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
						  const cudaGraphNode_t *dependencies, size_t count,
						  const struct cudaExternalSemaphoreWaitNodeParams *params);
ROMARK_API cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t node,
							struct cudaExternalSemaphoreWaitNodeParams *params);
ROMARK_API cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t node,
							const struct cudaExternalSemaphoreWaitNodeParams *params);
ROMARK_API cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				    size_t count, struct cudaMemAllocNodeParams *params);
ROMARK_API cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params);
ROMARK_API cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
				   size_t count, void *address);
ROMARK_API cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address);
ROMARK_API cudaDeviceGraphMemTrim(int device);
ROMARK_API cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
ROMARK_API cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
ROMARK_API cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph);
ROMARK_API cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *rootNodes, size_t *numRootNodes);
ROMARK_API cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
				cudaGraphEdgeData *edgeData, size_t *numEdges);
ROMARK_API cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
					   cudaGraphEdgeData *edgeData, size_t *count);
ROMARK_API cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependentNodes,
					     cudaGraphEdgeData *edgeData, size_t *numDependentNodes);
ROMARK_API cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				       const cudaGraphEdgeData *edgeData, size_t count);
ROMARK_API cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					  const cudaGraphEdgeData *edgeData, size_t count);
ROMARK_API cudaGraphDestroyNode(cudaGraphNode_t node);
ROMARK_API cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags ROMARK_DEFAULT(0));
ROMARK_API cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					  cudaGraphInstantiateParams *instantiateParams);
ROMARK_API cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
ROMARK_API cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					    const struct cudaMemcpy3DParms *params);
ROMARK_API cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
						    const void *src, size_t count, size_t offset,
						    enum cudaMemcpyKind kind);
ROMARK_API cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
						      const void *symbol, size_t count, size_t offset,
						      enum cudaMemcpyKind kind);
ROMARK_API cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
					      size_t count, enum cudaMemcpyKind kind);
ROMARK_API cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					    const struct cudaMemsetParams *params);
ROMARK_API cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					  const struct cudaHostNodeParams *params);
ROMARK_API cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t childGraph);
ROMARK_API cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event);
ROMARK_API cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event);
ROMARK_API
cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
						   const struct cudaExternalSemaphoreSignalNodeParams *params);
ROMARK_API cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
							    const struct cudaExternalSemaphoreWaitNodeParams *params);
ROMARK_API cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int isEnabled);
ROMARK_API cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *isEnabled);
ROMARK_API cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *resultInfo);
ROMARK_API cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);
ROMARK_API cudaUserObjectCreate(cudaUserObject_t *object, void *ptr, cudaHostFn_t destroy, unsigned int initialRefcount,
				unsigned int flags);
ROMARK_API cudaUserObjectRetain(cudaUserObject_t object, unsigned int count ROMARK_DEFAULT(1));
ROMARK_API cudaUserObjectRelease(cudaUserObject_t object, unsigned int count ROMARK_DEFAULT(1));
ROMARK_API cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count ROMARK_DEFAULT(1),
				     unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count ROMARK_DEFAULT(1));
ROMARK_API cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
			    const cudaGraphEdgeData *dependencyData, size_t count, struct cudaGraphNodeParams *params);
ROMARK_API cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params);
ROMARK_API cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *params);
ROMARK_API cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
					    unsigned int defaultLaunchValue ROMARK_DEFAULT(0),
					    unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				       unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
				       size_t *count);
ROMARK_API cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus,
				       unsigned long long *id ROMARK_DEFAULT(0), cudaGraph_t *graph ROMARK_DEFAULT(0),
				       const cudaGraphNode_t **dependencies ROMARK_DEFAULT(0),
				       const cudaGraphEdgeData **edgeData ROMARK_DEFAULT(0),
				       size_t *count ROMARK_DEFAULT(0));
ROMARK_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count);
ROMARK_API cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, size_t *count);
ROMARK_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, size_t *count);
ROMARK_API cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				       size_t count);
ROMARK_API cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				    unsigned long long *id ROMARK_DEFAULT(0), cudaGraph_t *graph ROMARK_DEFAULT(0),
				    const cudaGraphNode_t **dependencies ROMARK_DEFAULT(0),
				    size_t *count ROMARK_DEFAULT(0));
ROMARK_API cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count,
					       unsigned int flags ROMARK_DEFAULT(0));

/* --- Memory and semaphores of other interfaces --- */

ROMARK_API cudaImportExternalMemory(cudaExternalMemory_t *extMem,
				    const struct cudaExternalMemoryHandleDesc *memHandleDesc);
ROMARK_API cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t extMem,
					     const struct cudaExternalMemoryBufferDesc *bufferDesc);
ROMARK_API cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem,
						     const struct cudaExternalMemoryMipmappedArrayDesc *mipmapDesc);
ROMARK_API cudaDestroyExternalMemory(cudaExternalMemory_t extMem);
ROMARK_API cudaImportExternalSemaphore(cudaExternalSemaphore_t *extSem,
				       const struct cudaExternalSemaphoreHandleDesc *semHandleDesc);
ROMARK_API cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
					     const struct cudaExternalSemaphoreSignalParams *paramsArray,
					     unsigned int numExtSems, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
					   const struct cudaExternalSemaphoreWaitParams *paramsArray,
					   unsigned int numExtSems, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem);
ROMARK_API cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
ROMARK_API cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
ROMARK_API cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream);
ROMARK_API cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream);
ROMARK_API cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource);
ROMARK_API cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
						 unsigned int arrayIndex, unsigned int mipLevel);
ROMARK_API cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
						       cudaGraphicsResource_t resource);

#endif
