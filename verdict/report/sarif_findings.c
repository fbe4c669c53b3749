/* Two loads are one finding if their keys are the same text. */
#include "verdict/report/sarif_findings.h"

#include "verdict/report/report_writers.h"

#include <string.h>

static enum reason_kind kind_of(const json_t *load)
{
	const char *name = report_word(load, "kind");

	for (int kind = REASON_NONE + 1; kind < REASON_KINDS; kind++)
		if (strcmp(reason_kinds[kind].name, name) == 0)
			return (enum reason_kind)kind;
	return REASON_INSTRUCTION;
}

static json_t *by_id(const json_t *structures)
{
	json_t *index = json_object(), *s;
	size_t i;

	json_array_foreach(structures, i, s) json_object_set(index, report_word(s, "id"), s);
	return index;
}

/* The first structure of the load that is not read-only, or else the first that it has. */
static const json_t *structure_of(const json_t *index, const json_t *load, bool *decides)
{
	const json_t *ids = json_object_get(load, "structures"), *id;
	size_t i;

	*decides = true;
	json_array_foreach(ids, i, id)
	{
		const json_t *s = json_object_get(index, json_string_value(id));

		if (s && strcmp(report_word(s, "verdict"), verdict_name(VERDICT_READ_ONLY)) != 0)
			return s;
	}
	*decides = false;
	return json_array_size(ids) ? json_object_get(index, json_string_value(json_array_get(ids, 0))) : NULL;
}

static void add_place(const json_t *object, struct strbuf *key)
{
	const json_t *place = json_object_get(object, "place");

	strbuf_addf(key, "|%s:%lld:%lld", report_word(place, "file"), report_number(place, "line"),
		    report_number(place, "column"));
}

/* Within a kernel. */
static void add_key(const struct sarif_finding *f, struct strbuf *key)
{
	strbuf_addf(key, "%d|%d|%s", f->kind, f->by_structure, f->structure ? report_word(f->structure, "id") : "");
}

/* Across kernels. */
static void add_wide_key(const struct sarif_finding *f, struct strbuf *key)
{
	add_key(f, key);
	strbuf_addf(key, "|%s", f->structure ? report_word(f->structure, "name") : "");
	add_place(f->loads.data[0], key);
	if (f->by_structure)
		add_place(json_object_get(f->structure, "why"), key);
}

/* The number that `keys` has for the key, and `next` where it is new. Empties `key`. */
static size_t number_of_key(json_t *keys, struct strbuf *key, size_t next)
{
	const json_t *known = json_object_get(keys, key->data);

	if (!known)
		json_object_set_new(keys, key->data, json_integer((json_int_t)next));
	key->len = 0;
	return known ? (size_t)json_integer_value(known) : next;
}

static void release_finding(struct sarif_finding *f)
{
	vec_release(&f->loads);
	vec_release(&f->kernels);
}

static void find_in_kernel(const json_t *kernel, struct sarif_findings *out)
{
	json_t *structures = by_id(json_object_get(kernel, "structures")), *keys = json_object();
	const json_t *load;
	struct strbuf key = STRBUF_INIT;
	size_t i;

	json_array_foreach(json_object_get(kernel, "load_list"), i, load)
	{
		struct sarif_finding f = {.kind = kind_of(load)};
		size_t at;

		if (json_is_true(json_object_get(load, "marked")))
			continue;
		f.structure = structure_of(structures, load, &f.by_structure);
		add_key(&f, &key);
		at = number_of_key(keys, &key, out->list.len);
		if (at >= out->list.len)
			vec_push(&out->list, f);
		vec_push(&out->list.data[at].loads, load);
		out->list.data[at].all_loads++;
	}
	strbuf_release(&key);
	json_decref(structures);
	json_decref(keys);
}

/* Without lines of the source nothing says that two kernels have the same code. */
static bool has_source(const struct sarif_finding *f)
{
	return json_object_get(f->loads.data[0], "place") != NULL;
}

static void merge_kernel(const json_t *kernel, struct sarif_findings *own, json_t *keys, struct sarif_findings *out)
{
	struct strbuf key = STRBUF_INIT;

	for (size_t i = 0; i < own->list.len; i++) {
		struct sarif_finding *f = &own->list.data[i];
		size_t at = out->list.len;

		if (has_source(f)) {
			add_wide_key(f, &key);
			at = number_of_key(keys, &key, at);
		}
		if (at == out->list.len) {
			vec_push(&out->list, *f);
		} else {
			out->list.data[at].all_loads += f->all_loads;
			release_finding(f);
		}
		vec_push(&out->list.data[at].kernels, kernel);
	}
	strbuf_release(&key);
}

void sarif_findings_make(struct sarif_findings *out, const json_t *report)
{
	json_t *keys = json_object();
	const json_t *kernel;
	size_t i;

	*out = (struct sarif_findings){.list = VEC_INIT};
	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	{
		struct sarif_findings own = {.list = VEC_INIT};

		find_in_kernel(kernel, &own);
		merge_kernel(kernel, &own, keys, out);
		vec_release(&own.list);
	}
	json_decref(keys);
}

void sarif_findings_release(struct sarif_findings *f)
{
	for (size_t i = 0; i < f->list.len; i++)
		release_finding(&f->list.data[i]);
	vec_release(&f->list);
}
