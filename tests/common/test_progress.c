/* The line that shows how far long work is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/progress.h"

#include <string.h>

static const char *line(const struct progress *p, uint64_t done, double now, const char *note, unsigned columns)
{
	static char text[256];

	progress_line(p, done, now, note, columns, text, sizeof text);
	return text;
}

static void test_a_bar_where_the_total_is_known(void **state)
{
	struct progress p = {.what = "reading", .total = 200, .heard = 100};

	(void)state;
	assert_string_equal(line(&p, 50, 110, NULL, 80), "reading [#####...............]  25 %, 0:30 left");
	assert_string_equal(line(&p, 200, 110, "a.c", 80), "reading [####################] 100 %, 0:00 left, a.c");
	assert_string_equal(line(&p, 2, 138, NULL, 80), "reading [....................]   1 %, 1:02:42 left");
	/* More than was expected, or nothing yet. */
	assert_string_equal(line(&p, 300, 110, NULL, 80), "reading [####################] 100 %");
	assert_string_equal(line(&p, 0, 110, NULL, 80), "reading [....................]   0 %");
	p.total = 0;
	assert_string_equal(line(&p, 50, 110, "CTAs", 80), "reading 50 CTAs");
}

/* Work from before the checkpoint does not count for the speed: 10 took 10 seconds, and 100 are left. */
static void test_time_left_after_a_checkpoint(void **state)
{
	struct progress p = {.what = "simulating", .total = 200, .heard = 100, .first = 90};

	(void)state;
	assert_string_equal(line(&p, 100, 110, NULL, 80), "simulating [##########..........]  50 %, 1:40 left");
	p.knows_time = 1;
	assert_string_equal(line(&p, 100, 110, "2 h", 80), "simulating [##########..........]  50 %, 2 h");
}

static void test_no_line_is_wider_than_the_terminal(void **state)
{
	struct progress p = {.what = "simulating", .total = 200, .heard = 100};

	(void)state;
	assert_string_equal(line(&p, 100, 110, "launch 0: kernel", 30), "simulating [##########........");
	assert_int_equal(strlen(line(&p, 100, 110, "launch 0: a_kernel_with_a_long_name", 60)), 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_bar_where_the_total_is_known),
	    cmocka_unit_test(test_time_left_after_a_checkpoint),
	    cmocka_unit_test(test_no_line_is_wider_than_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
