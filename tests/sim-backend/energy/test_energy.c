/* Energy by hand: one kind of event at a time, whom it is charged to, and static power over a second. */
#include "sim-backend/energy/energy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct energy_config config;
static struct sm_stats sm;
static struct l1_stats l1;
static struct noc_stats noc;
static struct llc_stats llc;
static struct dram_stats dram;
static struct link_stats links;
static const struct energy_counts counts = {&sm, &l1, &noc, &llc, &dram, &links};
static const struct energy_machine machine = {.sms = 64,
					      .chips = 1,
					      .channels = 32,
					      .llc_kilobytes = 4096,
					      .router_ports = 512,
					      .long_links = 128,
					      .burst_bytes = 32,
					      .channel_bytes = 32};

static int reset(void **state)
{
	(void)state;
	knob_defaults(energy_knobs, &config);
	sm = (struct sm_stats){0};
	l1 = (struct l1_stats){0};
	noc = (struct noc_stats){0};
	llc = (struct llc_stats){0};
	dram = (struct dram_stats){0};
	links = (struct link_stats){0};
	return 0;
}

static void assert_picojoules(double joules, double expected)
{
	if (!(fabs(joules * 1e12 - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.12g pJ, not %.12g", joules * 1e12, expected);
}

static void test_nothing_costs_nothing(void **state)
{
	struct energy e = energy_of(&config, &machine, &counts, NULL);

	(void)state;
	assert_true(e.total_j == 0 && e.elsewhere_j == 0 && e.watts == 0);
}

static void count_something_of_everything(void)
{
	sm.warp_instructions = 1000;
	for (unsigned i = 0; i < TRACE_CLASS_COUNT; i++)
		sm.thread_by_class[i] = 32 << (i % 8);
	sm.shared_cycles = 40;
	l1 = (struct l1_stats){.accesses = 120,
			       .hits = 70,
			       .misses = 30,
			       .bypasses = 20,
			       .writes = 9,
			       .write_hits = 4,
			       .atomics = 3,
			       .fills = 30,
			       .fills_dropped = 6};
	noc = (struct noc_stats){.request_flits = 100,
				 .reply_flits = 300,
				 .router_flits = 800,
				 .link_flits = 400,
				 .short_flits = 700,
				 .switch_ports = 16000};
	llc = (struct llc_stats){.accesses = 62,
				 .array_reads = 40,
				 .sectors_read = 150,
				 .array_writes = 25,
				 .sectors_written = 90,
				 .searched_sets = 64,
				 .directory_searches = 11,
				 .directory_writes = 5};
	dram = (struct dram_stats){
	    .reads = 20, .writes = 8, .read_bursts = 80, .write_bursts = 32, .activates = 7, .refreshes = 2};
	links.bytes = 1000;
}

/* How often each event happened, by hand. */
static double times(enum energy_event event)
{
	static const unsigned lanes[] = {
	    [EVENT_lane_int] = (1u << TRACE_INT % 8) + (1u << TRACE_WARP % 8),
	    [EVENT_lane_fp32] = 1u << TRACE_FP32 % 8,
	    [EVENT_lane_fp16] = 1u << TRACE_FP16 % 8,
	    [EVENT_lane_fp64] = 1u << TRACE_FP64 % 8,
	    [EVENT_lane_sfu] = 1u << TRACE_SFU % 8,
	    [EVENT_lane_tensor] = 1u << TRACE_TENSOR % 8,
	    [EVENT_lane_move] = 1u << TRACE_MOVE % 8,
	    [EVENT_lane_convert] = 1u << TRACE_CONVERT % 8,
	    [EVENT_lane_memory] = (1u << TRACE_LOAD % 8) + (1u << TRACE_STORE % 8) + (1u << TRACE_ATOMIC % 8) +
				  (1u << TRACE_ASYNC_COPY % 8) + (1u << TRACE_TEXTURE % 8),
	    [EVENT_lane_control] = (1u << TRACE_BARRIER % 8) + (1u << TRACE_FENCE % 8) + (1u << TRACE_BRANCH % 8) +
				   (1u << TRACE_CALL % 8) + (1u << TRACE_EXIT % 8) + (1u << TRACE_OTHER % 8),
	};
	static const double others[ENERGY_EVENTS] = {
	    [EVENT_issue] = 1000,
	    [EVENT_shared_cycle] = 40,
	    [EVENT_l1_tag] = 100 + 9 + 3,
	    [EVENT_l1_read] = 70,
	    [EVENT_l1_write] = 24 + 4,
	    [EVENT_noc_buffer_write] = 800,
	    [EVENT_noc_buffer_read] = 800,
	    [EVENT_noc_switch] = 800,
	    [EVENT_noc_switch_port] = 8000,
	    [EVENT_noc_arbitration] = 8000,
	    [EVENT_noc_link_mm] = 400 * 12.3 + 700,
	    [EVENT_noc_crossbar] = 28 + 112,
	    [EVENT_llc_tag] = 62 + 64,
	    [EVENT_llc_read] = 40,
	    [EVENT_llc_read_sector] = 150,
	    [EVENT_llc_write] = 25,
	    [EVENT_llc_write_sector] = 90,
	    [EVENT_directory_search] = 11,
	    [EVENT_directory_write] = 5,
	    [EVENT_dram_activate] = 7,
	    [EVENT_dram_read_bit] = 80 * 256,
	    [EVENT_dram_write_bit] = 32 * 256,
	    [EVENT_dram_io_bit] = 112 * 256,
	    [EVENT_dram_refresh] = 2,
	    [EVENT_chip_link_bit] = 8000,
	};

	return event < sizeof lanes / sizeof *lanes && lanes[event] ? 32.0 * lanes[event] : others[event];
}

static void test_each_event_has_its_price(void **state)
{
	double sum = 0;
	struct energy e;

	(void)state;
	count_something_of_everything();
	for (unsigned i = 0; i < ENERGY_EVENTS; i++) {
		config.pj[i] = i + 1;
		sum += (i + 1) * times(i);
	}
	e = energy_of(&config, &machine, &counts, NULL);
	for (unsigned i = 0; i < ENERGY_EVENTS; i++)
		assert_picojoules(e.events[i], (i + 1) * times(i));
	assert_picojoules(e.total_j, sum);
	assert_picojoules(e.elsewhere_j, sum);
}

static void test_flits_are_charged_by_their_width(void **state)
{
	struct energy_machine narrow = machine;
	struct energy wide, e;

	(void)state;
	noc = (struct noc_stats){.request_flits = 10, .router_flits = 20, .switch_ports = 400, .link_flits = 10};
	narrow.channel_bytes = 16;
	wide = energy_of(&config, &machine, &counts, NULL);
	e = energy_of(&config, &narrow, &counts, NULL);
	assert_picojoules(e.events[EVENT_noc_link_mm], 1e12 * wide.events[EVENT_noc_link_mm] / 2);
	assert_picojoules(e.events[EVENT_noc_buffer_write], 1e12 * wide.events[EVENT_noc_buffer_write] / 2);
	assert_picojoules(e.events[EVENT_noc_arbitration], 1e12 * wide.events[EVENT_noc_arbitration]);
}

/* Two structures did everything: their parts add up to the whole. */
static void test_structures_share_what_they_caused(void **state)
{
	struct structure_counters a = {.core = {.l1_accesses = 100, .l1_hits = 70, .l1_bypasses = 5, .l1_fills = 24},
				       .memory = {.accesses = 30,
						  .request_flits = 40,
						  .reply_flits = 200,
						  .array_reads = 30,
						  .sectors_read = 120,
						  .array_writes = 15,
						  .sectors_written = 60,
						  .memory_reads = 20,
						  .read_bursts = 80,
						  .activates = 5}};
	struct structure_counters b = {
	    .core = {.l1_accesses = 20, .l1_bypasses = 15, .writes = 9, .write_hits = 4, .atomics = 3},
	    .memory = {.accesses = 32,
		       .request_flits = 60,
		       .reply_flits = 100,
		       .array_reads = 10,
		       .sectors_read = 30,
		       .array_writes = 10,
		       .sectors_written = 30,
		       .memory_writes = 8,
		       .write_bursts = 32,
		       .activates = 2}};
	struct structure_counters both = a;
	struct energy of_a, of_b, e;
	double rest;

	(void)state;
	count_something_of_everything();
	stats_add(structure_stat_rows, &both, &b);
	of_a = energy_of_structure(&config, &machine, &counts, &a);
	of_b = energy_of_structure(&config, &machine, &counts, &b);
	e = energy_of(&config, &machine, &counts, &both);
	rest = e.parts[ENERGY_SM] + e.parts[ENERGY_DIRECTORY] + e.parts[ENERGY_LINKS] + e.events[EVENT_dram_refresh] +
	       64e-12 * config.pj[EVENT_llc_tag];
	assert_picojoules(e.structures_j, 1e12 * (of_a.total_j + of_b.total_j));
	assert_picojoules(e.elsewhere_j, 1e12 * rest);
	assert_picojoules(e.total_j, 1e12 * (of_a.total_j + of_b.total_j + rest));
	assert_picojoules(of_a.parts[ENERGY_NOC] - of_a.events[EVENT_noc_crossbar],
			  1e12 * 0.6 * (e.parts[ENERGY_NOC] - e.events[EVENT_noc_crossbar]));
	assert_picojoules(of_a.parts[ENERGY_SM] + of_b.parts[ENERGY_SM], 0);
}

static void test_static_power_runs_on(void **state)
{
	struct energy_machine second = machine;
	struct energy e;

	(void)state;
	second.seconds = 2;
	e = energy_of(&config, &second, &counts, NULL);
	assert_picojoules(e.statics[STATIC_SM], 2e12 * 64 * 0.283);
	assert_picojoules(e.statics[STATIC_NOC], 2e12 * (256 * 0.0069 + 128 * 0.0025));
	assert_picojoules(e.statics[STATIC_LLC], 2e12 * 4096 * 0.000311);
	assert_picojoules(e.statics[STATIC_DRAM], 2e12 * 32 * 0.066);
	assert_picojoules(e.statics[STATIC_OTHER], 2e12 * 32.3);
	assert_picojoules(e.static_j, 1e12 * (e.statics[STATIC_SM] + e.statics[STATIC_NOC] + e.statics[STATIC_LLC] +
					      e.statics[STATIC_DRAM] + e.statics[STATIC_OTHER]));
	assert_true(e.total_j == e.static_j);
	assert_picojoules(e.watts, 1e12 * e.total_j / 2);
}

static double router(double ports)
{
	return config.pj[EVENT_noc_buffer_write] + config.pj[EVENT_noc_buffer_read] + config.pj[EVENT_noc_switch] +
	       ports * (config.pj[EVENT_noc_switch_port] + config.pj[EVENT_noc_arbitration]);
}

static double slice(enum energy_event access, enum energy_event sector, double sectors)
{
	return config.pj[EVENT_llc_tag] + config.pj[access] + sectors * config.pj[sector];
}

static void assert_within(double value, double expected, double share)
{
	if (fabs(value - expected) > share * expected)
		fail_msg("%g, but the tool says %g", value, expected);
}

/* CACTI's and DSENT's values for whole accesses and whole routers, in picojoules. */
static void test_prices_add_up_to_what_the_tools_say(void **state)
{
	(void)state;
	assert_within(slice(EVENT_llc_read, EVENT_llc_read_sector, 4), 29.27, 0.01);
	assert_within(slice(EVENT_llc_read, EVENT_llc_read_sector, 1), 14.0, 0.01);
	assert_within(slice(EVENT_llc_write, EVENT_llc_write_sector, 4), 57.78, 0.01);
	assert_within(slice(EVENT_llc_write, EVENT_llc_write_sector, 1), 17.37, 0.01);
	assert_within(router(4), 8.57, 0.02);
	assert_within(router(8), 9.35, 0.02);
	assert_within(router(16), 10.93, 0.02);
	assert_within(config.link_mm * config.pj[EVENT_noc_link_mm], 78.9, 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_nothing_costs_nothing, reset),
	    cmocka_unit_test_setup(test_each_event_has_its_price, reset),
	    cmocka_unit_test_setup(test_flits_are_charged_by_their_width, reset),
	    cmocka_unit_test_setup(test_structures_share_what_they_caused, reset),
	    cmocka_unit_test_setup(test_static_power_runs_on, reset),
	    cmocka_unit_test_setup(test_prices_add_up_to_what_the_tools_say, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
