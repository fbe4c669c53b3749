/* Energy by hand: one kind of event at a time, and static power over a second. */
#include "sim-backend/energy/energy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct energy_config config;
static struct sm_stats sm;
static struct l1_stats l1;
static struct memsys_stats memory;
static const struct energy_machine machine = {.sms = 64, .routers = 20, .slices = 64, .burst_bytes = 32, .seconds = 0};

static int reset(void **state)
{
	(void)state;
	knob_defaults(energy_knobs, &config);
	sm = (struct sm_stats){0};
	l1 = (struct l1_stats){0};
	memory = (struct memsys_stats){0};
	return 0;
}

static void assert_picojoules(double joules, double expected)
{
	if (fabs(joules * 1e12 - expected) > 1e-6 * expected)
		fail_msg("%g pJ, not %g", joules * 1e12, expected);
}

static void nothing_costs_nothing(void **state)
{
	struct energy e = energy_of(&config, &machine, &sm, &l1, &memory);

	(void)state;
	assert_true(e.total_j == 0);
}

static void each_event_has_its_price(void **state)
{
	struct energy e;

	(void)state;
	sm.thread_instructions = 1000;
	sm.thread_by_class[TRACE_FP64] = 100;
	l1.accesses = 12;
	l1.bypasses = 2;
	l1.fills = 5;
	l1.fills_dropped = 1;
	l1.write_hits = 3;
	memory.noc.router_flits = 20;
	memory.noc.link_flits = 10;
	memory.llc.accesses = 7;
	memory.llc.data_replies = 5;
	memory.llc.fills = 2;
	memory.dram.read_bursts = 8;
	memory.dram.activates = 1;
	e = energy_of(&config, &machine, &sm, &l1, &memory);
	assert_picojoules(e.sm_j, 1000 * 40 + 100 * 60);
	assert_picojoules(e.l1_j, 10 * 28 + 7 * 55);
	assert_picojoules(e.noc_j, 20 * 9.75 + 10 * 76);
	assert_picojoules(e.llc_j, 7 * 5 + 5 * 29.3 + 2 * 57.8);
	assert_picojoules(e.dram_j, 8 * 32 * 8 * 3.9 + 1500);
	assert_picojoules(e.total_j, 1e12 * (e.sm_j + e.l1_j + e.noc_j + e.llc_j + e.dram_j));
}

static void static_power_runs_on(void **state)
{
	struct energy_machine second = machine;
	struct energy e;

	(void)state;
	second.seconds = 1;
	e = energy_of(&config, &second, &sm, &l1, &memory);
	assert_picojoules(e.static_j, 1e12 * (64 * 0.283 + 64 * 0.0199 + 2 * 20 * 0.05 + 8 + 32.3));
	assert_true(e.total_j == e.static_j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(nothing_costs_nothing, reset),
	    cmocka_unit_test_setup(each_event_has_its_price, reset),
	    cmocka_unit_test_setup(static_power_runs_on, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
