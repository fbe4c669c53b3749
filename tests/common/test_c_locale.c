/* Numbers are read and written with a point in a process whose locale has a comma. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/arena.h"
#include "common/ascii.h"
#include "common/c_locale.h"
#include "common/diag.h"
#include "common/strbuf.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* A German locale in a folder of its own, for the system need not have one. */
static int make_locale(void **state)
{
	static char folder[] = "/tmp/romark-test-XXXXXX";
	char command[256];

	*state = mkdtemp(folder);
	snprintf(command, sizeof command, "localedef -i de_DE -f ISO-8859-1 %s/de_DE >/dev/null 2>&1", folder);
	if (system(command) != 0)
		printf("no German locale: localedef or its sources are not installed\n");
	setenv("LOCPATH", folder, 1);
	setlocale(LC_ALL, "de_DE");
	return 0;
}

static int remove_locale(void **state)
{
	char command[256];

	setlocale(LC_ALL, "C");
	snprintf(command, sizeof command, "rm -rf %s", (const char *)*state);
	return system(command);
}

static bool has_comma(void)
{
	return strcmp(localeconv()->decimal_point, ",") == 0;
}

static void test_numbers(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct arena arena = ARENA_INIT;
	struct diag d = DIAG_INIT;
	char few[32], *end;

	(void)state;
	if (!has_comma())
		skip();
	assert_true(strtod("1.5", NULL) == 1); /* the locale is in force */
	assert_true(c_strtod("1.5,", &end) == 1.5);
	assert_string_equal(end, ",");
	c_snprintf(few, sizeof few, "%.3f", 1.5);
	assert_string_equal(few, "1.500");
	strbuf_addf(&text, "%g %.6f", 2.25, 1e3);
	assert_string_equal(text.data, "2.25 1000.000000");
	assert_string_equal(arena_printf(&arena, "%e", 0.5), "5.000000e-01");
	diag_file(&d, NULL, "%g is too much", 0.25);
	assert_string_equal(d.message, "0.25 is too much");
	assert_true(has_comma());
	strbuf_release(&text);
	arena_release(&arena);
}

/* In Latin-1 the character E4 is a letter, by the locale; a name in PTX or in a study has none such. */
static void test_letters(void **state)
{
	(void)state;
	assert_false(ascii_is_alpha('\xe4'));
	assert_false(ascii_is_alnum('\xdf'));
	assert_false(ascii_is_space('\xa0'));
	assert_true(ascii_is_space('\v'));
	assert_int_equal(ascii_to_upper('\xe4'), '\xe4');
	assert_true(ascii_is_same("KiB", "kib"));
	assert_false(ascii_is_same("KiB", "ki"));
	for (int c = 0; c < 128; c++) {
		assert_int_equal(ascii_is_alpha((char)c), (c >= 65 && c <= 90) || (c >= 97 && c <= 122));
		assert_int_equal(ascii_is_digit((char)c), c >= 48 && c <= 57);
	}
}

static void test_patterns(void **state)
{
	regex_t regex;

	(void)state;
	assert_int_equal(c_regcomp(&regex, "^[[:alpha:]]+$", REG_EXTENDED | REG_NOSUB), 0);
	assert_int_equal(regexec(&regex, "Kern", 0, NULL, 0), 0);
	assert_int_equal(regexec(&regex, "K\xe4rn", 0, NULL, 0), REG_NOMATCH);
	regfree(&regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_letters),
	    cmocka_unit_test(test_patterns),
	};

	return cmocka_run_group_tests(tests, make_locale, remove_locale);
}
