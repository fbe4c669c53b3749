// Calls that take more arguments since CUDA 13, under the same name. Calls that are not supported return an error.
#include <cuda_runtime.h>

#include <cstdio>

static bool prefetched(void *memory, cudaMemLocation location)
{
	return cudaMemPrefetchAsync(memory, 1 << 16, location, 0, 0) == cudaSuccess &&
	       cudaMemAdvise(memory, 1 << 16, cudaMemAdviseSetReadMostly, location) == cudaSuccess;
}

int main()
{
	cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
	cudaExternalMemoryHandleDesc handle = {};
	cudaExternalMemory_t external;
	cudaGraphNode_t first, second;
	cudaGraph_t graph;
	void *memory;

	if (cudaMallocManaged(&memory, 1 << 16) || !prefetched(memory, device) || !prefetched(memory, host))
		return puts("prefetch"), 1;
	if (cudaGraphCreate(&graph, 0) || cudaGraphAddEmptyNode(&first, graph, nullptr, 0) ||
	    cudaGraphAddEmptyNode(&second, graph, nullptr, 0) ||
	    cudaGraphAddDependencies(graph, &first, &second, nullptr, 1))
		return puts("edge"), 1;
	if (cudaImportExternalMemory(&external, &handle) != cudaErrorNotSupported ||
	    cudaGetLastError() != cudaErrorNotSupported)
		return puts("external memory"), 1;
	puts("ok");
	return 0;
}
