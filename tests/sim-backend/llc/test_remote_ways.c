/* static and dynamic: what ways lines of other chips' memory may take, and what moves them. */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

#include <stdlib.h>

enum { PER_CHIP = 64, CHIPS = 2, SMS = CHIPS * PER_CHIP, LINE = 128, PAGE = 4096, WAYS = 16 };

/* --- Where lines are --- */

static struct memsys *ms;
static uint64_t now;

static void start_with(const char *policy, const void *knobs)
{
	struct memsys_config config = paper_machine();

	config.chips.count = CHIPS;
	config.sms = SMS;
	config.map.scheme = MAP_LINEAR;
	ms = knobs ? memsys_create(&config, llc_policy_find(policy), knobs, 1) : memsys_with(&config, policy);
	memsys_follow_versions(ms);
	memsys_kernel_begin(ms, 0, false);
	now = drain(ms, SMS, 10);
}

static void start(const char *policy)
{
	start_with(policy, NULL);
}

static void send(unsigned chip, struct mem_request request)
{
	now = round_trip(ms, chip * PER_CHIP, now, request);
	now = drain(ms, SMS, now) + 1;
}

/* Ends the kernel and begins the next one. */
static void next_kernel(void)
{
	memsys_kernel_end(ms, now);
	now = drain(ms, SMS, now) + 1;
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, SMS, now) + 1;
}

