/* Names: each parses to itself, traces and verdicts agree, and help texts spell the words of the tables. */
#include "settings/settings.h"
#include "trace/trace.h"
#include "verdict/structure.h"
#include "verdict/level.h"

#include "common/file.h"
#include "common/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_each_list_ends(void **state)
{
	(void)state;
	assert_null(alias_level_names[ALIAS_LEVELS]);
	assert_null(load_mark_names[LOAD_MARKS]);
	assert_null(verdict_names[VERDICTS]);
}

/* A trace stores a verdict's number; the folder may not include this one, so its list is its own. */
static void test_traces_number_and_name_verdicts_alike(void **state)
{
	(void)state;
	assert_int_equal(TRACE_VERDICT_COUNT, VERDICTS);
	for (int v = 0; v < VERDICTS; v++)
		assert_string_equal(trace_verdict_name((enum trace_verdict)v), verdict_name((enum verdict)v));
	assert_int_equal(TRACE_UNUSED, VERDICT_UNUSED);
	assert_int_equal(TRACE_IS_READ_ONLY, VERDICT_READ_ONLY);
	assert_int_equal(TRACE_IS_WRITE_ONLY, VERDICT_WRITE_ONLY);
	assert_int_equal(TRACE_IS_READ_WRITE, VERDICT_READ_WRITE);
}

/* "guarded|strict|distinct" */
static void join(const char *const *names, struct strbuf *out)
{
	for (int i = 0; names[i]; i++)
		strbuf_addf(out, "%s%s", i ? "|" : "", names[i]);
}

static void test_traces_name_the_levels_alike(void **state)
{
	static const enum trace_marks marks[ALIAS_LEVELS] = {[ALIAS_GUARDED] = TRACE_MARKS_GUARDED,
							     [ALIAS_STRICT] = TRACE_MARKS_STRICT,
							     [ALIAS_DISTINCT] = TRACE_MARKS_DISTINCT};

	(void)state;
	for (int level = 0; level < ALIAS_LEVELS; level++)
		assert_string_equal(trace_marks_name(marks[level]), alias_level_names[level]);
	assert_string_equal(trace_marks_name(TRACE_MARKS_OBSERVED), OBSERVED_NAME);
}

/* Launches whose guards hold, and such that are checked because they do not, are of one level. */
static void test_a_trace_has_one_kind_of_marks(void **state)
{
	static const struct {
		enum trace_marks first, second;
		const char *together;
	} cases[] = {{TRACE_MARKS_GUARDED, TRACE_MARKS_GUARDED, "guarded"},
		     {TRACE_MARKS_GUARDED, TRACE_MARKS_CHECKED, "checked"},
		     {TRACE_MARKS_CHECKED, TRACE_MARKS_GUARDED, "checked"},
		     {TRACE_MARKS_CHECKED, TRACE_MARKS_OBSERVED, "mixed"},
		     {TRACE_MARKS_STRICT, TRACE_MARKS_GUARDED, "mixed"}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *known = NULL;

		trace_marks_add(&known, cases[i].first);
		trace_marks_add(&known, cases[i].second);
		assert_string_equal(known, cases[i].together);
	}
}

/* A choice is a number, and the order of the choices is what gives it: it has to be the enum's. */
static void test_choices_have_the_order_of_the_enums(void **state)
{
	struct strbuf levels = STRBUF_INIT, marks = STRBUF_INIT;

	(void)state;
	join(alias_level_names, &levels);
	join(load_mark_names, &marks);
	assert_string_equal(levels.data, ALIAS_LEVEL_CHOICES);
	assert_string_equal(marks.data, LOAD_MARK_CHOICES);
	strbuf_adds(&levels, "|" OBSERVED_NAME);
	assert_string_equal(levels.data, setting_rows[SETTING_ID_alias].values);
	assert_string_equal(marks.data, setting_rows[SETTING_ID_load].values);
	strbuf_release(&levels);
	strbuf_release(&marks);
}

static void test_structures_are_named_by_what_leads_to_them(void **state)
{
	struct arena arena = ARENA_INIT;

	(void)state;
	assert_string_equal(structure_id_of_param(&arena, 2), "p2");
	assert_string_equal(structure_id_of_field(&arena, 2, 8), "p2+8");
	assert_string_equal(structure_id_of_any_field(&arena, 2), "p2+*");
	assert_string_equal(structure_id_of_pointee(&arena, structure_id_of_param(&arena, 0)), "*p0");
	arena_release(&arena);
}

static void test_verdicts_of_accesses(void **state)
{
	(void)state;
	assert_int_equal(verdict_of_accesses(false, false), VERDICT_UNUSED);
	assert_int_equal(verdict_of_accesses(true, false), VERDICT_READ_ONLY);
	assert_int_equal(verdict_of_accesses(false, true), VERDICT_WRITE_ONLY);
	assert_int_equal(verdict_of_accesses(true, true), VERDICT_READ_WRITE);
}

static void test_sharing_classes(void **state)
{
	const unsigned tid = DEPENDS_TID_X, x = DEPENDS_CTAID_X, y = DEPENDS_CTAID_Y;

	(void)state;
	assert_int_equal(sharing_class(0, x | tid), SHARING_GRID);
	assert_int_equal(sharing_class(x | tid, x | tid), SHARING_THREAD);
	assert_int_equal(sharing_class(x, x | tid), SHARING_CTA);
	/* c = a * b: the rows of a depend on ctaid.y alone, so that all CTAs of a row of the grid share them. */
	assert_int_equal(sharing_class(y | tid, x | y | tid), SHARING_GRID);
	assert_int_equal(sharing_class(x | tid | DEPENDS_MEMORY, x | tid), SHARING_INDIRECT);
	/* No CTA index at all: one CTA. */
	assert_int_equal(sharing_class(tid, tid), SHARING_THREAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_list_ends),
	    cmocka_unit_test(test_traces_number_and_name_verdicts_alike),
	    cmocka_unit_test(test_traces_name_the_levels_alike),
	    cmocka_unit_test(test_a_trace_has_one_kind_of_marks),
	    cmocka_unit_test(test_choices_have_the_order_of_the_enums),
	    cmocka_unit_test(test_structures_are_named_by_what_leads_to_them),
	    cmocka_unit_test(test_verdicts_of_accesses),
	    cmocka_unit_test(test_sharing_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
