/* Launches kernels; reads and sets their attributes. */
#include "runtime/api/cudart/topics.h"

#include "common/c_locale.h"
#include "common/kernel_names.h"
#include "runtime/api/graphs/capture.h"
#include "runtime/api/cudart/registration.h"
#include "runtime/device/limits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	unsigned *depth = &runtime_thread.configurations.depth;

	if (*depth == MAX_NESTED_CONFIGURATIONS)
		return cudaErrorLaunchMaxDepthExceeded;
	runtime_thread.configurations.stack[(*depth)++] = (struct launch_configuration){grid, block, shared, stream};
	return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	const struct launch_configuration *c;

	if (!runtime_thread.configurations.depth)
		return cudaErrorMissingConfiguration;
	c = &runtime_thread.configurations.stack[--runtime_thread.configurations.depth];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(cudaStream_t *)stream = c->stream;
	return cudaSuccess;
}

/* --- The launch --- */

/* Says which limit a launch breaks, and returns `error`. */
__attribute__((format(printf, 3, 4))) static cudaError_t refuse(const struct api_kernel *kernel, cudaError_t error,
								const char *format, ...)
{
	struct diag d = DIAG_INIT;
	char why[400];
	va_list args;

	va_start(args, format);
	c_vsnprintf(why, sizeof why, format, args);
	va_end(args);
	diag_file(&d, NULL, "kernel '%s' cannot be launched: %s", short_title(kernel->name).text, why);
	runtime_notice(&d);
	return error;
}

/* `sizes`: of the grid in blocks, or of a block in threads. */
static cudaError_t check_sizes(const struct api_kernel *kernel, const char *what, const uint32_t sizes[3],
			       const int most[3])
{
	for (int i = 0; i < 3; i++)
		if (!sizes[i] || sizes[i] > (uint32_t)most[i])
			return refuse(kernel, cudaErrorInvalidConfiguration,
				      "%s of %ux%ux%u; each size is at least 1, and at most %dx%dx%d", what, sizes[0],
				      sizes[1], sizes[2], most[0], most[1], most[2]);
	return cudaSuccess;
}

static cudaError_t check_shared(const struct api_kernel *kernel, size_t shared, size_t most)
{
	size_t limit = kernel->max_dynamic_shared > 0 ? (size_t)kernel->max_dynamic_shared : USUAL_SHARED_BYTES;
	size_t own = kernel->attributes.static_shared;

	if (shared > limit)
		return refuse(kernel, cudaErrorInvalidValue,
			      "%zu bytes of dynamic shared memory; %zu is the most, unless cudaFuncSetAttribute sets "
			      "cudaFuncAttributeMaxDynamicSharedMemorySize (up to %zu)",
			      shared, limit, most - own);
	if (shared + own > most)
		return refuse(kernel, cudaErrorInvalidValue,
			      "%zu bytes of dynamic and %zu of static shared memory; a block has at most %zu", shared,
			      own, most);
	return cudaSuccess;
}

/* CUDA's limits on shape and resources. */
static cudaError_t check_shape(struct runtime *rt, const struct api_kernel *kernel, const uint32_t grid[3],
			       const uint32_t block[3], size_t shared)
{
	const struct cudaDeviceProp *prop = device_properties(rt);
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
	cudaError_t error = check_sizes(kernel, "a grid", grid, prop->maxGridSize);

	if (!error)
		error = check_sizes(kernel, "a block", block, prop->maxThreadsDim);
	if (error)
		return error;
	if (threads > (uint64_t)prop->maxThreadsPerBlock)
		return refuse(kernel, cudaErrorInvalidConfiguration,
			      "a block of %ux%ux%u is %" PRIu64 " threads; %d is the most", block[0], block[1],
			      block[2], threads, prop->maxThreadsPerBlock);
	if (kernel->attributes.max_threads && threads > kernel->attributes.max_threads)
		return refuse(kernel, cudaErrorInvalidValue,
			      "a block of %" PRIu64 " threads; it was compiled for at most %u (__launch_bounds__)",
			      threads, kernel->attributes.max_threads);
	return check_shared(kernel, shared, prop->sharedMemPerBlockOptin);
}

