/*
 * The report as text, made of its JSON form: a table per kernel, why, and what a launch checks. So both analysers, and
 * what a cross-check adds to a report, are worded alike.
 */
#include "verdict/report/report_writers.h"

#include "common/kernel_names.h"

#include <string.h>

/* --- The table --- */

/* A column is as wide as its heading or its widest value; one of names goes to the left. */
static const struct column {
	const char *heading, *key;
	int width; /* at least; negative: to the left */
} columns[] = {
    {"structure", "id", -9}, {"name", "name", -4},          {"verdict", "verdict", -10}, {"sharing", "sharing", -8},
    {"loads", "loads", 6},   {"marked", "loads_marked", 6}, {"stores", "stores", 6},     {"atomics", "atomics", 7},
};

enum { COLUMNS = sizeof columns / sizeof *columns, COLUMN_ID = 0, COLUMN_NAME = 1 };

static int text_width(const json_t *structures, const struct column *c)
{
	int width = -c->width;
	const json_t *s;
	size_t i;

	json_array_foreach(structures, i, s)
	{
		int length = (int)strlen(report_word(s, c->key));

		width = length > width ? length : width;
	}
	return width;
}

static bool has_names(const json_t *structures)
{
	const json_t *s;
	size_t i;

	json_array_foreach(structures, i, s) if (json_object_get(s, "name")) return true;
	return false;
}

/* One row of the table; the headings where `s` is NULL. */
static void add_row(const json_t *s, const int *widths, struct strbuf *out)
{
	const char *separator = "";

	for (unsigned c = 0; c < COLUMNS; c++) {
		const struct column *column = &columns[c];

		if (!widths[c])
			continue;
		strbuf_addf(out, "%s  ", separator);
		if (column->width < 0)
			strbuf_addf(out, "%-*s", widths[c], s ? report_word(s, column->key) : column->heading);
		else if (s)
			strbuf_addf(out, "%*lld", widths[c], report_number(s, column->key));
		else
			strbuf_addf(out, "%*s", widths[c], column->heading);
	}
	strbuf_addc(out, '\n');
}

static void add_table(const json_t *structures, struct strbuf *out)
{
	int widths[COLUMNS];
	const json_t *s;
	size_t i;

	if (!json_array_size(structures))
		return;
	for (unsigned c = 0; c < COLUMNS; c++)
		widths[c] = columns[c].width;
	widths[COLUMN_ID] = text_width(structures, &columns[COLUMN_ID]);
	widths[COLUMN_NAME] = has_names(structures) ? text_width(structures, &columns[COLUMN_NAME]) : 0;
	for (unsigned c = COLUMN_NAME + 1; c < COLUMNS; c++)
		widths[c] = columns[c].width < 0 ? -columns[c].width : columns[c].width;
	add_row(NULL, widths, out);
	json_array_foreach(structures, i, s) add_row(s, widths, out);
}

/* --- Below the table --- */

/*
 * Adds "line 96: " for PTX. Adds "saxpy.cu:12: " for IR or, without debug information, "`store float %x, ptr %p` in
 * saxpy: ". Adds nothing if there is no place.
 */
static void add_place(const json_t *why, struct strbuf *out)
{
	if (json_object_get(why, "file") && json_object_get(why, "place")) {
		report_text_place(why, out);
		strbuf_adds(out, ": ");
		return;
	}
	if (report_number(why, "line") == 0 && json_object_get(why, "instruction")) {
		strbuf_addf(out, "`%s` in %s: ", report_word(why, "instruction"),
			    short_title(report_word(why, "function")).text);
		return;
	}
	if (report_number(why, "line") == 0)
		return;
	if (json_object_get(why, "file"))
		strbuf_addf(out, "%s:%lld: ", report_word(why, "file"), report_number(why, "line"));
	else
		strbuf_addf(out, "line %lld: ", report_number(why, "line"));
}

static void add_reason(const char *kernel, const json_t *s, struct strbuf *out)
{
	const json_t *why = json_object_get(s, "why");

	if (!json_is_object(why))
		return;
	strbuf_addf(out, "  why %s: ", report_word(s, "id"));
	add_place(why, out);
	strbuf_addf(out, "%s\n", report_word(why, "text"));
	report_text_ways(kernel, why, out);
}

