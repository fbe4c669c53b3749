/* What launches and CTAs cost: closed forms, and empty kernels that others measured on an H100. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY_SLOTS = 32 };

static struct program p;

/* CTAs of `warps` warps, each with one instruction that nothing waits for. */
static void make_empty_kernel(uint32_t ctas, uint32_t warps)
{
	program_begin(&p, ctas, warps);
	program_emit(&p, program_inst(&p, TRACE_OTHER, -1, -1), 0, 0);
}

static uint64_t cycles_of(struct sim_config *c)
{
	struct sim_result *r = program_run(&p, c);
	uint64_t cycles = r->cycles;

	assert_int_equal(r->total.sm.ctas, (uint64_t)p.ctas * p.launches);
	sim_result_free(r);
	return cycles;
}

static struct sim_config *with_sms(uint32_t sms, uint32_t slots)
{
	struct sim_config *c = one_sm();

	c->gpu.sms = sms;
	c->memory.noc.sm_routers = sms;
	c->sm.ctas = slots;
	c->cta.policy = CTA_RR;
	return c;
}

static void test_ctas_come_at_a_rational_rate(void **state)
{
	static const double intervals[] = {0.25, 1, 1.042, 1.5, 7.25};
	struct sim_config *c = with_sms(4, MANY_SLOTS);
	uint64_t one;

	(void)state;
	make_empty_kernel(1, 1);
	one = cycles_of(c);
	for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++)
		for (uint32_t ctas = 1; ctas <= 4 * MANY_SLOTS; ctas += 9) {
			make_empty_kernel(ctas, 1);
			c->cta.interval = intervals[i];
			assert_int_equal(cycles_of(c), one + (uint64_t)floor((ctas - 1) * intervals[i]));
		}
	sim_config_free(c);
}

/* per_cycle still holds, and an interval of less than a cycle does not go past it. */
static void test_the_limit_of_a_cycle_stays(void **state)
{
	struct sim_config *c = with_sms(4, MANY_SLOTS);
	uint64_t one;

	(void)state;
	make_empty_kernel(1, 1);
	one = cycles_of(c);
	c->cta.interval = 0.1;
	c->cta.per_cycle = 2;
	make_empty_kernel(100, 1);
	assert_int_equal(cycles_of(c), one + 49);
	sim_config_free(c);
}

/* The w-th warp issues start_cycles + floor(w * warp_cycles) later. */
static void test_warps_begin_late(void **state)
{
	struct sim_config *c = with_sms(1, MANY_SLOTS);
	uint64_t one;

	(void)state;
	c->sm.schedulers = 4;
	make_empty_kernel(1, 1);
	one = cycles_of(c);
	c->cta.start_cycles = 100;
	assert_int_equal(cycles_of(c), one + 100);
	make_empty_kernel(1, 8);
	c->cta.warp_cycles = 3.1;
	assert_int_equal(cycles_of(c), one + 100 + 21);
	sim_config_free(c);
}

/* With one slot CTAs follow each other; the launch is over when the last slot is free. */
static void test_a_slot_is_held_after_the_end(void **state)
{
	enum { CTAS = 10, END = 299 };
	struct sim_config *c = with_sms(1, 1);
	uint64_t one, all;

	(void)state;
	make_empty_kernel(1, 1);
	one = cycles_of(c);
	make_empty_kernel(CTAS, 1);
	all = cycles_of(c);
	c->cta.end_cycles = END;
	assert_int_equal(cycles_of(c), all + CTAS * END);
	make_empty_kernel(1, 1);
	assert_int_equal(cycles_of(c), one + END);
	p.launches = 3;
	assert_int_equal(cycles_of(c), 3 * (one + END));
	sim_config_free(c);
}

/* The same when several launches share the SMs, and whatever the order of the modules in a cycle. */
static void test_held_slots_with_several_launches(void **state)
{
	enum { CTAS = 6, END = 50 };
	struct sim_config *c = with_sms(1, 1);
	uint64_t without, with;

	(void)state;
	make_empty_kernel(CTAS, 1);
	p.launches = 2;
	p.streams[0] = 1;
	p.streams[1] = 2;
	c->gpu.concurrent_kernels = 2;
	without = cycles_of(c);
	c->cta.end_cycles = END;
	with = cycles_of(c);
	assert_int_equal(with, without + (uint64_t)2 * CTAS * END);
	sim_config_free(c);
}

/*
 * Cycles of empty kernels on an H100 by CTAs and threads: sarchlab/mgpusim at c572e888,
 * scripts/simulation_data_nvidia/H100_raw.csv, column ground_truth_cycle.
 */
static const struct measured {
	uint32_t ctas, threads, cycles;
} h100[] = {
    {1024, 256, 5055},   {1024, 512, 5043},   {1024, 672, 5053},   {1024, 704, 5443},   {1024, 1024, 5442},
    {4096, 256, 8314},   {4096, 672, 8213},   {4096, 704, 9547},   {4096, 832, 9806},   {4096, 1024, 10034},
    {16384, 256, 21062}, {16384, 512, 20783}, {16384, 672, 21064}, {16384, 704, 26486}, {16384, 1024, 28173},
    {65536, 256, 73720}, {65536, 672, 72269}, {65536, 704, 94466}, {65536, 832, 97520}, {65536, 1024, 101918},
};

static void test_empty_kernels_of_an_h100(void **state)
{
	struct sim_config *c = with_sms(132, 32);

	(void)state;
	c->sm.schedulers = 4;
	c->gpu.launch_cycles = 3690;
	c->cta.interval = 1.042;
	c->cta.start_cycles = 100;
	c->cta.warp_cycles = 3.1;
	c->cta.end_cycles = 199;
	for (size_t i = 0; i < sizeof h100 / sizeof *h100; i++) {
		double ratio;

		if (h100[i].ctas > 16384 && !getenv("ROMARK_LONG_TESTS"))
			continue;
		make_empty_kernel(h100[i].ctas, h100[i].threads / 32);
		ratio = (double)cycles_of(c) / h100[i].cycles;
		assert_true(ratio > 0.97 && ratio < 1.03);
	}
	sim_config_free(c);
}

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 500, .interval = 1};
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_ctas_come_at_a_rational_rate, reset),
	    cmocka_unit_test_setup(test_the_limit_of_a_cycle_stays, reset),
	    cmocka_unit_test_setup(test_warps_begin_late, reset),
	    cmocka_unit_test_setup(test_a_slot_is_held_after_the_end, reset),
	    cmocka_unit_test_setup(test_held_slots_with_several_launches, reset),
	    cmocka_unit_test_setup(test_empty_kernels_of_an_h100, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
