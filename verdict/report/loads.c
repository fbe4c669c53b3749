/* Load by load: its place, what it may touch, and whether it is marked or why not; access by access: its bytes. */
#include "verdict/report/report_writers.h"

#include <string.h>

/* A call of unknown code loads and stores. */
static bool is_load(const struct access *a)
{
	return a->is_load && !a->is_store && !a->is_atomic;
}

/* "saxpy.cu:12", or "" where the text does not tell. */
static void add_source(const struct report_access *place, struct strbuf *out)
{
	const char *slash = place->source ? strrchr(place->source, '/') : NULL;

	strbuf_reserve(out, 1);
	out->data[out->len] = '\0';
	if (place->source)
		strbuf_addf(out, "%s:%u", slash ? slash + 1 : place->source, place->source_line);
}

/* The structure that keeps the load from being marked. NULL: the load is marked, or the load itself is the obstacle. */
static const struct structure *obstacle_of(const struct kernel_facts *f, const struct access *a)
{
	for (uint32_t i = 0; !a->marked && i < a->nstructures; i++)
		if (f->structures[a->structures[i]].verdict != VERDICT_READ_ONLY)
			return &f->structures[a->structures[i]];
	return NULL;
}

static enum reason_kind reason_kind_of(const struct kernel_facts *f, const struct access *a)
{
	const struct structure *s = obstacle_of(f, a);

	return s ? s->why_kind : a->why_kind;
}

/* Adds the reason if the load is not marked. */
static void add_reason(const struct kernel_facts *f, const struct access *a, struct strbuf *out)
{
	const struct structure *s = obstacle_of(f, a);

	if (s) {
		structure_show(out, s->id);
		strbuf_addf(out, " is %s: %s", verdict_name(s->verdict), s->why ? s->why : "");
	} else if (!a->marked) {
		strbuf_adds(out, a->why ? a->why : "");
	}
}

static json_t *text_or_null(const struct strbuf *text)
{
	return text->len ? report_string(text->data) : json_null();
}

static json_t *load_json(const struct report_module *module, const struct kernel_facts *f,
			 const struct report_access *place)
{
	const struct access *a = place->access;
	json_t *object = json_object(), *structures = json_array();
	struct strbuf source = STRBUF_INIT, reason = STRBUF_INIT;

	add_source(place, &source);
	if (place->space)
		strbuf_adds(&reason, "marks are for loads of global memory");
	else
		add_reason(f, a, &reason);
	for (uint32_t i = 0; i < a->nstructures; i++)
		json_array_append_new(structures, report_string(f->structures[a->structures[i]].id));
	json_object_set_new(object, "line", json_integer(place->line));
	if (place->file)
		json_object_set_new(object, "file", report_string(place->file));
	json_object_set_new(object, "source", text_or_null(&source));
	json_object_set_new(object, "function", report_string(module->functions[a->function].name));
	json_object_set_new(object, "instruction", report_string(place->instruction));
	if (place->space)
		json_object_set_new(object, "space", report_string(place->space));
	json_object_set_new(object, "structures", structures);
	json_object_set_new(object, "marked", json_boolean(a->marked));
	json_object_set_new(object, "why", text_or_null(&reason));
	report_add_denial(object, &a->denied_by);
	report_add_demangled(object, module->functions[a->function].name);
	if (!a->marked && reason_kind_of(f, a))
		json_object_set_new(object, "kind", json_string(reason_kinds[reason_kind_of(f, a)].name));
	report_add_places(object, &place->places);
	strbuf_release(&source);
	strbuf_release(&reason);
	return object;
}

static json_t *list_loads(const struct report_module *module, const struct kernel_facts *facts,
			  const struct report_access *places, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		if (is_load(places[i].access))
			json_array_append_new(list, load_json(module, facts, &places[i]));
	return list;
}

void report_add_loads(json_t *object, const struct report_module *module, const struct report_kernel *k)
{
	json_object_set_new(object, "load_list", list_loads(module, k->facts, k->accesses, k->naccesses));
	json_object_set_new(object, "other_loads", list_loads(module, k->facts, k->others, k->nothers));
}

static json_t *range_json(const struct kernel_facts *f, const struct report_access *place)
{
	const struct access *a = place->access;
	json_t *object = json_object(), *structures = json_array(), *scans = json_array();
	struct strbuf source = STRBUF_INIT;

	add_source(place, &source);
	for (uint32_t i = 0; i < a->nstructures; i++)
		json_array_append_new(structures, report_string(f->structures[a->structures[i]].id));
	for (size_t i = 0; i < place->nscans; i++)
		json_array_append_new(scans, report_string(place->scans[i]));
	json_object_set_new(object, "line", json_integer(place->line));
	json_object_set_new(object, "source", text_or_null(&source));
	json_object_set_new(object, "instruction", report_string(place->instruction));
	json_object_set_new(object, "structures", structures);
	json_object_set_new(object, "known", json_boolean(place->bytes_known));
	json_object_set_new(object, "scans", scans);
	json_object_set_new(object, "bytes", report_string(place->bytes));
	strbuf_release(&source);
	return object;
}

void report_add_ranges(json_t *object, const struct report_kernel *k)
{
	json_t *list = json_array();

	for (size_t i = 0; i < k->naccesses; i++)
		if (k->accesses[i].bytes)
			json_array_append_new(list, range_json(k->facts, &k->accesses[i]));
	json_object_set_new(object, "ranges", list);
}
