/* The driver API's graphs, captures, and what other interfaces and processes share. */
#ifndef ROMARK_DRIVER_GRAPHS_H
#define ROMARK_DRIVER_GRAPHS_H

/* --- Captures and graphs --- */

ROMARK_DRIVER_API cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
ROMARK_DRIVER_API cuStreamEndCapture(CUstream stream, CUgraph *graph);
ROMARK_DRIVER_API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
ROMARK_DRIVER_API cuGraphCreate(CUgraph *graph, unsigned int flags);
ROMARK_DRIVER_API cuGraphDestroy(CUgraph graph);
ROMARK_DRIVER_API cuGraphClone(CUgraph *clone, CUgraph graph);
ROMARK_DRIVER_API cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
ROMARK_DRIVER_API cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count);
ROMARK_DRIVER_API cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);
ROMARK_DRIVER_API cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
				       const CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
						 const CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
ROMARK_DRIVER_API cuGraphLaunch(CUgraphExec exec, CUstream stream);
ROMARK_DRIVER_API cuGraphUpload(CUgraphExec exec, CUstream stream);
ROMARK_DRIVER_API cuGraphExecDestroy(CUgraphExec exec);
ROMARK_DRIVER_API cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
					      const CUgraphEdgeData *dependencyData, size_t count,
					      CUstreamCaptureMode mode);
ROMARK_DRIVER_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
ROMARK_DRIVER_API cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *captureStatus, cuuint64_t *id,
					    CUgraph *graph, const CUgraphNode **dependencies,
					    const CUgraphEdgeData **edgeData, size_t *count);
ROMARK_DRIVER_API cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies,
						       const CUgraphEdgeData *dependencyData, size_t count,
						       unsigned int flags);
ROMARK_DRIVER_API cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
				       const CUDA_MEMCPY3D *copyParams, CUcontext context);
ROMARK_DRIVER_API cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params);
ROMARK_DRIVER_API cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params);
ROMARK_DRIVER_API cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
				       const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext context);
ROMARK_DRIVER_API cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
				     const CUDA_HOST_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
					   size_t count, CUgraph childGraph);
ROMARK_DRIVER_API cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);
ROMARK_DRIVER_API cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
					    size_t count, CUevent event);
ROMARK_DRIVER_API cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
ROMARK_DRIVER_API cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
ROMARK_DRIVER_API cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
					  size_t count, CUevent event);
ROMARK_DRIVER_API cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
ROMARK_DRIVER_API cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
ROMARK_DRIVER_API cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *node, CUgraph graph,
							 const CUgraphNode *dependencies, size_t count,
							 const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode node,
							       CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode node,
							       const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *node, CUgraph graph,
						       const CUgraphNode *dependencies, size_t count,
						       const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode node,
							     const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
					   size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
						     const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
					 size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
					CUdeviceptr address);
ROMARK_DRIVER_API cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address);
ROMARK_DRIVER_API cuDeviceGraphMemTrim(CUdevice device);
ROMARK_DRIVER_API cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);
ROMARK_DRIVER_API cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);
ROMARK_DRIVER_API cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode originalNode, CUgraph clonedGraph);
ROMARK_DRIVER_API cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
ROMARK_DRIVER_API cuGraphGetRootNodes(CUgraph graph, CUgraphNode *rootNodes, size_t *numRootNodes);
ROMARK_DRIVER_API cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
				     size_t *numEdges);
ROMARK_DRIVER_API cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
						size_t *count);
ROMARK_DRIVER_API cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *dependentNodes,
						  CUgraphEdgeData *edgeData, size_t *numDependentNodes);
ROMARK_DRIVER_API cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
					    const CUgraphEdgeData *edgeData, size_t count);
ROMARK_DRIVER_API cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
					       const CUgraphEdgeData *edgeData, size_t count);
ROMARK_DRIVER_API cuGraphDestroyNode(CUgraphNode node);
ROMARK_DRIVER_API cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
					       CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
