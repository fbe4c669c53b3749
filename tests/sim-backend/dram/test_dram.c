/* A DRAM channel by itself, one memory clock a cycle: latencies and limits against the timing parameters. */
#include "tests/sim-backend/support.h"

#include "sim-backend/dram/channel.h"
#include "sim-backend/dram/dram_policy.h"

#include <string.h>

static struct dram_config config;
static struct dram_clock same_clock = {1, 1};
static struct dram_channel channel;
static uint64_t awake, now;

static uint32_t scheduler(const char *name)
{
	uint32_t i = 0;

	while (dram_scheduler_table[i] && strcmp(dram_scheduler_table[i]->name, name) != 0)
		i++;
	assert_non_null(dram_scheduler_table[i]);
	return i;
}

static void start_with(const char *name)
{
	config = paper_machine().dram;
	config.return_queue = 64;
	config.scheduler = scheduler(name);
	dram_channel_init(&channel, &config, (struct dram_rooms){4, config.return_queue}, &same_clock,
			  wakeup_in(&awake, 0), wakeup_in(&awake, 1));
	now = 1000;
}

static void start(void)
{
	start_with("fr-fcfs");
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

/* Each request is for a line of its own. */
static void push(unsigned bank, uint32_t row, unsigned bursts, bool write)
{
	static uint64_t line;

	while (!port_room(&channel.in, now)) {
		tick();
		take();
	}
	port_push(
	    &channel.in, now + 1,
	    (struct dram_request){
		.line = line += 128, .row = row, .bank = (uint8_t)bank, .bursts = (uint8_t)bursts, .write = write});
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

/* Sends `count` transactions as fast as the channel takes them; the clocks they took. */
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
	assert_true(dram_row_clocks(&config) == config.tFAW / 4.0);
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
	assert_true(dram_row_clocks(&config) == config.tRRDs);
	tear_down();
}

/* Without either, each bank can open a row in tRC; here there are few banks, and no two of a group. */
static void test_activates_wait_for_their_bank(void **state)
{
	uint64_t clocks;

	(void)state;
	start();
	config.tFAW = 0;
	config.banks = config.bank_groups;
	clocks = stream(1600, 1, config.banks, false, false);
	assert_true(config.tRC > config.banks * config.tRRDs);
	assert_true(clocks >= 1599 / config.banks * config.tRC && clocks < 1600 / config.banks * config.tRC * 1.05);
	assert_true(dram_row_clocks(&config) == (double)config.tRC / config.banks);
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

/* Each row has the name that its scheduler gives itself; the paper's machine has the first. */
static void test_scheduler_choices_match_the_table(void **state)
{
	const struct knob *knob = knob_find(dram_knobs, "scheduler");
	char name[64];
	uint32_t i = 0;

	(void)state;
	for (; dram_scheduler_table[i]; i++) {
		assert_true(knob_choice_name(knob->choices, i, name, sizeof name));
		assert_string_equal(name, dram_scheduler_table[i]->name);
	}
	assert_false(knob_choice_name(knob->choices, i, name, sizeof name));
	assert_int_equal(paper_machine().dram.scheduler, scheduler("fr-fcfs"));
}

/* The rows of what comes out, in order, for reads of bank 0 that arrive together: "121" = row 1, 2, then 1 again. */
static const char *served(const char *rows)
{
	static char order[8];
	unsigned n = 0;

	for (const char *row = rows; *row; row++)
		push(0, (uint32_t)(*row - '0'), 4, false);
	while (rows[n]) {
		const struct dram_request *r;

		tick();
		r = port_peek(&channel.out, now);
		if (!r)
			continue;
		order[n++] = (char)('0' + r->row);
		port_pop(&channel.out, now);
	}
	order[n] = '\0';
	return order;
}

/* A row hit that came later overtakes an older request for another row, unless all are served as they come. */
static void test_row_hits_go_first(void **state)
{
	(void)state;
	start_with("fr-fcfs");
	assert_string_equal(served("1212"), "1122");
	assert_int_equal(channel.stats.row_hits, 2);
	tear_down();
	start_with("fcfs");
	assert_string_equal(served("1212"), "1212");
	assert_int_equal(channel.stats.row_hits, 0);
	tear_down();
}

/*
 * Four reads of one closed bank that arrive together, for two rows in turn. In order, each but the first waits until
 * the row before it is closed and its own is open. Hits first, two follow on the bus, and the row changes once.
 */
static void test_two_rows_in_turn(void **state)
{
	uint64_t alone, change, after_one, after_two;

	(void)state;
	start_with("fcfs");
	alone = config.tRCD + config.tCL + 4;
	after_one = config.tRCD + 3 + config.tRTP;
	after_two = config.tRCD + 4 + 3 + config.tRTP;
	change = config.tRP + (after_one > config.tRAS ? after_one : config.tRAS);
	assert_true(change >= config.tRC);
	served("1212");
	assert_int_equal(channel.stats.read_clocks, 4 * alone + (1 + 2 + 3) * change);
	assert_int_equal(channel.stats.activates, 4);
	assert_int_equal(channel.stats.precharges, 3);
	tear_down();

	start_with("fr-fcfs");
	change = config.tRP + (after_two > config.tRAS ? after_two : config.tRAS);
	served("1212");
	assert_int_equal(channel.stats.read_clocks, 4 * alone + 4 + change + (change + 4));
	assert_int_equal(channel.stats.activates, 2);
	assert_int_equal(channel.stats.precharges, 1);
	tear_down();
}

/* Two reads of two closed banks: in order, the second's row is opened when the first has its column command. */
static void test_in_order_opens_no_row_ahead(void **state)
{
	(void)state;
	start_with("fcfs");
	push(0, 1, 4, false);
	push(1, 1, 4, false);
	finish();
	assert_int_equal(channel.stats.read_clocks, config.tRCD + config.tCL + 4 + (2 * config.tRCD + config.tCL + 4));
	tear_down();

	start_with("fr-fcfs");
	push(0, 1, 4, false);
	push(1, 1, 4, false);
	finish();
	assert_int_equal(channel.stats.read_clocks, 2 * (config.tRCD + config.tCL + 4) + 4);
	tear_down();
}

/* Random reads, numbered by arrival: how many leave before an older read. */
static unsigned overtakings(const char *name)
{
	enum { COUNT = 2000 };
	uint64_t random = 5;
	unsigned out = 0, in = 0, result = 0, oldest = 0;
	bool seen[COUNT] = {false};

	start_with(name);
	while (out < COUNT) {
		const struct dram_request *r;

		while (in < COUNT && port_room(&channel.in, now)) {
			port_push(&channel.in, now + 1,
				  (struct dram_request){.line = in * 128,
							.row = (uint32_t)random_below(&random, 4),
							.bank = (uint8_t)random_below(&random, 16),
							.bursts = (uint8_t)(1 + random_below(&random, 4)),
							.mshr = (uint16_t)in});
			in++;
		}
		tick();
		while ((r = port_peek(&channel.out, now))) {
			assert_false(seen[r->mshr]);
			seen[r->mshr] = true;
			result += r->mshr != oldest;
			while (oldest < COUNT && seen[oldest])
				oldest++;
			out++;
			port_pop(&channel.out, now);
		}
	}
	tear_down();
	return result;
}

static void test_in_order_is_in_order(void **state)
{
	(void)state;
	assert_int_equal(overtakings("fcfs"), 0);
	assert_true(overtakings("fr-fcfs") > 500);
}

/*
 * One read of row 2 among 300 of row 1 that keep coming: hits first has no bound but the age cap, in order is the
 * bound. A hit takes four clocks; the miss arrives with the first hits, and those on the bus go before it.
 */
static void test_how_long_a_miss_waits_for_hits(void **state)
{
	enum { HITS = 300 };
	static const struct {
		const char *scheduler;
		unsigned age_cap, least, most; /* hits before it */
	} cases[] = {{"fr-fcfs", 0, HITS, HITS},
		     {"fr-fcfs", 100, 100 / 4 - 8, 100 / 4 + 4},
		     {"fr-fcfs", 400, 400 / 4 - 8, 400 / 4 + 4},
		     {"fcfs", 0, 1, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned hits = 0, given = 0, before = UINT32_MAX;

		start_with(cases[i].scheduler);
		config.age_cap = cases[i].age_cap;
		while (before == UINT32_MAX) {
			const struct dram_request *r;

			for (; given < HITS + 1 && port_room(&channel.in, now); given++)
				push(0, given == 1 ? 2 : 1, 4, false);
			tick();
			for (; (r = port_peek(&channel.out, now)); hits++) {
				if (r->row == 2)
					before = hits;
				port_pop(&channel.out, now);
			}
		}
		assert_in_range(before, cases[i].least, cases[i].most);
		tear_down();
	}
}

/* After every clock, the set of each bank's oldest transactions is what a walk over the queue finds. */
static void test_the_oldest_of_each_bank_is_known(void **state)
{
	uint32_t expected[4] = {0};
	uint64_t random = 11;

	(void)state;
	start_with("fr-fcfs");
	for (unsigned i = 0; i < 3000; i++) {
		unsigned bank = (unsigned)random_below(&random, 4);

		push(bank, (uint32_t)random_below(&random, 3), 1, false);
		tick();
		take();
		memset(expected, 0xff, sizeof expected);
		for (unsigned k = channel.reads.count; k-- > 0;)
			expected[channel.reads.entries[k].request.bank] = k;
		for (unsigned b = 0; b < 4; b++)
			assert_true(expected[b] == UINT32_MAX || channel.reads.oldest_of_bank >> expected[b] & 1);
		assert_int_equal(__builtin_popcountll(channel.reads.oldest_of_bank),
				 (expected[0] != UINT32_MAX) + (expected[1] != UINT32_MAX) +
				     (expected[2] != UINT32_MAX) + (expected[3] != UINT32_MAX));
	}
	finish();
	assert_int_equal(channel.stats.reads, 3000);
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

/* The same for a read of another bank group, which tWTRs may let go earlier. */
static void test_another_bank_group_turns_round_earlier(void **state)
{
	static const uint32_t shorter[] = {0, 2};

	(void)state;
	for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
		for (unsigned bank = 0; bank < 2; bank++) {
			uint64_t before, wait;

			start();
			config.tWTR = 9;
			config.tWTRs = shorter[i];
			wait = bank && shorter[i] ? shorter[i] : config.tWTR;
			latency_of(0, 1);
			latency_of(1, 1);
			push(0, 1, 4, true);
			while (!channel.stats.writes)
				tick();
			before = channel.stats.read_clocks;
			push(bank, 1, 4, false);
			finish();
			assert_int_equal(channel.stats.read_clocks - before,
					 3 + config.tWL + 1 + wait - 2 + config.tCL + 4);
			tear_down();
		}
}

/* The delay behind the bus makes each read later, and a stream only by itself. */
static void test_extra_clocks_hold_no_bus(void **state)
{
	enum { EXTRA = 40 };
	uint64_t without;

	(void)state;
	start();
	without = stream(2000, 4, 16, true, false);
	tear_down();
	start();
	config.extra_clocks = EXTRA;
	assert_int_equal(stream(2000, 4, 16, true, false), without + EXTRA);
	assert_int_equal(latency_of(3, 1), config.tCL + 4 + EXTRA);
	tear_down();
}

/*
 * Bank groups that take twice as long as the bus: back to back a transaction of four bursts holds the bus for seven
 * clocks. Bursts of other groups fill the gaps, if there are any.
 */
static void test_interleaved_bursts_fill_the_bus(void **state)
{
	static const struct {
		bool interleave;
		unsigned banks;
		uint64_t clocks; /* of a transaction of four bursts */
	} cases[] = {{false, 4, 7}, {true, 4, 4}, {true, 2, 4}, {true, 1, 8}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int write = 0; write < 2; write++) {
			uint64_t clocks;

			start();
			config.tCCDl = 2;
			config.interleave = cases[i].interleave;
			clocks = stream(1000, 4, cases[i].banks, true, write);
			assert_true(clocks >= 1000 * cases[i].clocks && clocks < 1030 * cases[i].clocks);
			assert_int_equal(write ? channel.stats.writes : channel.stats.reads, 1000);
			assert_int_equal(write ? channel.stats.write_bursts : channel.stats.read_bursts, 4000);
			tear_down();
		}
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
	dram_channel_init(&channel, &config, (struct dram_rooms){4, config.return_queue}, &same_clock,
			  wakeup_in(&awake, 0), wakeup_in(&awake, 1));
	for (int i = 0; i < 6; i++)
		push(0, 1, 4, false);
	for (int i = 0; i < 300; i++)
		tick();
	assert_int_equal(channel.stats.reads, 2);
	finish();
	assert_int_equal(channel.stats.reads, 6);
	tear_down();
}

static void test_banks_add_up_to_the_channel(void **state)
{
	struct dram_bank_stats sum = {0};

	(void)state;
	start();
	stream(500, 4, 16, false, false);
	stream(300, 4, 5, true, true);
	for (unsigned b = 0; b < config.banks; b++) {
		sum.reads += channel.bank_stats[b].reads;
		sum.writes += channel.bank_stats[b].writes;
		sum.row_hits += channel.bank_stats[b].row_hits;
		sum.activates += channel.bank_stats[b].activates;
	}
	assert_int_equal(channel.bank_stats[3].writes, 60);
	assert_int_equal(sum.reads, channel.stats.reads);
	assert_int_equal(sum.writes, channel.stats.writes);
	assert_int_equal(sum.row_hits, channel.stats.row_hits);
	assert_int_equal(sum.activates, channel.stats.activates);
	tear_down();
}

static void test_clock_is_exact(void **state)
{
	struct dram_config paper = paper_machine().dram;
	struct dram_clock c = dram_clock_of(dram_hertz(&paper, 32), 1400000000);

	(void)state;
	assert_int_equal(dram_hertz(&paper, 32), 585937500);
	paper.clock_mhz = 924;
	assert_int_equal(dram_hertz(&paper, 32), 924000000);
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
	    cmocka_unit_test(test_activates_wait_for_their_bank),
	    cmocka_unit_test(test_one_bank_opens_a_row_every_trc),
	    cmocka_unit_test(test_scheduler_choices_match_the_table),
	    cmocka_unit_test(test_row_hits_go_first),
	    cmocka_unit_test(test_two_rows_in_turn),
	    cmocka_unit_test(test_in_order_opens_no_row_ahead),
	    cmocka_unit_test(test_in_order_is_in_order),
	    cmocka_unit_test(test_how_long_a_miss_waits_for_hits),
	    cmocka_unit_test(test_the_oldest_of_each_bank_is_known),
	    cmocka_unit_test(test_read_after_write_waits_for_the_turnaround),
	    cmocka_unit_test(test_another_bank_group_turns_round_earlier),
	    cmocka_unit_test(test_extra_clocks_hold_no_bus),
	    cmocka_unit_test(test_interleaved_bursts_fill_the_bus),
	    cmocka_unit_test(test_writes_drain_between_watermarks),
	    cmocka_unit_test(test_refresh_closes_and_blocks),
	    cmocka_unit_test(test_return_queue_holds_reads_back),
	    cmocka_unit_test(test_banks_add_up_to_the_channel),
	    cmocka_unit_test(test_clock_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
