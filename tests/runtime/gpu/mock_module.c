/* The mock driver's modules: checked as a driver's compiler would, with ld.global.nc sent to the shadow. */
#include "tests/runtime/gpu/mock_driver.h"

#include "common/xalloc.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

static char *last_text;
static struct CUmod_st *modules;

const char *mock_last_module(void)
{
	return last_text ? last_text : "";
}

static void free_module(struct CUmod_st *module)
{
	while (module->functions) {
		struct CUfunc_st *next = module->functions->next;

		free(module->functions->name);
		free(module->functions);
		module->functions = next;
	}
	free(module);
}

void mock_module_forget(void)
{
	while (modules) {
		struct CUmod_st *next = modules->next;

		free_module(modules);
		modules = next;
	}
	free(last_text);
	last_text = NULL;
}

/* The newest PTX of a driver's release, by the published table of releases. */
static unsigned newest_ptx(int driver)
{
	int major = driver / 1000, minor = driver % 1000 / 10;

	if (major == 11)
		return 70 + (unsigned)minor;
	if (major == 12)
		return minor < 6 ? 80 + (unsigned)minor : minor == 6 ? 85 : 79 + (unsigned)minor;
	return 90 + (unsigned)minor;
}

/* Texts go where the options want them, cut to size; the driver answers with their lengths. */
static void say(unsigned n, CUjit_option *options, void **values, CUjit_option which, const char *text)
{
	char *log = NULL;

	for (unsigned i = 0; i < n; i++)
		if (options[i] == which)
			log = values[i];
	for (unsigned i = 0; i < n && log; i++)
		if (options[i] == which + 1) {
			snprintf(log, (size_t)(uintptr_t)values[i], "%s", text);
			values[i] = (void *)(uintptr_t)strlen(log);
		}
}

static void send_to_shadow(struct ptx_module *m)
{
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f].ninsts; i++) {
			struct ptx_inst *inst = &m->functions[f].insts[i];

			if (inst->opcode->op == PTX_OP_ld && ptx_has_mod(inst->opcode, PTX_MOD_nc))
				inst->operands[inst->noperands - 1].imm += MOCK_SHADOW;
		}
}

/* sm_N runs on that and what came later, sm_Na on no other, sm_Nf in its family. */
static bool runs_here(const char *target)
{
	int here = mock_setting("MOCK_CUDA_CAPABILITY", 90), wanted = atoi(target + 3);

	if (strchr(target + 3, 'a'))
		return wanted == here;
	return wanted <= here && (!strchr(target + 3, 'f') || wanted / 10 == here / 10);
}

/* Text for the CPU device, or NULL and the driver's error. */
static char *compile(const char *image, CUresult *result, char *log, size_t log_size)
{
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("ptxas application ptx input", image, strlen(image), &d);
	unsigned newest = newest_ptx(mock_setting("MOCK_CUDA_DRIVER", 13000));

	*result = CUDA_ERROR_INVALID_PTX;
	if (!m) {
		snprintf(log, log_size, "ptxas application ptx input, line %u; error   : %.400s\n", d.line, d.message);
		return NULL;
	}
	if (m->version_major * 10 + m->version_minor > newest) {
		snprintf(log, log_size,
			 "ptxas application ptx input, line 1; fatal   : Unsupported .version %u.%u; current version "
			 "is '%u.%u'\n",
			 m->version_major, m->version_minor, newest / 10, newest % 10);
		*result = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
	} else if (!runs_here(m->target)) {
		*result = CUDA_ERROR_NO_BINARY_FOR_GPU;
	} else {
		*result = CUDA_SUCCESS;
		send_to_shadow(m);
		ptx_print(m, &text);
	}
	ptx_module_free(m);
	return *result ? NULL : strbuf_detach(&text);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned noptions, CUjit_option *options,
			    void **values)
{
	char log[600] = "", *text;
	struct diag d = DIAG_INIT;
	struct device_module *loaded;
	CUresult result;
	MOCK_ENTER();
	free(last_text);
	last_text = xstrdup(image);
	text = compile(image, &result, log, sizeof log);
	if (text && cpu_device_ops.load(mock.cpu, text, strlen(text), "mock", &loaded, &d) != DEVICE_OK) {
		snprintf(log, sizeof log, "%.500s\n", d.message);
		result = CUDA_ERROR_INVALID_PTX;
	}
	mock.heap_used = mock.heap_used || (text && strstr(text, "malloc"));
	mock.printf_used = mock.printf_used || (text && strstr(text, "vprintf"));
	free(text);
	say(noptions, options, values, CU_JIT_ERROR_LOG_BUFFER, log);
	say(noptions, options, values, CU_JIT_INFO_LOG_BUFFER, result ? "" : "ptxas info    : 0 bytes gmem\n");
	if (result)
		return result;
	*module = xcalloc(1, sizeof **module);
	(*module)->loaded = loaded;
	(*module)->next = modules;
	modules = *module;
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	cpu_device_ops.unload(mock.cpu, module->loaded);
	for (struct CUmod_st **at = &modules; *at; at = &(*at)->next)
		if (*at == module) {
			*at = module->next;
			break;
		}
	free_module(module);
	return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	struct device_kernel *kernel;
	MOCK_ENTER();
	if (cpu_device_ops.kernel(mock.cpu, module->loaded, name, &kernel) != DEVICE_OK)
		return CUDA_ERROR_NOT_FOUND;
	*function = xcalloc(1, sizeof **function);
	(*function)->kernel = kernel;
	(*function)->name = xstrdup(name);
	(*function)->next = module->functions;
	module->functions = *function;
	cpu_device_ops.attributes(mock.cpu, kernel, &(*function)->attributes);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name)
{
	uint64_t found;
	MOCK_ENTER();
	if (cpu_device_ops.variable(mock.cpu, module->loaded, name, &found, size) != DEVICE_OK)
		return CUDA_ERROR_NOT_FOUND;
	*address = found;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	const struct kernel_attributes *a = &function->attributes;
	MOCK_ENTER();
	const uint32_t values[] = {[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = a->max_threads ? a->max_threads : 1024,
				   [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = a->static_shared,
				   [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = a->const_bytes,
				   [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = a->local_bytes,
				   [CU_FUNC_ATTRIBUTE_NUM_REGS] = a->registers};

	if (attribute < 0 || (size_t)attribute >= sizeof values / sizeof *values)
		return CUDA_ERROR_INVALID_VALUE;
	*value = (int)values[attribute];
	return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	MOCK_ENTER();
	if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
		function->large_clusters = value;
		return CUDA_SUCCESS;
	}
	if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
	    (unsigned)value + function->attributes.static_shared > 227 << 10)
		return CUDA_ERROR_INVALID_VALUE;
	function->dynamic_limit = value;
	return CUDA_SUCCESS;
}
