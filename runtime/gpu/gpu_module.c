/*
 * The GPU device's modules: analyses PTX, adds the marked versions of kernels, and gives the text to libcuda in a PTX
 * version that libcuda knows.
 */
#include "runtime/gpu/gpu_device.h"
#include "ptx-analyzer/language/text/lines_name.h"

#include "common/xalloc.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

/* --- Loading --- */

unsigned gpu_lower_version(struct ptx_module *m, unsigned newest)
{
	unsigned version = m->version_major * 10 + m->version_minor;

	if (version <= newest)
		return 0;
	m->version_major = newest / 10;
	m->version_minor = newest % 10;
	return version;
}

int gpu_print(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, bool checks, struct strbuf *text,
	      struct diag *d)
{
	uint8_t *types;

	if (gpu_references_load(m, d) < 0)
		return DIAG_ERROR;
	types = gpu_references_declare(m);
	(checks ? ptx_print_guarded_checked : ptx_print_guarded)(a, m, mark, text);
	gpu_references_restore(m, types);
	return 0;
}

/* N of ".target sm_N..." or 0. */
static int target_of(const struct ptx_module *m)
{
	return strncmp(m->target, "sm_", 3) == 0 ? atoi(m->target + 3) : 0;
}

/*
 * True if the GPU cannot run the text. Text for sm_90 runs on sm_90 and all later GPUs, for sm_90a only on sm_90, for
 * sm_100f only on the family of sm_100.
 */
static bool for_other_gpu(const struct ptx_module *m, int capability)
{
	int target = target_of(m);
	char kind = target ? m->target[3 + strspn(m->target + 3, "0123456789")] : '\0';

	if (kind == 'a')
		return target != capability;
	return target > capability || (kind == 'f' && target / 10 != capability / 10);
}

/* Libcuda's words, one line. */
static void flatten(char *log)
{
	size_t n = strlen(log);

	while (n && (log[n - 1] == '\n' || log[n - 1] == ' '))
		log[--n] = '\0';
	for (char *at = log; *at; at++)
		*at = *at == '\n' || *at == '\t' ? ' ' : *at;
}

static enum device_status hand_to_driver(struct device_module *module, const char *text, unsigned lowered_from,
					 struct diag *d)
{
	struct device *dev = module->dev;
	char log[900] = "", lowered[64] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)sizeof log};
	CUresult result = dev->lib.cuModuleLoadDataEx(&module->handle, text, 2, options, values);

	if (result == CUDA_SUCCESS)
		return DEVICE_OK;
	module->handle = NULL;
	log[sizeof log - 1] = '\0';
	flatten(log);
	if (lowered_from)
		snprintf(lowered, sizeof lowered, " (written for PTX %u.%u; the driver knows %u.%u)", lowered_from / 10,
			 lowered_from % 10, dev->ptx_version / 10, dev->ptx_version % 10);
	if (for_other_gpu(module->ptx, dev->capability))
		diag_file(
		    d, module->ptx->file,
		    "compiled for %s, but the GPU is sm_%d: compile it for this or an older GPU, without 'a' or 'f'",
		    module->ptx->target, dev->capability);
	else
		diag_file(d, module->ptx->file, "the CUDA driver refuses this PTX: %s%s %s",
			  libcuda_error(&dev->lib, result), lowered, log);
	return gpu_status(dev, result, "module", NULL) == DEVICE_OUT_OF_MEMORY ? DEVICE_OUT_OF_MEMORY : DEVICE_BAD_PTX;
}

enum device_status gpu_load(struct device *dev, const char *image, size_t size, const char *name,
			    struct device_module **out, struct diag *d)
{
	GPU_CONTEXT(dev);
	struct device_module *module = xcalloc(1, sizeof *module);
	struct strbuf text = STRBUF_INIT;
	char lines[PTX_LINES_NAME_SIZE];
	enum device_status status;
	unsigned lowered_from;

	module->dev = dev;
	module->ptx = ptx_parse(ptx_lines_name(name, lines), image, size, d);
	if (!module->ptx) {
		free(module);
		return DEVICE_BAD_PTX;
	}
	module->analysis = ptx_analyze_to_mark(module->ptx, (enum alias_level)dev->settings.alias, false, dev->mark);
	lowered_from = gpu_lower_version(module->ptx, dev->ptx_version);
	if (gpu_print(module->analysis, module->ptx, dev->mark, dev->settings.guards, &text, d) < 0)
		status = DEVICE_BAD_PTX;
	else
		status = hand_to_driver(module, text.data, lowered_from, d);
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
	guard_memo_release(&kernel->guards);
	free(kernel->param_offsets);
	free(kernel->param_sizes);
	free(kernel);
}

