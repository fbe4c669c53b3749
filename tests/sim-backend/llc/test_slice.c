/* Slices inside the whole memory system: latency without load, port bandwidth, misses, writes, atomics, flushes. */
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/map/address_map.h"

#include <string.h>

static struct memsys_config config;
static struct memsys *ms;
static uint64_t now;

static void start(const char *policy)
{
	ms = memsys_with(&config, policy);
	now = 0;
}

static void tear_down(void)
{
	now = drain(ms, config.sms, now);
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	return 0;
}

static const struct llc_stats *llc(void)
{
	return &memsys_statistics(ms)->llc;
}

/* Sends without waiting for the reply. */
static void put(unsigned sm, struct mem_request request)
{
	while (!memsys_can_send(ms, sm, now))
		memsys_tick(ms, now++, false);
	memsys_send(ms, sm, now, &request);
	memsys_tick(ms, now++, false);
}

static uint64_t latency(unsigned sm, struct mem_request request)
{
	uint64_t from = now;

	now = round_trip(ms, sm, now, request);
	return now++ - from;
}

static uint64_t hop(void)
{
	return 2 + 2 * config.noc.router_stages + config.noc.link_cycles;
}

/* Memory clock = core clock, so that the sum has one unit. */
static void test_read_latency_is_the_sum_of_its_stages(void **state)
{
	const struct dram_config *d = &config.dram;
	uint64_t hit, miss;

	(void)state;
	config.dram.gigabytes_per_second = 1433.6;
	for (unsigned variant = 0; variant < 3; variant++) {
		config.noc.router_stages = 4 + variant;
		config.llc.latency = 120 - 40 * variant;
		config.noc.reply_header = variant == 1;
		start("shared");
		hit = 2 * hop() + config.llc.latency + 3 + config.noc.reply_header;
		miss = hit + 1 + config.llc.xbar_cycles + d->tRCD + d->tCL + 4 + 1 + 3 + config.llc.xbar_cycles;
		assert_int_equal(latency(5, read_of(0x4000, false)), miss);
		assert_int_equal(latency(5, read_of(0x4000, false)), hit);
		assert_int_equal(latency(50, read_of(0x4000, true)), hit);
		tear_down();
	}
}

static void test_extra_router_cycle_is_paid_once(void **state)
{
	uint64_t plain;

	(void)state;
	start("shared");
	latency(0, read_of(0, false));
	plain = latency(0, read_of(0, false));
	tear_down();
	config.noc.mc_router_delay = 3;
	start("shared");
	latency(0, read_of(0, false));
	assert_int_equal(latency(0, read_of(0, false)), plain + 3);
	tear_down();
}

/* All SMs ask for `request` in each of 4,000 cycles; the replies of the last 2,000. */
static uint64_t replies_under_load(struct mem_request request)
{
	struct mem_request reply;
	uint64_t replies = 0;

	for (uint64_t end = now + 4000; now < end; now++) {
		for (unsigned sm = 0; sm < 64; sm++) {
			while (memsys_receive(ms, sm, now, &reply))
				replies += now >= end - 2000;
			if (memsys_can_send(ms, sm, now))
				memsys_send(ms, sm, now, &request);
		}
		memsys_tick(ms, now, false);
	}
	return replies;
}

/* All SMs read one line that is there: its slice gives a line every four cycles, its channel is full. */
static void test_slice_port_serves_32_bytes_a_cycle(void **state)
{
	struct mem_request request = read_of(0x80, false);

	(void)state;
	start("shared");
	latency(0, request);
	assert_in_range(replies_under_load(request), 495, 500);
	tear_down();
}

/* An atomic of one piece holds the port for its lanes that are alike, but not for less than atomic_cycles. */
static void test_atomics_take_turns_on_an_address(void **state)
{
	static const struct {
		uint32_t alike;
		uint8_t lanes_log2;
		unsigned cycles;
	} cases[] = {{0, 5, 2}, {1, 0, 2}, {1, 3, 8}, {1, 5, 32}, {2, 4, 32}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mem_request request = atomic_of(0x5000);
		uint64_t expected = 2000 / cases[i].cycles;

		request.alike_log2 = cases[i].lanes_log2;
		config.llc.atomic_alike = cases[i].alike;
		start("shared");
		latency(0, request);
		assert_in_range(replies_under_load(request), expected - 2, expected + 2);
		tear_down();
	}
}

