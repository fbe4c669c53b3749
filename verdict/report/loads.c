/* Load by load: where it stands, what it may touch, and whether it is marked or why not. */
#include "verdict/report/report.h"

#include <string.h>

/* A call of unknown code loads and stores. */
static bool is_load(const struct ptx_access *a)
{
	return a->is_load && !a->is_store && !a->is_atomic;
}

static const struct ptx_inst *inst_of(const struct ptx_module *m, const struct ptx_access *a)
{
	return &m->functions[a->function].insts[a->inst];
}

/* "saxpy.cu:12", or "" where the PTX does not tell. */
static void add_source(const struct ptx_module *m, const struct ptx_inst *inst, struct strbuf *out)
{
	const struct ptx_loc *loc = inst->loc < m->nlocs ? &m->locs[inst->loc] : NULL;
	const char *file = loc && loc->file < m->nfiles ? m->files[loc->file] : NULL, *slash;

	strbuf_reserve(out, 1);
	out->data[out->len] = '\0';
	if (!file)
		return;
	slash = strrchr(file, '/');
	strbuf_addf(out, "%s:%u", slash ? slash + 1 : file, loc->line);
}

/* Why it is not marked: a structure that is written, or the load itself. Nothing for a marked load. */
static void add_reason(const struct ptx_kernel_facts *f, const struct ptx_access *a, struct strbuf *out)
{
	if (a->marked)
		return;
	for (uint32_t i = 0; i < a->nstructures; i++) {
		const struct ptx_structure *s = &f->structures[a->structures[i]];

		if (s->verdict == PTX_READ_ONLY)
			continue;
		strbuf_addf(out, "%s is %s: %s", s->id, ptx_verdict_name(s->verdict), s->why ? s->why : "");
		return;
	}
	strbuf_adds(out, a->why ? a->why : "");
}

static void add_structures(const struct ptx_kernel_facts *f, const struct ptx_access *a, struct strbuf *out)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", f->structures[a->structures[i]].id);
}

void report_text_loads(const struct report_module *module, size_t index, struct strbuf *out)
{
	const struct ptx_kernel_facts *f = ptx_analysis_kernel(module->analysis, index);
	struct strbuf source = STRBUF_INIT;
	size_t count;
	const struct ptx_access *all = ptx_kernel_accesses(module->analysis, index, &count);

	for (size_t i = 0; i < count; i++) {
		const struct ptx_inst *inst = inst_of(module->module, &all[i]);

		if (!is_load(&all[i]))
			continue;
		source.len = 0;
		add_source(module->module, inst, &source);
		strbuf_addf(out, "  load line %u%s%s%s: `%s` of ", inst->line, source.len ? " (" : "", source.data,
			    source.len ? ")" : "", inst->opcode->text);
		add_structures(f, &all[i], out);
		strbuf_adds(out, all[i].marked ? ": marked" : ": not marked, ");
		add_reason(f, &all[i], out);
		strbuf_addc(out, '\n');
	}
	strbuf_release(&source);
}

static json_t *text_or_null(const struct strbuf *text)
{
	return text->len ? report_string(text->data) : json_null();
}

static json_t *load_json(const struct report_module *module, const struct ptx_kernel_facts *f,
			 const struct ptx_access *a)
{
	const struct ptx_inst *inst = inst_of(module->module, a);
	json_t *object = json_object(), *structures = json_array();
	struct strbuf source = STRBUF_INIT, reason = STRBUF_INIT;

	add_source(module->module, inst, &source);
	add_reason(f, a, &reason);
	for (uint32_t i = 0; i < a->nstructures; i++)
		json_array_append_new(structures, report_string(f->structures[a->structures[i]].id));
	json_object_set_new(object, "line", json_integer(inst->line));
	json_object_set_new(object, "source", text_or_null(&source));
	json_object_set_new(object, "function", report_string(module->module->functions[a->function].name));
	json_object_set_new(object, "instruction", report_string(inst->opcode->text));
	json_object_set_new(object, "structures", structures);
	json_object_set_new(object, "marked", json_boolean(a->marked));
	json_object_set_new(object, "why", text_or_null(&reason));
	strbuf_release(&source);
	strbuf_release(&reason);
	return object;
}

json_t *report_json_loads(const struct report_module *module, size_t index)
{
	const struct ptx_kernel_facts *f = ptx_analysis_kernel(module->analysis, index);
	json_t *list = json_array();
	size_t count;
	const struct ptx_access *all = ptx_kernel_accesses(module->analysis, index, &count);

	for (size_t i = 0; i < count; i++)
		if (is_load(&all[i]))
			json_array_append_new(list, load_json(module, f, &all[i]));
	return list;
}
