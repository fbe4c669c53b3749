/* A DRAM channel by itself, one memory clock a cycle: latencies and limits against the timing parameters. */
#include "tests/sim-backend/support.h"

#include "sim-backend/dram/channel.h"

#include <string.h>

static struct dram_config config;
static struct dram_clock same_clock = {1, 1};
static struct dram_channel channel;
static uint64_t awake, now;

static void start(void)
{
	config = paper_machine().dram;
	config.return_queue = 64;
	dram_channel_init(&channel, &config, &same_clock, wakeup_in(&awake, 0), wakeup_in(&awake, 1));
	now = 1000;
}

static void tear_down(void)
{
	dram_channel_release(&channel);
}

static void tick(void)
{
	dram_channel_tick(&channel, now, now - 1, now);
	now++;
}

static void take(void)
{
	while (port_peek(&channel.out, now))
		port_pop(&channel.out, now);
}

static void push(unsigned bank, uint32_t row, unsigned bursts, bool write)
{
	while (!port_room(&channel.in, now)) {
		tick();
		take();
	}
	port_push(&channel.in, now + 1,
		  (struct dram_request){.row = row, .bank = (uint8_t)bank, .bursts = (uint8_t)bursts, .write = write});
}

/* Ticks until all is done, taking what comes out. */
static void finish(void)
{
	while (!dram_channel_is_empty(&channel)) {
		tick();
		take();
	}
}

/* Clocks from a read's arrival to its last data. */
static uint64_t latency_of(unsigned bank, uint32_t row)
{
	uint64_t before = channel.stats.read_clocks;

	push(bank, row, 4, false);
	finish();
	for (int i = 0; i < 100; i++)
		tick();
	return channel.stats.read_clocks - before;
}

static void test_read_latencies_are_sums_of_timings(void **state)
{
	(void)state;
	start();
	assert_int_equal(latency_of(3, 7), config.tRCD + config.tCL + 4);
	assert_int_equal(latency_of(3, 7), config.tCL + 4);
	assert_int_equal(latency_of(3, 8), config.tRP + config.tRCD + config.tCL + 4);
	assert_int_equal(channel.stats.row_hits, 1);
	assert_int_equal(channel.stats.activates, 2);
	assert_int_equal(channel.stats.precharges, 1);
	tear_down();
}

static void test_closed_page_precharges_by_itself(void **state)
{
	(void)state;
	start();
	config.page_policy = DRAM_CLOSED_PAGE;
	assert_int_equal(latency_of(3, 7), config.tRCD + config.tCL + 4);
	assert_int_equal(latency_of(3, 8), config.tRCD + config.tCL + 4);
	assert_int_equal(channel.stats.precharges, 2);
	tear_down();
}

/* `count` transactions as fast as they are taken; clocks they took. */
static uint64_t stream(unsigned count, unsigned bursts, unsigned banks, bool same_row, bool write)
{
	uint64_t start_at = now;

	for (unsigned i = 0; i < count; i++)
		push(i % banks, same_row ? 1 : i / banks, bursts, write);
	finish();
	return now - start_at;
}

static void test_row_hits_reach_the_bus_width(void **state)
{
	uint64_t clocks;

	(void)state;
	for (int write = 0; write < 2; write++) {
		start();
		clocks = stream(2000, 4, 16, true, write);
		assert_true(clocks >= 8000 && clocks < 8000 * 1.03);
		assert_int_equal(write ? channel.stats.write_bursts : channel.stats.read_bursts, 8000);
		assert_true(channel.stats.row_hits >= 2000 - 16);
		tear_down();
	}
}

/* New rows in 16 banks with single bursts: no more than four activates in tFAW. */
static void test_activates_keep_to_the_window(void **state)
{
	uint64_t clocks;

	(void)state;
	start();
	clocks = stream(1600, 1, 16, false, false);
	assert_int_equal(channel.stats.activates, 1600);
	assert_true(clocks >= 1599 / 4 * config.tFAW && clocks < 1600 / 4 * config.tFAW * 1.05);
	tear_down();
}

/* Without tFAW, tRRDs is the limit (neighbouring banks lie in different groups). */
static void test_activates_keep_their_distance(void **state)
{
	uint64_t clocks;

	(void)state;
	start();
	config.tFAW = 0;
	clocks = stream(1600, 1, 16, false, false);
	assert_true(clocks >= 1599 * config.tRRDs && clocks < 1600 * config.tRRDs * 1.05);
	tear_down();
}

static void test_one_bank_opens_a_row_every_trc(void **state)
{
	uint64_t clocks;

	(void)state;
	start();
	clocks = stream(500, 1, 1, false, false);
	assert_true(clocks >= 499 * config.tRC && clocks < 500 * config.tRC + 50);
	tear_down();
}

