/*
 * The report as SARIF 2.1.0, the form in which editors and code hosts take findings. It is made of the report's JSON
 * form, as the text is: a rule for each kind of reason, a result for each finding (sarif_findings.h).
 */
#include "verdict/report/report_writers.h"
#include "verdict/report/sarif_findings.h"
#include "verdict/report/sarif_places.h"

#include "common/kernel_names.h"

#include <inttypes.h>
#include <string.h>

/* Results name no more other places than this. */
enum { MOST_RELATED = 16 };

struct sarif {
	const struct report_run *run;
	const json_t *report;
	json_t *prints; /* how often each fingerprint came */
};

static json_t *text_object(const char *text)
{
	return json_pack("{s:o}", "text", report_string(text));
}

/* --- Places --- */

/* A text that was analysed has lines of its own; a program, and bitcode, have none. */
static json_t *place_of(const struct sarif *s, const json_t *kernel, const json_t *object)
{
	const json_t *place = json_object_get(object, "place");
	const char *file = report_word(s->report, "file");
	bool is_line_of_file = !json_object_get(object, "file") && !json_object_get(kernel, "module");

	if (place)
		return sarif_physical(s->run->folder, report_word(place, "file"), report_number(place, "line"),
				      report_number(place, "column"));
	if (strcmp(file, "-") == 0)
		return NULL;
	return sarif_physical(s->run->folder, file, is_line_of_file ? report_number(object, "line") : 0, 0);
}

static json_t *function_place(const char *symbol)
{
	struct short_title title = short_title(symbol);
	json_t *place = json_pack("{s:o, s:s}", "name", report_string(title.text), "kind", "function");
	json_t *whole = json_object();

	report_add_demangled(whole, symbol);
	json_object_set(place, "fullyQualifiedName", json_object_get(whole, "demangled"));
	json_object_set_new(place, "decoratedName", report_string(symbol));
	json_decref(whole);
	return place;
}

static json_t *main_location(const struct sarif *s, const struct sarif_finding *f)
{
	json_t *location = json_object(), *functions = json_array(),
	       *place = place_of(s, f->kernels.data[0], f->loads.data[0]);

	if (place)
		json_object_set_new(location, "physicalLocation", place);
	for (size_t i = 0; i < f->kernels.len; i++)
		json_array_append_new(functions, function_place(report_word(f->kernels.data[i], "name")));
	json_object_set_new(location, "logicalLocations", functions);
	return location;
}

/* --- Related places --- */

static bool has_place(const json_t *locations, const json_t *place)
{
	const json_t *location;
	size_t i;

	json_array_foreach(locations, i, location)
	{
		if (json_equal(json_object_get(location, "physicalLocation"), place))
			return true;
	}
	return false;
}

/* Once each, and nothing where there is no line to show. Their ids count from 1. */
static void add_related(json_t *list, const json_t *main, json_t *place, const char *message)
{
	bool is_new = place && json_object_get(place, "region") && json_array_size(list) < MOST_RELATED &&
		      !json_equal(json_object_get(main, "physicalLocation"), place) && !has_place(list, place);

	if (is_new)
		json_array_append_new(list, json_pack("{s:I, s:O, s:o}", "id", (json_int_t)json_array_size(list) + 1,
						      "physicalLocation", place, "message", text_object(message)));
	json_decref(place);
}

static void add_inlining(const struct sarif *s, const json_t *object, const json_t *main, json_t *list)
{
	const json_t *code = json_object_get(object, "code_of"), *site;
	size_t i;

	if (code)
		add_related(list, main,
			    sarif_physical(s->run->folder, report_word(code, "file"), report_number(code, "line"),
					   report_number(code, "column")),
			    "in this code of a header");
	json_array_foreach(json_object_get(object, "inlined_at"), i, site)
	    add_related(list, main,
			sarif_physical(s->run->folder, report_word(site, "file"), report_number(site, "line"),
				       report_number(site, "column")),
			"inlined here");
}

/* First the instruction that decided, which the message refers to. */
static json_t *related_locations(const struct sarif *s, const struct sarif_finding *f, const json_t *main)
{
	const json_t *why = f->by_structure ? json_object_get(f->structure, "why") : NULL;
	json_t *list = json_array();

	if (json_is_object(why)) {
		add_related(list, main, place_of(s, f->kernels.data[0], why), "the instruction that decided");
		add_inlining(s, why, main, list);
	}
	add_inlining(s, f->loads.data[0], main, list);
	for (size_t i = 1; i < f->loads.len; i++)
		add_related(list, main, place_of(s, f->kernels.data[0], f->loads.data[i]), "another such load");
	return list;
}

/* --- How a kernel comes to the instruction that decided --- */

static json_t *frame(const struct sarif *s, const json_t *kernel, const json_t *object, const char *symbol)
{
	json_t *location = json_object(), *place = place_of(s, kernel, object);

	if (place)
		json_object_set_new(location, "physicalLocation", place);
	json_object_set_new(location, "logicalLocations", json_pack("[o]", function_place(symbol)));
	return json_pack("{s:o}", "location", location);
}