cudaError_t api_kernel_launch(struct runtime *rt, struct api_kernel *kernel, const uint32_t grid[3],
			      const uint32_t block[3], void **args, size_t shared_bytes, uint32_t stream,
			      const struct launch_options *options)
{
	const struct kernel_attributes *a = &kernel->attributes;
	struct launch_params params = {.dynamic_shared = (uint32_t)shared_bytes,
				       .stream = stream,
				       .param_bytes = a->param_bytes,
				       .cooperative = options->cooperative,
				       .regions = &rt->allocations.regions,
				       .regions_seen = options->is_replayed ? options->regions_seen
									    : rt->allocations.regions.changes};
	_Alignas(16) unsigned char buffer[MAX_PARAM_BYTES];
	cudaError_t error = check_shape(rt, kernel, grid, block, shared_bytes);
	struct diag d = DIAG_INIT;

	if (error)
		return error;
	if (a->param_bytes > sizeof buffer)
		return cudaErrorInvalidValue;
	memset(buffer, 0, a->param_bytes);
	for (uint32_t i = 0; i < a->nparams; i++) {
		memcpy(buffer + a->param_offsets[i], args[i], a->param_sizes[i]);
		api_device_pointer(rt, buffer + a->param_offsets[i], a->param_sizes[i]);
	}
	memcpy(params.grid, grid, sizeof params.grid);
	memcpy(params.block, block, sizeof params.block);
	memcpy(params.cluster, options->cluster, sizeof params.cluster);
	params.params = buffer;
	error = status_error(rt, rt->ops->launch(rt->device, kernel->loaded, &params, &d));
	runtime_notice(&d);
	/* A kernel runs after its launch has returned: what goes wrong in it is the next call's error. */
	return rt->sticky ? cudaSuccess : error;
}

static cudaError_t launch(struct runtime *rt, struct api_kernel *kernel, dim3 grid, dim3 block, void **args,
			  size_t shared, cudaStream_t stream, const struct launch_options *options)
{
	uint32_t grid3[3] = {grid.x, grid.y, grid.z}, block3[3] = {block.x, block.y, block.z};
	cudaError_t error = stream_check(stream);

	if (error)
		return error;
	if (!args && kernel->attributes.nparams)
		return cudaErrorInvalidValue;
	if (stream_graph(stream)) {
		error = check_shape(rt, kernel, grid3, block3, shared);
		return error ? error : graph_capture_kernel(stream, kernel, grid3, block3, args, shared, options);
	}
	return api_kernel_launch(rt, kernel, grid3, block3, args, shared, stream_number(stream), options);
}

static cudaError_t launch_handle(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
				 cudaStream_t stream, const struct launch_options *options)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = api_kernel_find(rt, function, &kernel);

	if (!error)
		error = launch(rt, kernel, grid, block, args, shared, stream, options);
	return runtime_leave(error);
}

static const struct launch_options none = {.cooperative = false};

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
			     cudaStream_t stream)
{
	return launch_handle(function, grid, block, args, shared, stream, &none);
}

static cudaError_t refuse_cooperative(struct runtime *rt, const void *function, uint64_t grid, int blocks)
{
	int sms = device_properties(rt)->multiProcessorCount;
	struct api_kernel *kernel;

	if (api_kernel_find(rt, function, &kernel) == cudaSuccess)
		refuse(kernel, cudaErrorCooperativeLaunchTooLarge,
		       "a cooperative grid of %" PRIu64 " blocks; all have to be resident, and %d SMs hold %d each",
		       grid, sms, blocks);
	return cudaErrorCooperativeLaunchTooLarge;
}

