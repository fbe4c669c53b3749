/* The comparison at each level, load by load, and its place in the pass's report. */
#include "cli/cross_check.h"

#include "cli/cross_check_grounds.h"

#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>

struct counts {
	unsigned loads, same, explained, unexplained;
};

/* --- One difference as JSON --- */

/* Ids of the structures that the load reads, over all kernels that reach it; `kernels` gets the kernels' names. */
static json_t *structures_of(const struct view *v, const struct seen_load *load, json_t *kernels)
{
	const struct ptx_analysis *analysis = judging(v, load)->analysis;
	json_t *ids = json_array();

	for (size_t k = 0; k < ptx_analysis_kernels(analysis); k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(analysis, k);
		const struct access *a = judged_access(v, load, k);

		if (!a)
			continue;
		json_array_append_new(kernels, json_string(facts->name));
		for (uint32_t i = 0; i < a->nstructures; i++) {
			json_t *id = json_string(facts->structures[a->structures[i]].id);
			size_t n = 0;

			while (n < json_array_size(ids) && !json_equal(json_array_get(ids, n), id))
				n++;
			if (n == json_array_size(ids))
				json_array_append(ids, id);
			json_decref(id);
		}
	}
	return ids;
}

/* The analyser's reason not to mark the load: its words on the load, or on a structure that the load reads. */
static const char *ptx_why(const struct view *v, const struct seen_load *load)
{
	const struct ptx_analysis *analysis = judging(v, load)->analysis;

	for (size_t k = 0; !load->by_ptx && k < ptx_analysis_kernels(analysis); k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(analysis, k);
		const struct access *a = judged_access(v, load, k);

		if (a && a->why)
			return a->why;
		for (uint32_t i = 0; a && i < a->nstructures; i++)
			if (facts->structures[a->structures[i]].why)
				return facts->structures[a->structures[i]].why;
	}
	return NULL;
}

static void add_place(json_t *json, const struct view *v, const struct ptx_inst *inst)
{
	const struct ptx_module *m = v->marked.module;

	json_object_set_new(json, "ptx_line", json_integer(inst->line));
	if (inst->loc == PTX_NONE)
		return;
	if (m->locs[inst->loc].file < m->nfiles && m->files[m->locs[inst->loc].file])
		json_object_set_new(json, "file", json_string(m->files[m->locs[inst->loc].file]));
	json_object_set_new(json, "line", json_integer(m->locs[inst->loc].line));
}

static json_t *difference(const struct view *v, const struct seen_load *load, const char *ground)
{
	const struct ptx_function *f = &v->marked.module->functions[load->function];
	const struct ptx_inst *inst = seen_inst(v, load), *judged = judged_inst(v, load);
	struct strbuf text = STRBUF_INIT;
	json_t *kernels = json_array(), *json;
	const char *why = ptx_why(v, load);

	ptx_print_inst(f, inst, &text);
	json = json_pack("{s:s, s:s, s:b, s:b}", "function", f->name, "load", text.data, "pass", (int)load->by_pass,
			 "ptx", (int)load->by_ptx);
	strbuf_release(&text);
	add_place(json, v, inst);
	json_object_set_new(json, "structures", structures_of(v, load, kernels));
	json_object_set_new(json, "kernels", kernels);
	json_object_set_new(json, "space",
			    json_string(load->space_is_known ? ptx_space_name(judged->opcode->space) : "not known"));
	if (why)
		json_object_set_new(json, "ptx_why", json_string(why));
	json_object_set_new(json, "reason", ground ? json_string(ground) : json_null());
	return json;
}

/* --- Levels --- */

/* The analyser's loads and marks of each kernel on the plain PTX, beside the pass's own in its report. */
static json_t *ptx_counts(const struct view *v)
{
	json_t *kernels = json_array();

	for (size_t k = 0; k < ptx_analysis_kernels(v->plain.analysis); k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(v->plain.analysis, k);

		json_array_append_new(kernels, json_pack("{s:s, s:i, s:i}", "name", facts->name, "loads",
							 (int)facts->loads, "loads_marked", (int)facts->loads_marked));
	}
	return kernels;
}

static json_t *compare(struct conditions *c, const struct view *v, struct counts *n)
{
	json_t *differences = json_array();

	for (size_t i = 0; i < v->loads.len; i++) {
		const struct seen_load *load = &v->loads.data[i];
		const char *ground;

		n->loads++;
		if (seen_the_same(load)) {
			n->same++;
			continue;
		}
		ground = ground_of(c, v, load);
		n->explained += ground != NULL;
		n->unexplained += ground == NULL;
		json_array_append_new(differences, difference(v, load, ground));
	}
	return json_pack("{s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "alias", alias_level_name(v->level), "loads",
			 (int)n->loads, "same", (int)n->same, "explained", (int)n->explained, "unexplained",
			 (int)n->unexplained, "kernels", ptx_counts(v), "differences", differences);
}

/* NULL with the reason in `d`. */
static json_t *compare_at(enum alias_level level, struct conditions *c, unsigned *unexplained, struct diag *d)
{
	struct counts n = {0, 0, 0, 0};
	struct view v;
	json_t *json;

	c->options.alias = level;
	if (view_make(&v, c->file, c->data, c->size, &c->options, d) < 0)
		return NULL;
	json = compare(c, &v, &n);
	*unexplained += n.unexplained;
	view_release(&v);
	conditions_release(c);
	return json;
}

char *cross_check(const char *report, const char *file, const void *data, size_t size,
		  const struct pass_options *options, unsigned *unexplained, struct diag *d)
{
	/* In order, from levels that the code proves to a level that nobody checks. */
	static const enum alias_level levels[ALIAS_LEVELS] = {ALIAS_STRICT, ALIAS_GUARDED, ALIAS_DISTINCT};
	struct conditions c = {.file = file, .data = data, .size = size, .options = *options};
	json_t *json = json_loads(report, 0, NULL), *all = json_array();
	struct strbuf text = STRBUF_INIT;
	char *dump;

	*unexplained = 0;
	json_object_set_new(json, "cross_check", all);
	for (int i = 0; i < ALIAS_LEVELS; i++) {
		json_t *level = compare_at(levels[i], &c, unexplained, d);

		if (!level) {
			json_decref(json);
			return NULL;
		}
		json_array_append_new(all, level);
	}
	dump = json_dumps(json, JSON_INDENT(2));
	strbuf_addf(&text, "%s\n", dump);
	free(dump);
	json_decref(json);
	return strbuf_detach(&text);
}
