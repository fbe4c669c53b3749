/*
 * Keys that come with a GPU or a policy say no more than its name. So a key counts only between results of the same GPU
 * or policy.
 */
#include "cli/compare_results.h"

#include "cli/compare_load.h"
#include "common/file.h"
#include "common/strbuf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const fixed_names[] = {"gpu", "llc_policy", "l1_policy"};
enum { FIXED_NAMES = sizeof fixed_names / sizeof *fixed_names };
/* The keys that name a result's program and size, if it has them: results of a study do. */
static const char *const subjects[] = {"program", "size"};
static const char clock_key[] = "gpu.clock_mhz";
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static int check(const struct result *result, struct diag *d)
{
	for (size_t i = 0; i < FIXED_NAMES; i++)
		if (!json_is_string(json_object_get(result->root, fixed_names[i])))
			return diag_file(
			    d, result->path,
			    "it has no 'gpu', 'llc_policy' or 'l1_policy'; it must come from 'romark sim --json'");
	if (!json_is_number(json_object_get(result->root, "cycles")))
		return diag_file(d, result->path, "it has no number 'cycles'; it must come from 'romark sim --json'");
	return 0;
}

static bool is_whole(json_t *sampling, const char *part, json_t *whole)
{
	const json_t *simulated = json_object_get(sampling, part);

	return simulated && whole && json_equal(simulated, whole);
}

/* How the simulator sampled the result; NULL: not at all, or it left nothing out. */
static const char *sampled_how(json_t *root)
{
	json_t *sampling = json_object_get(root, "sampling");
	bool whole = !json_is_false(json_object_get(root, "complete")) &&
		     is_whole(sampling, "launches_simulated", json_object_get(sampling, "launches")) &&
		     is_whole(sampling, "ctas_simulated", json_object_get(sampling, "ctas")) &&
		     is_whole(sampling, "cycles_simulated", json_object_get(root, "cycles"));

	return whole ? NULL : json_string_value(json_object_get(root, "sampled"));
}

/* The values of these names in the result, as one text; equal texts are equal values. */
static char *key_of(const struct result *result, const char *const *names, size_t count)
{
	struct strbuf key = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		const json_t *value = result_name(result, names[i]);
		char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS) : NULL;

		strbuf_adds(&key, text ? text : "");
		strbuf_addc(&key, '\n');
		free(text);
	}
	return strbuf_detach(&key);
}

int results_add(struct results *r, json_t *root, char *name, struct diag *d)
{
	struct result result = {root, name, sampled_how(root), 0};
	char *key = key_of(&result, subjects, SUBJECTS);

	result.base = first_of(&r->subjects, key, r->list.len);
	xfree(key);
	vec_push(&r->list, result);
	return check(&vec_last(&r->list), d);
}

static int read_one(struct results *r, const char *path, bool kernels, struct diag *d)
{
	struct file_data text;
	json_error_t error;
	json_t *root;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	root = result_load(text.data, text.size, kernels, &error);
	file_data_release(&text);
	if (!root)
		return diag_set(d, path, (unsigned)error.line, (unsigned)error.column,
				"no JSON, so not from 'romark sim --json': %s", error.text);
	return results_add(r, root, xstrdup(path), d);
}

int results_read(struct results *r, char *const *paths, size_t count, bool kernels, struct diag *d)
{
	*r = (struct results)RESULTS_INIT;
	for (size_t i = 0; i < count; i++)
		if (read_one(r, paths[i], kernels, d) < 0)
			return DIAG_ERROR;
	return 0;
}

void results_release(struct results *r)
{
	for (size_t i = 0; i < r->list.len; i++) {
		json_decref(r->list.data[i].root);
		xfree(r->list.data[i].path);
	}
	for (size_t i = 0; i < r->names.len; i++)
		xfree(r->names.data[i]);
	vec_release(&r->list);
	vec_release(&r->names);
	first_of_release(&r->subjects);
}

static json_t *walk(json_t *object, const char *path)
{
	while (object && *path) {
		size_t length = strcspn(path, ".");
		char *key = xmalloc(length + 1);

		memcpy(key, path, length);
		key[length] = '\0';
		object = json_object_get(object, key);
		xfree(key);
		path += length + (path[length] == '.');
	}
	return object;
}

json_t *result_value(json_t *object, const char *path)
{
	json_t *value = walk(object, path);

	return value ? value : walk(json_object_get(object, "config"), path);
}