/* Replies so wide that only the port holds them back. */
static void test_port_is_the_limit_behind_a_wide_network(void **state)
{
	static const uint32_t widths[] = {32, 64};

	(void)state;
	config.noc.channel_bytes = 128;
	for (unsigned i = 0; i < 2; i++) {
		struct mem_request request = read_of(0x80, false);
		uint64_t expected = 2000 / (128 / widths[i]);

		config.llc.port_bytes = widths[i];
		start("shared");
		latency(0, request);
		assert_in_range(replies_under_load(request), expected - 2, expected + 2);
		tear_down();
	}
}

/* Another line of the same slice. */
static uint64_t neighbour_of(uint64_t line)
{
	struct address_map map;
	struct map_place place, other;
	uint64_t at = line;

	memsys_map_init(&map, &config);
	place = address_map_place(&map, line);
	do {
		at += config.llc.line_bytes;
		other = address_map_place(&map, at);
	} while (other.mc != place.mc || other.slice != place.slice);
	return at;
}

/*
 * An SM of each cluster writes the same line under private, through its own slice, to one channel that could take more:
 * the crossbar's port passes a line in four cycles, from each slice in turn.
 */
static void test_crossbar_port_serves_32_bytes_a_cycle_in_turn(void **state)
{
	unsigned acks[16] = {0}, all = 0;
	struct mem_request reply, request = write_of(0x80, 128, 15);

	(void)state;
	request.flags = 0; /* wants an answer */
	config.dram.gigabytes_per_second = 6000;
	start("private");
	for (uint64_t end = now + 8000; now < end; now++) {
		for (unsigned cluster = 0; cluster < 16; cluster++) {
			while (memsys_receive(ms, cluster * 4, now, &reply))
				acks[cluster] += now >= end - 6400;
			if (memsys_can_send(ms, cluster * 4, now))
				memsys_send(ms, cluster * 4, now, &request);
		}
		memsys_tick(ms, now, false);
	}
	for (unsigned cluster = 0; cluster < 16; cluster++) {
		assert_in_range(acks[cluster], 95, 105);
		all += acks[cluster];
	}
	assert_in_range(all, 1590, 1610);
	tear_down();
}

/* Seventeen lines for the sixteen ways of a set. The first line is read again in between, so the second line leaves. */
static void test_the_least_recently_used_line_leaves(void **state)
{
	struct llc_geometry geometry = paper_geometry();
	uint64_t lines[17] = {0}, hits;

	(void)state;
	for (unsigned i = 1; i < 17; i++)
		for (lines[i] = neighbour_of(lines[i - 1]);
		     llc_set_of(&geometry, lines[i]) != llc_set_of(&geometry, lines[0]);)
			lines[i] = neighbour_of(lines[i]);
	start("shared");
	for (unsigned i = 0; i < 16; i++)
		latency(0, read_of(lines[i], false));
	latency(0, read_of(lines[0], false));
	latency(0, read_of(lines[16], false));
	hits = llc()->array_hits;
	latency(0, read_of(lines[0], false));
	assert_int_equal(llc()->array_hits, hits + 1);
	latency(0, read_of(lines[1], false));
	assert_int_equal(llc()->array_hits, hits + 1);
	tear_down();
}

/* Latency of a hit that is sent `later` cycles after a miss of the same slice. */
static uint64_t hit_beside_a_miss(uint64_t later)
{
	uint64_t line = 0x4000, there = neighbour_of(line), from, hit;

	start("shared");
	latency(50, read_of(there, false));
	put(5, read_of(line, false));
	for (from = now + later; now < from;)
		memsys_tick(ms, now++, false);
	hit = latency(50, read_of(there, false));
	tear_down();
	return hit;
}

/* A fill has the port for as many cycles as it has pieces. A hit that meets it in its first piece waits for all. */
static void test_fills_take_the_port(void **state)
{
	uint64_t unloaded, longest = 0;

	(void)state;
	config.noc.channel_bytes = 128; /* replies do not wait for each other */
	unloaded = hit_beside_a_miss(1000);
	for (uint64_t later = 0; later < 200; later++) {
		uint64_t hit = hit_beside_a_miss(later);

		longest = hit > longest ? hit : longest;
	}
	assert_int_equal(longest, unloaded + config.llc.line_bytes / config.llc.port_bytes);
}

