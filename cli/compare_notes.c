/*
 * Results do not name their trace, which may have been made anew for the same program. So two results count as the same
 * program's if they have the same kernels, with equally many CTAs and instructions.
 */
#include "cli/compare_notes.h"

#include <inttypes.h>

enum { MOST_TOLD = 5 };

/* --- Differences in what was executed --- */

/* The numbers that tell programs and inputs apart. Numbers that a sample only estimates are not compared. */
static const struct count {
	const char *path, *words;
	bool estimated;
} counts[] = {
    {"sm.ctas", "CTAs", false},
    {"warp_instructions", "warp instructions", true},
    {"thread_instructions", "thread instructions", true},
};

static json_int_t count_of(const struct result *result, const struct count *count)
{
	const json_t *sampled = json_object_get(json_object_get(result->root, "sampling"), "ctas");

	if (!count->estimated && sampled)
		return json_integer_value(sampled);
	if (count->estimated && result->sampled)
		return 0;
	return json_integer_value(result_value(result->root, count->path));
}

/* Names of kernels, as keys; those without a structure are missing. */
static json_t *kernels_of(const struct result *result)
{
	json_t *names = json_object(), *structure;
	size_t i;

	json_array_foreach(json_object_get(result->root, "structures"), i, structure)
	{
		const char *name = json_string_value(json_object_get(structure, "kernel"));

		if (name && *name)
			json_object_set_new(names, name, json_true());
	}
	return names;
}

static bool have_same_kernels(const struct result *a, const struct result *b)
{
	json_t *x = kernels_of(a), *y = kernels_of(b);
	bool same = json_object_size(x) == 0 || json_object_size(y) == 0 || json_equal(x, y);

	json_decref(x);
	json_decref(y);
	return same;
}

/* Why the two are not of the same program and input; false: nothing tells them apart. */
static bool find_difference(const struct result *a, const struct result *b, char *text, size_t size)
{
	snprintf(text, size, "kernels of different names");
	if (!have_same_kernels(a, b))
		return true;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		json_int_t x = count_of(a, &counts[i]), y = count_of(b, &counts[i]);

		snprintf(text, size, "%" JSON_INTEGER_FORMAT " and %" JSON_INTEGER_FORMAT " %s", x, y, counts[i].words);
		if (x && y && x != y)
			return true;
	}
	return false;
}

/* The result that the speedup is relative to. */
static const struct result *base_of(const struct results *r, const struct result *result)
{
	return &r->list.data[result->base];
}

static void note_programs(const struct results *r, FILE *out, const char *prefix)
{
	const struct result *first = NULL;
	char found[160], text[160];
	size_t more = 0;

	for (size_t i = 0; i < r->list.len; i++) {
		const struct result *own = &r->list.data[i], *base = base_of(r, own);

		if (result_is_cut(own) || result_is_cut(base) || !find_difference(base, own, text, sizeof text))
			continue;
		if (first)
			more++;
		else
			snprintf(found, sizeof found, "%s", text);
		first = first ? first : own;
	}
	if (!first)
		return;
	fprintf(out, "%sspeedups compare different programs or inputs: %s and %s have %s", prefix,
		base_of(r, first)->path, first->path, found);
	if (more)
		fprintf(out, ", and so for %zu more", more);
	fputc('\n', out);
}

/* --- What the marks rest on --- */

static const char *marks_of(const struct result *result)
{
	return json_string_value(json_object_get(result->root, "marks"));
}

/* The first result whose marks are of another kind than those that its speedup is over. */
static void note_marks(const struct results *r, FILE *out, const char *prefix)
{
	for (size_t i = 0; i < r->list.len; i++) {
		const struct result *own = &r->list.data[i], *base = base_of(r, own);
		const char *a = marks_of(base), *b = marks_of(own);

		if (!a || !b || strcmp(a, b) == 0)
			continue;
		fprintf(out, "%smarks of different kinds are compared: those of %s are %s, those of %s %s\n", prefix,
			base->path, a, own->path, b);
		return;
	}
}

/* --- All notes --- */

static void note_cuts(const struct results *r, bool speedups, FILE *out, const char *prefix)
{
	size_t told = 0;

	for (size_t i = 0; i < r->list.len; i++)
		if (result_is_cut(&r->list.data[i]) && told++ < MOST_TOLD)
			fprintf(out, "%s%s was not simulated to the end; its cycles are those until then%s\n", prefix,
				r->list.data[i].path, speedups ? ", and its speedup is none" : "");
	if (told > MOST_TOLD)
		fprintf(out, "%sand so for %zu more\n", prefix, told - MOST_TOLD);
}

void compare_notes(const struct results *r, bool speedups, FILE *out, const char *prefix)
{
	if (speedups && results_differ_in_clock(r))
		fprintf(out, "%sclocks differ, so speedups are in time: cycles / gpu.clock_mhz\n", prefix);
	if (speedups)
		note_programs(r, out, prefix);
	note_marks(r, out, prefix);
	note_cuts(r, speedups, out, prefix);
}

void compare_note_estimates(const struct results *r, FILE *out)
{
	size_t told = 0;

	for (size_t i = 0; i < r->list.len; i++) {
		const json_t *sampling = json_object_get(r->list.data[i].root, "sampling");
		double high = json_number_value(json_object_get(sampling, "cycles_high"));

		if (!r->list.data[i].sampled || told++ >= MOST_TOLD)
			continue;
		fprintf(out, "~ %s is an estimate (%s)", r->list.data[i].path, r->list.data[i].sampled);
		if (high > 0)
			fprintf(out, ": by its spread %.0f to %.0f cycles, with %.0f %% confidence\n",
				json_number_value(json_object_get(sampling, "cycles_low")), high,
				100 * json_number_value(json_object_get(sampling, "confidence")));
		else
			fprintf(out, "; how far off it may be is not known\n");
	}
	if (told > MOST_TOLD)
		fprintf(out, "~ and so are %zu more\n", told - MOST_TOLD);
}