/* "p0, p1": what must be other memory than the structure `written`. */
static void add_guarded(const json_t *guards, const char *written, struct strbuf *out)
{
	const char *separator = "";
	const json_t *g;
	size_t i;

	json_array_foreach(guards, i, g)
	{
		if (strcmp(report_word(g, "writes"), written) != 0)
			continue;
		strbuf_addf(out, "%s%s", separator, report_word(g, "reads"));
		separator = ", ";
	}
}

static bool is_first_of_its_write(const json_t *guards, size_t index)
{
	const char *written = report_word(json_array_get(guards, index), "writes");

	for (size_t i = 0; i < index; i++)
		if (strcmp(report_word(json_array_get(guards, i), "writes"), written) == 0)
			return false;
	return true;
}

/* One row for each structure written. */
static void add_guards(const json_t *guards, struct strbuf *out)
{
	int width = (int)strlen("written");
	const json_t *g;
	size_t i;

	if (!json_array_size(guards))
		return;
	json_array_foreach(guards, i, g)
	{
		int length = (int)strlen(report_word(g, "writes"));

		width = length > width ? length : width;
	}
	strbuf_addf(out, "  guards: a launch runs marked if these are in different allocations\n    %-*s  %s\n", width,
		    "written", "read");
	json_array_foreach(guards, i, g)
	{
		if (!is_first_of_its_write(guards, i))
			continue;
		strbuf_addf(out, "    %-*s  ", width, report_word(g, "writes"));
		add_guarded(guards, report_word(g, "writes"), out);
		strbuf_addc(out, '\n');
	}
}

static void add_copies(const json_t *copies, struct strbuf *out)
{
	const json_t *name;
	size_t i;

	json_array_foreach(copies, i, name) strbuf_addf(
	    out, "  copy: %s is called instead of a function that others keep marks out of\n", json_string_value(name));
}

/* --- Loads --- */

static void add_structures(const json_t *structures, struct strbuf *out)
{
	const json_t *id;
	size_t i;

	json_array_foreach(structures, i, id) strbuf_addf(out, "%s%s", i ? "," : "", json_string_value(id));
}

/* Adds " (k.cu:2, inlined from h.h:84, inlined at k.cu:11)", or nothing. */
static void add_load_places(const json_t *load, struct strbuf *out)
{
	const json_t *sites = json_object_get(load, "inlined_at"), *site;
	size_t i;

	if (!json_object_get(load, "place"))
		return;
	strbuf_adds(out, " (");
	report_text_place(load, out);
	if (json_object_get(load, "code_of"))
		strbuf_addf(out, ", inlined from %s", report_word(load, "source"));
	json_array_foreach(sites, i, site) strbuf_addf(
	    out, ", inlined at %s:%lld", place_base_name(report_word(site, "file")), report_number(site, "line"));
	strbuf_addc(out, ')');
}

static void add_load(const json_t *load, const char *kind, struct strbuf *out)
{
	strbuf_addf(out, "  %s", kind);
	if (report_number(load, "line") && !json_object_get(load, "file"))
		strbuf_addf(out, " line %lld", report_number(load, "line"));
	else
		strbuf_addf(out, " in %s", short_title(report_word(load, "function")).text);
	add_load_places(load, out);
	strbuf_addf(out, ": `%s` of ", report_word(load, "instruction"));
	if (json_object_get(load, "space"))
		strbuf_addf(out, "%s memory", report_word(load, "space"));
	else
		add_structures(json_object_get(load, "structures"), out);
	if (json_is_true(json_object_get(load, "marked")))
		strbuf_adds(out, ": marked\n");
	else
		strbuf_addf(out, ": not marked, %s\n", report_word(load, "why"));
}

/* --- Bytes --- */

static int widest_instruction(const json_t *ranges)
{
	int width = 0;
	const json_t *r;
	size_t i;

	json_array_foreach(ranges, i, r)
	{
		int length = (int)strlen(report_word(r, "instruction"));

		width = length > width ? length : width;
	}
	return width;
}

static void add_scans(const json_t *scans, struct strbuf *out)
{
	const json_t *text;
	size_t i;

	json_array_foreach(scans, i, text)
	    strbuf_addf(out, "%s%s", i ? ", " : "; a launch may know it by scans of ", json_string_value(text));
}

static void add_ranges(const json_t *ranges, struct strbuf *out)
{
	int width = widest_instruction(ranges);
	const json_t *r;
	size_t i;

	if (!json_array_size(ranges))
		return;
	strbuf_adds(out, "  bytes that a launch may touch:\n");
	json_array_foreach(ranges, i, r)
	{
		strbuf_addf(out, "    line %lld: %-*s  %s", report_number(r, "line"), width,
			    report_word(r, "instruction"), report_word(r, "bytes"));
		add_scans(json_object_get(r, "scans"), out);
		strbuf_addc(out, '\n');
	}
}

