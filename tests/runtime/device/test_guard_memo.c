/* Answers of guards are kept while nothing has changed that they were made from, and made again when it has. */
#include "runtime/device/launch_guard.h"
#include "runtime/device/regions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Allocations of 1024 bytes each, at multiples of 64 KiB; the bytes of the first are `table`. */
enum { STEP = 0x10000, SIZE = 1024, TABLE = STEP, A = 2 * STEP, B = 3 * STEP, LIVE_END = 8 * STEP };

static uint64_t table[SIZE / sizeof(uint64_t)];
static uint64_t variable_at;
static bool sees;
static unsigned finds, views;

static bool find(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	finds++;
	*base = address / STEP * STEP;
	*size = SIZE;
	return *base && address < LIVE_END && address - *base < SIZE;
}

static bool variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	(void)device, (void)symbol;
	*address = variable_at;
	*size = SIZE;
	return variable_at;
}

static const void *view(void *device, uint64_t address, size_t size)
{
	(void)device;
	views++;
	return sees && address == TABLE && size == SIZE ? table : NULL;
}

/* Reads what the pointers in p0 lead to, writes through p1 and into a variable. */
static struct structure structures[] = {
    {.id = "p0", .kind = STRUCTURE_PARAM, .param_offset = 0, .param_bytes = 8},
    {.id = "p1", .kind = STRUCTURE_PARAM, .param_offset = 8, .param_bytes = 8},
    {.id = "out", .kind = STRUCTURE_VARIABLE},
    {.id = "*p0", .kind = STRUCTURE_POINTEE, .holder = 0, .loads_marked = 1},
};
static struct guard guards[] = {{3, 1}, {3, 2}};
static const struct kernel_facts facts = {.structures = structures, .nstructures = 4, .guards = guards, .nguards = 2};
static const struct guard_context memory = {NULL, find, variable, view, NULL};

static struct guard_memo memo;
static struct launch_params launch;
static uint64_t params[2], epoch;

static int begin(void **state)
{
	(void)state;
	memset(table, 0, sizeof table);
	table[3] = A;
	variable_at = 5 * STEP;
	sees = true;
	params[0] = TABLE;
	params[1] = B;
	epoch = 1;
	launch = (struct launch_params){{1, 1, 1}, {32, 1, 1}, .params = params, .param_bytes = sizeof params};
	return 0;
}

static int end(void **state)
{
	(void)state;
	guard_memo_release(&memo);
	return 0;
}

/* Checks the answer, and that a kept answer looked up no allocation. */
static void assert_answer(bool holds, bool kept)
{
	const struct launch_guard g = {
	    .kernel = "k", .facts = &facts, .launch = &launch, .memory = &memory, .memo = &memo, .epoch = epoch};
	struct strbuf why = STRBUF_INIT;

	finds = 0;
	assert_int_equal(launch_guard_holds(&g, &why), holds);
	assert_int_equal(why.len == 0, holds);
	assert_int_equal(finds == 0, kept);
	strbuf_release(&why);
}

static void test_the_same_launch_is_not_evaluated(void **state)
{
	(void)state;
	assert_answer(true, false);
	views = 0;
	for (int i = 0; i < 3; i++)
		assert_answer(true, true);
	assert_int_equal(views, 3); /* to compare the table */
	params[1] = A;
	assert_answer(false, false);
	assert_answer(false, true);
	params[1] = B;
	assert_answer(true, true);
}

static void test_other_memory_is_looked_at(void **state)
{
	(void)state;
	assert_answer(true, false);
	table[100] = B + 8;
	assert_answer(false, false);
	assert_answer(false, true);
	table[100] = 0;
	assert_answer(true, false);
	table[127] = 1; /* leads nowhere, but who knows before looking? */
	assert_answer(true, false);
}

static void test_other_allocations_are_looked_up(void **state)
{
	(void)state;
	assert_answer(true, false);
	epoch++;
	assert_answer(true, false);
	assert_answer(true, true);
}

static void test_a_variable_that_moves(void **state)
{
	(void)state;
	assert_answer(true, false);
	variable_at = A;
	assert_answer(false, false);
	variable_at = 0;
	assert_answer(false, false);
}

