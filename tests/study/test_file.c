/* Study files: what is read, and where a mistake is. */
#include "common/strbuf.h"
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char head[] = "study: s\n"
			   "traces: {t: t.romtrace}\n"
			   "policies: [shared, selrep]\n";

/* A mistake behind these three lines, and its place. */
static const struct {
	const char *text;
	unsigned line, column;
	const char *message;
} mistakes[] = {
    {"seedz: [1]\n", 4, 1, "did you mean 'seeds'?"},
    {"seeds: [1, x]\n", 4, 12, "a seed is a whole number"},
    {"seeds: [1, 1]\n", 4, 12, "is here again"},
    {"seeds: 1\nseeds: 2\n", 5, 1, "it is on line 4 already"},
    {"gpus: {a: {gpu: selrep64, sets: {}}}\n", 4, 27, "did you mean 'set'?"},
    {"variants: {a: {set: {ways: 8}}}\n", 4, 22, "section.key"},
    {"variants: {a: {set: {llc.ways: [8]}}}\n", 4, 32, "a single value"},
    {"baseline: {polcy: shared}\n", 4, 12, "did you mean 'policy'?"},
    {"baseline: {policy: share}\n", 4, 20, "did you mean 'shared'?"},
    {"groups: {g: {policy: [shared, sel]}}\n", 4, 31, "no policy 'sel'"},
    {"groups: {g: [shared]}\n", 4, 13, "values of one dimension"},
    {"where: policy = shred\n", 4, 17, "did you mean 'shared'?"},
    {"where: cycles > 3\n", 4, 8, "is not a dimension"},
    {"where: seed\n", 4, 8, "a condition is expected"},
    {"simulate: {kernels: '('}\n", 4, 22, "this is not a regular expression: "},
    {"simulate: {keep: [kernel]}\n", 4, 19, "did you mean 'kernels'?"},
    {"simulate: {max_cycles: -1}\n", 4, 24, "a whole number"},
    {"simulate: {sample: most}\n", 4, 20, "'most' is not a way of sampling"},
    {"values: {a: cycels * 2}\n", 4, 13, "did you mean 'cycles'?"},
    {"values: {a: policy_stats.structures.writes}\n", 4, 13, "no counter or value"},
    {"values: {a: 'cycles * (2 + 3'}\n", 4, 29, "')' is expected"},
    {"values:\n  a: b\n  b: 2 * a\n", 5, 6, "'b' needs itself"},
    {"values: {policy: cycles}\n", 4, 18, "is a dimension"},
    {"values: {a: geomeen(cycles)}\n", 4, 13, "did you mean 'geomean'?"},
    {"values: {a: mean(cycles over sed)}\n", 4, 30, "`over` goes through"},
    {"values: {a: {help: x}}\n", 4, 13, "`is: EXPRESSION` is missing"},
    {"figures: {f: {value: ipc, kind: bar}}\n", 4, 33, "did you mean 'bars'?"},
    {"figures: {f: {kind: bars}}\n", 4, 14, "`value: EXPRESSION` is missing"},
    {"figures: {f: {value: ipc, bars: polcy}}\n", 4, 33, "did you mean 'policy'?"},
    {"figures: {f: {value: ipc, mean: geomen}}\n", 4, 33, "did you mean 'geomean'?"},
    {"tables: {t: {value: ipc, format: '%s'}}\n", 4, 13, "is not for a number"},
    {"references: {r: {value: ipc, source: x}}\n", 4, 17, "are all needed"},
    {"figures: {f: {value: ipc, references: [r]}}\n", 4, 40, "no reference 'r'"},
    {"programs: {p: {}}\n", 4, 12, "needs `source`"},
    {"programs: {t: {source: x.cu}}\n", 4, 12, "is here again"},
    {"policies: &a [shared]\nseeds: *a\n", 4, 1, "it is on line 3 already"},
    {"seeds: *a\n", 4, 8, "aliases"},
    {"seeds: [1\n", 5, 1, ""},
};

static void test_a_mistake_has_its_line_and_column(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		char text[1024];
		struct diag d = DIAG_INIT;

		snprintf(text, sizeof text, "%s%s", head, mistakes[i].text);
		assert_null(study_parse(text, strlen(text), "s.yaml", &d));
		if (d.line != mistakes[i].line || d.column != mistakes[i].column ||
		    !strstr(d.message, mistakes[i].message))
			fail_msg("%s: at %u:%u, not %u:%u: %s", mistakes[i].text, d.line, d.column, mistakes[i].line,
				 mistakes[i].column, d.message);
	}
}

