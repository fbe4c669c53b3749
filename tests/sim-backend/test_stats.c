/* Counters and what is derived from them: formulas, the JSON writer, and that each kernel's counts add up to the run's.
 */
#include "tests/sim-backend/program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct sample {
	uint64_t a, b, none;
	double half;
};

static const struct stat_row sample_rows[] = {
    STAT_COUNT(struct sample, a, "", "a"),
    STAT_COUNT(struct sample, b, "", "b"),
    STAT_COUNT(struct sample, none, "", "0"),
    STAT_REAL(struct sample, half, "", "0.5"),
    STAT_END,
};

static void test_formulas_are_computed_as_they_are_written(void **state)
{
	static const struct {
		const char *text;
		double value; /* -1: no formula */
	} cases[] = {
	    {"x.a", 6},
	    {"x.a + x.b * 2", 14},
	    {"(x.a + x.b) * 2", 20},
	    {"x.a - x.b - 1", 1},
	    {"x.a / x.b / 3", 0.5},
	    {"x.a / (x.none * 5)", 0},
	    {" x.half*0.5 ", 0.25},
	    {"x.unknown", -1},
	    {"y.a", -1},
	    {"x", -1},
	    {"(x.a", -1},
	    {"x.a x.b", -1},
	    {"", -1},
	};
	const struct sample values = {6, 4, 0, 0.5};
	const struct stat_view views[] = {{"x", sample_rows, &values}, {NULL, NULL, NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double value;
		bool right = formula_compute(cases[i].text, views, &value);

		if (right != (cases[i].value >= 0) || (right && value != cases[i].value))
			fail_msg("'%s' gives %g", cases[i].text, value);
	}
}

/* Every counter in `romark stats` can be computed, has an explanation, and no other has its name. */
static void test_every_counter_is_explained_once(void **state)
{
	static const struct counters zero;
	struct stat_view views[MAX_STAT_VIEWS];
	struct stat_listing l, other;
	double value;

	(void)state;
	counters_views(&zero, views);
	for (size_t i = 0; stat_listing_at(i, &l); i++) {
		assert_true(strlen(l.help) > 0);
		for (size_t k = 0; k < i && stat_listing_at(k, &other); k++)
			assert_string_not_equal(l.section, other.section);
		for (const struct stat_row *row = l.rows; row->name; row++) {
			assert_true(strlen(row->help) > 0);
			assert_non_null(row->unit);
			for (const struct stat_row *before = l.rows; before < row; before++)
				assert_string_not_equal(row->name, before->name);
		}
		for (const struct stat_formula *f = l.derived; f && f->name; f++) {
			if (!formula_compute(f->text, views, &value))
				fail_msg("%s.%s = %s", l.section, f->name, f->text);
			for (const struct stat_row *row = l.rows; row->name; row++)
				assert_string_not_equal(row->name, f->name);
		}
	}
}

/* Each number of struct counters has one row. A field without one would be missing in the results. */
static void test_every_field_has_a_row(void **state)
{
	static bool has_row[sizeof(struct counters) / sizeof(uint64_t)];

	(void)state;
	for (const struct stat_section *s = counter_sections; s->rows; s++)
		for (const struct stat_row *row = s->rows; row->name; row++) {
			size_t place = (s->offset + row->offset) / sizeof(uint64_t);

			if (has_row[place])
				fail_msg("%s.%s is another row's field", s->name, row->name);
			has_row[place] = true;
		}
	for (size_t i = 0; i < sizeof has_row / sizeof *has_row; i++)
		if (!has_row[i])
			fail_msg("byte %zu of struct counters has no row", i * sizeof(uint64_t));
}

static void test_present_values_are_no_sums(void **state)
{
	static const struct stat_row rows[] = {STAT_COUNT(struct sample, a, "", ""),
					       STAT_LEVEL(struct sample, b, "", ""), STAT_END};
	struct sample now = {10, 10, 0, 0}, before = {3, 30, 0, 0};

	(void)state;
	stats_subtract(rows, &now, &before);
	assert_int_equal(now.a, 7);
	assert_int_equal(now.b, 10);
	stats_add(rows, &now, &before);
	assert_int_equal(now.a, 10);
	assert_int_equal(now.b, 30);
}

static void test_any_text_becomes_valid_json(void **state)
{
	static const char text[] = "a\"b\\c\n\x01 \xc3\xa4 \xff \xe2\x82";
	char *document;
	size_t size;
	FILE *stream = open_memstream(&document, &size);
	struct json_out o = json_out_begin(stream);
	json_t *root;

	(void)state;
	out_open(&o, NULL, '{');
	out_text(&o, "text", text);
	out_open_flat(&o, "flat", '[');
	out_real(&o, NULL, 1);
	out_real(&o, NULL, 1e300 * 1e300);
	out_open(&o, NULL, '{');
	out_close(&o, '}');
	out_close(&o, ']');
	out_open(&o, "list", '[');
	out_close(&o, ']');
	out_bool(&o, "last", true);
	out_close(&o, '}');
	fclose(stream);
	root = json_loads(document, 0, NULL);
	assert_non_null(root);
	assert_memory_equal(json_string_value(json_object_get(root, "text")), "a\"b\\c\n\x01 \xc3\xa4 ", 10);
	assert_true(json_is_real(json_array_get(json_object_get(root, "flat"), 0)));
	assert_int_equal(json_array_size(json_object_get(root, "flat")), 3);
	json_decref(root);
	free(document);
}

/* --- Each kernel's part of the document --- */

static json_t *document_of_three_launches(void)
{
	static struct program p;
	struct sim_config *c = sim_config_create();
	struct sim_options options = {.detail = true, .report = stderr};
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	unsigned load, store;
	char *text;
	size_t size;
	json_t *root;

	assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
	assert_int_equal(sim_config_policies(c, "selrep", "srrip", &d), 0);
	assert_int_equal(sim_config_set(c, "selrep.epoch_cycles=100", &d), 0);
	assert_int_equal(sim_config_check(c, &d), 0);
	program_begin(&p, 64, 2);
	p.launches = 3;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	for (unsigned i = 0; i < 20; i++)
		program_emit(&p, load, 0x1000 + i * 128, 4)->per_warp = 4096;
	program_emit(&p, store, 0x80000, 4)->per_cta = 128;
	options.json = open_memstream(&text, &size);
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	fclose(options.json);
	sim_result_free(r);
	sim_config_free(c);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	free(text);
	return root;
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key)); /* 0 when it was left out */
}

