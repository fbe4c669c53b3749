/*
 * The examples of the SAC paper's figures 4 and 5: two chips, of which chip 0 has touched page A first and chip 1 page
 * B. Each line is read again and again, and the packets over the links are counted.
 */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

enum { PER_CHIP = 64, LINE = 128, PAGE = 4096, REPEATS = 5, FAR_MISSES = 2000 };
/* Lines 1 and 2 of the pages. */
enum { A1 = LINE, A2 = 2 * LINE, B1 = 16 * PAGE + LINE, B2 = 16 * PAGE + 2 * LINE };

static struct memsys *ms;
static uint64_t now;
static unsigned sms;

static struct memsys_config two_chips(void)
{
	struct memsys_config config = paper_machine();

	config.chips.count = 2;
	config.sms = sms = 2 * PER_CHIP;
	return config;
}

static void start(const char *policy)
{
	struct memsys_config config = two_chips();

	ms = memsys_with(&config, policy);
	memsys_follow_versions(ms);
	memsys_kernel_begin(ms, 0, false);
	now = drain(ms, sms, 10);
}

static void send(unsigned chip, struct mem_request request)
{
	now = round_trip(ms, chip * PER_CHIP, now, request);
	now = drain(ms, sms, now) + 1;
}

static void stop(void)
{
	memsys_kernel_end(ms, now);
	now = drain(ms, sms, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
}

/* Lines that the first touch of their pages has brought in before, so that its packets are not counted. */
static uint64_t packets_of_repeats(const uint64_t lines[2][2])
{
	uint64_t before;

	send(0, read_of(PAGE - LINE, false));
	send(1, read_of(17 * PAGE - LINE, false));
	before = memsys_statistics(ms)->links.packets;
	for (unsigned i = 0; i < REPEATS; i++)
		for (unsigned chip = 0; chip < 2; chip++)
			for (unsigned k = 0; k < 2; k++)
				send(chip, read_of(lines[chip][k], false));
	return memsys_statistics(ms)->links.packets - before;
}

static bool holds(unsigned chip, uint64_t line)
{
	return inside_holds(ms, chip, line);
}

/*
 * `far`: the lines that chips ask of each other's memory, in all. Under memory-side a request and a reply cross for
 * each read of such a line, under SM-side for the first read of each chip.
 */
static const struct {
	const char *name;
	uint64_t lines[2][2]; /* that the chips read */
	unsigned far;
	const char *held[2]; /* chips that hold A1 A2 B1 B2 in the end, under memory-side and SM-side; 2: both */
} examples[] = {
    {"not shared, figures 4a and 5a", {{A1, A2}, {B1, B2}}, 0, {"0011", "0011"}},
    {"falsely shared, figures 4b and 5b", {{A1, B1}, {A2, B2}}, 2, {"0011", "0101"}},
    {"truly shared, figures 4c and 5c", {{A1, B1}, {A1, B1}}, 2, {"0-1-", "2-2-"}},
};

static const uint64_t all_lines[] = {A1, A2, B1, B2};

static void assert_held(const char *held, const char *name)
{
	for (unsigned i = 0; i < 4; i++)
		for (unsigned chip = 0; chip < 2; chip++)
			if (holds(chip, all_lines[i]) != (held[i] == '2' || held[i] == (char)('0' + chip)))
				fail_msg("%s: line %u in chip %u", name, i, chip);
}

static void test_examples_of_the_paper(void **state)
{
	static const char *const policies[] = {"memory-side", "sm-side"};

	(void)state;
	for (unsigned e = 0; e < 3; e++)
		for (unsigned p = 0; p < 2; p++) {
			unsigned crossings = examples[e].far * (p ? 1 : REPEATS);

			start(policies[p]);
			assert_int_equal(packets_of_repeats(examples[e].lines), 2 * crossings);
			assert_held(examples[e].held[p], examples[e].name);
			stop();
		}
}

/* The cost of SM-side lines at a kernel's end: each is dropped, and dirty lines are written to their memory. */
static void test_an_sm_side_kernel_end_is_paid_for(void **state)
{
	struct mem_request write = write_of(B1, LINE, 15);
	struct memsys_stats before, after;

	(void)state;
	write.flags = 0;
	start("sm-side");
	send(0, read_of(A1, false));
	send(1, read_of(B2, false));
	send(0, write);
	before = *memsys_statistics(ms);
	memsys_kernel_end(ms, now);
	now = drain(ms, sms, now);
	after = *memsys_statistics(ms);
	assert_int_equal(after.llc.flushed_lines - before.llc.flushed_lines, 3);
	assert_int_equal(after.llc.write_backs - before.llc.write_backs, 1);
	assert_int_equal(after.links.packets - before.links.packets, 1);
	assert_int_equal(after.dram.writes - before.dram.writes, 1);
	/* A set a cycle, all slices at once. */
	assert_true(after.llc.flush_cycles - before.llc.flush_cycles >= inside_chip(ms, 0)->common.geometry.sets);
	for (unsigned chip = 0; chip < 2; chip++)
		assert_held("----", "after the kernel");
	memsys_kernel_begin(ms, now, false);
	send(1, read_of(B1, false));
	stop();
}

/* Memory-side lines have one place, so that a kernel's end costs nothing. */
static void test_a_memory_side_kernel_end_is_free(void **state)
{
	(void)state;
	start("memory-side");
	send(0, read_of(A1, false));
	send(1, read_of(A1, false));
	memsys_kernel_end(ms, now);
	assert_true(memsys_is_empty(ms));
	assert_int_equal(memsys_statistics(ms)->llc.flush_cycles, 0);
	stop();
}

/* From `line` on, the first line of chip 1's memory that goes through slice 0 of a chip. */
static uint64_t next_far_line(uint64_t line)
{
	for (;; line += LINE) {
		struct map_place place = address_map_place(&inside_chip(ms, 0)->shared->map, line);

		if (inside_home(ms, line) == 1 && place.mc == 0 && place.slice == 0)
			return line;
	}
}

/* Cycles in which SMs of chip 0 read lines of chip 1's memory, all through one slice of theirs, over fast links. */
static uint64_t cycles_of_far_misses(enum chips_networks networks)
{
	enum { READERS = 32 };
	struct memsys_config config = two_chips();
	uint64_t line = 0, begin;
	unsigned sent = 0, come = 0;
	struct mem_request reply;

	config.chips.networks = networks;
	config.chips.link_gigabytes_per_second = 2000;
	config.dram.clock_mhz = 20000;
	config.noc.channel_bytes = config.llc.port_bytes = LINE;
	config.chips.pages = PAGES_INTERLEAVE;
	ms = memsys_with(&config, "sm-side");
	memsys_kernel_begin(ms, 0, false);
	begin = now = drain(ms, sms, 10);
	for (; come < FAR_MISSES; memsys_tick(ms, now, false), now++)
		for (unsigned sm = 0; sm < READERS; sm++) {
			struct mem_request read = read_of(next_far_line(line), false);

			come += memsys_receive(ms, sm, now, &reply);
			if (sent == FAR_MISSES || !memsys_can_send(ms, sm, now))
				continue;
			memsys_send(ms, sm, now, &read);
			line = read.line + LINE;
			sent++;
		}
	begin = now - begin;
	assert_int_equal(inside_slice(ms, 0)->port_in_free > 0, networks == NETWORKS_ONE);
	assert_int_equal(inside_slice(ms, 0)->port_out_free > 0, networks == NETWORKS_ONE);
	stop();
	return begin;
}

/*
 * A line takes one flit and a header. With a network of its own, a miss leaves a slice's ports to its request (one flit
 * in) and its reply (two out). With one network the data come in beside the request: three flits a line.
 */
static void test_one_network_shares_a_slices_ports(void **state)
{
	(void)state;
	assert_true(cycles_of_far_misses(NETWORKS_TWO) < 3 * FAR_MISSES);
	assert_true(cycles_of_far_misses(NETWORKS_ONE) >= 3 * FAR_MISSES);
}

/* Neither a request nor a reply passes a port that is held. */
static void test_a_held_port_makes_packets_wait(void **state)
{
	enum { HELD = 500 };

	(void)state;
	for (unsigned out = 0; out < 2; out++) {
		struct map_place place;
		struct llc_slice *slice;
		uint64_t free;

		start("sm-side");
		place = address_map_place(&inside_chip(ms, 0)->shared->map, A1);
		slice = inside_slice(ms, place.mc * paper_machine().llc.slices_per_mc + place.slice);
		send(0, read_of(A1, false));
		free = now + HELD;
		*(out ? &slice->port_out_free : &slice->port_in_free) = free;
		assert_true(round_trip(ms, 0, now, read_of(A1, false)) >= free);
		now = free + HELD;
		stop();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_examples_of_the_paper),
	    cmocka_unit_test(test_an_sm_side_kernel_end_is_paid_for),
	    cmocka_unit_test(test_a_memory_side_kernel_end_is_free),
	    cmocka_unit_test(test_one_network_shares_a_slices_ports),
	    cmocka_unit_test(test_a_held_port_makes_packets_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
