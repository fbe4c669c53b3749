/*
 * Refreshes of a single channel, for every preset that has them: their cost for a request that finds the channel idle,
 * and their number, against closed forms.
 */
#include "tests/sim-backend/support.h"

#include "sim-backend/config/config.h"
#include "sim-backend/dram/channel.h"

#include <stdio.h>

static const char *const presets[] = {"hbm1", "hbm2", "hbm2e", "hbm3", "gddr6", "gddr6x"};
enum { PRESETS = sizeof presets / sizeof *presets };

static struct sim_config *config;
static const struct dram_config *t;
static struct dram_clock same_clock = {1, 1};
static struct dram_channel channel;
static uint64_t awake, now;

/* bank_clocks: dram.tRFCb. */
static void start_with(const char *preset, unsigned bank_clocks)
{
	struct diag d = DIAG_INIT;
	struct dram_ends ends;
	char setting[32], banks[32];

	snprintf(setting, sizeof setting, "dram.preset=%s", preset);
	snprintf(banks, sizeof banks, "dram.tRFCb=%u", bank_clocks);
	config = sim_config_create();
	assert_int_equal(sim_config_load(config, "selrep64", &d), 0);
	assert_int_equal(sim_config_set(config, setting, &d), 0);
	assert_int_equal(sim_config_set(config, banks, &d), 0);
	assert_int_equal(sim_config_check(config, &d), 0);
	t = &config->memory.dram;
	assert_true(t->refresh);
	ends = memsys_dram_ends(&config->memory);
	dram_channel_init(&channel, t, dram_rooms_of(t, &ends), &same_clock, wakeup_in(&awake, 0),
			  wakeup_in(&awake, 1));
	now = 1;
}

static void start(const char *preset)
{
	start_with(preset, 0);
}

static void stop(void)
{
	dram_channel_release(&channel);
	sim_config_free(config);
}

/* A read of one burst that arrives in clock `at`: clocks until its data have come. The channel is empty before. */
static uint64_t read_bank_at(uint64_t at, uint8_t bank, uint32_t row)
{
	uint64_t before = channel.stats.read_clocks;

	port_push(&channel.in, at, (struct dram_request){.line = 128, .bank = bank, .row = row, .bursts = 1});
	for (now = at; !dram_channel_is_empty(&channel); now++) {
		dram_channel_tick(&channel, now, now - 1, now);
		while (port_peek(&channel.out, now))
			port_pop(&channel.out, now);
	}
	return channel.stats.read_clocks - before;
}

static uint64_t read_at(uint64_t at, uint32_t row)
{
	return read_bank_at(at, 0, row);
}

/* Clocks of a request that finds its bank closed, without other requests. */
static uint64_t closed_clocks(void)
{
	return t->tRCD + t->tCL + t->burst_clocks;
}

/*
 * One read in each interval, a clock later than in the one before. The row of the last read is open when the refresh
 * is due, so banks are closed for R = tRP + tRFC clocks; who comes in clock p of them waits R - p. Over all arrivals
 * that is R (R + 1) / 2, which is tRFC / tREFI * tRFC / 2 for each, and tRCD for the row that was closed. The last 200
 * clocks of an interval are left out, for who comes then may not be done when the next refresh is due.
 */
static void test_an_idle_channel_pays_for_the_refresh_in_progress(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PRESETS; i++) {
		uint64_t sum = 0, closed;

		start(presets[i]);
		closed = t->tRP + t->tRFC;
		read_at(t->tREFI - 200, 3);
		for (uint64_t p = 0; p < t->tREFI - 200; p++)
			sum += read_at((p + 1) * t->tREFI + p, 3) - closed_clocks();
		if (sum != closed * (closed + 1) / 2)
			fail_msg("%s: waits of %lu clocks in all, not %lu", presets[i], (unsigned long)sum,
				 (unsigned long)(closed * (closed + 1) / 2));
		stop();
	}
}

