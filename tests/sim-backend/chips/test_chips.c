/* Several chips: the time and the bytes of the way over the links, and whose memory a page is in. */
#include "sim-backend/knobs/stat.h"
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/memory/unloaded.h"
#include "sim-backend/base/units.h"

#include <string.h>

enum { PER_CHIP = 64, LINE = 128, PAGE = 4096 };

static struct memsys_config config;
static struct memsys *ms;
static uint64_t now;

/* The paper's machine as each of four chips; no stage of a network but the links differs from one chip. */
static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	config.chips.count = 4;
	config.sms = 4 * PER_CHIP;
	return 0;
}

static void start_with(const char *policy)
{
	ms = memsys_with(&config, policy);
	memsys_follow_versions(ms);
	memsys_kernel_begin(ms, 0, false);
	now = 1000;
}

static void start(void)
{
	start_with("shared");
}

static void stop(void)
{
	now = drain(ms, config.sms, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
}

static const struct link_stats *links(void)
{
	return &memsys_statistics(ms)->links;
}

static uint64_t latency(unsigned sm, struct mem_request request)
{
	uint64_t from = now;

	now = round_trip(ms, sm, now, request);
	from = now - from;
	now = drain(ms, config.sms, now) + 50;
	return from;
}

/* --- Closed forms --- */

/* Cycles of a packet through a network, without load. */
static uint64_t network_cycles(unsigned flits)
{
	return 2 + 2 * config.noc.router_stages + config.noc.link_cycles + flits - 1;
}

/* Cycles of a packet over so many links, each of which starts the packet when all of it has arrived. */
static uint64_t links_cycles(unsigned hops, unsigned bytes)
{
	double cycles = bytes * config.core_mhz / (config.chips.link_gigabytes_per_second * 1000);
	uint64_t whole = (uint64_t)cycles;

	return hops * (whole + (cycles > (double)whole) + config.chips.hop_latency);
}

static uint64_t hit_cycles(unsigned hops)
{
	unsigned flits = units_of(LINE, config.noc.channel_bytes), header = config.chips.header_bytes;
	uint64_t local = network_cycles(1) + config.llc.latency + network_cycles(flits);

	if (!hops)
		return local;
	return local + network_cycles(1) + network_cycles(flits) + links_cycles(hops, header) +
	       links_cycles(hops, header + LINE);
}

static unsigned hops_between(unsigned a, unsigned b)
{
	unsigned steps = (b + config.chips.count - a) % config.chips.count;

	if (config.chips.topology == CHIPS_FULL)
		return steps != 0;
	return steps < config.chips.count - steps ? steps : config.chips.count - steps;
}

/* Chip 0 touches the line, then each chip hits it in chip 0's LLC. */
static void test_a_remote_hit_is_the_sum_of_its_stages(void **state)
{
	(void)state;
	for (uint32_t count = 2; count <= 4; count *= 2)
		for (unsigned topology = CHIPS_RING; topology <= CHIPS_FULL; topology++)
			for (unsigned slow = 0; slow < 2; slow++) {
				uint64_t packets = 0, miss, local;

				reset(NULL);
				config.chips.count = count;
				config.sms = count * PER_CHIP;
				config.chips.topology = topology;
				/* A miss takes the same time in every bank and at any time. */
				config.dram.clock_mhz = config.core_mhz;
				config.dram.page_policy = DRAM_CLOSED_PAGE;
				if (slow) {
					config.chips.link_gigabytes_per_second = 11.7;
					config.chips.hop_latency = 200;
				}
				start();
				latency(0, read_of(LINE, false));
				miss = latency(5, read_of(PAGE / 2, false));
				local = latency(0, read_of(LINE, false));
				for (unsigned chip = 0; chip < count; chip++) {
					unsigned sm = chip * PER_CHIP + 7, hops = hops_between(chip, 0);
					uint64_t line = PAGE / 2 + LINE * (1 + chip);

					assert_int_equal(latency(sm, read_of(LINE, false)), hit_cycles(hops));
					assert_int_equal(latency(sm, read_of(line, false)),
							 miss - local + hit_cycles(hops));
					packets += 4 * hops;
				}
				assert_int_equal(links()->packets, packets);
				assert_int_equal(links()->bytes,
						 packets * config.chips.header_bytes + packets / 2 * LINE);
				assert_int_equal(links()->remote_requests, 2 * (count - 1));
				assert_int_equal(links()->local_requests, 5);
				stop();
			}
}

/* Policies get the means over all ways. */
static void test_what_policies_are_told_of_latencies(void **state)
{
	struct llc_unloaded told;
	double far = 0;

	(void)state;
	config.dram.clock_mhz = config.core_mhz;
	config.dram.page_policy = DRAM_CLOSED_PAGE;
	for (unsigned full = 0; full < 2; full++) {
		config.chips.topology = full ? CHIPS_FULL : CHIPS_RING;
		told = unloaded_of(&config);
		far = 0;
		for (unsigned chip = 1; chip < 4; chip++)
			far += (double)(hit_cycles(hops_between(chip, 0)) - hit_cycles(0)) / 3;
		start_with("sm-side");
		assert_true(told.hit == hit_cycles(0));
		assert_float_equal(told.far, far, 1e-9);
		assert_float_equal(told.hit + told.miss, latency(0, read_of(LINE, false)), 1e-9);
		far = 0;
		for (unsigned chip = 1; chip < 4; chip++)
			far += (double)latency(chip * PER_CHIP, read_of(LINE, false)) / 3;
		assert_float_equal(told.hit + told.miss + told.far_miss, far, 1e-9);
		stop();
	}
}

/* A domain that is slower hands over at its next clock, so up to one of its clocks more at each of its borders. */
static void test_latencies_of_slower_parts(void **state)
{
	struct llc_unloaded told;
	double hit, miss, slack;

	(void)state;
	config.noc.clock_mhz = config.core_mhz / 2;
	config.llc.clock_mhz = config.core_mhz / 4;
	config.dram.clock_mhz = config.core_mhz / 3.0;
	config.dram.page_policy = DRAM_CLOSED_PAGE;
	config.noc.reply_header = true;
	config.dram.tCCDl = 5;
	told = unloaded_of(&config);
	start_with("sm-side");
	miss = (double)latency(0, read_of(LINE, false));
	hit = (double)latency(0, read_of(LINE, false));
	slack = 2 * 2 + 2 * 4;
	assert_true(hit >= told.hit - slack && hit <= told.hit + slack);
	assert_true(miss - hit >= told.miss - slack && miss - hit <= told.miss + slack);
	/* A part that was taken to be as fast as the SMs would be off by far more. */
	assert_true(told.hit > 3 * config.llc.latency && told.miss > 3 * (config.dram.tRCD + config.dram.tCL));
	stop();
}

/* The links and the networks behind them belong to the networks' stages. */
static void test_stages_of_a_remote_hit(void **state)
{
	const unsigned header = config.chips.header_bytes, flits = LINE / config.noc.channel_bytes;

	(void)state;
	start();
	latency(0, read_of(LINE, false));
	for (unsigned chip = 0; chip < 4; chip++) {
		unsigned hops = hops_between(chip, 0);
		struct stage_stats before = memsys_statistics(ms)->stages, s;
		uint64_t cycles = latency(chip * PER_CHIP + 7, read_of(LINE, false));

		s = memsys_statistics(ms)->stages;
		stats_subtract(stages_stat_rows, &s, &before);
		assert_int_equal(s.requests, 1);
		assert_int_equal(s.injection_cycles, 1);
		assert_int_equal(s.slice_queue_cycles, 0);
		assert_int_equal(s.pipeline_cycles, config.llc.latency);
		assert_int_equal(s.memory_cycles, 0);
		assert_int_equal(s.reply_queue_cycles, 1);
		assert_int_equal(s.request_network_cycles,
				 (1 + (hops > 0)) * network_cycles(1) - 1 + links_cycles(hops, header));
		assert_int_equal(s.reply_network_cycles,
				 (1 + (hops > 0)) * network_cycles(flits) - 1 + links_cycles(hops, header + LINE));
		assert_int_equal(cycles, hit_cycles(hops));
	}
	stop();
}

/* Counters by slice, channel and bank list one chip after another. */
static void test_units_are_listed_chip_by_chip(void **state)
{
	const struct memsys_stats *s;

	(void)state;
	start();
	for (unsigned chip = 0; chip < 4; chip++)
		for (unsigned i = 0; i <= chip; i++)
			latency(chip * PER_CHIP, read_of(chip * 16 * PAGE + i * LINE, false));
	s = memsys_statistics(ms);
	for (unsigned chip = 0; chip < 4; chip++) {
		unsigned slices = s->nslices / 4, channels = s->nchannels / 4, banks = channels * s->nbanks;
		uint64_t accesses = 0, reads = 0, bank_reads = 0;

		for (unsigned i = chip * slices; i < (chip + 1) * slices; i++)
			accesses += s->slices[i].accesses;
		for (unsigned i = chip * channels; i < (chip + 1) * channels; i++)
			reads += s->channels[i].reads;
		for (unsigned i = chip * banks; i < (chip + 1) * banks; i++)
			bank_reads += s->banks[i].reads;
		assert_int_equal(accesses, chip + 1);
		assert_int_equal(reads, chip + 1);
		assert_int_equal(bank_reads, chip + 1);
	}
	stop();
}

/* A slice that misses on a line of another chip's memory asks that memory; hits then stay on the chip. */
static void test_an_sm_side_miss_crosses_below_the_slice(void **state)
{
	uint64_t local, packets = 0;

	(void)state;
	config.dram.clock_mhz = config.core_mhz;
	config.dram.page_policy = DRAM_CLOSED_PAGE;
	start_with("sm-side");
	local = latency(0, read_of(LINE, false));
	for (unsigned chip = 1; chip < 4; chip++) {
		unsigned sm = chip * PER_CHIP + 9, hops = hops_between(chip, 0), header = config.chips.header_bytes;
		uint64_t far = links_cycles(hops, header) + links_cycles(hops, header + LINE);

		/* Besides, a cycle at the port to the link there and one at the port to the slice here. */
		assert_int_equal(latency(sm, read_of(LINE, false)), local + far + 2);
		assert_int_equal(latency(sm, read_of(LINE, false)), hit_cycles(0));
		packets += 2 * hops;
	}
	assert_int_equal(links()->packets, packets);
	assert_int_equal(links()->bytes, packets * config.chips.header_bytes + packets / 2 * LINE);
	assert_int_equal(links()->remote_requests, 0);
	assert_int_equal(memsys_statistics(ms)->llc.fills, 4);
	assert_int_equal(memsys_statistics(ms)->dram.reads, 4);
	for (unsigned i = 0; i < config.noc.mc_routers; i++)
		assert_int_equal(inside_chip(ms, 2)->controllers[i].requests, 0);
	stop();
}

/* Local accesses pass no link, whatever they are; a write and an atomic carry their data over it. */
static void test_only_remote_accesses_pass_links(void **state)
{
	struct mem_request write = write_of(LINE, 64, 3);

	(void)state;
	start();
	for (unsigned chip = 0; chip < 4; chip++)
		for (unsigned i = 0; i < 3 * PAGE / LINE; i++) {
			latency(chip * PER_CHIP + i % PER_CHIP, read_of(chip * 8 * PAGE + i * LINE, false));
			latency(chip * PER_CHIP + i % PER_CHIP, atomic_of(chip * 8 * PAGE + i * LINE));
		}
	assert_int_equal(links()->packets, 0);
	for (unsigned chip = 0; chip < 4; chip++)
		for (unsigned page = 0; page < 3; page++)
			assert_int_equal(inside_home(ms, (chip * 8 + page) * PAGE), chip);
	write.flags = 0;
	latency(PER_CHIP, write);
	assert_int_equal(links()->packets, 2);
	assert_int_equal(links()->bytes, 2 * config.chips.header_bytes + 64);
	latency(PER_CHIP, atomic_of(LINE));
	assert_int_equal(links()->bytes, 4 * config.chips.header_bytes + 64 + 2 * 32);
	stop();
}

/* The rate at which one chip's SMs can read another chip's lines that hit there. */
static double remote_read_rate(const char *policy, unsigned lines, uint64_t cycles)
{
	struct mem_request reply;
	uint64_t got = 0, begin, end;
	unsigned next = 0;

	start_with(policy);
	for (unsigned i = 0; i < lines; i++)
		latency(PER_CHIP, read_of(i * LINE, false));
	begin = now + cycles / 4;
	end = begin + cycles;
	for (; now < end; now++) {
		for (unsigned sm = 0; sm < PER_CHIP; sm++) {
			struct mem_request request = read_of(next % lines * LINE, false);

			while (memsys_receive(ms, sm, now, &reply))
				got += now >= begin;
			if (memsys_can_send(ms, sm, now)) {
				memsys_send(ms, sm, now, &request);
				next++;
			}
		}
		memsys_tick(ms, now, false);
	}
	stop();
	return (double)got / (double)cycles;
}

/* Replies fill the three links of that direction: lines x (header + line) bytes x 3 links. */
static void test_links_saturate_at_their_bandwidth(void **state)
{
	static const double bandwidths[] = {8, 16, 24.5, 32};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		double bytes, rate;

		reset(NULL);
		config.chips.link_gigabytes_per_second = bandwidths[i];
		bytes = bandwidths[i] * 1000 / config.core_mhz * config.chips.links;
		rate = remote_read_rate("shared", 192, 8000) * (LINE + config.chips.header_bytes);
		assert_true(rate > 0.98 * bytes && rate < 1.002 * bytes);
	}
}