void gpu_unload(struct device *dev, struct device_module *module)
{
	GPU_CONTEXT(dev);
	struct device_module **link = &dev->modules;

	while (*link != module)
		link = &(*link)->next;
	*link = module->next;
	gpu_shared_forget(dev, module);
	if (dev->last && dev->last->module == module)
		dev->last = NULL;
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

/* --- Kernels --- */

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

static bool function_listens(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (ptx_listens(f->insts[i].opcode))
			return true;
	return false;
}

/* The kernel itself, or any function that it may call. */
static bool kernel_listens(const struct ptx_function *kernel)
{
	const struct ptx_module *m = kernel->module;

	for (uint32_t f = 0; f < m->nfunctions; f++)
		if ((&m->functions[f] == kernel || !m->functions[f].is_kernel) && function_listens(&m->functions[f]))
			return true;
	return false;
}

/* NULL: the module has none. */
static CUfunction find_version(const struct device_module *module, const char *name, const char *suffix)
{
	char *version = xmalloc(strlen(name) + strlen(suffix) + 1);
	CUfunction found;

	strcat(strcpy(version, name), suffix);
	if (module->dev->lib.cuModuleGetFunction(&found, module->handle, version) != CUDA_SUCCESS)
		found = NULL;
	free(version);
	return found;
}

static enum device_status find_versions(struct device_kernel *kernel, const char *name)
{
	struct device_module *module = kernel->module;
	const struct libcuda *lib = &module->dev->lib;

	kernel->plain = find_version(module, name, PTX_PLAIN_SUFFIX);
	if (module->dev->settings.guards)
		kernel->checked = find_version(module, name, PTX_CHECKED_SUFFIX);
	return lib->cuModuleGetFunction(&kernel->marked, module->handle, name) == CUDA_SUCCESS ? DEVICE_OK
											       : DEVICE_NOT_FOUND;
}

/* The more demanding of the two versions, since a launch may run either. */
static uint32_t attribute(const struct device_kernel *kernel, CUfunction_attribute which, bool least)
{
	const struct libcuda *lib = &kernel->module->dev->lib;
	int marked = 0, plain;

	lib->cuFuncGetAttribute(&marked, which, kernel->marked);
	plain = marked;
	if (kernel->plain)
		lib->cuFuncGetAttribute(&plain, which, kernel->plain);
	return (uint32_t)((plain < marked) == least ? plain : marked);
}

enum device_status gpu_kernel(struct device *dev, struct device_module *module, const char *name,
			      struct device_kernel **out)
{
	GPU_CONTEXT(dev);
	const struct ptx_function *function = ptx_find_function(module->ptx, name);
	struct device_kernel *kernel;

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
	kernel->listens = kernel_listens(function);
	kernel->static_shared = attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, false);
	describe_params(kernel);
	kernel->next = module->kernels;
	module->kernels = kernel;
	*out = kernel;
	return DEVICE_OK;
}

enum device_status gpu_variable(struct device *dev, struct device_module *module, const char *name, uint64_t *address,
				size_t *size)
{
	GPU_CONTEXT(dev);
	CUdeviceptr pointer;

	if (dev->lib.cuModuleGetGlobal_v2(&pointer, size, module->handle, name) != CUDA_SUCCESS)
		return DEVICE_NOT_FOUND;
	*address = pointer;
	return DEVICE_OK;
}

void gpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out)
{
	GPU_CONTEXT(dev);
	const struct ptx_module *m = kernel->module->ptx;

	*out = (struct kernel_attributes){
	    .registers = attribute(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS, false),
	    .static_shared = kernel->static_shared,
	    .const_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, false),
	    .local_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, false),
	    .max_threads = attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, true),
	    .ptx_version = (uint32_t)target_of(m),
	    .nparams = kernel->function->nparams,
	    .param_sizes = kernel->param_sizes,
	    .param_offsets = kernel->param_offsets,
	    .param_bytes = kernel->function->param_bytes,
	};
}