static void test_misses_to_one_line_merge(void **state)
{
	(void)state;
	start("shared");
	for (unsigned sm = 0; sm < 8; sm++)
		put(sm * 8, read_of(0x1000, false));
	now = drain(ms, 64, now);
	assert_int_equal(llc()->misses, 1);
	assert_int_equal(llc()->merges, 7);
	assert_int_equal(memsys_statistics(ms)->dram.reads, 1);
	assert_int_equal(memsys_statistics(ms)->noc.round_trips, 8);
	tear_down();
}

/* One MSHR with room for two: the third and all other lines wait, and nothing is lost. */
static void test_full_mshrs_stall(void **state)
{
	(void)state;
	config.llc.mshr_entries = 1;
	config.llc.mshr_merges = 2;
	start("shared");
	for (unsigned sm = 0; sm < 6; sm++)
		put(sm, read_of(0x1000, false));
	now = drain(ms, 64, now);
	assert_true(llc()->stall_cycles > 0);
	assert_int_equal(llc()->fills, 1);
	assert_int_equal(llc()->accesses, 6);
	tear_down();
}

static void test_full_line_write_needs_no_fill(void **state)
{
	(void)state;
	start("shared");
	put(0, write_of(0x2000, 128, 15));
	now = drain(ms, 64, now);
	latency(1, read_of(0x2000, false));
	assert_int_equal(llc()->fills, 0);
	assert_int_equal(llc()->array_hits, 1);
	assert_int_equal(llc()->misses, 1);
	tear_down();
}

static void test_sectors_written_are_hits_others_are_not(void **state)
{
	struct mem_request two = read_of(0x2000, false);

	(void)state;
	two.sectors = 3;
	two.bytes = 64;
	start("shared");
	put(0, write_of(0x2000, 64, 3));
	now = drain(ms, 64, now);
	latency(1, two);
	assert_int_equal(llc()->fills, 0);
	latency(1, read_of(0x2000, false));
	assert_int_equal(llc()->fills, 1);
	latency(1, read_of(0x2000, false));
	assert_int_equal(llc()->fills, 1);
	tear_down();
}

/* Each miss brings the sectors that it lacks, also while others of the line are on their way. */
static void test_sectored_misses_fetch_what_is_missing(void **state)
{
	const struct memsys_stats *s;

	(void)state;
	config.llc.sectored = true;
	start("shared");
	latency(0, part_of(0x2000, 1));
	latency(0, part_of(0x2000, 1));
	latency(0, part_of(0x2000, 5));
	s = memsys_statistics(ms);
	assert_int_equal(s->llc.misses, 2);
	assert_int_equal(s->llc.array_hits, 1);
	assert_int_equal(s->dram.read_bursts, 2);
	/*
	 * Three sectors are on their way. Then the fourth is requested as well, and two of the three are not requested
	 * again.
	 */
	put(0, part_of(0x3000, 7));
	put(8, part_of(0x3000, 6));
	put(16, part_of(0x3000, 12));
	now = drain(ms, 64, now);
	s = memsys_statistics(ms);
	assert_int_equal(s->llc.misses, 4);
	assert_int_equal(s->llc.merges, 1);
	assert_int_equal(s->dram.reads, 4);
	assert_int_equal(s->dram.read_bursts, 6);
	latency(1, part_of(0x3000, 15));
	assert_int_equal(memsys_statistics(ms)->dram.reads, 4);
	assert_null(memsys_check(ms));
	tear_down();
}

/* A sector that is written while it is on its way is no longer awaited, but its fill still comes. */
static void test_sectored_fills_that_nobody_waits_for(void **state)
{
	(void)state;
	config.llc.sectored = true;
	start("shared");
	put(0, part_of(0x3000, 1));
	put(8, part_of(0x3000, 2));
	put(16, write_of(0x3000, 64, 3));
	now = drain(ms, 64, now);
	assert_int_equal(memsys_statistics(ms)->noc.round_trips, 2);
	assert_int_equal(memsys_statistics(ms)->dram.read_bursts, 2);
	assert_null(memsys_check(ms));
	tear_down();
}

static void test_partial_sector_is_masked_or_fetched(void **state)
{
	(void)state;
	for (unsigned way = LLC_PARTIAL_MASK; way <= LLC_PARTIAL_FILL; way++) {
		config.llc.partial_write = way;
		start("shared");
		put(0, write_of(0x2000, 4, 1));
		now = drain(ms, 64, now);
		assert_int_equal(llc()->fills, way == LLC_PARTIAL_FILL);
		latency(1, read_of(0x2000, false));
		assert_int_equal(llc()->fills, 1);
		tear_down();
	}
}