/* The same for misses that go past the remote slices: more lines than the own slices hold, read round and round. */
static void test_links_saturate_below_the_slices_too(void **state)
{
	double rate, bytes;

	(void)state;
	config.llc.kilobytes = 128;
	config.chips.link_gigabytes_per_second = 16;
	bytes = 16 * 1000.0 / config.core_mhz * config.chips.links;
	rate = remote_read_rate("sm-side", 4096, 12000) * (LINE + config.chips.header_bytes);
	assert_true(rate > 0.98 * bytes && rate < 1.02 * bytes);
}

/* The hop's length delays, but does not limit. */
static void test_long_links_pass_as_much(void **state)
{
	double rate, bytes;

	(void)state;
	config.chips.link_gigabytes_per_second = 16;
	config.chips.hop_latency = 600;
	bytes = 16 * 1000.0 / config.core_mhz * config.chips.links;
	rate = remote_read_rate("shared", 192, 12000) * (LINE + config.chips.header_bytes);
	assert_true(rate > 0.98 * bytes && rate < 1.002 * bytes);
}

static void test_a_page_belongs_to_the_chip_that_touched_it_first(void **state)
{
	struct mem_request request = read_of(20 * PAGE, false);

	(void)state;
	start();
	/* In one cycle, from the last SM to the first: the page's number prefers chip 20 % 4 = 0, then 1. */
	for (unsigned chip = 3; chip >= 1; chip--)
		memsys_send(ms, chip * PER_CHIP, now, &request);
	request.line = 21 * PAGE;
	memsys_send(ms, 1, now, &request);
	now = drain(ms, config.sms, now);
	assert_int_equal(inside_home(ms, 20 * PAGE), 1);
	assert_int_equal(inside_home(ms, 21 * PAGE), 0);
	assert_int_equal(links()->local_requests, 2);
	for (unsigned i = 0; inside_slice(ms, i); i++) {
		uint64_t accesses = memsys_statistics(ms)->slices[i].accesses;

		assert_true(!accesses || (inside_slice(ms, i)->common->chip < 2 && accesses <= 3));
	}
	stop();
}

