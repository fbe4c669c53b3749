/*
 * Compares a report in SARIF with the standard (OASIS SARIF 2.1.0), and with the JSON report with loads of the same
 * input. usage: check_sarif FILE.sarif REPORT.json
 *
 * The tables below are the standard's sections on the objects that romark writes: each object's properties, their
 * types, and which properties the object must have. The writer uses none of this.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned errors;

__attribute__((format(printf, 2, 3))) static void wrong(const char *where, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", where);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	errors++;
}

/* --- Objects by table --- */

enum type { TEXT, NUMBER, TRUTH, OBJECT, LIST, BAG, TEXTS };

struct row {
	const char *object, *property;
	enum type type;
	const char
	    *of; /* OBJECT and LIST: the objects' name; TEXT: values "|a|b|" or NULL; BAG: of its values, or NULL */
	bool required;
};

/* clang-format off */
static const struct row rows[] = {
	{"sarifLog", "$schema", TEXT, NULL, false},
	{"sarifLog", "version", TEXT, "|2.1.0|", true},
	{"sarifLog", "runs", LIST, "run", true},
	{"run", "tool", OBJECT, "tool", true},
	{"run", "invocations", LIST, "invocation", false},
	{"run", "originalUriBaseIds", BAG, "artifactLocation", false},
	{"run", "artifacts", LIST, "artifact", false},
	{"run", "columnKind", TEXT, "|utf16CodeUnits|unicodeCodePoints|", false},
	{"run", "results", LIST, "result", false},
	{"run", "properties", BAG, NULL, false},
	{"tool", "driver", OBJECT, "toolComponent", true},
	{"toolComponent", "name", TEXT, NULL, true},
	{"toolComponent", "version", TEXT, NULL, false},
	{"toolComponent", "rules", LIST, "reportingDescriptor", false},
	{"reportingDescriptor", "id", TEXT, NULL, true},
	{"reportingDescriptor", "shortDescription", OBJECT, "multiformatMessageString", false},
	{"reportingDescriptor", "help", OBJECT, "multiformatMessageString", false},
	{"reportingDescriptor", "defaultConfiguration", OBJECT, "reportingConfiguration", false},
	{"reportingConfiguration", "level", TEXT, "|none|note|warning|error|", false},
	{"multiformatMessageString", "text", TEXT, NULL, true},
	{"invocation", "arguments", TEXTS, NULL, false},
	{"invocation", "workingDirectory", OBJECT, "artifactLocation", false},
	{"invocation", "executionSuccessful", TRUTH, NULL, true},
	{"artifact", "location", OBJECT, "artifactLocation", false},
	{"artifact", "roles", TEXTS, NULL, false},
	{"artifactLocation", "uri", TEXT, NULL, false},
	{"artifactLocation", "uriBaseId", TEXT, NULL, false},
	{"result", "ruleId", TEXT, NULL, true},
	{"result", "ruleIndex", NUMBER, NULL, false},
	{"result", "kind", TEXT, "|notApplicable|pass|fail|review|open|informational|", false},
	{"result", "level", TEXT, "|none|note|warning|error|", false},
	{"result", "message", OBJECT, "message", true},
	{"result", "locations", LIST, "location", false},
	{"result", "relatedLocations", LIST, "location", false},
	{"result", "stacks", LIST, "stack", false},
	{"result", "partialFingerprints", BAG, NULL, false},
	{"result", "occurrenceCount", NUMBER, NULL, false},
	{"result", "properties", BAG, NULL, false},
	{"message", "text", TEXT, NULL, true},
	{"location", "id", NUMBER, NULL, false},
	{"location", "physicalLocation", OBJECT, "physicalLocation", false},
	{"location", "logicalLocations", LIST, "logicalLocation", false},
	{"location", "message", OBJECT, "message", false},
	{"physicalLocation", "artifactLocation", OBJECT, "artifactLocation", true},
	{"physicalLocation", "region", OBJECT, "region", false},
	{"region", "startLine", NUMBER, NULL, true},
	{"region", "startColumn", NUMBER, NULL, false},
	{"logicalLocation", "name", TEXT, NULL, false},
	{"logicalLocation", "fullyQualifiedName", TEXT, NULL, false},
	{"logicalLocation", "decoratedName", TEXT, NULL, false},
	{"logicalLocation", "kind", TEXT, NULL, false},
	{"stack", "message", OBJECT, "message", false},
	{"stack", "frames", LIST, "stackFrame", true},
	{"stackFrame", "location", OBJECT, "location", false},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof *rows };

static void check_object(const char *object, const json_t *value);

static void check_text(const struct row *row, const json_t *value)
{
	char word[64];

	if (!json_is_string(value)) {
		wrong(row->object, "%s is no text", row->property);
		return;
	}
	if (!*json_string_value(value))
		wrong(row->object, "%s is empty", row->property);
	snprintf(word, sizeof word, "|%s|", json_string_value(value));
	if (row->of && !strstr(row->of, word))
		wrong(row->object, "%s cannot be '%s'", row->property, json_string_value(value));
}

