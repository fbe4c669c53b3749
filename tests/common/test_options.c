/* Command lines against a table of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct settings {
	bool quiet;
	const char *output;
	unsigned jobs, stride;
	int mode;
	struct option_list set;
};

static int parse(struct settings *s, int argc, char **argv, bool leading)
{
	const struct option_row rows[] = {
	    {'q', "quiet", OPT_FLAG, &s->quiet, NULL, ""},  {'o', "output", OPT_STRING, &s->output, "FILE", ""},
	    {'j', "jobs", OPT_UINT, &s->jobs, "N", ""},     {0, "mode", OPT_CHOICE, &s->mode, "fast|exact", ""},
	    {0, "set", OPT_LIST, &s->set, "KEY=VALUE", ""}, {0, "stride", OPT_SIZE, &s->stride, "BYTES", ""},
	    {0, NULL, OPT_FLAG, NULL, NULL, NULL},
	};
	const struct usage usage = {"test", "FILES", "", rows, NULL};

	return leading ? options_parse_leading(&usage, argc, argv) : options_parse(&usage, argc, argv);
}

static void test_options(void **state)
{
	struct settings s = {0};
	char *argv[] = {"test",  "in",  "-q",        "-oout", "--jobs", "3", "--mode=exact",
			"--set", "a=1", "--set=b=2", "--",    "-x",     NULL};

	(void)state;
	assert_int_equal(parse(&s, 12, argv, false), 2);
	assert_string_equal(argv[0], "in");
	assert_string_equal(argv[1], "-x");
	assert_true(s.quiet);
	assert_string_equal(s.output, "out");
	assert_int_equal(s.jobs, 3);
	assert_int_equal(s.mode, 1);
	assert_int_equal(s.set.len, 2);
	assert_string_equal(s.set.data[1], "b=2");
	free(s.set.data);
}

static void test_sizes_take_units(void **state)
{
	static const struct {
		const char *word;
		unsigned bytes;
	} sizes[] = {{"--stride=48", 48},          {"--stride=48B", 48},     {"--stride=48K", 48 << 10},
		     {"--stride=48KiB", 48 << 10}, {"--stride=3m", 3 << 20}, {"--stride=1GB", 1 << 30}};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct settings s = {0};
		char word[32], *argv[] = {"test", word, NULL};

		snprintf(word, sizeof word, "%s", sizes[i].word);
		assert_int_equal(parse(&s, 2, argv, false), 0);
		assert_int_equal(s.stride, sizes[i].bytes);
	}
}

static void test_leading_options_leave_the_program_alone(void **state)
{
	struct settings s = {0};
	char *argv[] = {"test", "-q", "prog", "-o", "x", NULL};

	(void)state;
	assert_int_equal(parse(&s, 5, argv, true), 3);
	assert_string_equal(argv[0], "prog");
	assert_string_equal(argv[1], "-o");
	assert_null(s.output);
}

static void test_wrong_options(void **state)
{
	static char *const words[] = {
	    "--nope",    "--jobs=x",    "--jobs=-1",  "--mode=slow",    "--quiet=1",   "-o",          "-z",
	    "--jobs=1K", "--stride=1X", "--stride=K", "--stride=1KiBB", "--stride=8G", "--stride= 1", "--stride="};
	FILE *saved = stderr;

	(void)state;
	stderr = fopen("/dev/null", "w");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct settings s = {0};
		char *argv[] = {"test", words[i], NULL};

		assert_int_equal(parse(&s, 2, argv, false), OPTIONS_WRONG);
	}
	fclose(stderr);
	stderr = saved;
}

/* Whether parsing an empty line by these rows ends in a bug's message. */
static bool is_bug(const struct option_row *rows)
{
	const struct usage usage = {"test", "", "", rows, NULL};
	char *argv[] = {"test", NULL};
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(2);
		options_parse(&usage, 1, argv);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status);
}

static void test_no_two_rows_are_one_option(void **state)
{
	bool first, second;
	const struct option_row
	    end = {0},
	    apart[] = {{'a', "alpha", OPT_FLAG, &first, NULL, ""}, {'b', "beta", OPT_FLAG, &second, NULL, ""}, end},
	    names[] = {{'a', "alpha", OPT_FLAG, &first, NULL, ""}, {'b', "alpha", OPT_FLAG, &second, NULL, ""}, end},
	    letters[] = {{'a', "alpha", OPT_FLAG, &first, NULL, ""}, {'a', "beta", OPT_FLAG, &second, NULL, ""}, end};

	(void)state;
	assert_false(is_bug(apart));
	assert_true(is_bug(names));
	assert_true(is_bug(letters));
}

static void test_options_that_are_given(void **state)
{
	static char *const words[] = {"-q", "-oout", "--jobs=1", "--mode=exact", "--set=a=1", "--stride=1"};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct settings s = {0};
		const struct option_row row[] = {
		    {'q', "quiet", OPT_FLAG, &s.quiet, NULL, ""},  {'o', "output", OPT_STRING, &s.output, "FILE", ""},
		    {'j', "jobs", OPT_UINT, &s.jobs, "N", ""},     {0, "mode", OPT_CHOICE, &s.mode, "fast|exact", ""},
		    {0, "set", OPT_LIST, &s.set, "KEY=VALUE", ""}, {0, "stride", OPT_SIZE, &s.stride, "BYTES", ""},
		    {0, NULL, OPT_FLAG, NULL, NULL, NULL},
		};
		char *argv[] = {"test", words[i], NULL};

		assert_false(options_given(row));
		assert_int_equal(parse(&s, 2, argv, false), 0);
		assert_true(options_given(row));
		free(s.set.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_options),
	    cmocka_unit_test(test_sizes_take_units),
	    cmocka_unit_test(test_leading_options_leave_the_program_alone),
	    cmocka_unit_test(test_wrong_options),
	    cmocka_unit_test(test_no_two_rows_are_one_option),
	    cmocka_unit_test(test_options_that_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
