/* Micro-benchmarks of a whole model find the latencies and limits that its knobs say. */
#include "sim-backend/config/config.h"
#include "sim-backend/probe/probe_gpu.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct sim_config *machine(void)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;

	assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
	assert_int_equal(sim_config_set(c, "l1.hit_latency=30", &d), 0);
	assert_int_equal(sim_config_set(c, "l1.ways=384", &d),
			 0); /* one set, so that the order of lines does not matter */
	assert_int_equal(sim_config_check(c, &d), 0);
	return c;
}

static double measure(const struct sim_config *c, enum bench bench, double x, double y)
{
	struct diag d = DIAG_INIT;
	double value = 0;

	if (probe_gpu(c, bench, (struct bench_point){x, y}, &value, &d) < 0)
		fail_msg("%s", d.message);
	return value;
}

/* Steps where the set leaves the L1, and where it leaves the LLC. */
static void test_a_chase_finds_each_level(void **state)
{
	struct sim_config *c = machine();
	double l1 = measure(c, BENCH_CHASE, 8 << 10, 0), llc = measure(c, BENCH_CHASE, 512 << 10, 0);
	double memory = measure(c, BENCH_CHASE, 8 << 20, 0);

	(void)state;
	assert_true(l1 >= 30 && l1 <= 31.5);
	assert_true(llc > 120 + 10);    /* llc.latency, and two networks */
	assert_true(memory > llc + 20); /* tRCD + tCL at the memory's clock, at least */
	sim_config_free(c);
}

/* An L1 gives a line a cycle. */
static void test_bandwidth_stays_below_the_peak(void **state)
{
	struct sim_config *c = machine();
	double peak = 128.0 * c->gpu.sms * c->gpu.clock_mhz * 1e-3;
	double l1 = measure(c, BENCH_READ_SAME, 16 << 10, 0);

	(void)state;
	assert_true(l1 > 0.8 * peak && l1 <= peak * 1.001);
	sim_config_free(c);
}

/* A stream of small CTAs, two on an SM at a time, each of which leaves its slot so many cycles after its end. */
static void test_a_stream_of_small_ctas_waits_for_slots(void **state)
{
	struct sim_config *c = machine();
	struct diag d = DIAG_INIT;
	double bytes = 2 * 32 * 8.0 * c->gpu.sms, value;

	(void)state;
	assert_int_equal(sim_config_set(c, "cta.end_cycles=5000", &d), 0);
	value = measure(c, BENCH_STREAM_INIT, 32.0 * c->gpu.sms, 0) / (c->gpu.clock_mhz * 1e-3);
	assert_true(value < bytes / 5000 && value > bytes / 5500);
	sim_config_free(c);
}

static void test_a_chain_takes_the_units_latency(void **state)
{
	struct sim_config *c = machine();
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(sim_config_set(c, "exec.fp32_latency=7", &d), 0);
	assert_true(measure(c, BENCH_FFMA, 1000, 0) == 7);
	sim_config_free(c);
}

/* A kernel that does nothing costs its launch, and more with more blocks than are placed at once. */
static void test_an_empty_kernel_costs_its_launch(void **state)
{
	struct sim_config *c = machine();
	struct diag d = DIAG_INIT;
	double one, many;

	(void)state;
	assert_int_equal(sim_config_set(c, "gpu.launch_cycles=1000", &d), 0);
	assert_int_equal(sim_config_set(c, "cta.interval=2", &d), 0);
	one = measure(c, BENCH_EMPTY, 1, 32);
	many = measure(c, BENCH_EMPTY, 10001, 32);
	assert_true(one >= 1000 && one < 1050);
	assert_true(many >= 1000 + 2 * 10000);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_chase_finds_each_level),
	    cmocka_unit_test(test_bandwidth_stays_below_the_peak),
	    cmocka_unit_test(test_a_stream_of_small_ctas_waits_for_slots),
	    cmocka_unit_test(test_a_chain_takes_the_units_latency),
	    cmocka_unit_test(test_an_empty_kernel_costs_its_launch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
