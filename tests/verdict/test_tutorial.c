/*
 * Start here: how a verdict comes about. A kernel scale(in, out) reads in[] and writes out[]. An analyser puts what it
 * saw into evidence, one row a structure; the rule of the levels says whether the reads of in[] may be marked.
 */
#include "verdict/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { IN, OUT, COUNT };

static void evidence_of_scale(struct evidence all[COUNT])
{
	all[IN] = (struct evidence){.kind = STRUCTURE_PARAM, .by_pointer = true, .holder = STRUCTURE_NONE};
	all[OUT] = all[IN];
	all[OUT].written = true;
}

/* Two pointers may lead to one allocation. Only `distinct` takes it on trust that they do not. */
static void test_what_each_level_says(void **state)
{
	struct evidence all[COUNT];
	uint32_t writer = STRUCTURE_NONE;

	(void)state;
	evidence_of_scale(all);
	assert_int_equal(level_conflict(all, COUNT, IN, ALIAS_STRICT, &writer), CONFLICT_ALWAYS);
	assert_int_equal(writer, OUT);
	assert_int_equal(level_conflict(all, COUNT, IN, ALIAS_GUARDED, &writer), CONFLICT_LAUNCH);
	assert_int_equal(level_conflict(all, COUNT, IN, ALIAS_DISTINCT, &writer), CONFLICT_NONE);
}

static void keep(void *context, struct guard guard)
{
	*(struct guard *)context = guard;
}

/* At `guarded` the mark rests on a guard: a launch has to check that out[] is not the allocation of in[]. */
static void test_what_a_launch_checks(void **state)
{
	struct guard guard = {STRUCTURE_NONE, STRUCTURE_NONE};
	bool marked[COUNT] = {[IN] = true};
	struct evidence all[COUNT];

	(void)state;
	evidence_of_scale(all);
	level_unsettle(all, COUNT, ALIAS_GUARDED);
	level_guards(all, COUNT, ALIAS_GUARDED, marked, keep, &guard);
	assert_int_equal(guard.reads, IN);
	assert_int_equal(guard.writes, OUT);
}

/* const int *__restrict__ in: the program promises it, and strict marks too. */
static void test_a_promise(void **state)
{
	struct evidence all[COUNT];
	uint32_t writer = STRUCTURE_NONE;

	(void)state;
	evidence_of_scale(all);
	all[IN].noalias = true;
	assert_int_equal(level_conflict(all, COUNT, IN, ALIAS_STRICT, &writer), CONFLICT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_each_level_says),
	    cmocka_unit_test(test_what_a_launch_checks),
	    cmocka_unit_test(test_a_promise),
	};

	return cmocka_run_group_tests_name("tutorial", tests, NULL, NULL);
}
