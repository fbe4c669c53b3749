/* The analysis of PTX: the same modules, facts and report as `romark ptx` has. */
#include "library/library_call.h"

#include "common/vec.h"
#include "common/xalloc.h"
#include "ptx-analyzer/containers/input.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/describe.h"

#include <string.h>

struct analysed_module {
	struct ptx_module *module;
	struct ptx_analysis *analysis;
	struct file_data text;
};

/* A kernel's rows, as programs see them. */
struct kernel_rows {
	struct romark_kernel_verdict kernel;
	struct romark_structure_verdict *structures;
	struct romark_guard *guards;
};

struct romark_analysis {
	struct romark_analyse_options options;
	char *path;
	struct ptx_input input;
	bool has_input;
	VEC(struct analysed_module) modules;
	VEC(struct report_module) reported;
	VEC(struct kernel_rows) kernels;
	struct arena arena;
	struct strbuf json, ptx;
	bool marked;
};

static void add_kernel(struct romark_analysis *a, const struct kernel_facts *k)
{
	struct kernel_rows rows = {.kernel = {.name = k->name,
					      .loads = k->loads,
					      .loads_marked = k->loads_marked,
					      .structures = k->nstructures,
					      .guards = k->nguards}};

	rows.structures = arena_alloc(&a->arena, (k->nstructures + 1) * sizeof *rows.structures);
	rows.guards = arena_alloc(&a->arena, (k->nguards + 1) * sizeof *rows.guards);
	for (uint32_t i = 0; i < k->nstructures; i++) {
		const struct structure *s = &k->structures[i];

		rows.structures[i] = (struct romark_structure_verdict){.id = s->id,
								       .name = s->name,
								       .verdict = verdict_name(s->verdict),
								       .sharing = sharing_name(s->sharing),
								       .loads = s->loads,
								       .stores = s->stores,
								       .atomics = s->atomics,
								       .loads_marked = s->loads_marked,
								       .why = s->why,
								       .why_line = s->why_line};
	}
	for (uint32_t i = 0; i < k->nguards; i++)
		rows.guards[i] = (struct romark_guard){k->guards[i].reads, k->guards[i].writes};
	vec_push(&a->kernels, rows);
}

static int analyse_entry(struct romark_analysis *a, size_t entry, struct diag *d)
{
	struct report_module reported = {.name = a->input.entries[entry].name};
	struct analysed_module m = {.module = NULL};
	bool part = a->options.relocatable || a->input.entries[entry].relocatable;

	if (ptx_input_text(&a->input, entry, &m.text, d) < 0)
		return DIAG_ERROR;
	m.module = ptx_parse(reported.name, m.text.data, m.text.size, d);
	if (!m.module) {
		file_data_release(&m.text);
		return DIAG_ERROR;
	}
	m.analysis =
	    ptx_analyze_to_mark(m.module, (enum alias_level)a->options.alias, part, (enum load_mark)a->options.load);
	vec_push(&a->modules, m);
	reported.text = m.text.data;
	reported.size = m.text.size;
	ptx_describe(m.analysis, &reported);
	if (strcmp(reported.name, a->path) == 0)
		reported.name = NULL;
	vec_push(&a->reported, reported);
	for (size_t i = 0; i < ptx_analysis_kernels(m.analysis); i++)
		add_kernel(a, ptx_analysis_kernel(m.analysis, i));
	return 0;
}

/* A program holds the parts of a module and the module that they were joined to; the parts never run. */
static bool is_joined(const struct ptx_input *in, size_t entry)
{
	for (size_t i = 0; in->entries[entry].relocatable && i < in->count; i++)
		if (!in->entries[i].relocatable && in->entries[i].kind == PTX_ENTRY_PTX)
			return true;
	return false;
}

static int analyse_all(struct romark_analysis *a, struct diag *d)
{
	for (size_t i = 0; i < a->input.count; i++)
		if (a->input.entries[i].kind == PTX_ENTRY_PTX && !is_joined(&a->input, i) && analyse_entry(a, i, d) < 0)
			return DIAG_ERROR;
	if (a->modules.len)
		return 0;
	return diag_file(d, a->path, "holds machine code only, no PTX; compile with -gencode ...,code=compute_XX");
}