static void check_list(const struct row *row, const json_t *value)
{
	const json_t *item;
	size_t i;

	if (!json_is_array(value))
		wrong(row->object, "%s is no list", row->property);
	json_array_foreach(value, i, item)
	{
		if (row->type == LIST)
			check_object(row->of, item);
		else if (!json_is_string(item))
			wrong(row->object, "%s holds something other than text", row->property);
	}
}

static void check_bag(const struct row *row, const json_t *value)
{
	const char *key;
	json_t *item;

	if (!json_is_object(value))
		wrong(row->object, "%s is no object", row->property);
	json_object_foreach((json_t *)value, key, item) if (row->of) check_object(row->of, item);
}

static void check_value(const struct row *row, const json_t *value)
{
	switch (row->type) {
	case TEXT: check_text(row, value); return;
	case OBJECT: check_object(row->of, value); return;
	case BAG: check_bag(row, value); return;
	case LIST:
	case TEXTS: check_list(row, value); return;
	case NUMBER:
		if (!json_is_integer(value) || json_integer_value(value) < 0)
			wrong(row->object, "%s is no number", row->property);
		return;
	case TRUTH:
		if (!json_is_boolean(value))
			wrong(row->object, "%s is neither true nor false", row->property);
		return;
	}
}

static const struct row *row_of(const char *object, const char *property)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].object, object) == 0 && strcmp(rows[i].property, property) == 0)
			return &rows[i];
	return NULL;
}

static void check_object(const char *object, const json_t *value)
{
	const char *key;
	json_t *item;

	if (!json_is_object(value)) {
		wrong(object, "is no object");
		return;
	}
	json_object_foreach((json_t *)value, key, item)
	{
		const struct row *row = row_of(object, key);

		if (row)
			check_value(row, item);
		else
			wrong(object, "has no property '%s'", key);
	}
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].required && strcmp(rows[i].object, object) == 0 &&
		    !json_object_get(value, rows[i].property))
			wrong(object, "lacks '%s'", rows[i].property);
}

/* --- What the tables do not say --- */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* RFC 3986: the characters of a URI, with the others encoded. */
static void check_characters(const char *uri)
{
	for (const char *c = uri; *c; c++) {
		if (*c == '%' && !(isxdigit((unsigned char)c[1]) && isxdigit((unsigned char)c[2])))
			wrong("uri", "%s: a lone %%", uri);
		else if (*c != '%' && !isalnum((unsigned char)*c) && !strchr("-._~:/?#@!$&'()*+,;=", *c))
			wrong("uri", "%s: '%c'", uri, *c);
	}
}

/* A relative one has a base that the run knows; an absolute one has none. */
static void check_uri(const json_t *bases, const json_t *location)
{
	const char *uri = text_of(location, "uri"), *base = text_of(location, "uriBaseId");

	check_characters(uri);
	if (*base && !json_object_get(bases, base))
		wrong("artifactLocation", "base '%s' is not known", base);
	if (*base ? *uri == '/' || strstr(uri, "://") : strncmp(uri, "file:///", 8) != 0)
		wrong("artifactLocation", "'%s' is wrong beside the base '%s'", uri, base);
	if (strstr(uri, "/../") || strstr(uri, "/./") || strncmp(uri, "../", 3) == 0)
		wrong("artifactLocation", "'%s' has dots", uri);
}

static void check_uris(const json_t *bases, const json_t *value)
{
	const char *key;
	const json_t *item;
	json_t *member;
	size_t i;

	json_array_foreach(value, i, item) check_uris(bases, item);
	json_object_foreach((json_t *)value, key, member)
	{
		if (strcmp(key, "artifactLocation") == 0)
			check_uri(bases, member);
		if (strcmp(key, "region") == 0 && number_of(member, "startLine") < 1)
			wrong("region", "line below 1");
		check_uris(bases, member);
	}
}

static void check_bases(const json_t *bases)
{
	const char *key;
	json_t *location;

	json_object_foreach((json_t *)bases, key, location)
	{
		const char *uri = text_of(location, "uri");

		check_characters(uri);
		if (strncmp(uri, "file:///", 8) != 0 || uri[strlen(uri) - 1] != '/')
			wrong("originalUriBaseIds", "'%s' is no folder", uri);
	}
}

/* The links in a message, "[text](3)", lead to related locations with these ids. */
static void check_links(const json_t *result)
{
	const json_t *related = json_object_get(result, "relatedLocations"), *location;
	bool known[64] = {false};
	size_t i;

	json_array_foreach(related, i, location)
	{
		json_int_t id = number_of(location, "id");

		if (id < 0 || id >= 64 || known[id])
			wrong("relatedLocations", "id %lld twice, or out of bounds", (long long)id);
		else
			known[id] = true;
	}
	for (const char *at = text_of(json_object_get(result, "message"), "text"); *at; at++) {
		if (*at == '\\')
			at++;
		else if (*at == '[') {
			const char *end = strstr(at, "](");
			long id = end ? strtol(end + 2, NULL, 10) : -1;

			if (id < 0 || id >= 64 || !known[id])
				wrong("message", "a link to nothing: %s", at);
		}
	}
}

