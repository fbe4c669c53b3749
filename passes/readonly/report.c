/* Keys stand in the order of the documented schema; structures in the order of the parameters, then by name. */
#include "passes/readonly/report.h"

#include "passes/solve/objects.h"

#include "common/strbuf.h"
#include "common/xalloc.h"

#include <jansson.h>
#include <string.h>

static unsigned rank(const struct structure *s)
{
	switch (s->kind) {
	case OBJECT_PARAM:
	case OBJECT_FIELD: return 0;
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT: return 1;
	case OBJECT_POINTEE: return 2;
	case OBJECT_HEAP: return 3;
	default: return 4;
	}
}

/* p2 before p10, p2+8 before p2+16. */
static int compare_ids(const void *a, const void *b)
{
	const struct structure *const *x = a, *const *y = b;
	unsigned rank_x = rank(*x), rank_y = rank(*y);

	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	return strverscmp((*x)->id, (*y)->id);
}

/* Names may be any bytes, JSON's may not. */
static json_t *text_json(const char *text)
{
	json_t *json = json_string(text);
	struct strbuf ascii = STRBUF_INIT;

	if (json)
		return json;
	for (; *text; text++)
		strbuf_addc(&ascii, *text & 0x80 ? '?' : *text);
	json = json_string(ascii.data);
	strbuf_release(&ascii);
	return json;
}

static json_t *why_json(const struct facts *facts, const struct structure *s)
{
	LLVMValueRef inst = s->why_op == NO_OP ? NULL : facts->program.ops.data[s->why_op].inst;
	unsigned len = 0, line = inst ? LLVMGetDebugLocLine(inst) : 0;
	const char *name = line ? LLVMGetDebugLocFilename(inst, &len) : NULL;
	json_t *why = json_pack("{s:i}", "line", (int)line);

	if (name && len) {
		char *file = xstrndup(name, len);

		json_object_set_new(why, "file", text_json(file));
		free(file);
	}
	json_object_set_new(why, "text", text_json(s->why));
	return why;
}

static json_t *structure_json(const struct facts *facts, const struct structure *s)
{
	json_t *json =
	    json_pack("{s:o, s:s, s:i, s:i, s:i, s:i, s:s}", "id", text_json(s->id), "verdict",
		      verdict_name(s->verdict), "loads", (int)s->loads, "stores", (int)s->stores, "atomics",
		      (int)s->atomics, "loads_marked", (int)s->loads_marked, "sharing", sharing_name(s->sharing));

	json_object_set_new(json, "ambiguous", json_integer(s->ambiguous));
	if (s->rests_on)
		json_object_set_new(json, "rests_on", json_string(s->rests_on));
	if (s->why)
		json_object_set_new(json, "why", why_json(facts, s));
	if (s->culprit)
		json_object_set_new(json_object_get(json, "why"), "culprit", text_json(s->culprit));
	return json;
}

static json_t *structures_json(const struct facts *facts, const struct kernel_facts *k)
{
	const struct structure **sorted = xcalloc(k->structures.len + 1, sizeof *sorted);
	json_t *list = json_array();
	size_t count = 0;

	for (size_t i = 0; i < k->structures.len; i++)
		if (k->structures.data[i].listed)
			sorted[count++] = &k->structures.data[i];
	qsort(sorted, count, sizeof *sorted, compare_ids);
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, structure_json(facts, sorted[i]));
	free(sorted);
	return list;
}

static int compare_guards(const void *a, const void *b)
{
	json_t *const *x = a, *const *y = b;
	int order = strverscmp(json_string_value(json_object_get(*x, "reads")),
			       json_string_value(json_object_get(*y, "reads")));

	return order ? order
		     : strverscmp(json_string_value(json_object_get(*x, "writes")),
				  json_string_value(json_object_get(*y, "writes")));
}

static json_t *guards_json(const struct kernel_facts *k)
{
	json_t **sorted = xcalloc(k->guards.len + 1, sizeof(json_t *)), *list = json_array();

	for (size_t i = 0; i < k->guards.len; i++)
		sorted[i] = json_pack("{s:o, s:o}", "reads", text_json(k->structures.data[k->guards.data[i].reads].id),
				      "writes", text_json(k->structures.data[k->guards.data[i].writes].id));
	qsort(sorted, k->guards.len, sizeof *sorted, compare_guards);
	for (size_t i = 0; i < k->guards.len; i++)
		json_array_append_new(list, sorted[i]);
	free(sorted);
	return list;
}

static json_t *kernel_json(const struct facts *facts, const struct kernel_facts *k)
{
	json_t *json = json_pack("{s:o, s:i, s:i}", "name", text_json(facts->program.functions.data[k->function].name),
				 "loads", (int)k->loads, "loads_marked", (int)k->loads_marked);

	json_object_set_new(json, "structures", structures_json(facts, k));
	json_object_set_new(json, "guards", guards_json(k));
	return json;
}

char *facts_report(const struct facts *facts, const char *file)
{
	json_t *json =
	    json_pack("{s:i, s:o, s:s}", "schema", 1, "file", text_json(file), "alias", alias_name(facts->alias));
	json_t *kernels = json_array();
	struct strbuf text = STRBUF_INIT;
	char *dump;

	for (size_t i = 0; i < facts->kernels.len; i++)
		json_array_append_new(kernels, kernel_json(facts, &facts->kernels.data[i]));
	json_object_set_new(json, "kernels", kernels);
	dump = json_dumps(json, JSON_INDENT(2));
	strbuf_adds(&text, dump);
	strbuf_addc(&text, '\n');
	free(dump);
	json_decref(json);
	return strbuf_detach(&text);
}

/* --- Text --- */

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

char *pass_report_text(const char *report)
{
	json_t *json = json_loads(report, 0, NULL);
	struct strbuf out = STRBUF_INIT;
	const json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(json, "kernels"), i, kernel) add_kernel(&out, kernel);
	if (json_object_get(json, "cross_check"))
		add_sum(&out, json_object_get(json, "cross_check"));
	json_decref(json);
	return strbuf_detach(&out);
}
