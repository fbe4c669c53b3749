/* Child processes: how they end, what is printed of their commands, and signals that are to reach them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/process.h"

#include <signal.h>
#include <unistd.h>

/* Exit code of sh with this script. */
static int run(const char *script)
{
	struct command c = COMMAND_INIT;
	struct diag d = DIAG_INIT;
	int code;

	command_add(&c, "sh");
	command_add(&c, "-c");
	command_addf(&c, "%s", script);
	code = command_run(&c, &d);
	command_release(&c);
	return code;
}

static void test_how_it_ended_is_the_code(void **state)
{
	(void)state;
	assert_int_equal(run("exit 0"), 0);
	assert_int_equal(run("exit 3"), 3);
	assert_int_equal(run("kill -KILL $$"), 128 + SIGKILL);
}

static void test_a_missing_program_is_a_diagnostic(void **state)
{
	struct command c = COMMAND_INIT;
	struct diag d = DIAG_INIT;

	(void)state;
	command_add(&c, "/no/such/program");
	assert_int_equal(command_run(&c, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot run /no/such/program"));
	command_release(&c);
}

static void test_words_are_quoted_for_a_shell(void **state)
{
	char *const words[] = {"plain-word", "two words", "it's", ""};
	char printed[128] = {0};
	FILE *out = fmemopen(printed, sizeof printed, "w");
	struct command c = COMMAND_INIT;

	(void)state;
	command_add_all(&c, words, 4);
	command_print(&c, out);
	fclose(out);
	assert_string_equal(printed, "plain-word 'two words' 'it'\\''s' ''\n");
	command_release(&c);
}

/* The child signals its parent, which passes the signal on and waits: the child ends by it, and this process lives. */
static void test_a_signal_goes_to_the_child(void **state)
{
	(void)state;
	assert_int_equal(process_pending_signal(), 0);
	assert_int_equal(run("kill -TERM $PPID; exec sleep 20"), 128 + SIGTERM);
	assert_int_equal(process_pending_signal(), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_how_it_ended_is_the_code), cmocka_unit_test(test_a_missing_program_is_a_diagnostic),
	    cmocka_unit_test(test_words_are_quoted_for_a_shell),
	    cmocka_unit_test(test_a_signal_goes_to_the_child), /* last: the signal stays pending */
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