static void test_a_file_needs_a_name_and_something_to_simulate(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	assert_null(study_parse("seeds: [1]\n", 11, "s.yaml", &d));
	assert_non_null(strstr(d.message, "`study: NAME` is missing"));
	d = (struct diag)DIAG_INIT;
	assert_null(study_parse("study: s\n", 9, "s.yaml", &d));
	assert_non_null(strstr(d.message, "nothing to simulate"));
	d = (struct diag)DIAG_INIT;
	assert_null(study_parse("", 0, "s.yaml", &d));
	assert_non_null(strstr(d.message, "empty"));
}

static void test_what_is_left_out_has_one_value(void **state)
{
	static const char text[] = "study: s\ntraces: {t: sub/t.romtrace}\n";
	struct diag d = DIAG_INIT;
	struct study *s = study_parse(text, sizeof text - 1, "folder/s.yaml", &d);

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->gpus.len * s->variants.len * s->policies.len * s->seeds.len, 1);
	assert_string_equal(s->gpus.data[0].gpu.text, "selrep64");
	assert_null(s->policies.data[0].llc.text);
	assert_string_equal(s->seed_keys.data[0].text, "map.seed");
	assert_string_equal(study_path(s, s->programs.data[0].sizes.data[0].trace.text), "folder/sub/t.romtrace");
	study_free(s);
}

static void test_arguments_of_a_size_stand_behind_the_others(void **state)
{
	static const char text[] = "study: s\n"
				   "programs:\n"
				   "  p: {source: p.cu, arguments: [-x], sizes: {small: 1, large: [2, 3]}}\n";
	struct diag d = DIAG_INIT;
	struct study *s = study_parse(text, sizeof text - 1, "s.yaml", &d);
	const struct study_size *large;

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->programs.data[0].sizes.len, 2);
	large = &s->programs.data[0].sizes.data[1];
	assert_string_equal(large->name, "large");
	assert_int_equal(large->arguments.len, 3);
	assert_string_equal(large->arguments.data[0].text, "-x");
	assert_string_equal(large->arguments.data[2].text, "3");
	study_free(s);
}

static void test_the_example_is_read_whole(void **state)
{
	struct diag d = DIAG_INIT;
	struct study *s = study_load(STUDIES "/example.yaml", &d);

	(void)state;
	if (!s)
		fail_msg("%s:%u:%u: %s", d.file, d.line, d.column, d.message);
	assert_int_equal(s->programs.len, 3);
	assert_int_equal(s->policies.data[2].sets.len, 1);
	assert_string_equal(s->policies.data[2].sets.data[0].section, "selrep");
	assert_string_equal(s->policies.data[2].label, "SelRep");
	assert_string_equal(s->baseline.value[DIM_POLICY], "shared");
	assert_int_equal(s->figures.data[0].kind, FIGURE_BARS);
	assert_int_equal(s->figures.data[0].x.len, 2);
	assert_int_equal(s->references.len, 0);
	study_free(s);
}

/* As many keys as the table of keys takes only after it has grown several times; "b1" and "aR" have one hash. */
static void test_keys_of_a_mapping_are_unique(void **state)
{
	static const char *const again[] = {"k0", "k99", "b1", "aR", NULL};

	(void)state;
	for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
		struct strbuf text = STRBUF_INIT;
		struct diag d = DIAG_INIT;
		struct study *s;

		strbuf_addf(&text, "%svalues:\n  b1: 1\n  aR: 2\n", head);
		for (unsigned k = 0; k < 100; k++)
			strbuf_addf(&text, "  k%u: %u\n", k, k);
		if (again[i])
			strbuf_addf(&text, "  %s: 0\n", again[i]);
		s = study_parse(text.data, text.len, "s.yaml", &d);
		if (again[i]) {
			assert_null(s);
			assert_int_equal(d.line, 4 + 2 + 100 + 1);
			assert_non_null(strstr(d.message, again[i]));
		} else {
			assert_int_equal(s->values.len, 102);
		}
		study_free(s);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_keys_of_a_mapping_are_unique),
	    cmocka_unit_test(test_a_mistake_has_its_line_and_column),
	    cmocka_unit_test(test_a_file_needs_a_name_and_something_to_simulate),
	    cmocka_unit_test(test_what_is_left_out_has_one_value),
	    cmocka_unit_test(test_arguments_of_a_size_stand_behind_the_others),
	    cmocka_unit_test(test_the_example_is_read_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
