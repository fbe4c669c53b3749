/* The order in which reports list structures. */
#include "verdict/structure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static int compare(const void *a, const void *b)
{
	return structure_compare(a, b);
}

static void test_parameters_first_and_numbers_by_size(void **state)
{
	static const char *const order[] = {"p2", "p2+8", "p2+16", "p10", "lut2", "lut10", "*p0", "heap", "unknown"};
	struct structure all[] = {
	    {.id = "unknown", .kind = STRUCTURE_UNKNOWN},
	    {.id = "lut10", .kind = STRUCTURE_VARIABLE},
	    {.id = "p10", .kind = STRUCTURE_PARAM, .param = 10},
	    {.id = "heap", .kind = STRUCTURE_HEAP},
	    {.id = "p2+16", .kind = STRUCTURE_FIELD, .param = 2, .param_offset = 32},
	    {.id = "*p0", .kind = STRUCTURE_POINTEE},
	    {.id = "p2", .kind = STRUCTURE_PARAM, .param = 2},
	    {.id = "lut2", .kind = STRUCTURE_VARIABLE},
	    {.id = "p2+8", .kind = STRUCTURE_FIELD, .param = 2, .param_offset = 24},
	};
	enum { COUNT = sizeof all / sizeof *all };

	(void)state;
	qsort(all, COUNT, sizeof *all, compare);
	for (int i = 0; i < COUNT; i++)
		assert_string_equal(all[i].id, order[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parameters_first_and_numbers_by_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
