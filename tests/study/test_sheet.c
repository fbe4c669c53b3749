/* One table in each format, letter by letter. */
#include "study/report/sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void prints(const struct sheet *t, enum sheet_format format, const char *expected)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	sheet_print(t, format, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void test_each_format_is_as_its_readers_take_it(void **state)
{
	struct sheet t = SHEET_INIT;

	(void)state;
	sheet_column(&t, "name", SHEET_TEXT);
	sheet_column(&t, "n", SHEET_NUMBER);
	sheet_column(&t, "", SHEET_TEXT);
	sheet_add(&t, "a, \"b\"|<i>");
	sheet_add_number(&t, 1234);
	sheet_add(&t, NULL);
	sheet_add(&t, "\303\274\n");
	sheet_add_number(&t, NAN);
	sheet_add(&t, "x");
	assert_int_equal(sheet_rows(&t), 2);
	prints(&t, SHEET_AS_CSV, "name,n,\n\"a, \"\"b\"\"|<i>\",1234,\n\"\303\274\n\",,x\n");
	prints(&t, SHEET_AS_JSON,
	       "[\n {\"name\": \"a, \\\"b\\\"|<i>\", \"n\": 1234, \"\": null},\n"
	       " {\"name\": \"\303\274\\u000a\", \"n\": null, \"\": \"x\"}\n]\n");
	prints(&t, SHEET_AS_MARKDOWN,
	       "| name | n |  |\n|---|---:|---|\n| a, \"b\"\\|\\<i> | 1234 |  |\n| \303\274  |  | x |\n");
	sheet_release(&t);
}

static void test_columns_are_aligned_by_characters(void **state)
{
	struct sheet t = SHEET_INIT;

	(void)state;
	sheet_column(&t, "name", SHEET_TEXT);
	sheet_column(&t, "n", SHEET_NUMBER);
	sheet_add(&t, "\303\274");
	sheet_add_number(&t, 0.1);
	sheet_add(&t, NULL);
	sheet_add_number(&t, 12);
	prints(&t, SHEET_AS_TEXT, "name    n\n\303\274     0.1\n-      12\n");
	sheet_release(&t);
}

static void test_numbers_are_the_same_when_they_are_read(void **state)
{
	static const double numbers[] = {1.0 / 3, 1e-300, 123456789012.0, 0.1 + 0.2, -0.0};
	struct sheet t = SHEET_INIT;

	(void)state;
	sheet_column(&t, "n", SHEET_NUMBER);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sheet_add_number(&t, numbers[i]);
		assert_true(strtod(sheet_cell(&t, i, 0), NULL) == numbers[i]);
	}
	assert_string_equal(sheet_cell(&t, 2, 0), "123456789012");
	sheet_release(&t);
}

/* Texts that a spreadsheet would compute stay texts; numbers stay numbers. */
static void test_no_text_is_a_formula(void **state)
{
	static const char *const texts[] = {"=1+1", "+1", "-O3", "@SUM(A1)", "a=1", "\t=1", "=\"a\",b", "'q'"};
	struct sheet t = SHEET_INIT;

	(void)state;
	sheet_column(&t, "=name", SHEET_TEXT);
	sheet_column(&t, "n", SHEET_NUMBER);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		sheet_add(&t, texts[i]);
		sheet_add_number(&t, -1.5);
	}
	prints(&t, SHEET_AS_CSV,
	       "'=name,n\n'=1+1,-1.5\n'+1,-1.5\n'-O3,-1.5\n'@SUM(A1),-1.5\na=1,-1.5\n'\t=1,-1.5\n"
	       "\"'=\"\"a\"\",b\",-1.5\n'q',-1.5\n");
	sheet_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_format_is_as_its_readers_take_it),
					   cmocka_unit_test(test_columns_are_aligned_by_characters),
					   cmocka_unit_test(test_numbers_are_the_same_when_they_are_read),
					   cmocka_unit_test(test_no_text_is_a_formula)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
