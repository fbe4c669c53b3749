/* The analysis as a whole: origins of every function, then each kernel's structures, verdicts and marks. */
#include "ptx-analyzer/ranges/ranges.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

static void add_kernels(struct ptx_analysis *a)
{
	a->kernels = xcalloc(a->module->nfunctions + 1, sizeof *a->kernels);
	for (uint32_t f = 0; f < a->module->nfunctions; f++) {
		const struct ptx_function *function = &a->module->functions[f];

		if (!function->is_kernel || function->is_declaration)
			continue;
		a->kernels[a->nkernels++] = (struct kernel){
		    .owner = a, .facts = {.name = function->name, .function = f, .line = function->line}};
	}
}

void analysis_release_scratch(struct ptx_analysis *a)
{
	for (size_t i = 0; i < a->nkernels; i++) {
		vec_release(&a->kernels[i].structures);
		vec_release(&a->kernels[i].notes);
		vec_release(&a->kernels[i].work);
		vec_release(&a->kernels[i].window_loads);
		vec_release(&a->kernels[i].numbers);
		vec_release(&a->kernels[i].calls);
	}
	free(a->positions);
	free(a->deniers);
	flow_module_free(a->flow);
	set_table_free(a->sets);
}

static void discard(struct ptx_analysis *a)
{
	analysis_release_scratch(a);
	ptx_analysis_free(a);
}

/* `originals`: the number of the module's functions that are not copies. */
static struct ptx_analysis *make(struct ptx_module *m, enum alias_level alias, bool relocatable, bool may_copy,
				 uint32_t originals)
{
	struct ptx_analysis *a = xcalloc(1, sizeof *a);

	a->module = m;
	a->originals = originals;
	a->alias = alias;
	a->relocatable = relocatable;
	a->sets = set_table_new();
	a->flow = flow_analyze(m, alias != ALIAS_STRICT);
	a->positions = xcalloc(m->nfunctions + 1, sizeof *a->positions);
	a->marks = xcalloc(m->nfunctions + 1, sizeof *a->marks);
	a->deniers = xcalloc(m->nfunctions + 1, sizeof *a->deniers);
	add_kernels(a);
	for (size_t i = 0; i < a->nkernels; i++) {
		kernel_collect(&a->kernels[i]);
		kernel_judge(&a->kernels[i]);
	}
	deny_open_functions(a, a->marks);
	if (may_copy && copy_functions(a)) {
		discard(a);
		return make(m, alias, relocatable, false, originals);
	}
	for (size_t i = 0; i < a->nkernels; i++)
		kernel_conclude(&a->kernels[i]);
	return a;
}

struct ptx_analysis *analysis_make(struct ptx_module *m, enum alias_level alias, bool relocatable, bool may_copy)
{
	return make(m, alias, relocatable, may_copy, m->nfunctions);
}

static struct ptx_analysis *analyze(struct ptx_module *m, enum alias_level alias, bool relocatable, bool may_copy)
{
	struct ptx_analysis *a = analysis_make(m, alias, relocatable, may_copy);

	analysis_release_scratch(a);
	return a;
}

struct ptx_analysis *ptx_analyze(struct ptx_module *m, enum alias_level alias)
{
	return analyze(m, alias, false, false);
}

struct ptx_analysis *ptx_analyze_relocatable(struct ptx_module *m, enum alias_level alias)
{
	return analyze(m, alias, true, false);
}

struct ptx_analysis *ptx_analyze_to_mark(struct ptx_module *m, enum alias_level alias, bool relocatable,
					 enum load_mark mark)
{
	return analyze(m, alias, relocatable, mark != LOAD_KEEP);
}

void ptx_analysis_free(struct ptx_analysis *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nkernels; i++) {
		ptx_ranges_free(a->kernels[i].ranges);
		vec_release(&a->kernels[i].functions);
	}
	free(a->kernels);
	free(a->marks);
	arena_release(&a->arena);
	free(a);
}

const struct ptx_module *ptx_analysis_module(const struct ptx_analysis *a)
{
	return a->module;
}

size_t ptx_analysis_kernels(const struct ptx_analysis *a)
{
	return a->nkernels;
}

const struct kernel_facts *ptx_analysis_kernel(const struct ptx_analysis *a, size_t index)
{
	return &a->kernels[index].facts;
}

const struct kernel_facts *ptx_kernel_facts(const struct ptx_analysis *a, const char *kernel)
{
	for (size_t i = 0; i < a->nkernels; i++)
		if (strcmp(a->kernels[i].facts.name, kernel) == 0)
			return &a->kernels[i].facts;
	return NULL;
}

const struct access *ptx_kernel_accesses(const struct ptx_analysis *a, size_t index, size_t *count)
{
	*count = a->kernels[index].naccesses;
	return a->kernels[index].accesses;
}
