/*
 * The report as an HTML page: a fixed page (verdict_page.html) with the analysis as JSON inside it. The page loads
 * nothing else.
 */
#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "verdict/report/data_page.h"
#include "verdict/report/report_writers.h"
#include "verdict/report/source.h"

#include <stdlib.h>

/* verdict_page.html, NUL-terminated; REPORT_PAGE is its path. */
extern const char report_page[];
__asm__(".pushsection .rodata\n"
	".globl report_page\n"
	"report_page:\n"
	".incbin \"" REPORT_PAGE "\"\n"
	".byte 0\n"
	".popsection\n");

/* As the page calls them. */
static const char *const report_sort_names[] = {
    [REPORT_BY_UNMARKED] = "unmarked", [REPORT_BY_NAME] = "name", [REPORT_IN_ORDER] = "order"};

/* --- Source files --- */

/* Tells the user who makes the page why a source is not in it. */
static json_t *source(const struct report *r, const char *name)
{
	json_t *object = json_object();
	struct diag why = DIAG_INIT;
	struct file_data data;

	json_object_set_new(object, "name", report_string(name ? name : ""));
	if (!name || report_source(r, name, &data, &why) < 0) {
		json_object_set_new(object, "text", json_null());
		if (name && r->notes)
			strbuf_addf(r->notes, "%s: source not shown: %s\n", why.file, why.message);
		return object;
	}
	json_object_set_new(object, "text", report_string(data.data));
	file_data_release(&data);
	return object;
}

static json_t *source_list(const struct report *r, const struct report_module *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->nfiles; i++)
		json_array_append_new(list, source(r, m->files[i]));
	return list;
}

/* --- Functions --- */

static void append_numbers(json_t *list, const uint32_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer(numbers[i]));
}

/* [symbol, first line, last line, [line, file, source line, ...], name]; the positions only where they change. */
static json_t *function(const struct report_function *f)
{
	json_t *object = json_array(), *positions = json_array();
	char *title = kernel_title(f->name);

	append_numbers(positions, f->positions, f->npositions * 3);
	json_array_append_new(object, report_string(f->name));
	append_numbers(object, (uint32_t[]){f->line, f->last_line}, 2);
	json_array_append_new(object, positions);
	json_array_append_new(object, report_string(title));
	xfree(title);
	return object;
}

static void append_bytes(json_t *object, const struct report_access *place)
{
	json_t *scans = json_array();

	for (size_t i = 0; i < place->nscans; i++)
		json_array_append_new(scans, report_string(place->scans[i]));
	json_array_append_new(object, report_string(place->bytes));
	json_array_append_new(object, scans);
}

/* [function, line, load 1 | store 2 | atomic 4 | marked 8, [structures], bytes, [scans]]; the last two where asked */
static json_t *access_row(const struct report_access *place)
{
	const struct access *a = place->access;
	json_t *object = json_array(), *structures = json_array();
	uint32_t flags = 1u * a->is_load + 2u * a->is_store + 4u * a->is_atomic + 8u * a->marked;

	append_numbers(object, (uint32_t[]){a->function, place->line, flags}, 3);
	append_numbers(structures, a->structures, a->nstructures);
	json_array_append_new(object, structures);
	if (place->bytes)
		append_bytes(object, place);
	return object;
}

static void add_kernels(const struct report *r, const struct report_module *module, json_t *list)
{
	for (size_t i = 0; i < module->nkernels; i++) {
		const struct report_kernel *k = &module->kernels[i];
		json_t *kernel, *accesses;

		if (!report_wants(r, k->facts))
			continue;
		kernel = report_json_kernel(r->form, k->facts);
		accesses = json_array();
		for (size_t j = 0; j < k->naccesses; j++)
			json_array_append_new(accesses, access_row(&k->accesses[j]));
		json_object_set_new(kernel, "function", json_integer(k->facts->function));
		json_object_set_new(kernel, "accesses", accesses);
		json_array_append_new(list, kernel);
	}
}

static json_t *module_data(const struct report *r, const struct report_module *module)
{
	json_t *object = json_object(), *functions = json_array(), *kernels = json_array();
	char *text = xstrndup(module->text, module->size);

	for (size_t i = 0; i < module->nfunctions; i++)
		json_array_append_new(functions, function(&module->functions[i]));
	add_kernels(r, module, kernels);
	json_object_set_new(object, "name", module->name ? report_string(module->name) : json_null());
	json_object_set_new(object, "text", report_string(text));
	json_object_set_new(object, "functions", functions);
	json_object_set_new(object, "kernels", kernels);
	json_object_set_new(object, "sources", source_list(r, module));
	free(text);
	return object;
}

/* --- The page --- */

void report_html(const struct report *r, struct strbuf *out)
{
	json_t *root = json_object(), *modules = json_array();

	json_object_set_new(root, "file", report_string(r->file));
	json_object_set_new(root, "alias", json_string(alias_level_name(r->alias)));
	for (size_t i = 0; i < r->nmodules; i++)
		json_array_append_new(modules, module_data(r, &r->modules[i]));
	json_object_set_new(root, "sort", json_string(report_sort_names[r->sort]));
	json_object_set_new(root, "unmarked", json_boolean(r->unmarked));
	json_object_set_new(root, "modules", modules);
	if (r->facts)
		json_object_set(root, "facts", r->facts);
	data_page_fill(report_page, root, JSON_COMPACT | JSON_PRESERVE_ORDER, out);
	json_decref(root);
}
