/* A row is a result, or a kernel or structure of it. Names are left of the measured numbers. */
#include "cli/comparison.h"

#include "cli/compare_notes.h"
#include "common/demangle.h"
#include "common/guess.h"
#include "common/strbuf.h"
#include "sim-backend/results/sections.h"

#include <stdio.h>
#include <string.h>

/* The subject of a row: a result, or one of its kernels or structures. */
struct item {
	json_t *object;
	const struct result *result;
	const char *kernel, *structure; /* NULL: none */
	json_int_t launch;
	bool cut;     /* it was not simulated to its end */
	size_t group; /* items of several results of one program that are the same kernel or structure */
};

struct comparison {
	const struct results *results;
	enum sheet_format format;
	VEC(struct item) items;
	VEC(size_t) firsts; /* of each group its first item */
	struct first_of groups;
	struct sheet sheet;
	struct diag *d;
};

/* Headings and formats for people; other keys have their name, and as many digits as they need. */
static const struct heading {
	const char *key, *text, *format;
	double scale;
} headings[] = {
    {"gpu", "GPU", NULL, 1},
    {"llc_policy", "LLC", NULL, 1},
    {"l1_policy", "L1", NULL, 1},
    {"cycles", "cycles", "%.0f", 1},
    {"speedup", "speedup", "%.3f", 1},
    {"llc.miss_rate", "LLC miss rate", "%.2f %%", 100},
    {"l1.miss_rate", "L1 miss rate", "%.2f %%", 100},
    {"llc.replies_per_cycle", "replies/cycle", "%.3f", 1},
    {"ipc", "IPC", "%.2f", 1},
    {"energy.total_j", "energy (mJ)", "%.4g", 1000},
    {"energy.watts", "power (W)", "%.1f", 1},
};

static const struct heading *heading_of(const struct comparison *c, const char *key)
{
	bool people = c->format == SHEET_AS_TEXT || c->format == SHEET_AS_MARKDOWN;

	for (size_t i = 0; people && i < sizeof headings / sizeof *headings; i++)
		if (strcmp(headings[i].key, key) == 0)
			return &headings[i];
	return NULL;
}

/* --- Items --- */

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* The first result's order; rows that only later results have come after it. */
static void add_item(struct comparison *c, struct item item)
{
	struct strbuf key = STRBUF_INIT;

	strbuf_addf(&key, "%zu %" JSON_INTEGER_FORMAT " %s\n%s", item.result->base, item.launch, item.kernel,
		    item.structure);
	item.group = first_of(&c->groups, key.data, c->firsts.len);
	if (item.group == c->firsts.len)
		vec_push(&c->firsts, c->items.len);
	strbuf_release(&key);
	vec_push(&c->items, item);
}

/* A result is cut in its last launch, and in those that ran beside it. */
static bool is_cut_in(const struct result *result, json_t *kernels, json_t *kernel)
{
	json_t *last = json_array_get(kernels, json_array_size(kernels) - 1);
	json_t *together = json_object_get(kernel, "counted_in");

	if (!result_is_cut(result))
		return false;
	return kernel == last || (together && json_equal(together, json_object_get(last, "launch")));
}

/* `list`: "kernels", "structures", or NULL for the results themselves. */
static int add_items(struct comparison *c, const struct result *result, const char *list)
{
	json_t *objects = list ? json_object_get(result->root, list) : NULL, *object;
	bool kernels = list && strcmp(list, "kernels") == 0;
	size_t i;

	if (!list)
		add_item(c, (struct item){result->root, result, "", "", 0, result_is_cut(result), 0});
	if (list && !json_array_size(objects))
		return diag_file(c->d, result->path, "no list '%s' in it, or nothing in that", list);
	json_array_foreach(objects, i, object)
	{
		bool cut = kernels ? is_cut_in(result, objects, object) : result_is_cut(result);

		add_item(c, (struct item){object, result, text_of(object, kernels ? "name" : "kernel"),
					  text_of(object, "id"), json_integer_value(json_object_get(object, "launch")),
					  cut, 0});
	}
	return 0;
}

/* --- Columns --- */

static bool has_key(const struct comparison *c, const char *key)
{
	for (size_t i = 0; i < c->items.len; i++)
		if (result_value(c->items.data[i].object, key))
			return true;
	return false;
}

static void try_keys(struct guess *g, json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s%s%s", prefix, *prefix ? "." : "", key);
		if (json_is_object(value))
			try_keys(g, value, strcmp(path.data, "config") == 0 ? "" : path.data);
		else if (!json_is_array(value))
			guess_try(g, path.data);
		strbuf_release(&path);
	}
}

static int wrong_column(struct comparison *c, const char *key)
{
	struct guess g = guess_start(key, strlen(key));

	try_keys(&g, c->items.data[0].object, "");
	return diag_file(c->d, "--columns", "no '%s' in %s%s", key, c->results->list.data[0].path, guess_hint(&g).text);
}

static bool is_text(const struct comparison *c, const char *key)
{
	if (strcmp(key, "file") == 0)
		return true;
	for (size_t i = 0; i < c->items.len; i++) {
		const json_t *value = result_value(c->items.data[i].object, key);

		if (value && !json_is_number(value))
			return true;
	}
	return false;
}

