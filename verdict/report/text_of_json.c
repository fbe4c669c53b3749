/* The LLVM pass's report for people, from its JSON form: a cross-check adds to that what the PTX analyser says. */
#include "verdict/report/parts.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int number_of(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static void add_structure(struct strbuf *out, const json_t *s)
{
	strbuf_addf(out, "  %-20s %-10s %6d %6d %7d %6d  %s\n", text_of(s, "id"), text_of(s, "verdict"),
		    number_of(s, "loads"), number_of(s, "stores"), number_of(s, "atomics"),
		    number_of(s, "loads_marked"), text_of(s, "sharing"));
}

static void add_reason(struct strbuf *out, const json_t *s)
{
	const json_t *why = json_object_get(s, "why");

	if (!why)
		return;
	strbuf_addf(out, "  %s: %s", text_of(s, "id"), text_of(why, "text"));
	if (number_of(why, "line"))
		strbuf_addf(out, " (%s:%d)", text_of(why, "file"), number_of(why, "line"));
	strbuf_addc(out, '\n');
}

/* Where the PTX analyser says something else. */
static void add_difference(struct strbuf *out, const json_t *d)
{
	const char *reason = json_string_value(json_object_get(d, "reason"));

	strbuf_addf(out, "  %s is %s on PTX: %s\n", text_of(d, "id"), text_of(d, "ptx"),
		    reason ? reason : "not explained");
}

static void add_kernel(struct strbuf *out, const json_t *kernel)
{
	const json_t *structures = json_object_get(kernel, "structures"), *guards = json_object_get(kernel, "guards");
	const json_t *item;
	size_t i;

	strbuf_addf(out, "kernel %s: %d of %d loads marked\n", text_of(kernel, "name"),
		    number_of(kernel, "loads_marked"), number_of(kernel, "loads"));
	strbuf_addf(out, "  %-20s %-10s %6s %6s %7s %6s  %s\n", "structure", "verdict", "loads", "stores", "atomics",
		    "marked", "same address for");
	json_array_foreach(structures, i, item) add_structure(out, item);
	json_array_foreach(structures, i, item) add_reason(out, item);
	json_array_foreach(guards, i, item)
	    strbuf_addf(out, "  holds for launches where %s and %s are different memory\n", text_of(item, "reads"),
			text_of(item, "writes"));
	json_array_foreach(json_object_get(kernel, "cross_check"), i, item) add_difference(out, item);
	strbuf_addc(out, '\n');
}

static void add_sum(struct strbuf *out, const json_t *sum)
{
	strbuf_addf(
	    out, "PTX analyser: %d of %d structures have the same verdict, %d another one for a reason, %d for none\n",
	    number_of(sum, "same"), number_of(sum, "structures"), number_of(sum, "explained"),
	    number_of(sum, "unexplained"));
}

void report_text_of_json(const char *report, struct strbuf *out)
{
	json_t *json = json_loads(report, 0, NULL);
	const json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(json, "kernels"), i, kernel) add_kernel(out, kernel);
	if (json_object_get(json, "cross_check"))
		add_sum(out, json_object_get(json, "cross_check"));
	json_decref(json);
}
