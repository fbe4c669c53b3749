/* The report as JSON; its keys are a promise to scripts (docs/read-only-analysis.md). */
#include "verdict/report/report_writers.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

const struct report_form report_of_ptx = {.indent = 1, .dependences = true};
const struct report_form report_of_ir = {.indent = 2, .ambiguities = true};

json_t *report_string(const char *text)
{
	json_t *s = json_string(text);
	char *ascii;

	if (s)
		return s;
	ascii = xstrdup(text);
	for (char *c = ascii; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	s = json_string(ascii);
	free(ascii);
	return s;
}

const char *report_word(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

long long report_number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static json_t *depends_on(unsigned depends)
{
	json_t *list = json_array();

	for (unsigned bit = 1; bit <= DEPENDS_LAST; bit <<= 1)
		if (depends & bit)
			json_array_append_new(list, json_string(dependence_name(bit)));
	return list;
}

void report_add_denial(json_t *object, const struct denial *by)
{
	const char *name = by->kernel ? by->kernel : by->function;
	json_t *who;

	if (!name)
		return;
	who = json_pack("{s:o}", by->kernel ? "kernel" : "function", report_string(name));
	report_add_demangled(who, name);
	json_object_set_new(object, "denied_by", who);
}

static json_t *why(const struct structure *s)
{
	json_t *object = json_object();

	json_object_set_new(object, "line", json_integer(s->why_line));
	if (s->why_file)
		json_object_set_new(object, "file", report_string(s->why_file));
	json_object_set_new(object, "text", report_string(s->why));
	if (s->written)
		json_object_set_new(object, "culprit", report_string(s->written));
	report_add_denial(object, &s->denied_by);
	if (s->why_kind)
		json_object_set_new(object, "kind", json_string(reason_kinds[s->why_kind].name));
	if (s->why_symbol) {
		json_object_set_new(object, "function", report_string(s->why_symbol));
		report_add_demangled(object, s->why_symbol);
	}
	if (s->why_instruction)
		json_object_set_new(object, "instruction", report_string(s->why_instruction));
	report_add_places(object, &s->why_places);
	if (s->nwhy_calls)
		json_object_set_new(object, "calls", report_calls(s->why_calls, s->nwhy_calls));
	return object;
}

static json_t *structure(const struct report_form *form, const struct structure *s)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", report_string(s->id));
	if (s->name)
		json_object_set_new(object, "name", report_string(s->name));
	json_object_set_new(object, "verdict", json_string(verdict_name(s->verdict)));
	json_object_set_new(object, "loads", json_integer(s->loads));
	json_object_set_new(object, "stores", json_integer(s->stores));
	json_object_set_new(object, "atomics", json_integer(s->atomics));
	json_object_set_new(object, "loads_marked", json_integer(s->loads_marked));
	json_object_set_new(object, "sharing", json_string(sharing_name(s->sharing)));
	if (form->dependences)
		json_object_set_new(object, "depends_on", depends_on(s->depends));
	if (form->ambiguities)
		json_object_set_new(object, "ambiguous", json_integer(s->ambiguous));
	if (s->rests_on)
		json_object_set_new(object, "rests_on", json_string(s->rests_on));
	json_object_set_new(object, "why", s->why ? why(s) : json_null());
	return object;
}

static json_t *guards(const struct kernel_facts *f)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < f->nguards; i++) {
		json_t *g = json_object();

		json_object_set_new(g, "reads", report_string(f->structures[f->guards[i].reads].id));
		json_object_set_new(g, "writes", report_string(f->structures[f->guards[i].writes].id));
		json_array_append_new(list, g);
	}
	return list;
}

static json_t *copies(const struct kernel_facts *f)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < f->ncopies; i++)
		json_array_append_new(list, report_string(f->copies[i]));
	return list;
}

json_t *report_json_kernel(const struct report_form *form, const struct kernel_facts *f)
{
	json_t *object = json_object(), *structures = json_array();

	json_object_set_new(object, "name", report_string(f->name));
	report_add_demangled(object, f->name);
	json_object_set_new(object, "loads", json_integer(f->loads));
	json_object_set_new(object, "loads_marked", json_integer(f->loads_marked));
	for (uint32_t i = 0; i < f->nstructures; i++)
		json_array_append_new(structures, structure(form, &f->structures[i]));
	json_object_set_new(object, "structures", structures);
	json_object_set_new(object, "guards", guards(f));
	if (f->ncopies)
		json_object_set_new(object, "copies", copies(f));
	return object;
}

static int append(const char *buffer, size_t size, void *data)
{
	strbuf_add(data, buffer, size);
	return 0;
}

void report_dump(json_t *root, unsigned indent, struct strbuf *out)
{
	json_dump_callback(root, append, out, JSON_INDENT(indent) | JSON_PRESERVE_ORDER);
	strbuf_addc(out, '\n');
	json_decref(root);
}

json_t *report_tree(const struct report *r)
{
	json_t *root = json_object(), *kernels = json_array();
	size_t count;
	struct report_item *items = report_items(r, &count);

	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "file", report_string(r->file));
	json_object_set_new(root, "alias", json_string(alias_level_name(r->alias)));
	for (size_t i = 0; i < count; i++) {
		const struct report_module *module = items[i].module;
		json_t *kernel = report_json_kernel(r->form, items[i].kernel->facts);

		if (module->name)
			json_object_set_new(kernel, "module", report_string(module->name));
		if (r->loads)
			report_add_loads(kernel, module, items[i].kernel);
		if (r->ranges && module->ranges)
			report_add_ranges(kernel, items[i].kernel);
		json_array_append_new(kernels, kernel);
	}
	report_items_free(items, count);
	json_object_set_new(root, "kernels", kernels);
	return root;
}

void report_json(const struct report *r, struct strbuf *out)
{
	report_dump(report_tree(r), r->form->indent, out);
}
