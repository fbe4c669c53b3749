/* libcudart.so.11.0: calls that CUDA 12 gave other arguments. */
#include "runtime/api/graphs/graph_nodes.h"

/* The name that nvcc's programs call, given to a function that C cannot call by it. */
cudaError_t cudaGraphExecUpdate_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
				   enum cudaGraphExecUpdateResult *result) __asm__("cudaGraphExecUpdate");
cudaError_t cudaGraphExecUpdate_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
				   enum cudaGraphExecUpdateResult *result)
{
	cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateError};
	cudaError_t error = graph_exec_update(exec, graph, &info);

	if (node)
		*node = info.errorNode;
	if (result)
		*result = info.result;
	return error;
}