/* A row hit that came later overtakes an older request for another row. */
static void test_row_hits_go_first(void **state)
{
	uint32_t order[3];
	unsigned n = 0;

	(void)state;
	start();
	push(0, 1, 4, false);
	push(0, 2, 4, false);
	push(0, 1, 4, false);
	while (n < 3) {
		const struct dram_request *r;

		tick();
		r = port_peek(&channel.out, now);
		if (r) {
			order[n++] = r->row;
			port_pop(&channel.out, now);
		}
	}
	assert_int_equal(order[0], 1);
	assert_int_equal(order[1], 1);
	assert_int_equal(order[2], 2);
	tear_down();
}

static void test_read_after_write_waits_for_the_turnaround(void **state)
{
	uint64_t before;

	(void)state;
	start();
	latency_of(0, 1);
	push(0, 1, 4, true);
	while (!channel.stats.writes)
		tick();
	/* The write was issued in clock now - 1; its last of four bursts three clocks later. */
	before = channel.stats.read_clocks;
	push(0, 1, 4, false);
	finish();
	/* The read has arrived in clock `now` of then, two after the write. */
	assert_int_equal(channel.stats.read_clocks - before, 3 + config.tWL + 1 + config.tWTR - 2 + config.tCL + 4);
	tear_down();
}

/* Writes wait while there are reads, until the high watermark; then they drain to the low one. */
static void test_writes_drain_between_watermarks(void **state)
{
	(void)state;
	start();
	for (unsigned i = 0; i < config.write_high - 1; i++) {
		push(1, 1, 1, true);
		push(0, 1, 4, false);
		push(0, 1, 4, false);
		push(0, 1, 4, false);
	}
	assert_int_equal(channel.stats.writes, 0);
	push(1, 1, 1, true);
	for (int i = 0; i < 60; i++) {
		push(0, 1, 4, false);
		tick();
	}
	assert_int_equal(channel.stats.writes, config.write_high - config.write_low);
	finish();
	assert_int_equal(channel.stats.writes, config.write_high);
	tear_down();
}

static void test_refresh_closes_and_blocks(void **state)
{
	uint64_t clocks;

	(void)state;
	start();
	config.refresh = true;
	now = config.tREFI;
	channel.next_refresh = now;
	clocks = stream(4000, 4, 16, true, false);
	assert_int_equal(channel.stats.refreshes, 1 + clocks / config.tREFI);
	/* Each costs tRFC, the time to close and open the rows again, and little more. */
	assert_true(clocks > 16000 + channel.stats.refreshes * config.tRFC);
	assert_true(clocks < 16000 + channel.stats.refreshes * (config.tRFC + 60));
	tear_down();
}

static void test_return_queue_holds_reads_back(void **state)
{
	(void)state;
	start();
	config.return_queue = 2;
	dram_channel_release(&channel);
	dram_channel_init(&channel, &config, &same_clock, wakeup_in(&awake, 0), wakeup_in(&awake, 1));
	for (int i = 0; i < 6; i++)
		push(0, 1, 4, false);
	for (int i = 0; i < 300; i++)
		tick();
	assert_int_equal(channel.stats.reads, 2);
	finish();
	assert_int_equal(channel.stats.reads, 6);
	tear_down();
}

static void test_clock_is_exact(void **state)
{
	struct dram_config paper = paper_machine().dram;
	struct dram_clock c = dram_clock_of(dram_hertz(&paper, 32), 1400000000);

	(void)state;
	assert_int_equal(dram_hertz(&paper, 32), 585937500);
	assert_int_equal(c.numerator, 375);
	assert_int_equal(c.denominator, 896);
	assert_int_equal(dram_clock_at(&c, 896 * UINT64_C(1000000000)), 375 * UINT64_C(1000000000));
	for (uint64_t clock = 0; clock < 2000; clock++) {
		uint64_t cycle = dram_clock_cycle(&c, clock);

		assert_true(dram_clock_at(&c, cycle) >= clock);
		assert_true(!cycle || dram_clock_at(&c, cycle - 1) < clock);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_read_latencies_are_sums_of_timings),
	    cmocka_unit_test(test_closed_page_precharges_by_itself),
	    cmocka_unit_test(test_row_hits_reach_the_bus_width),
	    cmocka_unit_test(test_activates_keep_to_the_window),
	    cmocka_unit_test(test_activates_keep_their_distance),
	    cmocka_unit_test(test_one_bank_opens_a_row_every_trc),
	    cmocka_unit_test(test_row_hits_go_first),
	    cmocka_unit_test(test_read_after_write_waits_for_the_turnaround),
	    cmocka_unit_test(test_writes_drain_between_watermarks),
	    cmocka_unit_test(test_refresh_closes_and_blocks),
	    cmocka_unit_test(test_return_queue_holds_reads_back),
	    cmocka_unit_test(test_clock_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
