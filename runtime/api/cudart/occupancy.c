/*
 * How many blocks of a kernel fit on a multiprocessor. Warps, registers, shared memory and the number of blocks limit
 * it.
 */
#include "runtime/api/cudart/topics.h"

#include "common/integer.h"

enum { WARP_REGISTER_UNIT = 256, SHARED_UNIT = 128 };

static int smaller(int a, size_t b)
{
	return (size_t)a < b ? a : (int)b;
}

/*
 * Registers of a warp. The CPU device estimates them, and runs every block that CUDA's limits on threads allow: so a
 * warp has no more than an even share of the multiprocessor's, as in the simulator.
 */
static size_t warp_registers(const struct runtime *rt, const struct cudaDeviceProp *prop,
			     const struct api_kernel *kernel, size_t warps)
{
	size_t asked = round_up((size_t)kernel->attributes.registers * (size_t)prop->warpSize, WARP_REGISTER_UNIT);
	size_t share = (size_t)prop->regsPerMultiprocessor / warps / WARP_REGISTER_UNIT * WARP_REGISTER_UNIT;

	return !rt->ops->attribute && asked > share ? share : asked;
}

static int resident_blocks(struct runtime *rt, const struct api_kernel *kernel, int threads, size_t dynamic)
{
	const struct cudaDeviceProp *prop = device_properties(rt);
	size_t warps = round_up((size_t)threads, (size_t)prop->warpSize) / (size_t)prop->warpSize;
	size_t registers = warp_registers(rt, prop, kernel, warps);
	size_t shared =
	    round_up(kernel->attributes.static_shared + dynamic, SHARED_UNIT) + prop->reservedSharedMemPerBlock;
	int blocks = prop->maxBlocksPerMultiProcessor;

	blocks = smaller(blocks, (size_t)(prop->maxThreadsPerMultiProcessor / prop->warpSize) / warps);
	if (registers)
		blocks = smaller(blocks, (size_t)prop->regsPerMultiprocessor / registers / warps);
	return smaller(blocks, prop->sharedMemPerMultiprocessor / shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
								   size_t dynamic, unsigned int flags)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = blocks && threads > 0 ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue;

	(void)flags;
	if (!error)
		*blocks = threads > device_properties(rt)->maxThreadsPerBlock
			      ? 0
			      : resident_blocks(rt, kernel, threads, dynamic);
	return runtime_leave(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
							  size_t dynamic)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic, 0);
}

static cudaError_t check_cluster(int *answer, const void *function, const cudaLaunchConfig_t *launchConfig)
{
	ENTER(rt);
	struct api_kernel *kernel;

	return runtime_leave(answer && launchConfig ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue);
}

/* A cluster is one block on devices before compute capability 9.0. */
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *function,
						 const cudaLaunchConfig_t *launchConfig)
{
	cudaError_t error = check_cluster(clusterSize, function, launchConfig);

	if (!error)
		*clusterSize = 1;
	return error;
}

/* Blocks of a cluster, from the launch's attributes; 1 if it names no cluster. */
static uint64_t cluster_blocks(const cudaLaunchConfig_t *c)
{
	for (unsigned i = 0; c->attrs && i < c->numAttrs; i++)
		if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
			return (uint64_t)c->attrs[i].val.clusterDim.x * c->attrs[i].val.clusterDim.y *
			       c->attrs[i].val.clusterDim.z;
	return 1;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *function,
					   const cudaLaunchConfig_t *launchConfig)
{
	cudaError_t error = check_cluster(numClusters, function, launchConfig);
	int blocks = 0;

	if (!error && cluster_blocks(launchConfig) != 1)
		error = runtime_remember(cudaErrorInvalidClusterSize);
	if (!error)
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
		    &blocks, function,
		    (int)(launchConfig->blockDim.x * launchConfig->blockDim.y * launchConfig->blockDim.z),
		    launchConfig->dynamicSmemBytes);
	if (!error)
		*numClusters = blocks * device_properties(&runtime_state)->multiProcessorCount;
	return error;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads)
{
	ENTER(rt);
	const struct cudaDeviceProp *prop;
	struct api_kernel *kernel;
	cudaError_t error;

	prop = device_properties(rt);
	error = bytes && blocks > 0 && threads > 0 ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue;
	if (!error) {
		size_t each = prop->sharedMemPerMultiprocessor / (size_t)blocks / SHARED_UNIT * SHARED_UNIT;
		size_t taken = prop->reservedSharedMemPerBlock + kernel->attributes.static_shared;

		*bytes = each > taken ? each - taken : 0;
		if (*bytes > prop->sharedMemPerBlockOptin)
			*bytes = prop->sharedMemPerBlockOptin;
	}
	return runtime_leave(error);
}