struct request {
	const char *path, *text;
	size_t bytes;
	struct romark_analysis *a;
	struct diag d;
	int status;
};

static void analyse(void *arg)
{
	struct request *r = arg;
	struct romark_analysis *a = r->a;

	a->path = xstrdup(r->path);
	r->status = r->text ? ptx_input_memory(r->path, r->text, r->bytes, &a->input, &r->d)
			    : ptx_input_open(r->path, &a->input, &r->d);
	a->has_input = r->status == 0;
	if (r->status == 0)
		r->status = analyse_all(a, &r->d);
}

static struct romark_analysis *start(struct request *r, const struct romark_analyse_options *options,
				     struct romark_error *error)
{
	struct romark_analyse_options taken;

	library_take(&taken, sizeof taken, options);
	if (taken.alias > ROMARK_DISTINCT || taken.load > ROMARK_LOAD_KEEP) {
		library_wrong(error, "the options have an alias level or a kind of load that there is not");
		return NULL;
	}
	r->a = xcalloc(1, sizeof *r->a);
	r->a->options = taken;
	if (!library_call(analyse, r, error))
		return NULL;
	if (r->status == 0)
		return r->a;
	library_error(&r->d, error);
	romark_analysis_free(r->a);
	return NULL;
}

struct romark_analysis *romark_analyse(const char *path, const struct romark_analyse_options *options,
				       struct romark_error *error)
{
	struct request r = {.path = path};

	return start(&r, options, error);
}

struct romark_analysis *romark_analyse_text(const char *text, size_t bytes, const char *name,
					    const struct romark_analyse_options *options, struct romark_error *error)
{
	struct request r = {.path = name, .text = text, .bytes = bytes};

	return start(&r, options, error);
}

void romark_analysis_free(struct romark_analysis *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->modules.len; i++) {
		ptx_analysis_free(a->modules.data[i].analysis);
		ptx_module_free(a->modules.data[i].module);
		file_data_release(&a->modules.data[i].text);
	}
	vec_release(&a->modules);
	vec_release(&a->reported);
	vec_release(&a->kernels);
	strbuf_release(&a->json);
	strbuf_release(&a->ptx);
	arena_release(&a->arena);
	if (a->has_input)
		ptx_input_release(&a->input);
	xfree(a->path);
	xfree(a);
}

const struct romark_kernel_verdict *romark_analysis_kernel(const struct romark_analysis *a, size_t kernel)
{
	return kernel < a->kernels.len ? &a->kernels.data[kernel].kernel : NULL;
}

const struct romark_structure_verdict *romark_analysis_structure(const struct romark_analysis *a, size_t kernel,
								 size_t structure)
{
	const struct kernel_rows *k = kernel < a->kernels.len ? &a->kernels.data[kernel] : NULL;

	return k && structure < k->kernel.structures ? &k->structures[structure] : NULL;
}

const struct romark_guard *romark_analysis_guard(const struct romark_analysis *a, size_t kernel, size_t guard)
{
	const struct kernel_rows *k = kernel < a->kernels.len ? &a->kernels.data[kernel] : NULL;

	return k && guard < k->kernel.guards ? &k->guards[guard] : NULL;
}

static void make_json(void *arg)
{
	struct romark_analysis *a = arg;
	const struct report report = {.file = a->path,
				      .form = &report_of_ptx,
				      .modules = a->reported.data,
				      .nmodules = a->reported.len,
				      .alias = (enum alias_level)a->options.alias,
				      .loads = a->options.loads};

	report_json(&report, &a->json);
}

const char *romark_analysis_json(struct romark_analysis *a)
{
	if (!a->json.len)
		library_call(make_json, a, NULL);
	return a->json.data;
}

/* Marks change how instructions are spelled, and the report shows how they were. */
static void make_ptx(void *arg)
{
	struct romark_analysis *a = arg;

	ptx_mark_loads(a->modules.data[0].analysis, (enum load_mark)a->options.load);
	ptx_print(a->modules.data[0].module, &a->ptx);
}

const char *romark_analysis_ptx(struct romark_analysis *a)
{
	romark_analysis_json(a);
	if (!a->ptx.len)
		library_call(make_ptx, a, NULL);
	return a->ptx.data;
}