static const char *title_of(const struct comparison *c, const char *key)
{
	const struct heading *heading = heading_of(c, key);

	if (heading && strcmp(key, "speedup") == 0 && results_differ_in_clock(c->results))
		return "speedup in time";
	return heading ? heading->text : key;
}

static int add_column(struct comparison *c, const char *key)
{
	bool own = strcmp(key, "speedup") == 0 || strcmp(key, "file") == 0;

	if (!own && !has_key(c, key))
		return wrong_column(c, key);
	sheet_column(&c->sheet, title_of(c, key), is_text(c, key) ? SHEET_TEXT : SHEET_NUMBER);
	return 0;
}

/* --- Cells --- */

/* The speedup in time. 0: not known, for example because the run was not simulated to its end. */
static double speedup_over(const struct item *base, const struct item *item)
{
	double cycles = json_number_value(json_object_get(item->object, "cycles"));
	double clock = result_clock(item->result), base_clock = result_clock(base->result);
	double ratio = cycles > 0 ? json_number_value(json_object_get(base->object, "cycles")) / cycles : 0;

	if (base->cut || item->cut)
		return 0;
	if (clock == base_clock)
		return ratio;
	return base_clock > 0 ? ratio * clock / base_clock : 0;
}

/* Over the first result that has this kernel; NULL: not known. */
static json_t *speedup_of(const struct comparison *c, const struct item *item)
{
	double speedup = speedup_over(&c->items.data[c->firsts.data[item->group]], item);

	return speedup > 0 ? json_real(speedup) : NULL;
}

static void put_number(struct comparison *c, const struct item *item, const char *key, double value)
{
	const struct heading *heading = heading_of(c, key);
	/* Readers must not take estimates for simulated numbers. */
	const char *mark = heading && item->result->sampled && strcmp(key, "cycles") == 0 ? "~ " : "";
	char text[64];

	if (!heading) {
		sheet_add_number(&c->sheet, value);
		return;
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof text, heading->format, heading->scale * value);
#pragma GCC diagnostic pop
	sheet_addf(&c->sheet, "%s%s", mark, text);
}

/* Counters of a kernel alone, although others ran beside it. */
static bool is_own(const char *key)
{
	for (const struct stat_row *row = own_stat_rows; row->name; row++)
		if (strcmp(row->name, key) == 0)
			return true;
	return false;
}

static bool ran_beside_others(const struct item *item)
{
	return json_object_get(item->object, "counted_in") != NULL;
}

/* The kernel was not simulated, since it looked like another kernel. */
static bool was_left_out(const struct item *item)
{
	return json_object_get(item->object, "alike") != NULL;
}

/* A counter that is 0 may be left out of kernels and structures, if they were counted. */
static bool is_zero(const struct item *item, const char *key, enum sheet_kind kind)
{
	if (!*item->kernel || strcmp(key, "speedup") == 0 || kind == SHEET_TEXT || was_left_out(item))
		return false;
	return !ran_beside_others(item) || is_own(key);
}

static void put_value(struct comparison *c, const struct item *item, const char *key, enum sheet_kind kind)
{
	json_t *own = strcmp(key, "speedup") == 0 ? speedup_of(c, item) : NULL;
	json_t *value = own ? own : result_value(item->object, key);
	char *text = NULL;

	if (strcmp(key, "file") == 0)
		sheet_add(&c->sheet, item->result->path);
	else if (json_is_number(value))
		put_number(c, item, key, json_number_value(value));
	else if (!value && is_zero(item, key, kind))
		put_number(c, item, key, 0);
	else
		sheet_add(&c->sheet, text = result_text(value));
	xfree(text);
	json_decref(own);
}

static void put_name(struct comparison *c, const struct result *result, const char *name)
{
	char *text = result_text(result_name(result, name));

	sheet_add(&c->sheet, strcmp(name, "file") == 0 ? result->path : text);
	xfree(text);
}

static void put_part(struct comparison *c, const struct item *item, const char *list)
{
	char *plain = demangle(item->kernel), *structure = demangle(item->structure ? item->structure : "");

	if (strcmp(list, "kernels") == 0)
		sheet_addf(&c->sheet, "%" JSON_INTEGER_FORMAT, item->launch);
	sheet_add(&c->sheet, plain);
	if (strcmp(list, "structures") == 0)
		sheet_add(&c->sheet, structure);
	xfree(structure);
	xfree(plain);
}

static void add_part_columns(struct comparison *c, const char *list)
{
	if (strcmp(list, "kernels") == 0)
		sheet_column(&c->sheet, "launch", SHEET_NUMBER);
	sheet_column(&c->sheet, "kernel", SHEET_TEXT);
	if (strcmp(list, "structures") == 0)
		sheet_column(&c->sheet, "structure", SHEET_TEXT);
}

/* --- The table --- */

struct wanted {
	const char *list; /* NULL: results as a whole */
	char **keys;
	size_t count;
	bool by_default; /* default keys, which no user named; the last may be in no result */
};