static json_int_t total(const json_t *list)
{
	json_int_t sum = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		sum += json_integer_value(json_array_get(list, i));
	return sum;
}

/* The counts of all kernels, with a row of zeros for each that was left out, add up to the run's. */
static void test_kernels_add_up_to_the_run(void **state)
{
	json_t *root = document_of_three_launches(), *kernels = json_object_get(root, "kernels");

	(void)state;
	assert_int_equal(json_array_size(kernels), 3);
	for (const struct stat_section *s = counter_sections + 1; s->rows; s++)
		for (const struct stat_row *row = s->rows; row->name; row++) {
			json_int_t sum = 0;

			for (size_t i = 0; i < 3; i++)
				sum += number(json_object_get(json_array_get(kernels, i), s->name), row->name);
			if (!(row->flags & STAT_IS_LEVEL))
				assert_int_equal(sum, number(json_object_get(root, s->name), row->name));
		}
	json_decref(root);
}

static void test_the_parts_of_a_kernel_agree(void **state)
{
	json_t *root = document_of_three_launches(), *kernels = json_object_get(root, "kernels");
	json_int_t epochs = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		json_t *k = json_array_get(kernels, i), *llc = json_object_get(k, "llc"),
		       *dram = json_object_get(k, "dram"), *slices = json_object_get(k, "slices"),
		       *s = json_array_get(json_object_get(k, "structures"), 0);

		assert_int_equal(json_array_size(json_object_get(k, "structures")), 1);
		assert_int_equal(number(s, "llc_accesses"), number(llc, "accesses"));
		assert_int_equal(number(s, "llc_hits"), number(llc, "hits"));
		assert_int_equal(number(s, "l1_accesses"), number(json_object_get(k, "l1"), "accesses"));
		assert_int_equal(json_array_size(json_object_get(slices, "accesses")), 64);
		assert_int_equal(total(json_object_get(slices, "accesses")), number(llc, "accesses"));
		assert_int_equal(total(json_object_get(json_object_get(k, "channels"), "reads")),
				 number(dram, "reads"));
		assert_int_equal(total(json_object_get(json_object_get(k, "banks"), "reads")), number(dram, "reads"));
		assert_true(json_real_value(json_object_get(json_object_get(k, "energy"), "total_j")) > 0);
		epochs += number(json_object_get(json_object_get(k, "policy_stats"), "selrep"), "epochs");
	}
	assert_true(epochs > 3);
	assert_int_equal(epochs, number(json_object_get(json_object_get(root, "policy_stats"), "selrep"), "epochs"));
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_formulas_are_computed_as_they_are_written),
	    cmocka_unit_test(test_every_counter_is_explained_once),
	    cmocka_unit_test(test_every_field_has_a_row),
	    cmocka_unit_test(test_present_values_are_no_sums),
	    cmocka_unit_test(test_any_text_becomes_valid_json),
	    cmocka_unit_test(test_kernels_add_up_to_the_run),
	    cmocka_unit_test(test_the_parts_of_a_kernel_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