static void check_rule(const json_t *rules, const json_t *result)
{
	const json_t *rule = json_array_get(rules, (size_t)number_of(result, "ruleIndex"));

	if (strcmp(text_of(rule, "id"), text_of(result, "ruleId")) != 0)
		wrong("result", "ruleIndex is not that of '%s'", text_of(result, "ruleId"));
	if (strcmp(text_of(json_object_get(rule, "defaultConfiguration"), "level"), text_of(result, "level")) != 0)
		wrong("result", "level is not that of rule '%s'", text_of(result, "ruleId"));
}

static void check_result(const json_t *rules, const json_t *result, json_t *prints)
{
	const char *key;
	json_t *print;

	check_rule(rules, result);
	check_links(result);
	if (json_array_size(json_object_get(result, "locations")) != 1)
		wrong("result", "has not one location");
	json_object_foreach(json_object_get(result, "partialFingerprints"), key, print)
	{
		if (json_object_get(prints, json_string_value(print)))
			wrong("result", "fingerprint %s twice", json_string_value(print));
		json_object_set(prints, json_string_value(print), print);
	}
}

static void check_run(const json_t *run)
{
	const json_t *rules = json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules"),
		     *result;
	const json_t *bases = json_object_get(run, "originalUriBaseIds");
	json_t *prints = json_object();
	size_t i;

	check_bases(bases);
	check_uris(bases, json_object_get(run, "results"));
	json_array_foreach(json_object_get(run, "results"), i, result) check_result(rules, result, prints);
	json_decref(prints);
}

/* --- Against the report --- */

/* "k.cu:12" */
static void name_place(const char *path, json_int_t line, char *text, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(text, size, "%s:%lld", slash ? slash + 1 : path, (long long)line);
}

/* Of each unmarked load: kernel, kind and place. Returns how many there are. */
static json_int_t list_loads(const json_t *report, json_t *known)
{
	const json_t *kernel, *load;
	json_int_t count = 0;
	size_t i, j;

	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	{
		json_array_foreach(json_object_get(kernel, "load_list"), j, load)
		{
			const json_t *place = json_object_get(load, "place");
			char where[512], key[2048];

			if (json_is_true(json_object_get(load, "marked")))
				continue;
			count++;
			name_place(text_of(place, "file"), number_of(place, "line"), where, sizeof where);
			snprintf(key, sizeof key, "%s %s %s", text_of(kernel, "name"), text_of(load, "kind"),
				 place ? where : "");
			json_object_set_new(known, key, json_true());
		}
	}
	return count;
}

/* Each kernel of the result has an unmarked load at its line, for the reason that its rule is of. */
static void match_result(const json_t *result, const json_t *known, bool sourceless)
{
	const json_t *location = json_array_get(json_object_get(result, "locations"), 0), *kernel;
	const json_t *physical = json_object_get(location, "physicalLocation");
	const char *uri = text_of(json_object_get(physical, "artifactLocation"), "uri");
	char where[512], key[2048];
	size_t i;

	name_place(uri, number_of(json_object_get(physical, "region"), "startLine"), where, sizeof where);
	json_array_foreach(json_object_get(location, "logicalLocations"), i, kernel)
	{
		snprintf(key, sizeof key, "%s %s %s", text_of(kernel, "decoratedName"), text_of(result, "ruleId"),
			 sourceless ? "" : where);
		if (!json_object_get(known, key))
			wrong("result", "the report has no unmarked load '%s'", key);
	}
}

static void match(const json_t *run, const json_t *report)
{
	json_t *known = json_object();
	json_int_t loads = list_loads(report, known), told = 0;
	const char *input = text_of(report, "file"), *dot = strrchr(input, '.');
	const json_t *result;
	size_t i;

	json_array_foreach(json_object_get(run, "results"), i, result)
	{
		const json_t *location = json_array_get(json_object_get(result, "locations"), 0);
		const char *uri =
		    text_of(json_object_get(json_object_get(location, "physicalLocation"), "artifactLocation"), "uri");
		const char *end = dot ? strstr(uri, dot) : NULL;

		told += number_of(json_object_get(result, "properties"), "loads");
		match_result(result, known, end && strcmp(end, dot) == 0);
	}
	if (told != loads)
		wrong("run", "results stand for %lld unmarked loads, the report has %lld", (long long)told,
		      (long long)loads);
	json_decref(known);
}

static json_t *load(const char *path)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

	if (!root) {
		fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
		exit(1);
	}
	return root;
}

int main(int argc, char **argv)
{
	json_t *sarif, *report;
	const json_t *run;

	if (argc != 3)
		return 2;
	sarif = load(argv[1]);
	report = load(argv[2]);
	check_object("sarifLog", sarif);
	run = json_array_get(json_object_get(sarif, "runs"), 0);
	if (json_array_size(json_object_get(sarif, "runs")) != 1)
		wrong("sarifLog", "has not one run");
	check_run(run);
	match(run, report);
	json_decref(sarif);
	json_decref(report);
	return errors != 0;
}