static void add_name_column(struct comparison *c, const char *name)
{
	const struct heading *heading = heading_of(c, name);

	sheet_column(&c->sheet, heading ? heading->text : name, SHEET_TEXT);
}

static void put_item(struct comparison *c, const struct wanted *w, const struct item *item, size_t names, bool file)
{
	size_t first = c->sheet.cells.len;

	if (w->list)
		put_part(c, item, w->list);
	for (size_t k = 0; k < names; k++)
		put_name(c, item->result, c->results->names.data[k]);
	for (size_t k = 0; k < w->count; k++)
		put_value(c, item, w->keys[k], c->sheet.columns.data[c->sheet.cells.len - first].kind);
	if (file)
		sheet_add(&c->sheet, item->result->path);
}

/* Indices of the items, group by group; malloc'ed. */
static size_t *by_group(const struct comparison *c)
{
	size_t *order = xcalloc(c->items.len + 1, sizeof *order), *next = xcalloc(c->firsts.len + 2, sizeof *next);

	for (size_t i = 0; i < c->items.len; i++)
		next[c->items.data[i].group + 1]++;
	for (size_t g = 0; g < c->firsts.len; g++)
		next[g + 1] += next[g];
	for (size_t i = 0; i < c->items.len; i++)
		order[next[c->items.data[i].group]++] = i;
	xfree(next);
	return order;
}

/* The file name, where it is needed, comes last, since it is long. */
static int fill(struct comparison *c, const struct wanted *w)
{
	size_t names = c->results->names.len, *order;
	bool file = strcmp(c->results->names.data[names - 1], "file") == 0;

	names -= file;
	if (w->list)
		add_part_columns(c, w->list);
	for (size_t i = 0; i < names; i++)
		add_name_column(c, c->results->names.data[i]);
	for (size_t i = 0; i < w->count; i++)
		if (add_column(c, w->keys[i]) < 0)
			return DIAG_ERROR;
	if (file)
		add_name_column(c, "file");
	order = by_group(c);
	for (size_t i = 0; i < c->items.len; i++)
		put_item(c, w, &c->items.data[order[i]], names, file);
	xfree(order);
	return 0;
}

static bool has_speedups(const struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		if (strcmp(w->keys[i], "speedup") == 0)
			return true;
	return false;
}

static bool has_unknown(const struct comparison *c)
{
	for (size_t i = 0; i < c->items.len; i++)
		if (ran_beside_others(&c->items.data[i]) || was_left_out(&c->items.data[i]))
			return true;
	return false;
}

/* Output for programs has no words in place of numbers. */
static void print_notes(const struct comparison *c, const struct wanted *w)
{
	bool beside = c->format == SHEET_AS_TEXT;

	compare_notes(c->results, has_speedups(w), beside ? stdout : stderr, beside ? "note: " : "romark: note: ");
	if (beside && has_unknown(c))
		puts("- is not known: the kernel ran beside others, or its launch was not simulated");
	if (beside)
		compare_note_estimates(c->results, stdout);
}

static int compare(struct comparison *c, struct wanted *w)
{
	for (size_t i = 0; i < c->results->list.len; i++)
		if (add_items(c, &c->results->list.data[i], w->list) < 0)
			return DIAG_ERROR;
	w->count -= w->by_default && !has_key(c, w->keys[w->count - 1]);
	if (fill(c, w) < 0)
		return DIAG_ERROR;
	sheet_print(&c->sheet, c->format, stdout);
	print_notes(c, w);
	return 0;
}

/*
 * Each subject of rows: its list in a result, and its default columns. In the order of enum comparison_rows. Energy
 * comes last, because results of other makers may not have it.
 */
static const struct part {
	const char *list, *columns;
} parts[] = {
    {NULL, "cycles,speedup,llc.miss_rate,llc.replies_per_cycle,ipc,energy.total_j"},
    {"kernels", "cycles,speedup,ipc,l1.miss_rate,llc.miss_rate,energy.total_j"},
    {"structures", "verdict,l1_accesses,l1_hits,llc_accesses,llc_hits,llc_merges,energy.total_j"},
};

int comparison_print(struct results *results, int rows, const char *columns, enum sheet_format format, struct diag *d)
{
	struct comparison c = {.results = results, .groups = FIRST_OF_INIT, .format = format, .d = d};
	VEC(char *) keys = VEC_INIT;
	char *copy = xstrdup(columns ? columns : parts[rows].columns), *rest = copy, *key;
	struct wanted w = {.list = parts[rows].list, .by_default = !columns};
	int status;

	while ((key = strsep(&rest, ",")) != NULL)
		if (*key)
			vec_push(&keys, key);
	w.keys = keys.data;
	w.count = keys.len;
	if (!w.count)
		status = diag_file(d, "--columns", "no column is named");
	else {
		results_names(results, format != SHEET_AS_TEXT);
		status = compare(&c, &w);
	}
	vec_release(&c.items);
	vec_release(&c.firsts);
	first_of_release(&c.groups);
	sheet_release(&c.sheet);
	vec_release(&keys);
	xfree(copy);
	return status;
}
