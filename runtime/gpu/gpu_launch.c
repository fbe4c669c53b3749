/*
 * A launch on the GPU: the marked version if its guards hold for these pointers, else the plain version, or the one
 * that checks each load.
 */
#include "runtime/gpu/gpu_device.h"

#include "common/xalloc.h"
#include "ptx-analyzer/readonly/guard_ranges.h"
#include "runtime/device/launch_guard.h"
#include "runtime/device/limits.h"

#include <stdlib.h>
#include <string.h>

/* --- How the guards read memory --- */

/* One launch's questions; copies of device memory live as long as it does. */
struct lookup {
	struct device_module *module;
	VEC(void *) copies;
};

static bool find_allocation(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	const struct device *dev = ((struct lookup *)device)->module->dev;
	const struct gpu_allocation *a = gpu_allocation(dev, address);

	if (!a)
		return gpu_image_find(dev, address, base, size);
	*base = a->address;
	*size = a->size;
	return true;
}

static bool find_variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	struct device_module *module = ((struct lookup *)device)->module;
	const struct ptx_symbol *s = &module->ptx->symbols[symbol];

	/* The host cannot find out which memory a texture or surface reference is bound to. */
	return ptx_type_kind(s->type) != PTX_KIND_OPAQUE &&
	       gpu_variable(module->dev, module, s->name, address, size) == DEVICE_OK;
}

/* More bytes than these are not copied back for a guard. */
enum { MANY_BYTES = 256 << 10 };

/*
 * Copies the bytes to the host. This waits for all earlier work, which may still write them. No later work can write
 * them before the launch, because nothing else is submitted until then. So the kernel will find the same bytes.
 */
static const void *view_memory(void *device, uint64_t address, size_t size)
{
	struct lookup *lookup = device;
	struct device *dev = lookup->module->dev;
	void *copy;

	if (size > MANY_BYTES)
		return NULL;
	copy = xmalloc(size);
	vec_push(&lookup->copies, copy);
	return dev->lib.cuMemcpy((uintptr_t)copy, address, size) == CUDA_SUCCESS ? copy : NULL;
}

static bool only_device_writes(void *device, uint64_t base, size_t size)
{
	const struct gpu_allocation *a = gpu_allocation(((struct lookup *)device)->module->dev, base);

	return a && a->kind == GPU_MEMORY_DEVICE && a->address + a->size >= base + size;
}

/* --- The choice --- */

struct choice {
	enum gpu_version version;
	uint64_t checked[CHECKED_PARAMS]; /* GPU_CHECKED: parameters behind the kernel's own */
};

/* Other memory may be mapped at two addresses. */
static bool in_allocations(const struct device *dev, const range_list *written)
{
	for (size_t i = 0; i < written->len; i++) {
		const struct gpu_allocation *a = gpu_allocation(dev, written->data[i].first);

		if (!a || written->data[i].last - a->address >= a->size)
			return false;
	}
	return true;
}

/* Can each load be held against the bytes that the launch writes? */
static bool can_check(struct device_kernel *kernel, struct guard_ranges *ranges, const struct guard_context *memory,
		      struct choice *c)
{
	const struct launch_ranges *evaluated;
	const struct ptx_module *m = kernel->module->ptx;
	range_list written = VEC_INIT;
	bool can = false;

	if (!kernel->checked || kernel->listens)
		return false;
	evaluated = guard_ranges_best(ranges, memory);
	if (evaluated && ptx_ranges_written(evaluated, m, (uint32_t)(kernel->function - m->functions), &written) &&
	    in_allocations(kernel->module->dev, &written)) {
		ptx_checked_params(&written, c->checked);
		can = true;
	}
	vec_release(&written);
	return can;
}

/* The version for these parameters. Says so once per kernel if that is the plain one. */
static void choose_by_guards(struct device_kernel *kernel, const struct launch_params *params, struct choice *c)
{
	struct lookup lookup = {.module = kernel->module};
	const struct guard_context context = {&lookup, find_allocation, find_variable, view_memory, NULL};
	struct guard_ranges ranges = {.analysis = kernel->module->analysis,
				      .facts = kernel->facts,
				      .launch = {.params = params->params, .param_bytes = params->param_bytes}};
	const struct launch_ranges_ask ask = {guard_ranges_hold, &ranges};
	const struct launch_guard guard = {.kernel = kernel->function->name,
					   .facts = kernel->facts,
					   .launch = params,
					   .memory = &context,
					   .ranges = &ask,
					   .memo = &kernel->guards,
					   .epoch = kernel->module->dev->changes,
					   .only_device_writes = kernel->listens ? only_device_writes : NULL};
	bool quiet = kernel->module->dev->settings.quiet, told = true;

	memcpy(ranges.launch.grid, params->grid, sizeof params->grid);
	memcpy(ranges.launch.block, params->block, sizeof params->block);
	if (launch_guard_ask(&guard, quiet, kernel->checked ? &told : &kernel->told))
		c->version = GPU_MARKED;
	else if (can_check(kernel, &ranges, &context, c))
		c->version = GPU_CHECKED;
	else if (kernel->checked)
		launch_guard_ask(&guard, quiet, &kernel->told);
	guard_ranges_release(&ranges);
	while (lookup.copies.len)
		free(vec_pop(&lookup.copies));
	vec_release(&lookup.copies);
}

