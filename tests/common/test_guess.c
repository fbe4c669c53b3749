/* What a wrong word may have been meant as. */
#include "common/guess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *guess(const char *word)
{
	static const char *const names[] = {"cc", "run", "trace", "ptx", "policies", "compare", "sim"};
	struct guess g = guess_start(word, strlen(word));

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		guess_try(&g, names[i]);
	return g.best ? g.best : "";
}

static void test_one_letter_is_forgiven(void **state)
{
	(void)state;
	assert_string_equal(guess("smi"), "sim");
	assert_string_equal(guess("simm"), "sim");
	assert_string_equal(guess("rn"), "run");
	assert_string_equal(guess("px"), "ptx");
	assert_string_equal(guess("trcae"), "trace");
}

static void test_long_words_may_have_more(void **state)
{
	(void)state;
	assert_string_equal(guess("polices"), "policies");
	assert_string_equal(guess("comparse"), "compare");
}

static void test_other_words_are_not_guessed(void **state)
{
	char endless[200];

	(void)state;
	memset(endless, 's', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	assert_string_equal(guess("quickstart"), "");
	assert_string_equal(guess("x"), "");
	assert_string_equal(guess(""), "");
	assert_string_equal(guess(endless), "");
}

static void test_the_nearest_is_always_one(void **state)
{
	struct guess g = guess_nearest("private");

	(void)state;
	guess_try(&g, "shared");
	assert_string_equal(g.best, "shared");
	guess_try(&g, "pritave");
	assert_string_equal(g.best, "pritave");
	guess_try(&g, "selrep");
	assert_string_equal(g.best, "pritave");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_letter_is_forgiven),
	    cmocka_unit_test(test_long_words_may_have_more),
	    cmocka_unit_test(test_other_words_are_not_guessed),
	    cmocka_unit_test(test_the_nearest_is_always_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
