/* The kernels that a pattern finds, and the message if it finds none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/demangle.h"
#include "common/kernel_names.h"
#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

static const char *hint(const char *pattern, const char *const *list, size_t count)
{
	struct kernel_names names = KERNEL_NAMES_INIT;
	static char text[256];

	for (size_t i = 0; i < count; i++)
		kernel_names_add(&names, list[i]);
	kernel_names_hint(&names, pattern, text, sizeof text);
	kernel_names_release(&names);
	return text;
}

static void test_names_are_short_and_stand_once(void **state)
{
	static const char *const list[] = {"_Z5saxpyPKfPf", "_ZN2ns5scaleIfEEvPT_", "plain", "_Z5saxpyPKdPd"};

	(void)state;
	assert_string_equal(hint("x", list, 0), "");
	assert_string_equal(hint("nothing", list, 1), "; there is saxpy");
	assert_string_equal(hint("nothing", list, 4), "; there is saxpy, scale and plain");
	assert_string_equal(hint("scael", list, 4), "; there is saxpy, scale and plain; did you mean 'scale'?");
}

static void test_many_are_cut_short(void **state)
{
	char names[20][16];
	const char *list[20];

	(void)state;
	for (int i = 0; i < 20; i++) {
		snprintf(names[i], sizeof names[i], "k%d", i);
		list[i] = names[i];
	}
	assert_string_equal(hint("other", list, 9), "; there is k0, k1, k2, k3, k4, k5, k6, k7 and k8");
	assert_string_equal(hint("other", list, 20), "; there is k0, k1, k2, k3, k4, k5, k6, k7 and 12 more");
}

/* Tables leave out what is the same for all: the result's type, and parameters. */
static void test_titles_tell_instances_apart(void **state)
{
	static const char *const names[][2] = {{"_Z5saxpyPKfPf", "saxpy"},
					       {"_ZN2ns5scaleIfEEvPT_", "ns::scale<float>"},
					       {"_ZN2ns5scaleISt4pairIidEEEvPT_", "ns::scale<std::pair<int, double> >"},
					       {"_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f"},
					       {"_Z4pickPf$_Z6readerPf", "pick$reader"},
					       {"_Z4pickPf$reader", "pick$reader"},
					       {"pick$reader", "pick$reader"},
					       {"(at once)", "(at once)"},
					       {"plain", "plain"},
					       {"", ""}};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *title = kernel_title(names[i][0]);

		assert_string_equal(title, names[i][1]);
		free(title);
	}
}

static void test_a_long_title_ends_with_dots(void **state)
{
	char name[400] = "_Z300";
	struct short_title title;

	(void)state;
	memset(name + 5, 'x', 300);
	strcpy(name + 305, "v");
	title = short_title(name);
	assert_int_equal(strlen(title.text), sizeof title.text - 1);
	assert_string_equal(title.text + sizeof title.text - 5, "x...");
	assert_string_equal(short_title("_Z1fv").text, "f");
}

static bool matches(const char *pattern, const char *name)
{
	regex_t compiled;
	bool found;

	assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	found = kernel_matches(&compiled, name);
	regfree(&compiled);
	return found;
}

/* A pattern may match a name as in PTX, as in C++, or as in messages. */
static void test_patterns_find_any_of_a_kernels_names(void **state)
{
	(void)state;
	assert_true(matches("^_Z5saxpy", "_Z5saxpyPKfPf"));
	assert_true(matches("^saxpy\\(", "_Z5saxpyPKfPf"));
	assert_true(matches("^saxpy$", "_Z5saxpyPKfPf"));
	assert_true(matches("^scale$", "_ZN2ns5scaleIfEEvPT_"));
	assert_true(matches("ns::scale<float>", "_ZN2ns5scaleIfEEvPT_"));
	assert_true(matches("^plain$", "plain"));
	assert_false(matches("^sax$", "_Z5saxpyPKfPf"));
	assert_false(matches("double", "_ZN2ns5scaleIfEEvPT_"));
}

static void test_names_have_no_hash_of_a_file(void **state)
{
	static const char *const names[][2] = {
	    {"_ZN31_INTERNAL_0d532c90_5_st_cu_main4bumpEPf", "bump(float*)"},
	    {"_ZN31_INTERNAL_0d532c90_5_st_cu_main33_GLOBAL__N__0d532c90_5_st_cu_main5tableE",
	     "(anonymous namespace)::table"},
	    {"*_ZL3lut", "*lut"},
	    {"**p2", "**p2"},
	    {"_ZN9_INTERNAL4bumpEPf", "_INTERNAL::bump(float*)"},
	    {"_ZN18_INTERNAL_0d532c9z4bumpEPf", "_INTERNAL_0d532c9z::bump(float*)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *plain = demangle(names[i][0]);

		assert_string_equal(plain, names[i][1]);
		xfree(plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names_are_short_and_stand_once),
	    cmocka_unit_test(test_many_are_cut_short),
	    cmocka_unit_test(test_patterns_find_any_of_a_kernels_names),
	    cmocka_unit_test(test_titles_tell_instances_apart),
	    cmocka_unit_test(test_a_long_title_ends_with_dots),
	    cmocka_unit_test(test_names_have_no_hash_of_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