static void test_another_shape_is_another_launch(void **state)
{
	(void)state;
	assert_answer(true, false);
	launch.grid[1] = 2;
	assert_answer(true, false);
	launch.dynamic_shared = 8;
	assert_answer(true, false);
	launch.block[2] = 2;
	assert_answer(true, false);
	assert_answer(true, true);
}

static void test_regions_that_change(void **state)
{
	const struct region_holder whole = {.base = B, .size = SIZE, .name = "arena"};
	struct regions regions = {0};
	struct diag d = DIAG_INIT;

	(void)state;
	launch.regions = &regions;
	table[3] = B + 512;
	assert_answer(false, false);
	assert_int_equal(regions_add(&regions, &whole, B, 256, "x", &d), 0);
	assert_int_equal(regions_add(&regions, &whole, B + 512, 512, "y", &d), 0);
	launch.regions_seen = regions.changes;
	assert_answer(true, false);
	assert_answer(true, true);
	assert_true(regions_end(&regions, B));
	assert_answer(false, false); /* older than the regions */
	regions_release(&regions);
}

/* A guard fails where memory cannot be seen; perhaps it can be the next time. */
static void test_what_is_not_seen_is_not_kept(void **state)
{
	(void)state;
	sees = false;
	assert_answer(false, false);
	assert_answer(false, false);
	sees = true;
	assert_answer(true, false);
	sees = false;
	assert_answer(false, false);
}

static void test_the_oldest_answer_goes(void **state)
{
	(void)state;
	for (uint64_t i = 0; i <= GUARD_ANSWERS; i++) {
		params[1] = B + i;
		assert_answer(true, false);
	}
	assert_answer(true, true);
	params[1] = B + 1;
	assert_answer(true, true);
	params[1] = B;
	assert_answer(true, false);
}

/* Of numbers that were looked through only the least and the largest count. */
static void test_other_numbers_between_the_same_ends(void **state)
{
	const struct guard_scan scan = {.address = TABLE, .count = SIZE / 8, .bytes = 8, .step = 8};
	struct guard_question q = {&launch, &memory, epoch, false};
	const struct guard_context *looks;
	struct guard_scanned found;

	(void)state;
	table[5] = 1000;
	looks = guard_memo_open(&memo, &q);
	assert_true(guard_scan(looks, &scan, &found));
	assert_int_equal(found.low, 0);
	assert_int_equal(found.high, A);
	guard_memo_close(&memo, true, "");
	table[5] = 77;
	assert_non_null(guard_memo_find(&memo, &q));
	table[5] = (uint64_t)-1;
	/* For a message alone they are not looked through again. */
	q.informs = true;
	assert_non_null(guard_memo_find(&memo, &q));
	q.informs = false;
	assert_null(guard_memo_find(&memo, &q));
	guard_memo_release(&memo);
	/* Numbers that could not be seen are looked for again. */
	sees = false;
	looks = guard_memo_open(&memo, &q);
	assert_false(guard_scan(looks, &scan, &found));
	guard_memo_close(&memo, false, "why");
	assert_non_null(guard_memo_find(&memo, &q));
	sees = true;
	assert_null(guard_memo_find(&memo, &q));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_other_numbers_between_the_same_ends, begin, end),
	    cmocka_unit_test_setup_teardown(test_the_same_launch_is_not_evaluated, begin, end),
	    cmocka_unit_test_setup_teardown(test_other_memory_is_looked_at, begin, end),
	    cmocka_unit_test_setup_teardown(test_other_allocations_are_looked_up, begin, end),
	    cmocka_unit_test_setup_teardown(test_a_variable_that_moves, begin, end),
	    cmocka_unit_test_setup_teardown(test_another_shape_is_another_launch, begin, end),
	    cmocka_unit_test_setup_teardown(test_regions_that_change, begin, end),
	    cmocka_unit_test_setup_teardown(test_what_is_not_seen_is_not_kept, begin, end),
	    cmocka_unit_test_setup_teardown(test_the_oldest_answer_goes, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
