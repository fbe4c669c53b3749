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

static void test_names_of_the_source(void **state)
{
	struct arena arena = ARENA_INIT;
	struct structure all[] = {{.id = "**p0", .kind = STRUCTURE_POINTEE, .holder = 1},
				  {.id = "*p0", .kind = STRUCTURE_POINTEE, .holder = 2},
				  {.id = "p0", .name = "rows"},
				  {.id = "*p1", .kind = STRUCTURE_POINTEE, .holder = 4},
				  {.id = "p1"}};

	(void)state;
	assert_string_equal(structure_name_of_variable(&arena, "_ZL3lut"), "lut");
	assert_null(structure_name_of_variable(&arena, "lut"));
	assert_string_equal(structure_name(&arena, "a\n\x1b"
						   "b"),
			    "a??b");
	assert_null(structure_name(&arena, ""));
	structure_name_pointees(&arena, all, 5);
	assert_string_equal(all[1].name, "*rows");
	assert_string_equal(all[0].name, "**rows");
	assert_null(all[3].name);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parameters_first_and_numbers_by_size),
	    cmocka_unit_test(test_names_of_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