char *result_text(const json_t *value)
{
	struct strbuf text = STRBUF_INIT;

	if (json_is_string(value))
		strbuf_adds(&text, json_string_value(value));
	else if (json_is_integer(value))
		strbuf_addf(&text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		strbuf_addf(&text, "%.10g", json_real_value(value));
	else if (json_is_boolean(value))
		strbuf_adds(&text, json_is_true(value) ? "true" : "false");
	else
		return NULL;
	return strbuf_detach(&text);
}

/* --- Keys that differ --- */

json_t *result_name(const struct result *result, const char *name)
{
	json_t *value = walk(json_object_get(result->root, "config"), name);

	return value && !json_is_object(value) ? value : walk(result->root, name);
}

static bool is_same(const struct result *a, const struct result *b, const char *path)
{
	const json_t *x = result_name(a, path), *y = result_name(b, path);

	return x == y || (x && y && json_equal(x, y));
}

double result_clock(const struct result *result)
{
	return json_number_value(walk(json_object_get(result->root, "config"), clock_key));
}

bool result_is_cut(const struct result *result)
{
	return json_is_false(json_object_get(result->root, "complete"));
}

static bool have_same(const struct results *r, const char *path)
{
	for (size_t i = 1; i < r->list.len; i++)
		if (!is_same(&r->list.data[0], &r->list.data[i], path))
			return false;
	return true;
}

bool results_differ_in_clock(const struct results *r)
{
	for (size_t i = 1; i < r->list.len; i++)
		if (result_clock(&r->list.data[i]) != result_clock(&r->list.data[0]))
			return true;
	return false;
}

/* For each result the first of the same GPU and policies; malloc'ed. */
static size_t *first_alike(const struct results *r)
{
	struct first_of firsts = FIRST_OF_INIT;
	size_t *first = xcalloc(r->list.len + 1, sizeof *first);

	for (size_t i = 0; i < r->list.len; i++) {
		char *key = key_of(&r->list.data[i], fixed_names, FIXED_NAMES);

		first[i] = first_of(&firsts, key, i);
		xfree(key);
	}
	first_of_release(&firsts);
	return first;
}

/* Whether two results of the same GPU and policies differ in it. */
static bool tells_apart(const struct results *r, const size_t *first, const char *path)
{
	for (size_t i = 1; i < r->list.len; i++)
		if (!is_same(&r->list.data[first[i]], &r->list.data[i], path))
			return true;
	return false;
}

static bool has_name(const struct results *r, const char *name)
{
	for (size_t i = 0; i < r->names.len; i++)
		if (strcmp(r->names.data[i], name) == 0)
			return true;
	return false;
}

/* Each key is compared once, whichever result has it first. */
static void add_keys(struct results *r, json_t *config, const size_t *first, struct first_of *seen, size_t number)
{
	const char *section, *key;
	json_t *keys, *value;

	json_object_foreach(config, section, keys) json_object_foreach(keys, key, value)
	{
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s.%s", section, key);
		if (first_of(seen, path.data, number) == number && tells_apart(r, first, path.data) &&
		    !has_name(r, path.data))
			vec_push(&r->names, strbuf_detach(&path));
		else
			strbuf_release(&path);
	}
}

static void add_all_keys(struct results *r)
{
	struct first_of seen = FIRST_OF_INIT;
	size_t *first = first_alike(r);

	for (size_t i = 0; i < r->list.len; i++)
		add_keys(r, json_object_get(r->list.data[i].root, "config"), first, &seen, i);
	first_of_release(&seen);
	xfree(first);
}

static bool are_told_apart(const struct results *r)
{
	struct first_of names = FIRST_OF_INIT;
	bool apart = true;

	for (size_t i = 0; apart && i < r->list.len; i++) {
		char *key = key_of(&r->list.data[i], (const char *const *)r->names.data, r->names.len);

		apart = first_of(&names, key, i) == i;
		xfree(key);
	}
	first_of_release(&names);
	return apart;
}

static bool has_sampled(const struct results *r)
{
	for (size_t i = 0; i < r->list.len; i++)
		if (r->list.data[i].sampled)
			return true;
	return false;
}

void results_names(struct results *r, bool sampled)
{
	for (size_t i = 0; i < SUBJECTS; i++)
		if (!have_same(r, subjects[i]))
			vec_push(&r->names, xstrdup(subjects[i]));
	for (size_t i = 0; i < FIXED_NAMES; i++)
		vec_push(&r->names, xstrdup(fixed_names[i]));
	if (results_differ_in_clock(r))
		vec_push(&r->names, xstrdup(clock_key));
	add_all_keys(r);
	if (sampled && has_sampled(r))
		vec_push(&r->names, xstrdup("sampled"));
	if (!are_told_apart(r))
		vec_push(&r->names, xstrdup("file"));
}