/*
 * Two chips are the two halves of an L2: blocks of 512 B belong to a half by the XOR of their number's bits. A hit in
 * the other half crosses the link. Under sm-side the own half keeps a copy, and the next hit is near.
 */
static void test_an_l2_in_two_halves(void **state)
{
	enum { BLOCK = 512, BLOCKS = 16 };

	(void)state;
	for (int copies = 0; copies < 2; copies++) {
		config.chips.count = 2;
		config.sms = 2 * PER_CHIP;
		config.chips.pages = PAGES_HASH;
		config.map.page_bytes = BLOCK;
		start_with(copies ? "sm-side" : "shared");
		for (uint64_t block = 0; block < BLOCKS; block++)
			for (unsigned half = 0; half < 2; half++) {
				unsigned home = (unsigned)__builtin_popcountll(block) % 2, sm = half * PER_CHIP + 5;

				latency(sm, read_of(block * BLOCK, false));
				assert_int_equal(latency(sm, read_of(block * BLOCK, false)),
						 hit_cycles(copies ? 0 : half != home));
			}
		stop();
	}
}

static void test_misfits_are_refused(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(memsys_config_check(&config, &d), 0);
	config.chips.count = 3;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "chips.count is 3"));
	config.chips.count = 4;
	config.sms = 96;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "gpu.sms is 96"));
	config.sms = 256;
	config.noc.mc_routers = 1;
	config.llc.slices_per_mc = 64;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "chips.links is 3"));
	reset(NULL);
	while (strcmp(topology_table[config.noc.topology]->name, "flat") != 0)
		config.noc.topology++;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "noc.topology=flat needs a router with 64 inputs and 72 outputs"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_a_remote_hit_is_the_sum_of_its_stages),
	    TEST(test_what_policies_are_told_of_latencies),
	    TEST(test_latencies_of_slower_parts),
	    TEST(test_stages_of_a_remote_hit),
	    TEST(test_units_are_listed_chip_by_chip),
	    TEST(test_an_sm_side_miss_crosses_below_the_slice),
	    TEST(test_only_remote_accesses_pass_links),
	    TEST(test_links_saturate_at_their_bandwidth),
	    TEST(test_links_saturate_below_the_slices_too),
	    TEST(test_long_links_pass_as_much),
	    TEST(test_a_page_belongs_to_the_chip_that_touched_it_first),
	    TEST(test_an_l2_in_two_halves),
	    TEST(test_misfits_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
