/* Suggestions for a wrong word. */
#include "common/guess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct guess guessed;

static const char *guess_of(const char *word, const char *const *names, size_t count)
{
	guessed = guess_start(word, strlen(word));
	for (size_t i = 0; i < count; i++)
		guess_try(&guessed, names[i]);
	return guessed.best;
}

static const char *guess(const char *word)
{
	static const char *const names[] = {"cc", "run", "trace", "ptx", "policies", "compare", "sim"};

	return guess_of(word, names, sizeof names / sizeof *names);
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

static void test_words_with_little_in_common_are_not_guessed(void **state)
{
	static const char *const names[] = {"shared", "lru", "nc", "keep", "gcache"};
	static const char *const words[] = {"typo", "sand", "ro", "x", "harsh", "keys", "lip", "cash"};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		assert_string_equal(guess_of(words[i], names, sizeof names / sizeof *names), "");
	assert_string_equal(guess_of("shred", names, sizeof names / sizeof *names), "shared");
	assert_string_equal(guess_of("sahrde", names, sizeof names / sizeof *names), "shared");
	assert_string_equal(guess_of("kep", names, sizeof names / sizeof *names), "keep");
}

static void test_the_nearest_is_guessed(void **state)
{
	static const char *const names[] = {"private", "primate", "pirate"};

	(void)state;
	assert_string_equal(guess_of("pirvate", names, 3), "private");
	assert_string_equal(guess_of("primat", names, 3), "primate");
	assert_string_equal(guess_of("irate", names, 3), "pirate");
}

/* A name's section may be left out, but does not make two names alike. */
static void test_the_part_behind_the_dot_counts(void **state)
{
	static const char *const names[] = {"llc.miss_rate", "cycles"};

	(void)state;
	assert_string_equal(guess_of("mis_rate", names, 2), "llc.miss_rate");
	assert_string_equal(guess_of("llc.mis_rate", names, 2), "llc.miss_rate");
	assert_string_equal(guess_of("llc.cycle", names, 2), "");
}

static void test_hints(void **state)
{
	static const char *const names[] = {"a1", "b1", "c1", "c1", "d1", "e1", "f1", "g1", "h1", "i1"};
	char longer[64] = "";

	(void)state;
	guess("smi");
	assert_string_equal(guess_hint(&guessed).text, "; did you mean 'sim'?");
	guess("quickstart");
	assert_string_equal(guess_hint(&guessed).text, "; there are cc, run, trace, ptx, policies, compare and sim");
	guess_of("quickstart", names, 1);
	assert_string_equal(guess_hint(&guessed).text, "; there is a1");
	guess_of("quickstart", names, 2);
	assert_string_equal(guess_hint(&guessed).text, "; there are a1 and b1");
	guess_of("quickstart", names, 4);
	assert_string_equal(guess_hint(&guessed).text, "; there are a1, b1 and c1");
	guess_of("quickstart", names, 10);
	assert_string_equal(guess_hint(&guessed).text, "");
	guess_of("quickstart", names, 0);
	assert_string_equal(guess_hint(&guessed).text, "");
	guessed = guess_start("quickstart", strlen("quickstart"));
	for (unsigned i = 0; i < 4; i++) {
		memset(longer, 'a' + (int)i, sizeof longer - 1);
		guess_try(&guessed, longer);
	}
	assert_string_equal(guess_hint(&guessed).text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_letter_is_forgiven),
	    cmocka_unit_test(test_long_words_may_have_more),
	    cmocka_unit_test(test_other_words_are_not_guessed),
	    cmocka_unit_test(test_words_with_little_in_common_are_not_guessed),
	    cmocka_unit_test(test_the_nearest_is_guessed),
	    cmocka_unit_test(test_the_part_behind_the_dot_counts),
	    cmocka_unit_test(test_hints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