/* Every block of a cooperative launch must be resident at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
					cudaStream_t stream)
{
	ENTER(rt);
	int blocks = 0;
	cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
									  (int)(block.x * block.y * block.z), shared);

	if (!error && (uint64_t)grid.x * grid.y * grid.z >
			  (uint64_t)blocks * (uint64_t)device_properties(rt)->multiProcessorCount)
		error = refuse_cooperative(rt, function, (uint64_t)grid.x * grid.y * grid.z, blocks);
	if (!error)
		error = launch_handle(function, grid, block, args, shared, stream,
				      &(struct launch_options){.cooperative = true});
	return runtime_leave(error);
}

/* Blocks of a cluster see each other's shared memory; on the CPU device a cluster is one block. */
static cudaError_t take_attribute(struct launch_options *options, const cudaLaunchAttribute *a, const dim3 *grid)
{
	const uint32_t cluster[3] = {a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z};
	const uint32_t blocks[3] = {grid->x, grid->y, grid->z};

	if (a->id == cudaLaunchAttributeCooperative)
		options->cooperative = a->val.cooperative;
	if (a->id != cudaLaunchAttributeClusterDimension)
		return cudaSuccess;
	for (int i = 0; i < 3; i++)
		if (!cluster[i] || blocks[i] % cluster[i])
			return cudaErrorInvalidClusterSize;
	if (cluster[0] * cluster[1] * cluster[2] > 1)
		memcpy(options->cluster, cluster, sizeof cluster);
	return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
	struct launch_options options = {.cooperative = false};
	cudaError_t error = config ? cudaSuccess : cudaErrorInvalidValue;

	for (unsigned i = 0; config && i < config->numAttrs && !error; i++)
		error = take_attribute(&options, &config->attrs[i], &config->gridDim);
	if (error)
		return runtime_remember(error);
	return launch_handle(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
			     config->stream, &options);
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *host)
{
	*handle = (cudaKernel_t)(uintptr_t)host;
	return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void **args, size_t shared,
			       cudaStream_t stream)
{
	return launch_handle(handle, grid, block, args, shared, stream, &none);
}

/* --- Attributes --- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = attributes ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue;

	if (!error) {
		const struct kernel_attributes *a = &kernel->attributes;
		const struct cudaDeviceProp *prop = device_properties(rt);
		int dynamic = kernel->max_dynamic_shared;

		memset(attributes, 0, sizeof *attributes);
		attributes->sharedSizeBytes = a->static_shared;
		attributes->constSizeBytes = a->const_bytes;
		attributes->localSizeBytes = a->local_bytes;
		attributes->maxThreadsPerBlock = a->max_threads ? (int)a->max_threads : prop->maxThreadsPerBlock;
		attributes->numRegs = (int)a->registers;
		attributes->ptxVersion = (int)a->ptx_version;
		attributes->binaryVersion = prop->major * 10 + prop->minor;
		attributes->maxDynamicSharedSizeBytes =
		    dynamic >= 0 ? dynamic : USUAL_SHARED_BYTES - (int)a->static_shared;
		attributes->preferredShmemCarveout = kernel->carveout;
	}
	return runtime_leave(error);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attr, int value)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = api_kernel_find(rt, function, &kernel);

	if (!error && attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
		if (value < 0 ||
		    (size_t)value + kernel->attributes.static_shared > device_properties(rt)->sharedMemPerBlockOptin)
			error = cudaErrorInvalidValue;
		else
			kernel->max_dynamic_shared = value;
	} else if (!error && attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
		kernel->carveout = value;
	} else if (!error && (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax)) {
		error = cudaErrorInvalidValue;
	}
	return runtime_leave(error);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
	ENTER(rt);
	struct api_kernel *kernel;

	if ((unsigned)config > cudaFuncCachePreferEqual)
		return runtime_leave(cudaErrorInvalidValue);
	return runtime_leave(api_kernel_find(rt, function, &kernel));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
	if ((unsigned)config > cudaSharedMemBankSizeEightByte)
		return runtime_remember(cudaErrorInvalidValue);
	return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = name ? api_kernel_find(rt, function, &kernel) : cudaErrorInvalidValue;

	if (!error)
		*name = kernel->name;
	return runtime_leave(error);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *symbol)
{
	ENTER(rt);
	struct api_kernel *kernel;
	cudaError_t error = handle ? api_kernel_find(rt, symbol, &kernel) : cudaErrorInvalidValue;

	if (!error)
		*handle = (cudaFunction_t)kernel;
	return runtime_leave(error);
}