static void stop(void)
{
	memsys_kernel_end(ms, now);
	now = drain(ms, SMS, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
}

/* The n-th line of a slice's set 0, in a page of its own. */
static uint64_t line_of_set(unsigned n)
{
	const struct llc_geometry *g = &inside_chip(ms, 0)->common.geometry;

	for (uint64_t line = 0;; line += (uint64_t)g->mcs * g->slices * LINE)
		if (!llc_set_of(g, line) && !n--)
			return line;
}

static unsigned held(unsigned chip, unsigned first, unsigned end)
{
	unsigned count = 0;

	for (unsigned n = first; n < end; n++)
		count += inside_holds(ms, chip, line_of_set(n));
	return count;
}

/* Chip 0 owns the first 20 lines of a set, chip 1 the next 20. Then either reads the other's. */
static void test_a_set_is_parted(void **state)
{
	static const char *const policies[] = {"static", "dynamic"};

	(void)state;
	for (unsigned p = 0; p < 2; p++) {
		start(policies[p]);
		for (unsigned n = 0; n < 40; n++)
			send(n / 20, read_of(line_of_set(n), false));
		for (unsigned chip = 0; chip < 2; chip++) {
			assert_int_equal(held(chip, chip * 20, chip * 20 + 20), WAYS / 2);
			assert_int_equal(held(chip, 20 - chip * 20, 40 - chip * 20), 0);
		}
		for (unsigned n = 0; n < 40; n++)
			send(1 - n / 20, read_of(line_of_set(n), false));
		for (unsigned chip = 0; chip < 2; chip++) {
			assert_int_equal(held(chip, chip * 20, chip * 20 + 20), WAYS / 2);
			assert_int_equal(held(chip, 20 - chip * 20, 40 - chip * 20), WAYS / 2);
		}
		/* Only lines of the other chip's memory are dropped with the kernel. */
		next_kernel();
		for (unsigned chip = 0; chip < 2; chip++) {
			assert_int_equal(held(chip, chip * 20, chip * 20 + 20), WAYS / 2);
			assert_int_equal(held(chip, 20 - chip * 20, 40 - chip * 20), 0);
		}
		stop();
	}
}

/* A write goes to the line's chip, where the next kernel's reads ask memory for it. */
static void test_writes_go_home(void **state)
{
	struct mem_request write;

	(void)state;
	start("static");
	write = write_of(line_of_set(0), LINE, 15);
	write.flags = 0;
	send(0, read_of(line_of_set(0), false));
	send(1, read_of(line_of_set(0), false));
	assert_int_equal(held(1, 0, 1), 1);
	send(1, write);
	assert_int_equal(memsys_statistics(ms)->llc.write_backs, 0);
	next_kernel();
	assert_int_equal(memsys_statistics(ms)->llc.write_backs, 1);
	send(1, read_of(line_of_set(0), false));
	stop();
}

/* A miss on another chip's line finds lines in the slices there, and leaves the others in them. */
static void test_a_miss_asks_the_slices_of_the_line_s_chip(void **state)
{
	struct response_stats *r;
	struct link_stats *links;
	struct memsys_stats s;

	(void)state;
	for (uint32_t from_memory = 0; from_memory < 2; from_memory++) {
		const uint32_t knobs[8] = {from_memory};

		start_with("static", knobs);
		send(1, read_of(line_of_set(0), false));
		send(0, read_of(line_of_set(0), false));
		send(0, read_of(line_of_set(0), false));
		send(0, read_of(line_of_set(0) ^ LINE, false)); /* the same page */
		s = *memsys_statistics(ms);
		r = &s.responses;
		links = &s.links;
		assert_int_equal(links->packets, 4);
		assert_int_equal(s.dram.reads, from_memory ? 3 : 2);
		assert_int_equal(r->local_llc, 1);
		assert_int_equal(r->local_memory, 1);
		assert_int_equal(r->remote_llc, from_memory ? 0 : 1);
		assert_int_equal(r->remote_memory, from_memory ? 2 : 1);
		assert_int_equal(links->slice_fetch_hits, !from_memory);
		assert_int_equal(links->slice_fetch_waits, !from_memory);
		send(1, read_of(line_of_set(0) ^ LINE, false));
		assert_int_equal(memsys_statistics(ms)->responses.local_llc, from_memory ? 1 : 2);
		stop();
	}
}

/* --- Reasons to move ways --- */

static struct llc_geometry geometry;
static const struct llc_policy_ops *dynamic;
static uint64_t knobs[8], cycle;
static void *policy;

/* In a window of 5,000 cycles a chip's links give 5000 * 96, and its memory 5000 * 400. */
static void start_policy(void)
{
	struct llc_orders orders = {0};

	geometry = paper_geometry();
	geometry.chips = 4;
	geometry.link_bytes_per_cycle = 4 * 2 * 96;
	geometry.mean_hops = 4.0 / 3;
	geometry.link_header_bytes = 16;
	geometry.memory_bytes_per_cycle = 400;
	dynamic = llc_policy_find("dynamic");
	knob_defaults(dynamic->knobs, knobs);
	policy = dynamic->create(&geometry, knobs);
	dynamic->kernel_begin(policy, 0, (struct llc_kernel){0}, &orders);
	cycle = 0;
}

/* The ways after a window with so much of both bandwidths in use. */
static unsigned window(double links, double memory)
{
	struct llc_orders orders = {0};
	unsigned lines = (unsigned)(links * 5000 * 96 / (144 * 4.0 / 3)), own = (unsigned)(memory * 5000 * 400 / 128);

	for (unsigned i = 0; i < lines; i++)
		dynamic->chips->memory_asked(policy, LLC_FAR_MEMORY, 128);
	for (unsigned i = 0; i < own; i++)
		dynamic->chips->memory_asked(policy, i % 2 ? LLC_OWN_MEMORY : LLC_FOR_ANOTHER, 128);
	cycle += 5000;
	assert_int_equal(dynamic->next_tick(policy), cycle);
	dynamic->tick(policy, cycle, &orders);
	assert_false(orders.reorganise);
	return dynamic->chips->remote_ways(policy);
}

static void test_ways_follow_what_is_full(void **state)
{
	(void)state;
	start_policy();
	assert_int_equal(dynamic->chips->remote_ways(policy), 8);
	assert_int_equal(window(0.5, 0.5), 8);
	assert_int_equal(window(0.95, 0.5), 9);
	assert_int_equal(window(0.85, 0.5), 9);
	assert_int_equal(window(0.95, 0.85), 10);
	assert_int_equal(window(0.95, 0.95), 9);
	assert_int_equal(window(0.5, 0.95), 8);
	assert_int_equal(window(0.5, 0.95), 7);
	assert_int_equal(window(0.95, 0.95), 8);
	assert_int_equal(window(0.95, 0.95), 8);
	for (unsigned i = 0; i < 12; i++)
		window(1, 0);
	assert_int_equal(dynamic->chips->remote_ways(policy), 15);
	for (unsigned i = 0; i < 20; i++)
		window(0, 1);
	assert_int_equal(dynamic->chips->remote_ways(policy), 1);
	dynamic->destroy(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_set_is_parted),
	    cmocka_unit_test(test_writes_go_home),
	    cmocka_unit_test(test_a_miss_asks_the_slices_of_the_line_s_chip),
	    cmocka_unit_test(test_ways_follow_what_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