/* More dirty lines than the LLC holds: the rest is written back, only the dirty sectors. */
static void test_dirty_lines_are_written_back_by_sectors(void **state)
{
	const struct memsys_stats *s;
	unsigned lines = 128 * 1024 / 128;

	(void)state;
	config.llc.kilobytes = 128;
	start("shared");
	for (unsigned i = 0; i < 2 * lines; i++)
		put(i % 64, write_of(i * 128, 32, 4));
	now = drain(ms, 64, now);
	s = memsys_statistics(ms);
	assert_int_equal(s->llc.write_backs, lines);
	assert_int_equal(s->dram.writes, lines);
	assert_int_equal(s->dram.write_bursts, lines);
	tear_down();
}

/* Each set keeps so many dirty lines; what is written back stays, and is found. */
static void test_dirty_lines_of_a_set_are_limited(void **state)
{
	enum { KILOBYTES = 128, LINES = KILOBYTES * 1024 / 128 };
	const struct memsys_stats *s;

	(void)state;
	for (unsigned most = 0; most <= 16; most += 4) {
		uint64_t clean = most ? LINES / config.llc.ways * (config.llc.ways - most) : 0;

		config.llc.kilobytes = KILOBYTES;
		config.llc.dirty_ways = most;
		start("shared");
		for (unsigned i = 0; i < LINES; i++)
			put(i % 64, write_of(i * 128, 128, 15));
		now = drain(ms, 64, now);
		for (unsigned i = 0; i < LINES; i++)
			latency(i % 64, read_of(i * 128, false));
		s = memsys_statistics(ms);
		assert_int_equal(s->llc.write_backs, clean);
		assert_int_equal(s->dram.writes, clean);
		assert_int_equal(s->dram.reads, 0);
		tear_down();
	}
}

static void test_private_writes_go_through(void **state)
{
	const struct memsys_stats *s;

	(void)state;
	start("private");
	for (unsigned i = 0; i < 100; i++)
		put(i % 64, write_of(i * 128, 128, 15));
	now = drain(ms, 64, now);
	s = memsys_statistics(ms);
	assert_int_equal(s->llc.write_throughs, 100);
	assert_int_equal(s->llc.write_backs, 0);
	assert_int_equal(s->dram.write_bursts, 400);
	tear_down();
}

/* Atomics of many SMs to one address meet in one slice and fetch the line once, under every policy. */
static void test_atomics_meet_at_the_home(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		const struct memsys_stats *s;
		unsigned used = 0;

		start(llc_policy_table[p]->name);
		for (unsigned sm = 0; sm < 64; sm++)
			put(sm, atomic_of(0x5000));
		now = drain(ms, 64, now);
		s = memsys_statistics(ms);
		for (unsigned i = 0; i < s->nslices; i++)
			used += s->slices[i].accesses > 0;
		assert_int_equal(used, 1);
		assert_int_equal(s->llc.fills, 1);
		assert_int_equal(s->llc.atomics, 64);
		assert_int_equal(s->noc.round_trips, 64);
		tear_down();
	}
}

static void test_write_wants_an_acknowledgement_when_asked(void **state)
{
	struct mem_request write = write_of(0x100, 128, 15);

	(void)state;
	write.flags = 0;
	write.cookie = 77;
	/* Four more flits than the first on the way there, or three, a single one back. */
	for (int header = 0; header < 2; header++) {
		config.noc.write_header = header;
		start("shared");
		assert_int_equal(latency(9, write), 2 * hop() + 3 + header + config.llc.latency);
		tear_down();
	}
}

/* Fills the slices of every cluster, ends the kernel, and looks what is still there. */
static void kernel_boundary(const char *policy, bool read_only, bool copies_stay, bool home_stays)
{
	uint64_t fills;

	start(policy);
	memsys_kernel_begin(ms, now, false);
	for (unsigned sm = 0; sm < 64; sm += 4)
		latency(sm, read_of(0x3000, read_only));
	fills = llc()->fills;
	memsys_kernel_end(ms, now);
	if (!memsys_is_empty(ms))
		assert_false(memsys_can_send(ms, 0, now + 1));
	now = drain(ms, 64, now);
	memsys_kernel_begin(ms, now, false);
	for (unsigned sm = 0; sm < 64; sm += 4)
		latency(sm, read_of(0x3000, read_only));
	assert_int_equal(llc()->fills - fills, copies_stay ? 0 : home_stays ? fills - 1 : fills);
	tear_down();
}