ROMARK_DRIVER_API cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags);
ROMARK_DRIVER_API cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copyParams,
						 CUcontext context);
ROMARK_DRIVER_API cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
						 const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext context);
ROMARK_DRIVER_API cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph childGraph);
ROMARK_DRIVER_API cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
ROMARK_DRIVER_API cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
ROMARK_DRIVER_API cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec exec, CUgraphNode node,
								   const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec exec, CUgraphNode node,
								 const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int isEnabled);
ROMARK_DRIVER_API cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *isEnabled);
ROMARK_DRIVER_API cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *resultInfo);
ROMARK_DRIVER_API cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
ROMARK_DRIVER_API cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
						CUkernelNodeAttrValue *value);
ROMARK_DRIVER_API cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
						const CUkernelNodeAttrValue *value);
ROMARK_DRIVER_API cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags);
ROMARK_DRIVER_API cuUserObjectCreate(CUuserObject *object, void *ptr, CUhostFn destroy, unsigned int initialRefcount,
				     unsigned int flags);
ROMARK_DRIVER_API cuUserObjectRetain(CUuserObject object, unsigned int count);
ROMARK_DRIVER_API cuUserObjectRelease(CUuserObject object, unsigned int count);
ROMARK_DRIVER_API cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags);
ROMARK_DRIVER_API cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);
ROMARK_DRIVER_API cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
				 const CUgraphEdgeData *dependencyData, size_t count, CUgraphNodeParams *params);
ROMARK_DRIVER_API cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params);
ROMARK_DRIVER_API cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params);
ROMARK_DRIVER_API cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
						 unsigned int defaultLaunchValue, unsigned int flags);
ROMARK_DRIVER_API cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
ROMARK_DRIVER_API cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count);
ROMARK_DRIVER_API cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, size_t *count);
ROMARK_DRIVER_API cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
					    size_t count);
ROMARK_DRIVER_API cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
					 const CUgraphNode **dependencies, size_t *count);
ROMARK_DRIVER_API cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count,
						    unsigned int flags);

/* --- Memory and semaphores of other interfaces, other processes --- */

ROMARK_DRIVER_API cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
ROMARK_DRIVER_API cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle);
ROMARK_DRIVER_API cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address);
ROMARK_DRIVER_API cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int flags);
ROMARK_DRIVER_API cuIpcCloseMemHandle(CUdeviceptr address);
ROMARK_DRIVER_API cuImportExternalMemory(CUexternalMemory *extMem,
					 const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
ROMARK_DRIVER_API cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
						  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
ROMARK_DRIVER_API cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *mipmap, CUexternalMemory extMem,
							  const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc);
ROMARK_DRIVER_API cuDestroyExternalMemory(CUexternalMemory extMem);
ROMARK_DRIVER_API cuImportExternalSemaphore(CUexternalSemaphore *extSem,
					    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);
ROMARK_DRIVER_API cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
						  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
						  unsigned int numExtSems, CUstream stream);
ROMARK_DRIVER_API cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
						const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
						unsigned int numExtSems, CUstream stream);
ROMARK_DRIVER_API cuDestroyExternalSemaphore(CUexternalSemaphore extSem);
ROMARK_DRIVER_API cuGraphicsUnregisterResource(CUgraphicsResource resource);
ROMARK_DRIVER_API cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource resource,
						      unsigned int arrayIndex, unsigned int mipLevel);
ROMARK_DRIVER_API cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *mipmappedArray,
							    CUgraphicsResource resource);
ROMARK_DRIVER_API cuGraphicsResourceGetMappedPointer(CUdeviceptr *devPtr, size_t *size, CUgraphicsResource resource);
ROMARK_DRIVER_API cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
ROMARK_DRIVER_API cuGraphicsMapResources(unsigned int count, CUgraphicsResource *resources, CUstream stream);
ROMARK_DRIVER_API cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *resources, CUstream stream);

#endif