/* The most recent call first. */
static json_t *stack(const struct sarif *s, const json_t *kernel, const json_t *why)
{
	const json_t *calls = json_object_get(why, "calls");
	json_t *frames = json_array();
	size_t count = json_array_size(calls);

	json_array_append_new(frames, frame(s, kernel, why, report_word(why, "function")));
	for (size_t i = count; i-- > 0;) {
		const json_t *caller = i ? json_array_get(calls, i - 1) : NULL;

		json_array_append_new(frames,
				      frame(s, kernel, json_array_get(calls, i),
					    caller ? report_word(caller, "function") : report_word(kernel, "name")));
	}
	return json_pack("{s:o, s:o}", "message", text_object("how the kernel comes to the instruction that decided"),
			 "frames", frames);
}

/* --- The message --- */

/* Brackets are SARIF's for links. */
static void add_plain(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]\\", *text))
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
}

/* "`x` (p1)" */
static void add_structure(struct strbuf *out, const json_t *s)
{
	struct strbuf id = STRBUF_INIT;
	const char *name = report_word(s, "name");

	structure_show(&id, s ? report_word(s, "id") : "unknown memory");
	if (*name && strcmp(name, id.data) != 0) {
		strbuf_addc(out, '`');
		add_plain(out, name);
		strbuf_adds(out, "` (");
		add_plain(out, id.data);
		strbuf_addc(out, ')');
	} else {
		add_plain(out, id.data);
	}
	strbuf_release(&id);
}

static void add_kernels(struct strbuf *out, const struct sarif_finding *f)
{
	struct short_title title = short_title(report_word(f->kernels.data[0], "name"));

	strbuf_adds(out, "kernel ");
	add_plain(out, title.text);
	if (f->kernels.len > 1)
		strbuf_addf(out, " and %zu more kernel%s", f->kernels.len - 1, f->kernels.len == 2 ? "" : "s");
}

/* "; see [k.cu:12](1)" */
static void add_link(struct strbuf *out, const json_t *why, const json_t *related)
{
	const json_t *first = json_array_get(related, 0);
	const json_t *place = json_object_get(why, "place");

	if (!place ||
	    strcmp(report_word(json_object_get(first, "message"), "text"), "the instruction that decided") != 0)
		return;
	strbuf_adds(out, "; see [");
	add_plain(out, place_base_name(report_word(place, "file")));
	strbuf_addf(out, ":%lld](1)", report_number(place, "line"));
}

static json_t *message(const struct sarif_finding *f, const json_t *related)
{
	const json_t *why = f->by_structure ? json_object_get(f->structure, "why") : NULL;
	const char *reason = f->by_structure ? report_word(why, "text") : report_word(f->loads.data[0], "why");
	struct strbuf text = STRBUF_INIT;
	json_t *object;

	strbuf_addf(&text, "%zu load%s of ", f->loads.len, f->loads.len == 1 ? "" : "s");
	add_structure(&text, f->structure);
	strbuf_adds(&text, " in ");
	add_kernels(&text, f);
	strbuf_adds(&text, f->loads.len == 1 ? " has no read-only mark: " : " have no read-only mark: ");
	add_plain(&text, reason);
	if (why)
		add_link(&text, why, related);
	strbuf_addc(&text, '.');
	object = text_object(text.data);
	strbuf_release(&text);
	return object;
}

/* --- Results --- */

/* FNV-1a. */
static uint64_t add_to_hash(uint64_t hash, const char *text)
{
	do {
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	} while (*text++);
	return hash;
}

/* Made of names instead of lines, so that it survives changes to the code above the load. Equal ones are numbered. */
static json_t *fingerprints(struct sarif *s, const struct sarif_finding *f)
{
	const json_t *load = f->loads.data[0];
	uint64_t hash = add_to_hash(0xcbf29ce484222325, reason_kinds[f->kind].name);
	char key[32], text[64];
	json_int_t count;

	hash = add_to_hash(hash, report_word(f->kernels.data[0], "name"));
	hash = add_to_hash(hash, report_word(load, "function"));
	hash = add_to_hash(hash, f->structure ? report_word(f->structure, "id") : "");
	snprintf(key, sizeof key, "%016" PRIx64, hash);
	count = json_integer_value(json_object_get(s->prints, key)) + 1;
	json_object_set_new(s->prints, key, json_integer(count));
	snprintf(text, sizeof text, "%s:%lld", key, (long long)count);
	return json_pack("{s:s}", "romarkUnmarkedLoad/v1", text);
}

static const char *level_of(enum reason_kind kind)
{
	return reason_kinds[kind].is_program ? "note" : "warning";
}

