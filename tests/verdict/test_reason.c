/* What reports say of a read-only structure, on facts made by hand. */
#include "verdict/reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 12 };

static struct arena arena = ARENA_INIT;

static void test_nothing_reaches_it(void **state)
{
	struct structure all[] = {{.id = "p0", .kind = STRUCTURE_PARAM}};
	struct kernel_facts facts = {.structures = all, .nstructures = 1};

	(void)state;
	assert_string_equal(reason_of_read_only(&arena, &facts, 0), "no store, atomic or unknown code reaches it");
}

static void test_its_own_guards_are_named(void **state)
{
	struct structure all[] = {{.id = "p0"}, {.id = "p1"}, {.id = "p2"}, {.id = "p3"}};
	struct guard guards[] = {{0, 1}, {0, 3}, {2, 1}};
	struct kernel_facts facts = {.structures = all, .nstructures = 4, .guards = guards, .nguards = 3};

	(void)state;
	assert_string_equal(reason_of_read_only(&arena, &facts, 0),
			    "no store, atomic or unknown code reaches it; 2 guards: p1, p3 must be other memory at the "
			    "launch");
	assert_string_equal(
	    reason_of_read_only(&arena, &facts, 2),
	    "no store, atomic or unknown code reaches it; 1 guard: p1 must be other memory at the launch");
}

static void test_many_guards_are_counted(void **state)
{
	struct structure all[MANY + 1];
	struct guard guards[MANY];
	struct kernel_facts facts = {.structures = all, .nstructures = MANY + 1, .guards = guards, .nguards = MANY};

	(void)state;
	for (uint32_t i = 0; i <= MANY; i++)
		all[i] = (struct structure){.id = "p"};
	for (uint32_t i = 0; i < MANY; i++)
		guards[i] = (struct guard){0, i + 1};
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 0), "; 12 guards: p, "));
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 0), "p and 4 more must be"));
}

static void test_what_the_code_says_is_named(void **state)
{
	struct structure all[] = {{.id = "p0", .rests_on = "noalias"},
				  {.id = "lut", .rests_on = "constant"},
				  {.id = "p1", .rests_on = "promise"},
				  {.id = "*p0", .kind = STRUCTURE_POINTEE, .rests_on = "noalias"}};
	struct kernel_facts facts = {.structures = all, .nstructures = 4};

	(void)state;
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 0), "__restrict__"));
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 1), "constant memory"));
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 2), "the program's own read-only load"));
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 3), "nor p0, which holds the pointers (noalias)"));
}

static void test_what_is_taken_on_trust_is_said(void **state)
{
	struct structure all[] = {{.id = "p0", .assumed = true}};
	struct kernel_facts facts = {.structures = all, .nstructures = 1};

	(void)state;
	assert_non_null(strstr(reason_of_read_only(&arena, &facts, 0), "unchecked"));
}

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nothing_reaches_it),
	    cmocka_unit_test(test_its_own_guards_are_named),
	    cmocka_unit_test(test_many_guards_are_counted),
	    cmocka_unit_test(test_what_the_code_says_is_named),
	    cmocka_unit_test(test_what_is_taken_on_trust_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
