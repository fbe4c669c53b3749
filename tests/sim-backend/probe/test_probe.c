/* Synthetic traffic: the probes must find the machine's own limits. */
#include "tests/sim-backend/support.h"

#include "sim-backend/config/config.h"
#include "sim-backend/probe/probe.h"

#include <string.h>

static struct memsys_config config;
static struct probe_traffic traffic;

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	traffic = (struct probe_traffic)PROBE_TRAFFIC_DEFAULT;
	traffic.warmup = 2000;
	traffic.cycles = 8000;
	return 0;
}

static struct probe_dram_result dram(enum probe_pattern pattern, double rate)
{
	struct probe_dram_result r;

	traffic.pattern = pattern;
	traffic.rate = rate;
	probe_dram(&config, &traffic, &r);
	return r;
}

static struct probe_noc_result noc(enum probe_pattern pattern, double rate)
{
	struct probe_noc_result r;

	traffic.pattern = pattern;
	traffic.rate = rate;
	probe_noc(&config, &traffic, &r);
	return r;
}

static void test_stream_reaches_the_peak(void **state)
{
	struct probe_dram_result r = dram(PROBE_STREAM, 1);

	(void)state;
	assert_true(r.bandwidth_fraction > 0.97 && r.bandwidth_fraction <= 1.001);
	/* 15 of the 16 lines of a row find it open. */
	assert_true(r.row_hit_rate > 0.92 && r.row_hit_rate <= 15.0 / 16 + 0.01);
}

static void test_light_load_gets_what_it_offers_at_once(void **state)
{
	struct probe_dram_result r = dram(PROBE_STREAM, 0.05);

	(void)state;
	assert_true(r.bandwidth_fraction > 0.049 && r.bandwidth_fraction < 0.051);
	assert_int_equal(r.latency_min, config.dram.tCL + 4);
}

/* A new row in the same bank each time: a line of four bursts every tRC; alone, precharge, activate, read, data. */
static void test_conflicts_cost_trc(void **state)
{
	struct probe_dram_result r = dram(PROBE_CONFLICT, 1);

	(void)state;
	assert_true(r.bandwidth_fraction > 0.95 * 4 / config.dram.tRC &&
		    r.bandwidth_fraction <= 4.0 / config.dram.tRC + 1e-3);
	assert_true(r.row_hit_rate < 0.01);
	r = dram(PROBE_CONFLICT, 0.02);
	assert_int_equal(r.latency_min, config.dram.tRP + config.dram.tRCD + config.dram.tCL + 4);
	assert_int_equal(r.latency_max, r.latency_min);
}

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* A shipped memory in the paper's machine; its name for messages. */
static const char *take_preset(const char *path)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;
	static char setting[64];

	snprintf(setting, sizeof setting, "dram.preset=%s", strrchr(path, '/') + 1);
	*strrchr(setting, '.') = '\0';
	if (sim_config_load(c, "selrep64", &d) < 0 || sim_config_set(c, setting, &d) < 0 || sim_config_check(c, &d) < 0)
		fail_msg("%s: %s", setting, d.message);
	config = c->memory;
	sim_config_free(c);
	return setting;
}

/*
 * The rate that each shipped memory must reach, from its own timings. The bursts of a line go to one bank group. Two
 * consecutive lines go to the same group or to different ones; interleaved bursts of different ones fill the bus.
 * Refreshes take tRFC of every tREFI.
 */