/* --- The whole --- */

static void add_kernel(const json_t *kernel, struct strbuf *out)
{
	const json_t *structures = json_object_get(kernel, "structures"), *item;
	const char *name = report_word(kernel, "name"), *plain = report_word(kernel, "demangled");
	size_t i;

	strbuf_addf(out, "\nkernel %s: %lld of %lld loads marked\n", name, report_number(kernel, "loads_marked"),
		    report_number(kernel, "loads"));
	if (strcmp(plain, name) != 0)
		strbuf_addf(out, "  %s\n", plain);
	add_table(structures, out);
	json_array_foreach(structures, i, item) add_reason(name, item, out);
	add_guards(json_object_get(kernel, "guards"), out);
	add_copies(json_object_get(kernel, "copies"), out);
	add_ranges(json_object_get(kernel, "ranges"), out);
	json_array_foreach(json_object_get(kernel, "load_list"), i, item) add_load(item, "load", out);
	json_array_foreach(json_object_get(kernel, "other_loads"), i, item) add_load(item, "other load", out);
}

static void add_head(const json_t *report, struct strbuf *out)
{
	const json_t *kernels = json_object_get(report, "kernels"), *k;
	long long loads = 0, marked = 0;
	size_t i, count = json_array_size(kernels);

	json_array_foreach(kernels, i, k)
	{
		loads += report_number(k, "loads");
		marked += report_number(k, "loads_marked");
	}
	strbuf_addf(out, "%s: %zu kernel%s, %lld of %lld global loads marked read-only (alias level %s)\n",
		    report_word(report, "file"), count, count == 1 ? "" : "s", marked, loads,
		    report_word(report, "alias"));
}

/* --- The cross-check --- */

/* A load about which pass and PTX analyser differ. */
static void add_difference(const json_t *d, struct strbuf *out)
{
	const char *reason = json_string_value(json_object_get(d, "reason"));
	const json_t *id;
	size_t i;

	if (report_number(d, "line"))
		strbuf_addf(out, "  %s:%lld: ", report_word(d, "file"), report_number(d, "line"));
	else
		strbuf_addf(out, "  PTX:%lld: ", report_number(d, "ptx_line"));
	strbuf_addf(out, "%s in %s, of", report_word(d, "load"), report_word(d, "function"));
	json_array_foreach(json_object_get(d, "structures"), i, id)
	    strbuf_addf(out, "%s %s", i ? "," : "", json_string_value(id));
	strbuf_addf(out, " (%s):\n    the pass marks it: %s, the PTX analyser: %s", report_word(d, "space"),
		    json_is_true(json_object_get(d, "pass")) ? "yes" : "no",
		    json_is_true(json_object_get(d, "ptx")) ? "yes" : "no");
	if (json_object_get(d, "ptx_why"))
		strbuf_addf(out, " (%s)", report_word(d, "ptx_why"));
	strbuf_addf(out, ": %s\n", reason ? reason : "not explained");
}

static void add_level(const json_t *level, struct strbuf *out)
{
	const json_t *item;
	size_t i;

	strbuf_addf(out,
		    "\nPTX analyser, %s: %lld of %lld loads have the same mark, %lld another one for a reason, "
		    "%lld for none\n",
		    report_word(level, "alias"), report_number(level, "same"), report_number(level, "loads"),
		    report_number(level, "explained"), report_number(level, "unexplained"));
	json_array_foreach(json_object_get(level, "differences"), i, item) add_difference(item, out);
}

static void add_report(json_t *report, struct strbuf *out)
{
	const json_t *kernel;
	const char *last = "";
	size_t i;

	report_show_ids(report);
	add_head(report, out);
	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	{
		const char *module = report_word(kernel, "module");

		if (strcmp(module, last) != 0)
			strbuf_addf(out, "\nmodule %s\n", module);
		last = module;
		add_kernel(kernel, out);
	}
	json_array_foreach(json_object_get(report, "cross_check"), i, kernel) add_level(kernel, out);
}

void report_text(const struct report *r, struct strbuf *out)
{
	json_t *report = report_tree(r);

	add_report(report, out);
	json_decref(report);
}

void report_text_of_json(const char *json, struct strbuf *out)
{
	json_t *report = json_loads(json, 0, NULL);

	add_report(report, out);
	json_decref(report);
}