static json_t *result(struct sarif *s, const struct sarif_finding *f)
{
	const json_t *why = f->by_structure ? json_object_get(f->structure, "why") : NULL;
	json_t *location = main_location(s, f), *related = related_locations(s, f, location), *object = json_object(),
	       *properties = json_object();

	json_object_set_new(object, "ruleId", json_string(reason_kinds[f->kind].name));
	json_object_set_new(object, "ruleIndex", json_integer(f->kind - (REASON_NONE + 1)));
	json_object_set_new(object, "kind", json_string("fail"));
	json_object_set_new(object, "level", json_string(level_of(f->kind)));
	json_object_set_new(object, "message", message(f, related));
	json_object_set_new(object, "locations", json_pack("[o]", location));
	if (json_array_size(related))
		json_object_set(object, "relatedLocations", related);
	json_decref(related);
	if (json_object_get(why, "calls"))
		json_object_set_new(object, "stacks", json_pack("[o]", stack(s, f->kernels.data[0], why)));
	json_object_set_new(object, "partialFingerprints", fingerprints(s, f));
	if (f->kernels.len > 1)
		json_object_set_new(object, "occurrenceCount", json_integer((json_int_t)f->kernels.len));
	json_object_set_new(properties, "loads", json_integer((json_int_t)f->all_loads));
	if (f->structure)
		json_object_set(properties, "structure", json_object_get(f->structure, "id"));
	json_object_set_new(object, "properties", properties);
	return object;
}

static json_t *results(const json_t *report, const struct report_run *run)
{
	struct sarif s = {.run = run, .report = report, .prints = json_object()};
	struct sarif_findings findings;
	json_t *list = json_array();

	sarif_findings_make(&findings, report);
	for (size_t i = 0; i < findings.list.len; i++)
		json_array_append_new(list, result(&s, &findings.list.data[i]));
	sarif_findings_release(&findings);
	json_decref(s.prints);
	return list;
}

/* --- The run --- */

static json_t *rules(void)
{
	json_t *list = json_array();

	for (int kind = REASON_NONE + 1; kind < REASON_KINDS; kind++) {
		const struct reason_kind_row *row = &reason_kinds[kind];
		struct strbuf sentence = STRBUF_INIT;

		strbuf_addf(&sentence, "%s.", row->summary);
		json_array_append_new(list,
				      json_pack("{s:s, s:o, s:o, s:{s:s}}", "id", row->name, "shortDescription",
						text_object(sentence.data), "help", text_object(row->help),
						"defaultConfiguration", "level", level_of((enum reason_kind)kind)));
		strbuf_release(&sentence);
	}
	return list;
}

static json_t *invocation(const struct report_run *run)
{
	json_t *arguments = json_array();

	for (size_t i = 0; i < run->narguments; i++)
		json_array_append_new(arguments, report_string(run->arguments[i]));
	return json_pack("{s:o, s:o, s:b}", "arguments", arguments, "workingDirectory", sarif_folder(run->folder),
			 "executionSuccessful", 1);
}

static json_t *artifacts(const json_t *report, const struct report_run *run)
{
	const char *file = report_word(report, "file");
	json_t *list = json_array();

	if (strcmp(file, "-") != 0)
		json_array_append_new(list, json_pack("{s:o, s:[s]}", "location", sarif_artifact(run->folder, file),
						      "roles", "analysisTarget"));
	return list;
}

static json_t *totals(const json_t *report)
{
	const json_t *kernels = json_object_get(report, "kernels"), *k;
	json_int_t loads = 0, marked = 0;
	size_t i;

	json_array_foreach(kernels, i, k)
	{
		loads += report_number(k, "loads");
		marked += report_number(k, "loads_marked");
	}
	return json_pack("{s:O, s:I, s:I, s:I}", "alias", json_object_get(report, "alias"), "kernels",
			 (json_int_t)json_array_size(kernels), "loads", loads, "loads_marked", marked);
}

static json_t *run_object(const json_t *report, const struct report_run *run)
{
	json_t *object = json_object(), *bases = json_object();

	json_object_set_new(object, "tool",
			    json_pack("{s:{s:s, s:o, s:o}}", "driver", "name", "romark", "version",
				      report_string(run->version), "rules", rules()));
	json_object_set_new(object, "invocations", json_pack("[o]", invocation(run)));
	json_object_set_new(bases, SARIF_FOLDER, sarif_folder(run->folder));
	json_object_set_new(object, "originalUriBaseIds", bases);
	json_object_set_new(object, "artifacts", artifacts(report, run));
	json_object_set_new(object, "columnKind", json_string("unicodeCodePoints"));
	json_object_set_new(object, "results", results(report, run));
	json_object_set_new(object, "properties", totals(report));
	return object;
}

static void write_sarif(const json_t *report, const struct report_run *run, struct strbuf *out)
{
	json_t *root =
	    json_pack("{s:s, s:s, s:[o]}", "$schema",
		      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		      "version", "2.1.0", "runs", run_object(report, run));

	report_dump(root, 1, out);
}

void report_sarif(const struct report *r, const struct report_run *run, struct strbuf *out)
{
	struct report with_loads = *r;
	json_t *report;

	with_loads.loads = true;
	report = report_tree(&with_loads);
	write_sarif(report, run, out);
	json_decref(report);
}

void report_sarif_of_json(const char *json, const struct report_run *run, struct strbuf *out)
{
	json_t *report = json_loads(json, 0, NULL);

	write_sarif(report, run, out);
	json_decref(report);
}
