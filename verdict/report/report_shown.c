/*
 * Ids as people read them, in a report's JSON form that is about to become text: a variable's id is its symbol, and a
 * mangled one gives way to the name in the source. Other ids stay as they are.
 */
#include "verdict/report/report_writers.h"

#include <string.h>

/* NULL if it is shown as it is. */
static json_t *shown(const char *id)
{
	struct strbuf text = STRBUF_INIT;
	json_t *plain;

	structure_show(&text, id);
	plain = text.len && strcmp(text.data, id) != 0 ? report_string(text.data) : NULL;
	strbuf_release(&text);
	return plain;
}

static void show_key(json_t *object, const char *key)
{
	json_t *plain = shown(report_word(object, key));

	if (plain)
		json_object_set_new(object, key, plain);
}

static void show_list(json_t *ids)
{
	for (size_t i = 0; i < json_array_size(ids); i++) {
		json_t *plain = shown(json_string_value(json_array_get(ids, i)));

		if (plain)
			json_array_set_new(ids, i, plain);
	}
}

static void show_structures(json_t *structures)
{
	json_t *s;
	size_t i;

	json_array_foreach(structures, i, s)
	{
		show_key(s, "id");
		if (strcmp(report_word(s, "id"), report_word(s, "name")) == 0)
			json_object_del(s, "name");
	}
}

static void show_lists_of(json_t *objects)
{
	json_t *object;
	size_t i;

	json_array_foreach(objects, i, object) show_list(json_object_get(object, "structures"));
}

static void show_kernel(json_t *kernel)
{
	json_t *guard;
	size_t i;

	show_structures(json_object_get(kernel, "structures"));
	json_array_foreach(json_object_get(kernel, "guards"), i, guard)
	{
		show_key(guard, "reads");
		show_key(guard, "writes");
	}
	show_lists_of(json_object_get(kernel, "load_list"));
	show_lists_of(json_object_get(kernel, "other_loads"));
}

void report_show_ids(json_t *report)
{
	json_t *item;
	size_t i;

	json_array_foreach(json_object_get(report, "kernels"), i, item) show_kernel(item);
	json_array_foreach(json_object_get(report, "cross_check"), i, item)
	    show_lists_of(json_object_get(item, "differences"));
}
