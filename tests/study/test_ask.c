/* A command gets all of its input and gives all of its answer, or the question fails. */
#include "study/executor/ask.h"

#include "common/xalloc.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <cmocka.h>

enum { LENGTH = 100000, MOST_OF_A_FILE = 4096 };

static char *long_input(void)
{
	char *text = xmalloc(LENGTH + 1);

	memset(text, 'x', LENGTH);
	text[LENGTH] = '\0';
	return text;
}

/* Asks `cat`, which answers with its input. */
static int ask_cat(const char *input, struct command_answer *a, struct diag *d)
{
	struct command c = COMMAND_INIT;
	int status;

	command_add(&c, "cat");
	status = ask(&c, input, a, d);
	command_release(&c);
	return status;
}

static void test_whole_answer(void **state)
{
	struct command_answer a;
	struct diag d = DIAG_INIT;
	char *input = long_input();

	(void)state;
	assert_int_equal(ask_cat(input, &a, &d), 0);
	assert_int_equal(a.code, 0);
	assert_string_equal(a.output, input);
	assert_string_equal(a.messages, "");
	answer_release(&a);
	assert_int_equal(ask_cat("", &a, &d), 0);
	assert_string_equal(a.output, "");
	answer_release(&a);
	xfree(input);
}

/* A limit of a file's length stands for a full disk. */
static void test_input_that_has_no_place(void **state)
{
	struct rlimit before, small;
	struct command_answer a;
	struct diag d = DIAG_INIT;
	char *input = long_input();
	int status;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){MOST_OF_A_FILE, before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = ask_cat(input, &a, &d);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(status, DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot make a temporary file for cat: "));
	answer_release(&a);
	xfree(input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_whole_answer),
	    cmocka_unit_test(test_input_that_has_no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