static void test_kernel_end_drops_copies(void **state)
{
	(void)state;
	kernel_boundary("shared", true, true, true);
	kernel_boundary("private", true, false, false);
	kernel_boundary("private", false, false, false);
	kernel_boundary("degree4", true, false, true);
	kernel_boundary("degree4", false, true, true);
	kernel_boundary("selrep", true, true, true);
}

static void test_flush_takes_a_cycle_for_each_set(void **state)
{
	uint64_t from;

	(void)state;
	start("private");
	latency(0, read_of(0, false));
	from = now;
	memsys_kernel_end(ms, now);
	now = drain(ms, 64, now);
	/* 32 sets; a few cycles to notice that all is quiet, before and after. */
	assert_in_range(now - from, 32, 40);
	assert_int_equal(llc()->flushed_lines, 1);
	assert_int_equal(llc()->flush_cycles, now - from - 1);
	assert_in_range(llc()->drain_cycles, 0, 3);
	tear_down();
}

/* Unmarked reads make no copies; among two marked reads, from both ends of the clusters, one does. */
static void test_flush_costs_little_without_copies(void **state)
{
	uint64_t from;

	(void)state;
	start("degree2");
	for (unsigned sm = 0; sm < 64; sm += 4)
		latency(sm, read_of(0x3000, false));
	from = now;
	memsys_kernel_end(ms, now);
	now = drain(ms, 64, now);
	assert_in_range(now - from, 1, 8);
	latency(0, read_of(0x3000, true));
	latency(60, read_of(0x3000, true));
	from = now;
	memsys_kernel_end(ms, now);
	now = drain(ms, 64, now);
	assert_in_range(now - from, 32, 40);
	assert_int_equal(llc()->flushed_lines, 1);
	tear_down();
}

static void test_misfits_are_refused_with_their_names(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(memsys_config_check(&config, &d), 0);
	config.llc.slices_per_mc = 3;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "llc.slices_per_mc is 3"));
	config = paper_machine();
	config.llc.kilobytes = 100;
	assert_int_equal(memsys_config_check(&config, NULL), DIAG_ERROR);
	config = paper_machine();
	config.sms = 63;
	assert_int_equal(memsys_config_check(&config, NULL), DIAG_ERROR);
	config = paper_machine();
	config.noc.channel_bytes = 4;
	config.llc.line_bytes = 256;
	assert_int_equal(memsys_config_check(&config, NULL), DIAG_ERROR);
	config = paper_machine();
	config.map.address_bits = 20;
	assert_int_equal(memsys_config_check(&config, NULL), 0);
	config.map.address_bits = 19;
	assert_int_equal(memsys_config_check(&config, NULL), DIAG_ERROR);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_read_latency_is_the_sum_of_its_stages),
	    TEST(test_extra_router_cycle_is_paid_once),
	    TEST(test_slice_port_serves_32_bytes_a_cycle),
	    TEST(test_port_is_the_limit_behind_a_wide_network),
	    TEST(test_fills_take_the_port),
	    TEST(test_crossbar_port_serves_32_bytes_a_cycle_in_turn),
	    TEST(test_the_least_recently_used_line_leaves),
	    TEST(test_misses_to_one_line_merge),
	    TEST(test_full_mshrs_stall),
	    TEST(test_full_line_write_needs_no_fill),
	    TEST(test_sectors_written_are_hits_others_are_not),
	    TEST(test_sectored_misses_fetch_what_is_missing),
	    TEST(test_sectored_fills_that_nobody_waits_for),
	    TEST(test_partial_sector_is_masked_or_fetched),
	    TEST(test_dirty_lines_are_written_back_by_sectors),
	    TEST(test_dirty_lines_of_a_set_are_limited),
	    TEST(test_private_writes_go_through),
	    TEST(test_atomics_meet_at_the_home),
	    TEST(test_atomics_take_turns_on_an_address),
	    TEST(test_write_wants_an_acknowledgement_when_asked),
	    TEST(test_kernel_end_drops_copies),
	    TEST(test_flush_takes_a_cycle_for_each_set),
	    TEST(test_flush_costs_little_without_copies),
	    TEST(test_misfits_are_refused_with_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