/* However long nobody asked, one refresh at most is in progress, and the row has to be opened again. */
static void test_long_idle_costs_no_more_than_short(void **state)
{
	static const uint64_t idle[] = {1, 2, 17, 100000};

	(void)state;
	for (unsigned i = 0; i < PRESETS; i++)
		for (unsigned k = 0; k < 4; k++) {
			uint64_t at;

			start(presets[i]);
			assert_int_equal(read_at(100, 3), closed_clocks());
			assert_int_equal(read_at(300, 3), t->tCL + t->burst_clocks);
			at = idle[k] * t->tREFI;
			assert_int_equal(read_at(at + t->tREFI / 2, 3), closed_clocks());
			assert_int_equal(channel.stats.refreshes, idle[k]);
			assert_int_equal(channel.stats.precharges, 1);
			stop();
		}
}

/*
 * With a bank at a time the same holds for each bank, with tRFCb, and once in a round of all banks. Meanwhile the other
 * banks go on.
 */
static void test_banks_are_refreshed_in_turn(void **state)
{
	const unsigned clocks = 140;
	uint64_t sum = 0, interval, round, closed;

	(void)state;
	start_with("hbm2", clocks);
	interval = t->tREFI / t->banks;
	round = interval * t->banks;
	closed = t->tRP + clocks;
	read_at(round - 200, 3);
	for (uint64_t p = 0; p < round - 200; p++)
		sum += read_at((p + 1) * round + p, 3) - closed_clocks();
	assert_int_equal(sum, closed * (closed + 1) / 2);
	stop();

	start_with("hbm2", clocks);
	for (unsigned bank = 0; bank < t->banks; bank++)
		read_bank_at(round - 2000 + 100 * bank, (uint8_t)bank, 3);
	assert_int_equal(read_bank_at(round + 1, 1, 3), t->tCL + t->burst_clocks); /* bank 0's turn */
	assert_int_equal(read_bank_at(round + interval + 1, 1, 3), closed - 1 + closed_clocks());
	stop();
}

static void test_refreshes_of_banks_are_counted(void **state)
{
	uint64_t interval;

	(void)state;
	start_with("hbm2", 140);
	interval = t->tREFI / t->banks;
	dram_channel_refresh(&channel, interval - 1);
	assert_int_equal(channel.stats.refreshes, 0);
	dram_channel_refresh(&channel, 1000 * interval + 5);
	assert_int_equal(channel.stats.refreshes, 1000);
	stop();
}

/* Without requests there are as many refreshes as intervals have passed, at any time. */
static void test_refreshes_of_an_idle_channel_are_counted(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PRESETS; i++) {
		start(presets[i]);
		dram_channel_refresh(&channel, t->tREFI - 1);
		assert_int_equal(channel.stats.refreshes, 0);
		dram_channel_refresh(&channel, t->tREFI);
		assert_int_equal(channel.stats.refreshes, 1);
		dram_channel_refresh(&channel, 12 * (uint64_t)t->tREFI + 5);
		assert_int_equal(channel.stats.refreshes, 12);
		dram_channel_refresh(&channel, 12 * (uint64_t)t->tREFI + 6);
		assert_int_equal(channel.stats.refreshes, 12);
		assert_int_equal(channel.stats.precharges, 0);
		stop();
	}
}

/* To look at the counters between two requests changes no time. */
static void test_looking_changes_no_time(void **state)
{
	uint64_t clocks[2] = {0};

	(void)state;
	for (unsigned look = 0; look < 2; look++) {
		uint64_t random = 7;

		start("hbm2");
		for (unsigned i = 0; i < 3000; i++) {
			uint64_t at = now + 1 + random_below(&random, 3000);

			if (look)
				for (uint64_t clock = now; clock < at; clock += 100)
					dram_channel_refresh(&channel, clock);
			clocks[look] += read_at(at, i & 4);
		}
		assert_int_equal(channel.stats.refreshes, (now - 1) / t->tREFI);
		stop();
	}
	assert_int_equal(clocks[0], clocks[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_an_idle_channel_pays_for_the_refresh_in_progress),
	    cmocka_unit_test(test_long_idle_costs_no_more_than_short),
	    cmocka_unit_test(test_banks_are_refreshed_in_turn),
	    cmocka_unit_test(test_refreshes_of_banks_are_counted),
	    cmocka_unit_test(test_refreshes_of_an_idle_channel_are_counted),
	    cmocka_unit_test(test_looking_changes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
