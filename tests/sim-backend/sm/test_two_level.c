/* The two-level scheduler in an SM: who is active, who leaves, and that nobody is left behind. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LRR = 1, TWO_LEVEL = 2, WARPS = 4, LATENCY = 6 };

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 500, .interval = 1};
	return 0;
}

static struct program p;

static struct sim_config *two_level(unsigned active)
{
	struct sim_config *c = one_sm();

	c->sm.schedulers = 1;
	c->sm.scheduler = TWO_LEVEL;
	c->sm.active_warps = active;
	c->exec.latency[TRACE_INT] = LATENCY;
	return c;
}

/* A chain of three additions, a load of the warp's own line from `space`, and its use. Warps wait 500 cycles for it. */
static void chain_and_load(enum trace_space space)
{
	unsigned add;

	program_begin(&p, 1, WARPS);
	add = program_inst(&p, TRACE_INT, 1, 1);
	for (unsigned i = 0; i < 3; i++)
		program_emit(&p, add, 0, 0);
	program_emit(&p, program_memory(&p, TRACE_LOAD, space, 4, 2), 0x1000, 4)->per_warp = 128;
	program_emit(&p, program_inst(&p, TRACE_INT, 3, 2), 0, 0);
}

static uint64_t cycles_of(struct sim_config *config)
{
	struct sim_result *r = program_run(&p, config);
	uint64_t cycles = r->cycles;

	sim_result_free(r);
	sim_config_free(config);
	return cycles;
}

/* One place: a warp issues its chain from cycle t on, its load in t + 13, and the next warp begins in t + 14. */
static void test_a_warp_at_memory_makes_room_for_the_next(void **state)
{
	(void)state;
	chain_and_load(TRACE_GLOBAL);
	cycles_of(two_level(1));
	assert_int_equal(mock_log_len, WARPS);
	for (unsigned i = 0; i < WARPS; i++) {
		assert_int_equal(mock_log[i].line, 0x1000 + 128 * i);
		assert_int_equal(mock_log[i].issued, 1 + (2 * LATENCY + 2) * (i + 1));
	}
}

/* Two places: pairs of warps come to their loads one cycle apart, and the second pair after the first. */
static void test_active_warps_take_turns(void **state)
{
	(void)state;
	chain_and_load(TRACE_GLOBAL);
	cycles_of(two_level(2));
	for (unsigned i = 0; i < WARPS; i++)
		assert_int_equal(mock_log[i].line, 0x1000 + 128 * i);
	assert_true(mock_log[1].issued - mock_log[0].issued <= 2);
	assert_true(mock_log[3].issued - mock_log[2].issued <= 2);
	assert_true(mock_log[2].issued - mock_log[1].issued >= 2 * LATENCY - 1);
}

/* A wait for shared memory is short: the warp stays, and is done before the next begins. */
static void test_a_warp_at_shared_memory_stays(void **state)
{
	struct sim_config *c = two_level(1);
	uint64_t one = 2 * LATENCY + 1 + 1 + c->sm.shared_latency + 1;

	(void)state;
	chain_and_load(TRACE_SHARED);
	assert_int_equal(cycles_of(c), 1 + WARPS * one - 1 + 2);
}

static void test_room_for_all_is_round_robin(void **state)
{
	uint64_t cycles[2];

	(void)state;
	chain_and_load(TRACE_GLOBAL);
	for (unsigned i = 0; i < 2; i++) {
		struct sim_config *c = two_level(WARPS);

		c->sm.scheduler = i ? LRR : TWO_LEVEL;
		cycles[i] = cycles_of(c);
	}
	assert_int_equal(cycles[0], cycles[1]);
}

/* Warps at a barrier or fence leave too: else the others could not come there. */
static void test_warps_at_a_barrier_let_the_others_come(void **state)
{
	struct sim_result *r;
	struct sim_config *c = two_level(1);

	(void)state;
	chain_and_load(TRACE_GLOBAL);
	program_emit(&p, program_inst(&p, TRACE_BARRIER, -1, -1), 0, 0);
	program_emit(&p, program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1), 0x9000, 4);
	program_emit(&p, program_inst(&p, TRACE_FENCE, -1, -1), 0, 0);
	program_emit(&p, program_inst(&p, TRACE_BARRIER, -1, -1), 0, 0);
	p.ctas = 3;
	r = program_run(&p, c);
	assert_int_equal(r->total.sm.warp_instructions, 3 * WARPS * p.nsteps);
	assert_int_equal(r->total.sm.barriers, 3 * WARPS * 2);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_warp_at_memory_makes_room_for_the_next, reset),
	    cmocka_unit_test_setup(test_active_warps_take_turns, reset),
	    cmocka_unit_test_setup(test_a_warp_at_shared_memory_stays, reset),
	    cmocka_unit_test_setup(test_room_for_all_is_round_robin, reset),
	    cmocka_unit_test_setup(test_warps_at_a_barrier_let_the_others_come, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
