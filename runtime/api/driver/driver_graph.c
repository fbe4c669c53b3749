/* Driver API: graphs, captured or made node by node; each is the runtime's call with another face. */
#include "runtime/api/driver/driver.h"

static cudaGraph_t graph_of(CUgraph graph)
{
	return (cudaGraph_t)graph;
}

/* --- Capture --- */

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
	return driver_result(cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	return driver_result(cudaStreamEndCapture(stream, (cudaGraph_t *)graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	enum cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
	CUresult result = driver_result(cudaStreamIsCapturing(stream, status ? &found : NULL));

	if (!result && status)
		*status = (CUstreamCaptureStatus)found;
	return result;
}

/* --- Graphs --- */

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
	return driver_result(cudaGraphCreate((cudaGraph_t *)graph, flags));
}

CUresult cuGraphDestroy(CUgraph graph)
{
	return driver_result(cudaGraphDestroy(graph_of(graph)));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
	return driver_result(cudaGraphClone((cudaGraph_t *)clone, graph_of(graph)));
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	return driver_result(cudaGraphGetNodes(graph_of(graph), (cudaGraphNode_t *)nodes, count));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count)
{
	return driver_result(cudaGraphAddEmptyNode((cudaGraphNode_t *)node, graph_of(graph),
						   (const cudaGraphNode_t *)dependencies, count));
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	return cuGraphAddDependencies_v2(graph, from, to, NULL, count);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				   const CUgraphEdgeData *edges, size_t count)
{
	return driver_result(cudaGraphAddDependencies_v2(graph_of(graph), (const cudaGraphNode_t *)from,
							 (const cudaGraphNode_t *)to, (const cudaGraphEdgeData *)edges,
							 count));
}

/* --- Kernels --- */

static const struct api_kernel *kernel_of(const CUDA_KERNEL_NODE_PARAMS *p)
{
	return driver_kernel(p->func ? p->func : (CUfunction)p->kern);
}

static bool names_kernel(const CUDA_KERNEL_NODE_PARAMS *p)
{
	return p && (p->func || p->kern);
}

/* The runtime's parameters, whose kernel is named by the handle that it has there; `args` is room for `extra`. */
static cudaError_t params_of(const CUDA_KERNEL_NODE_PARAMS *p, void **args, struct cudaKernelNodeParams *params)
{
	const struct api_kernel *kernel = names_kernel(p) ? kernel_of(p) : NULL;

	if (!names_kernel(p))
		return cudaErrorInvalidValue;
	if (!kernel)
		return cudaErrorInvalidResourceHandle;
	*params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)kernel->handle,
						.gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
						.blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ},
						.sharedMemBytes = p->sharedMemBytes,
						.kernelParams = p->kernelParams ? p->kernelParams : args};
	return p->kernelParams ? cudaSuccess : driver_unpack(kernel, p->extra, args);
}

/* The number of elements for the arguments in `extra`. At least 1, since an array of 0 is not allowed. */
static uint32_t room_of(const CUDA_KERNEL_NODE_PARAMS *p)
{
	const struct api_kernel *kernel = names_kernel(p) ? kernel_of(p) : NULL;

	return kernel ? kernel->attributes.nparams + 1 : 1;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
			      const CUDA_KERNEL_NODE_PARAMS *params)
{
	void *args[room_of(params)];
	struct cudaKernelNodeParams p;
	cudaError_t error = params_of(params, args, &p);

	if (!error)
		error = cudaGraphAddKernelNode((cudaGraphNode_t *)node, graph_of(graph),
					       (const cudaGraphNode_t *)dependencies, count, &p);
	return driver_result(error);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
	void *args[room_of(params)];
	struct cudaKernelNodeParams p;
	cudaError_t error = params_of(params, args, &p);

	if (!error)
		error = cudaGraphExecKernelNodeSetParams((cudaGraphExec_t)exec, (cudaGraphNode_t)node, &p);
	return driver_result(error);
}

/* --- Running --- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	return driver_result(cudaGraphInstantiateWithFlags((cudaGraphExec_t *)exec, graph_of(graph), flags));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	return driver_result(cudaGraphLaunch((cudaGraphExec_t)exec, stream));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
	return driver_result(cudaGraphUpload((cudaGraphExec_t)exec, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
	return driver_result(cudaGraphExecDestroy((cudaGraphExec_t)exec));
}