static void test_presets_keep_to_their_timings(void **state)
{
	char **list = sim_preset_list("dram");

	(void)state;
	assert_non_null(list[0]);
	for (size_t i = 0; list[i]; i++) {
		const char *name = take_preset(list[i]);
		const struct dram_config *t = &config.dram;
		uint32_t bursts = 128 / t->burst_bytes, same = most(t->tCCDl, t->burst_clocks);
		uint32_t other = most(t->tCCDs, t->burst_clocks), data = bursts * t->burst_clocks;
		double refresh = t->refresh ? (double)t->tRFC / t->tREFI : 0;
		double peak = (double)data / ((bursts - 1) * same + other), least = (double)data / (bursts * same);
		struct probe_dram_result r;

		if (t->interleave)
			peak = 1;
		traffic.cycles = 40000;
		r = dram(PROBE_STREAM, 1);
		if (r.bandwidth_fraction > peak * 1.01 || r.bandwidth_fraction < least * (1 - refresh) * 0.95)
			fail_msg("%s: a stream reaches %f; %f to %f", name, r.bandwidth_fraction, least, peak);
		config.dram.refresh = false;
		r = dram(PROBE_STREAM, 0.05);
		assert_int_equal(r.latency_min, t->tCL + (bursts - 1) * same + t->burst_clocks);
		r = dram(PROBE_CONFLICT, 1);
		assert_true(r.bandwidth_fraction <= (double)data / t->tRC + 1e-3);
		r = dram(PROBE_CONFLICT, 0.01);
		assert_int_equal(r.latency_min, t->tRP + t->tRCD + t->tCL + (bursts - 1) * same + t->burst_clocks);
	}
	sim_gpu_list_free(list);
}

static void test_one_channel_is_a_share_of_the_peak(void **state)
{
	struct probe_dram_result r = dram(PROBE_HOTSPOT, 1);

	(void)state;
	assert_true(r.bandwidth_fraction > 0 && r.bandwidth_fraction <= 1.0 / 32);
}

static void test_writes_cost_turnarounds(void **state)
{
	struct probe_dram_result reads = dram(PROBE_STREAM, 1), mixed;

	(void)state;
	traffic.writes = 0.5;
	mixed = dram(PROBE_STREAM, 1);
	assert_true(mixed.bandwidth_fraction < reads.bandwidth_fraction);
	assert_true(mixed.writes > mixed.reads * 0.9 && mixed.writes < mixed.reads * 1.1);
}

static void test_network_without_load(void **state)
{
	struct probe_noc_result r;

	(void)state;
	traffic.flits = 4;
	r = noc(PROBE_UNIFORM, 0.01);
	assert_int_equal(r.latency_zero_load, 2 + 2 * 4 + 1 + 3);
	assert_int_equal(r.latency_min, r.latency_zero_load);
	assert_true(r.latency_mean < r.latency_zero_load + 1);
	assert_true(r.accepted > 0.0095 && r.accepted < 0.0105);
	config.noc.mc_router_delay = 2;
	assert_int_equal(noc(PROBE_UNIFORM, 0.01).latency_zero_load, 2 + 2 * 4 + 1 + 3 + 2);
	traffic.reply_network = true;
	assert_int_equal(noc(PROBE_UNIFORM, 0.01).latency_zero_load, 2 + 2 * 4 + 1 + 3);
}

static void test_network_saturates(void **state)
{
	struct probe_noc_result half, full;

	(void)state;
	assert_true(noc(PROBE_PERMUTATION, 1).accepted > 0.98);
	assert_true(noc(PROBE_HOTSPOT, 1).accepted <= 1.0 / 64 + 1e-4);
	half = noc(PROBE_UNIFORM, 0.5);
	full = noc(PROBE_UNIFORM, 1);
	assert_true(half.accepted > 0.49 && full.accepted > half.accepted && full.accepted < 0.9);
	assert_true(full.latency_mean > 10 * half.latency_mean);
}

static void test_same_seed_same_result(void **state)
{
	struct probe_noc_result a = noc(PROBE_UNIFORM, 0.6), b = noc(PROBE_UNIFORM, 0.6), c;

	(void)state;
	assert_memory_equal(&a, &b, sizeof(a));
	traffic.seed = 2;
	c = noc(PROBE_UNIFORM, 0.6);
	assert_memory_not_equal(&a, &c, sizeof(a));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_stream_reaches_the_peak), TEST(test_light_load_gets_what_it_offers_at_once),
	    TEST(test_conflicts_cost_trc),      TEST(test_presets_keep_to_their_timings),
	    TEST(test_conflicts_cost_trc),      TEST(test_one_channel_is_a_share_of_the_peak),
	    TEST(test_writes_cost_turnarounds), TEST(test_network_without_load),
	    TEST(test_network_saturates),       TEST(test_same_seed_same_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
