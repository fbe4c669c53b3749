/* Values in and out of a struct through its rows. */
#include "sim-backend/knobs/knob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct sample {
	uint32_t ways, policy;
	double rate;
	bool fast;
};

static const struct knob knobs[] = {
    KNOB_UINT(struct sample, ways, "ways", 1, 64, 6, "associativity", "here"),
    KNOB_REAL(struct sample, rate, "GB/s", 0.5, 10, 2.5, "bandwidth", "here"),
    KNOB_BOOL(struct sample, fast, true, "or not", "here"),
    KNOB_CHOICE(struct sample, policy, "open|closed|half", 2, "pages", "here"),
    KNOB_END,
};

static void test_defaults_come_from_the_rows(void **state)
{
	struct sample s;
	char text[64];

	(void)state;
	memset(&s, 0xff, sizeof s);
	knob_defaults(knobs, &s);
	assert_int_equal(s.ways, 6);
	assert_true(s.rate == 2.5);
	assert_true(s.fast);
	assert_int_equal(s.policy, 2);
	for (const struct knob *knob = knobs; knob->name; knob++) {
		char initial[64];

		knob_format(knob, &s, text, sizeof text);
		knob_format_default(knob, initial, sizeof initial);
		assert_string_equal(text, initial);
	}
}

static void test_good_values_are_taken(void **state)
{
	static const char *const good[][2] = {{"ways", "64"}, {"ways", "1"},    {"rate", "0.5"},     {"rate", "1e1"},
					      {"fast", "no"}, {"fast", "true"}, {"policy", "closed"}};
	struct sample s;
	char why[256], text[64];

	(void)state;
	knob_defaults(knobs, &s);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_int_equal(knob_set(knob_find(knobs, good[i][0]), &s, good[i][1], why, sizeof why), 0);
	assert_int_equal(s.ways, 1);
	assert_true(s.rate == 10);
	assert_true(s.fast);
	assert_int_equal(s.policy, 1);
	knob_format(knob_find(knobs, "policy"), &s, text, sizeof text);
	assert_string_equal(text, "closed");
}

static void test_bad_values_change_nothing_and_say_why(void **state)
{
	static const char *const bad[][3] = {{"ways", "0", "1 to 64"},
					     {"ways", "65", "1 to 64"},
					     {"ways", "3.5", "whole number"},
					     {"ways", "six", "whole"},
					     {"ways", "", "whole"},
					     {"ways", "6x", "whole"},
					     {"rate", "nan", "number"},
					     {"rate", "11", "0.5 to 10 GB/s"},
					     {"fast", "maybe", "true or false"},
					     {"policy", "shut", "open|closed|half"},
					     {"policy", "open|closed", "one of"}};
	struct sample s;
	char why[256];

	(void)state;
	knob_defaults(knobs, &s);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(knob_set(knob_find(knobs, bad[i][0]), &s, bad[i][1], why, sizeof why), -1);
		assert_non_null(strstr(why, bad[i][2]));
	}
	assert_int_equal(s.ways, 6);
	assert_true(s.rate == 2.5);
	assert_int_equal(s.policy, 2);
	assert_null(knob_find(knobs, "way"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_defaults_come_from_the_rows),
	    cmocka_unit_test(test_good_values_are_taken),
	    cmocka_unit_test(test_bad_values_change_nothing_and_say_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
