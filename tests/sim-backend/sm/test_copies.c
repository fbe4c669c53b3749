/* cp.async: a warp that waits for groups of copies goes on when the right ones have arrived. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* `APART`: cycles between two copies; after the wait comes work that outlasts all copies. */
enum { LATENCY = 500, ADD = 6, APART = 5 * ADD, TAIL = 300, NO_WAIT = -1, WAIT_ALL = -2 };

static struct program p;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = LATENCY, .interval = 1};
	return 0;
}

static unsigned wait_for(int groups)
{
	unsigned at = program_inst(&p, TRACE_ASYNC_COPY, -1, -1);

	p.insts[at].access_bytes = groups == WAIT_ALL ? 1 : (uint8_t)(groups + 1);
	p.insts[at].flags = groups == WAIT_ALL ? TRACE_ARRIVES : 0;
	return at;
}

/* `groups` groups of a copy each; the last of them is not committed if `open`. */
static uint64_t cycles(unsigned groups, bool open, int wait)
{
	struct sim_config *c = one_sm();
	unsigned copy, commit, add;
	struct sim_result *r;
	uint64_t n;

	program_begin(&p, 1, 1);
	copy = program_memory(&p, TRACE_ASYNC_COPY, TRACE_GLOBAL, 4, -1);
	commit = program_inst(&p, TRACE_ASYNC_COPY, -1, -1);
	p.insts[commit].flags = TRACE_ARRIVES;
	add = program_inst(&p, TRACE_INT, 1, 1);
	for (unsigned g = 0; g < groups; g++) {
		program_emit(&p, copy, 0x10000 + g * 128, 4);
		for (unsigned i = 0; i < APART / ADD; i++)
			program_emit(&p, add, 0, 0);
		if (g + 1 < groups || !open)
			program_emit(&p, commit, 0, 0);
	}
	if (wait != NO_WAIT)
		program_emit(&p, wait_for(wait), 0, 0);
	for (unsigned i = 0; i < TAIL; i++)
		program_emit(&p, add, 0, 0);
	c->exec.latency[TRACE_INT] = ADD;
	r = program_run(&p, c);
	n = r->cycles;
	assert_int_equal(r->total.l1.accesses, groups);
	sim_result_free(r);
	sim_config_free(c);
	return n;
}

/* Of g groups, wait_group n waits for g - n; each came APART later than the one before. */
static void test_a_wait_is_for_all_but_the_latest_groups(void **state)
{
	enum { GROUPS = 6 };
	uint64_t free_run = cycles(GROUPS, false, NO_WAIT), before;

	(void)state;
	assert_int_equal(cycles(GROUPS, false, GROUPS), free_run);
	before = cycles(GROUPS, false, 0);
	assert_true(before > free_run + LATENCY - 2 * APART && before < free_run + LATENCY);
	for (int n = 1; n < GROUPS; n++) {
		uint64_t now = cycles(GROUPS, false, n);

		assert_in_range(before - now, APART - ADD, APART + ADD);
		before = now;
	}
}

/* wait_group does not wait for copies that no group has; wait_all does. */
static void test_copies_of_an_open_group(void **state)
{
	uint64_t one = cycles(1, true, NO_WAIT), committed = cycles(2, false, 1), open = cycles(2, true, 0);

	(void)state;
	assert_int_equal(cycles(1, true, 0), one);
	assert_true(cycles(1, true, WAIT_ALL) > one + LATENCY - 2 * APART);
	assert_in_range(committed - open, 0, 1);
	assert_in_range(cycles(2, true, WAIT_ALL) - open, APART - ADD, APART + ADD);
}

/* Old traces have rows that say nothing: they wait for nothing. */
static void test_rows_without_a_number_cost_nothing(void **state)
{
	uint64_t free_run = cycles(3, false, NO_WAIT);

	(void)state;
	assert_int_equal(cycles(3, false, 254), free_run);
}

/* A row of a bulk copy has a line in each lane: a request past the L1 for each, all of them in one group. */
static void test_lines_of_a_bulk_copy(void **state)
{
	enum { LINES = 20 };
	struct sim_config *c = one_sm();
	unsigned copy, commit;
	struct sim_result *r;

	(void)state;
	program_begin(&p, 1, 1);
	copy = program_memory(&p, TRACE_ASYNC_COPY, TRACE_GLOBAL, 128, -1);
	p.insts[copy].flags |= TRACE_NO_L1;
	commit = program_inst(&p, TRACE_ASYNC_COPY, -1, -1);
	p.insts[commit].flags = TRACE_ARRIVES;
	program_emit(&p, copy, 0x10000, 128)->mask = (1u << LINES) - 1;
	program_emit(&p, commit, 0, 0);
	program_emit(&p, wait_for(0), 0, 0);
	r = program_run(&p, c);
	assert_int_equal(mock_log_len, LINES);
	for (unsigned i = 0; i < LINES; i++) {
		assert_int_equal(mock_log[i].line, 0x10000 + i * 128);
		assert_int_equal(mock_log[i].bytes, 128);
	}
	assert_in_range(r->cycles, LATENCY + LINES, LATENCY + LINES + 10);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_wait_is_for_all_but_the_latest_groups, reset),
	    cmocka_unit_test_setup(test_copies_of_an_open_group, reset),
	    cmocka_unit_test_setup(test_rows_without_a_number_cost_nothing, reset),
	    cmocka_unit_test_setup(test_lines_of_a_bulk_copy, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
