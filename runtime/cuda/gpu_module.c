/* The GPU device's kernels: PTX is analysed here, loaded in both versions, and each launch picks by its guards. */
#include "runtime/cuda/gpu_device.h"

#include "common/xalloc.h"
#include "runtime/guards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum device_status hand_to_driver(struct device_module *module, const char *text, struct diag *d)
{
	struct device *dev = module->dev;
	char log[2048] = "";
	int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)sizeof log};
	CUresult result = dev->lib.cuModuleLoadDataEx(&module->handle, text, 2, options, values);

	if (result == CUDA_SUCCESS)
		return DEVICE_OK;
	log[strcspn(log, "\n")] = '\0';
	diag_file(d, module->ptx->file, "the CUDA driver refuses this PTX: %s %s", libcuda_error(&dev->lib, result), log);
	return DEVICE_BAD_PTX;
}

enum device_status gpu_load(struct device *dev, const char *image, size_t size, const char *name,
			    struct device_module **out, struct diag *d)
{
	struct device_module *module = xcalloc(1, sizeof *module);
	struct strbuf text = STRBUF_INIT;
	enum device_status status;

	module->dev = dev;
	module->ptx = ptx_parse(name, image, size, d);
	if (!module->ptx) {
		free(module);
		return DEVICE_BAD_PTX;
	}
	module->analysis = ptx_analyze(module->ptx, dev->alias);
	ptx_print_guarded(module->analysis, module->ptx, dev->mark, &text);
	status = hand_to_driver(module, text.data, d);
	strbuf_release(&text);
	module->next = dev->modules;
	dev->modules = module;
	if (status == DEVICE_OK)
		*out = module;
	else
		gpu_unload(dev, module);
	return status;
}

static void free_kernel(struct device_kernel *kernel)
{
	free(kernel->param_offsets);
	free(kernel->param_sizes);
	free(kernel);
}

void gpu_unload(struct device *dev, struct device_module *module)
{
	struct device_module **link = &dev->modules;

	while (*link != module)
		link = &(*link)->next;
	*link = module->next;
	while (module->kernels) {
		struct device_kernel *next = module->kernels->next;

		free_kernel(module->kernels);
		module->kernels = next;
	}
	if (module->handle)
		dev->lib.cuModuleUnload(module->handle);
	ptx_analysis_free(module->analysis);
	ptx_module_free(module->ptx);
	free(module);
}

static void describe_params(struct device_kernel *kernel)
{
	const struct ptx_function *f = kernel->function;

	kernel->param_offsets = xcalloc(f->nparams + 1, sizeof *kernel->param_offsets);
	kernel->param_sizes = xcalloc(f->nparams + 1, sizeof *kernel->param_sizes);
	for (uint32_t i = 0; i < f->nparams; i++) {
		const struct ptx_symbol *param = &f->module->symbols[f->params[i]];

		kernel->param_offsets[i] = (uint32_t)param->param_offset;
		kernel->param_sizes[i] = (uint32_t)param->size;
	}
}

static enum device_status find_versions(struct device_kernel *kernel, const char *name)
{
	struct device_module *module = kernel->module;
	const struct libcuda *lib = &module->dev->lib;
	char *plain = xmalloc(strlen(name) + sizeof PTX_PLAIN_SUFFIX);

	strcat(strcpy(plain, name), PTX_PLAIN_SUFFIX);
	if (lib->cuModuleGetFunction(&kernel->plain, module->handle, plain) != CUDA_SUCCESS)
		kernel->plain = NULL;
	free(plain);
	return lib->cuModuleGetFunction(&kernel->marked, module->handle, name) == CUDA_SUCCESS ? DEVICE_OK
											       : DEVICE_NOT_FOUND;
}

enum device_status gpu_kernel(struct device *dev, struct device_module *module, const char *name,
			      struct device_kernel **out)
{
	const struct ptx_function *function = ptx_find_function(module->ptx, name);
	struct device_kernel *kernel;

	(void)dev;
	for (kernel = module->kernels; kernel; kernel = kernel->next)
		if (kernel->function == function)
			return *out = kernel, DEVICE_OK;
	if (!function || !function->is_kernel)
		return DEVICE_NOT_FOUND;
	kernel = xcalloc(1, sizeof *kernel);
	kernel->module = module;
	kernel->function = function;
	if (find_versions(kernel, name) != DEVICE_OK) {
		free(kernel);
		return DEVICE_NOT_FOUND;
	}
	if (kernel->plain)
		kernel->facts = ptx_guarded_facts(module->analysis, name);
	describe_params(kernel);
	kernel->next = module->kernels;
	module->kernels = kernel;
	*out = kernel;
	return DEVICE_OK;
}

enum device_status gpu_variable(struct device *dev, struct device_module *module, const char *name, uint64_t *address,
				size_t *size)
{
	CUdeviceptr pointer;

	if (dev->lib.cuModuleGetGlobal_v2(&pointer, size, module->handle, name) != CUDA_SUCCESS)
		return DEVICE_NOT_FOUND;
	*address = pointer;
	return DEVICE_OK;
}

