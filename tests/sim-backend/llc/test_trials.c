/* Degrees found by trying, on a machine whose best column is known. */
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/trials.h"

#include <string.h>

enum { COLUMNS = 5 };

/* Requests of an epoch under each column. */
static const unsigned rising[COLUMNS] = {100, 110, 120, 130, 140}, peak[COLUMNS] = {100, 110, 120, 90, 50},
		      flat[COLUMNS] = {100, 100, 100, 100, 100};

/* Runs so many epochs from column `from`; the share of them under each column. */
static unsigned run(const unsigned *requests, unsigned from, unsigned epochs, unsigned *under)
{
	struct trials t;
	unsigned column = from;

	memset(under, 0, COLUMNS * sizeof *under);
	trials_begin(&t, from, COLUMNS);
	for (unsigned i = 0; i < epochs; i++) {
		assert_true(column < COLUMNS);
		under[column]++;
		column = trials_next(&t, requests[column], 0.01);
	}
	return t.base;
}

static void test_climbs_to_the_best(void **state)
{
	unsigned under[COLUMNS];

	(void)state;
	for (unsigned from = 0; from < COLUMNS; from++) {
		assert_int_equal(run(rising, from, 60, under), 4);
		assert_int_equal(run(peak, from, 60, under), 2);
	}
}

/* A trial takes two epochs, and failures make it rare: of 200 epochs most are under the best column. */
static void test_failures_make_trials_rare(void **state)
{
	unsigned under[COLUMNS];

	(void)state;
	run(peak, 2, 200, under);
	assert_true(under[2] >= 170);
	/* A degree that is not better does not stay, in either direction. */
	assert_int_equal(run(flat, 2, 200, under), 2);
	assert_true(under[1] >= 2 && under[3] >= 2);
	assert_int_equal(under[0] + under[4], 0);
}

static void test_a_single_column_stays(void **state)
{
	struct trials t;

	(void)state;
	trials_begin(&t, 0, 1);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(trials_next(&t, i, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_climbs_to_the_best),
	    cmocka_unit_test(test_failures_make_trials_rare),
	    cmocka_unit_test(test_a_single_column_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
