/* Places, chains of inlining and of calls as JSON. */
#include "verdict/report/report_writers.h"

#include "common/demangle.h"
#include "common/xalloc.h"

static json_t *place_json(const struct source_place *p)
{
	json_t *object = json_object();

	json_object_set_new(object, "file", report_string(p->file));
	json_object_set_new(object, "line", json_integer(p->line));
	if (p->column)
		json_object_set_new(object, "column", json_integer(p->column));
	return object;
}

void report_add_places(json_t *object, const struct place_chain *chain)
{
	json_t *sites = json_array();

	if (chain->count)
		json_object_set_new(object, "place", place_json(place_shown(chain)));
	for (uint32_t i = chain->own + 1; i < chain->count; i++)
		json_array_append_new(sites, place_json(&chain->places[i]));
	if (json_array_size(sites))
		json_object_set(object, "inlined_at", sites);
	json_decref(sites);
	if (chain->own)
		json_object_set_new(object, "code_of", place_json(&chain->places[0]));
}

void report_add_demangled(json_t *object, const char *symbol)
{
	char *plain = demangle(symbol);

	json_object_set_new(object, "demangled", report_string(plain));
	xfree(plain);
}

json_t *report_calls(const struct call_step *steps, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++) {
		json_t *step = json_object();

		json_object_set_new(step, "function", report_string(steps[i].callee));
		report_add_demangled(step, steps[i].callee);
		json_object_set_new(step, "line", json_integer(steps[i].line));
		report_add_places(step, &steps[i].from);
		json_array_append_new(list, step);
	}
	return list;
}