static uint32_t attribute(const struct device_kernel *kernel, int which)
{
	int value = 0;

	kernel->module->dev->lib.cuFuncGetAttribute(&value, which, kernel->marked);
	return (uint32_t)value;
}

void gpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out)
{
	const struct ptx_module *m = kernel->module->ptx;

	(void)dev;
	*out = (struct kernel_attributes){
		.registers = attribute(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS),
		.static_shared = attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
		.const_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES),
		.local_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
		.max_threads = attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
		.ptx_version = m->version_major * 10 + m->version_minor,
		.nparams = kernel->function->nparams,
		.param_sizes = kernel->param_sizes,
		.param_offsets = kernel->param_offsets,
		.param_bytes = kernel->function->param_bytes,
	};
}

static bool find_allocation(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	return gpu_find(((struct device_module *)device)->dev, address, base, size);
}

static bool find_variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	struct device_module *module = device;

	return gpu_variable(module->dev, module, module->ptx->symbols[symbol].name, address, size) == DEVICE_OK;
}

/* The marked version if its guards hold for these pointers, else the plain one; a failure is told once a kernel. */
static CUfunction pick_version(struct device_kernel *kernel, const struct launch_params *params)
{
	const struct ptx_kernel_facts *facts = kernel->facts;
	struct guard_context context = {
		.device = kernel->module, .find = find_allocation, .variable = find_variable};
	struct guard_target *targets;
	int failed;

	if (!kernel->plain)
		return kernel->marked;
	if (!facts)
		return kernel->plain;
	targets = xcalloc(facts->nstructures + 1, sizeof *targets);
	guard_resolve(facts, &context, params->params, params->param_bytes, targets);
	failed = guard_check(facts, targets);
	free(targets);
	if (failed < 0)
		return kernel->marked;
	if (!kernel->told && !kernel->module->dev->quiet)
		fprintf(stderr, "romark: kernel '%s' runs unmarked: it reads '%s' and writes '%s', which share memory\n",
			kernel->function->name, facts->structures[facts->guards[failed].reads].id,
			facts->structures[facts->guards[failed].writes].id);
	kernel->told = true;
	kernel->unmarked_launches++;
	return kernel->plain;
}

static CUresult start(struct device *dev, CUfunction function, const struct launch_params *p, void **values)
{
	const uint32_t *g = p->grid, *b = p->block;
	enum { DEFAULT_LIMIT = 48 << 10 };

	if (p->dynamic_shared > DEFAULT_LIMIT)
		dev->lib.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
					    (int)p->dynamic_shared);
	if (p->cooperative)
		return dev->lib.cuLaunchCooperativeKernel(function, g[0], g[1], g[2], b[0], b[1], b[2],
							  p->dynamic_shared, NULL, values);
	return dev->lib.cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2], p->dynamic_shared, NULL, values,
				       NULL);
}

/* Launches between two events and adds the time between them to the kernel's. */
static CUresult start_timed(struct device *dev, struct device_kernel *kernel, CUfunction function,
			    const struct launch_params *p, void **values)
{
	CUevent before, after;
	float milliseconds = 0;
	CUresult result;

	dev->lib.cuEventCreate(&before, 0);
	dev->lib.cuEventCreate(&after, 0);
	dev->lib.cuEventRecord(before, NULL);
	result = start(dev, function, p, values);
	dev->lib.cuEventRecord(after, NULL);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuEventSynchronize(after);
	if (result == CUDA_SUCCESS)
		dev->lib.cuEventElapsedTime(&milliseconds, before, after);
	kernel->milliseconds += milliseconds;
	dev->lib.cuEventDestroy_v2(before);
	dev->lib.cuEventDestroy_v2(after);
	return result;
}

enum device_status gpu_launch(struct device *dev, struct device_kernel *kernel, const struct launch_params *params,
			      struct diag *d)
{
	CUfunction function = pick_version(kernel, params);
	uint32_t nparams = kernel->function->nparams;
	void **values = xcalloc(nparams + 1, sizeof *values);
	CUresult result;

	for (uint32_t i = 0; i < nparams; i++)
		values[i] = (char *)params->params + kernel->param_offsets[i];
	result = dev->timing ? start_timed(dev, kernel, function, params, values)
			     : start(dev, function, params, values);
	free(values);
	kernel->launches++;
	return result == CUDA_SUCCESS ? DEVICE_OK : gpu_fail(dev, result, kernel->function->name, d);
}

void gpu_report_times(const struct device *dev)
{
	for (const struct device_module *m = dev->modules; m; m = m->next)
		for (const struct device_kernel *k = m->kernels; k; k = k->next)
			if (k->launches)
				fprintf(stderr, "romark: %-32s %8llu launches (%llu unmarked) %12.6f ms\n",
					k->function->name, (unsigned long long)k->launches,
					(unsigned long long)k->unmarked_launches, k->milliseconds);
}
