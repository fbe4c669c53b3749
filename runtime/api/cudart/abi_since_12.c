/* libromark_cudart.so, libcudart.so.12 and .13: calls with the arguments that they have since CUDA 12. */
#include "runtime/api/graphs/graph_nodes.h"

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *resultInfo)
{
	return graph_exec_update(exec, graph, resultInfo);
}