static struct choice choose(struct device_kernel *kernel, const struct launch_params *params)
{
	struct choice c = {.version = kernel->plain ? GPU_PLAIN : GPU_MARKED};

	if (kernel->plain && kernel->module->dev->mark != LOAD_KEEP && kernel->facts)
		choose_by_guards(kernel, params, &c);
	return c;
}

static CUfunction function_of(const struct device_kernel *kernel, enum gpu_version version)
{
	const CUfunction functions[] = {
	    [GPU_PLAIN] = kernel->plain, [GPU_MARKED] = kernel->marked, [GPU_CHECKED] = kernel->checked};

	return functions[version];
}

/* --- The launch --- */

/* Clusters of more than eight CTAs run on some GPUs only, and must be allowed. */
static CUresult start_clusters(struct device *dev, CUfunction function, const struct launch_params *p, void **values)
{
	const uint32_t *g = p->grid, *b = p->block, *c = p->cluster;
	CUlaunchAttribute attributes[2] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION},
					   {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE}};
	const CUlaunchConfig config = {.gridDimX = g[0],
				       .gridDimY = g[1],
				       .gridDimZ = g[2],
				       .blockDimX = b[0],
				       .blockDimY = b[1],
				       .blockDimZ = b[2],
				       .sharedMemBytes = p->dynamic_shared,
				       .attrs = attributes,
				       .numAttrs = p->cooperative ? 2 : 1};
	enum { ALWAYS_ALLOWED = 8 };

	if (!dev->lib.cuLaunchKernelEx)
		return CUDA_ERROR_NOT_SUPPORTED;
	attributes[0].value.clusterDim.x = c[0];
	attributes[0].value.clusterDim.y = c[1];
	attributes[0].value.clusterDim.z = c[2];
	attributes[1].value.cooperative = 1;
	if ((uint64_t)c[0] * c[1] * c[2] > ALWAYS_ALLOWED)
		dev->lib.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
	return dev->lib.cuLaunchKernelEx(&config, function, values, NULL);
}

static CUresult start(struct device *dev, const struct device_kernel *kernel, CUfunction function,
		      const struct launch_params *p, void **values)
{
	const uint32_t *g = p->grid, *b = p->block;
	CUresult result = CUDA_SUCCESS;

	if (p->dynamic_shared + kernel->static_shared > USUAL_SHARED_BYTES)
		result = dev->lib.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
						     (int)p->dynamic_shared);
	if (result != CUDA_SUCCESS)
		return result;
	if (p->cluster[0])
		return start_clusters(dev, function, p, values);
	if (p->cooperative)
		return dev->lib.cuLaunchCooperativeKernel(function, g[0], g[1], g[2], b[0], b[1], b[2],
							  p->dynamic_shared, NULL, values);
	return dev->lib.cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2], p->dynamic_shared, NULL, values,
				       NULL);
}

/* Launches between two events and keeps the time between them; so it waits for the kernel. */
static CUresult start_timed(struct device *dev, const struct device_kernel *kernel, enum gpu_version version,
			    const struct launch_params *p, void **values)
{
	struct device_event *before = NULL, *after = NULL;
	float milliseconds;
	CUresult result = CUDA_SUCCESS;
	bool timed = gpu_event_record(dev, &before) == DEVICE_OK;

	result = start(dev, kernel, function_of(kernel, version), p, values);
	if (timed && result == CUDA_SUCCESS && gpu_event_record(dev, &after) == DEVICE_OK &&
	    gpu_event_reached(dev, after, true, NULL, NULL) == DEVICE_OK &&
	    gpu_event_elapsed(dev, before, after, &milliseconds) == DEVICE_OK)
		gpu_times_add(dev, kernel->function->name, kernel->plain ? version : GPU_PLAIN, milliseconds);
	gpu_event_free(dev, before);
	gpu_event_free(dev, after);
	return result;
}

enum device_status gpu_launch(struct device *dev, struct device_kernel *kernel, const struct launch_params *params,
			      struct diag *d)
{
	GPU_CONTEXT(dev);
	CUresult result = gpu_shared_to_device(dev);
	struct choice c = choose(kernel, params);
	uint32_t nparams = kernel->function->nparams;
	void **values = xcalloc(nparams + CHECKED_PARAMS, sizeof *values);

	for (uint32_t i = 0; i < nparams; i++)
		values[i] = (char *)params->params + kernel->param_offsets[i];
	for (uint32_t i = 0; i < CHECKED_PARAMS && c.version == GPU_CHECKED; i++)
		values[nparams + i] = &c.checked[i];
	if (result == CUDA_SUCCESS && dev->times_to)
		result = start_timed(dev, kernel, c.version, params, values);
	else if (result == CUDA_SUCCESS)
		result = start(dev, kernel, function_of(kernel, c.version), params, values);
	free(values);
	dev->last = kernel;
	return gpu_status(dev, result, kernel->function->name, d);
}
