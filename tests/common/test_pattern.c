/* Users' patterns mean the same as in the C library, except for patterns that would exhaust it. */
#include "common/pattern.h"

#include "common/xalloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool is_taken(const char *text)
{
	struct diag why = DIAG_INIT;
	bool taken = pattern_check(text, &why) == 0;

	assert_int_equal(taken, why.message[0] == '\0');
	return taken;
}

/* `count` times `part`, malloc'ed. */
static char *times(const char *part, size_t count)
{
	size_t length = strlen(part);
	char *text = xmalloc(count * length + 1);

	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, part, length);
	text[count * length] = '\0';
	return text;
}

static void refused(char *text, const char *why)
{
	struct diag d = DIAG_INIT;

	assert_int_equal(pattern_check(text, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, why));
	xfree(text);
}

/* All texts of up to five of these characters, beside the C library's own verdict. */
static void test_short_patterns_are_the_c_librarys(void **state)
{
	static const char alphabet[] = "a()[]{2}*|\\^";
	const size_t letters = sizeof alphabet - 1;
	size_t taken = 0;

	(void)state;
	for (size_t number = 0; number < letters * letters * letters * letters * letters; number++) {
		char text[6] = "";
		regex_t regex;
		size_t rest = number;

		for (size_t i = 0; i < 5; i++, rest /= letters)
			text[i] = alphabet[rest % letters];
		if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) == 0) {
			regfree(&regex);
			assert_true(is_taken(text));
			taken++;
		} else {
			assert_false(is_taken(text));
		}
	}
	assert_true(taken > 10000);
}

static void test_usual_patterns(void **state)
{
	static const char *const fine[] = {"",
					   "^saxpy$",
					   "(conv|fc)[0-9]+(_bias)?",
					   "gemm.*<float, (16|32)>",
					   "[]a()]",
					   "[^]{9999]",
					   "[[:alpha:]{9999}]+",
					   "\\(\\{[(]{100}",
					   "(((((a{2}){2}){2}){2}){2})"};

	(void)state;
	for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
		assert_true(is_taken(fine[i]));
	assert_false(is_taken("("));
	assert_false(is_taken("[a"));
	assert_false(is_taken("a{2,1}"));
}

/* Each of these takes more than 8 MB of stack, or gigabytes, without a bound. */
static void test_bounds(void **state)
{
	(void)state;
	refused(times("(", 20000), "longer than 4096 bytes");
	refused(times("(", 4000), "more than 64 brackets in each other");
	refused(times("(a", 65), "more than 64 brackets in each other");
	refused(xstrdup("((((a{100}){100}){100}){100}){100}"), "more than 10000 characters");
	refused(xstrdup("a{10001}"), "more than 10000 characters");
	refused(xstrdup("(ab){3,9999}"), "more than 10000 characters");
	refused(xstrdup("([x]{200}y){1,99}"), "more than 10000 characters");
	refused(xstrdup("a{99}{99}{99}"), "more than 10000 characters");
	refused(xstrdup("a{99999999999999999999999}"), "more than 10000 characters");
	assert_true(is_taken("(a{99}){99}"));
}

/* Brackets that are side by side or in a list are not in each other. */
static void test_brackets_side_by_side(void **state)
{
	char *many = times("(a)", 1000), *listed = times("[(]", 1000);

	(void)state;
	assert_true(is_taken(many));
	assert_true(is_taken(listed));
	xfree(many);
	xfree(listed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_short_patterns_are_the_c_librarys),
	    cmocka_unit_test(test_usual_patterns),
	    cmocka_unit_test(test_bounds),
	    cmocka_unit_test(test_brackets_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
