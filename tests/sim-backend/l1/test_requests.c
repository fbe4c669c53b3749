/* The LSU's requests for the L1 and its handling of replies, with a memory of fixed latency. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct program p;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 100, .interval = 1};
	return 0;
}

/* A warp loads eight words, then all 32 of their line, at once or after the first have come. */
static struct sim_result *two_loads(struct sim_config *config, bool wait)
{
	unsigned first, second, use;

	program_begin(&p, 1, 1);
	first = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	second = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 2);
	use = program_inst(&p, TRACE_INT, 3, 1);
	program_emit(&p, first, 0x1000, 4)->mask = 0xff;
	if (wait)
		program_emit(&p, use, 0, 0);
	program_emit(&p, second, 0x1000, 4);
	return program_run(&p, config);
}

static void test_a_fetch_is_of_the_missing_sectors(void **state)
{
	(void)state;
	for (unsigned wait = 0; wait < 2; wait++) {
		struct sim_config *c = one_sm();
		struct sim_result *r;

		c->l1.sectored = true;
		r = two_loads(c, wait);
		assert_int_equal(mock_log_len, 2);
		assert_int_equal(mock_log[0].bytes, 32);
		assert_int_equal(mock_log[0].sectors, 1);
		assert_int_equal(mock_log[1].bytes, 96);
		assert_int_equal(mock_log[1].sectors, 14);
		assert_int_equal(r->total.l1.misses, 2);
		assert_int_equal(r->total.l1.merges, 0);
		assert_int_equal(r->total.l1.partial_hits, wait);
		assert_int_equal(r->total.l1.fills, 2);
		sim_result_free(r);
		sim_config_free(c);
	}
}

static void test_a_fetch_is_of_the_line_without_sectors(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r = two_loads(c, false);

	(void)state;
	assert_int_equal(mock_log_len, 1);
	assert_int_equal(mock_log[0].bytes, 128);
	assert_int_equal(r->total.l1.merges, 1);
	sim_result_free(r);
	sim_config_free(c);
}

/* The second load waits for both fetches: in flight a latency each, one cycle apart, the later one with slow replies.
 */
static void test_a_load_waits_for_all_its_parts(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;

	(void)state;
	c->l1.sectored = true;
	mock.interval = 50;
	r = two_loads(c, false);
	assert_int_equal(r->total.sm.load_instructions, 2);
	/* The replies come 1 + 100 cycles after the first issue, and 50 later. */
	assert_int_equal(r->total.sm.load_cycles,
			 (1 + mock.latency + c->l1.fill_latency) + (mock.latency + 50 + c->l1.fill_latency));
	sim_result_free(r);
	sim_config_free(c);
}

static void test_reserved_ways_hold_the_lsu(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load;

	(void)state;
	c->l1.alloc = L1_ALLOC_MISS;
	c->l1.size_bytes = 512;
	c->l1.ways = 4;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 128);
	r = program_run(&p, c);
	/* As with four MSHRs: eight rounds of four. */
	assert_int_equal(r->total.sm.load_cycles, 1 + 8 * mock.latency + 3 + c->l1.fill_latency);
	assert_int_equal(r->total.sm.way_stalls, 7 * (mock.latency - 4));
	assert_int_equal(r->total.sm.mshr_stalls, 0);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_loads_past_the_l1_say_so(void **state)
{
	(void)state;
	for (unsigned caches = L1_ALL_LOADS; caches <= L1_NO_LOADS; caches += L1_NO_LOADS) {
		struct sim_config *c = one_sm();

		c->l1.caches = caches;
		sim_result_free(two_loads(c, true));
		for (uint32_t i = 0; i < mock_log_len; i++)
			assert_int_equal(mock_log[i].flags, caches == L1_NO_LOADS ? MEM_BYPASS : 0);
		sim_config_free(c);
	}
}

static void test_a_reply_can_tell_the_l1_not_to_keep_it(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;

	(void)state;
	mock.reply_flags = MEM_BYPASS;
	r = two_loads(c, true);
	assert_int_equal(r->total.l1.hits, 0);
	assert_int_equal(r->total.l1.fills_dropped, 2);
	sim_result_free(r);
	mock.reply_flags = MEM_VICTIM;
	r = two_loads(c, true);
	assert_int_equal(r->total.l1.hits, 1);
	assert_int_equal(r->total.l1.fills_dropped, 0);
	sim_result_free(r);
	sim_config_free(c);
}

/* A warp loads a line, and again when it has come, in an L1 of chunks. */
static struct sim_result *a_line_twice(const char *policy, const char *access, const char *tags, uint32_t mshrs,
				       struct sim_config *c)
{
	struct diag d = DIAG_INIT;
	char setting[64];
	unsigned load;

	assert_int_equal(sim_config_policies(c, NULL, policy, &d), 0);
	snprintf(setting, sizeof setting, "%s.access=%s", policy, access);
	assert_int_equal(sim_config_set(c, setting, &d), 0);
	snprintf(setting, sizeof setting, "%s.tags=%s", policy, tags);
	assert_int_equal(sim_config_set(c, setting, &d), 0);
	c->l1.size_bytes = 16384;
	c->l1.ways = 4;
	c->l1.mshrs = mshrs;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 4);
	program_emit(&p, program_inst(&p, TRACE_INT, 2, 1), 0, 0);
	program_emit(&p, load, 0x1000, 4);
	return program_run(&p, c);
}

/*
 * A block takes one cycle of the L1 and one request. Chunks take one each: the last one's data come so many cycles
 * later, on a hit and on a miss. Both wait for tags that are in shared memory, but where lines are whole, as they are
 * under DyCache in the beginning.
 */
static void test_a_wide_load_pays_for_each_chunk(void **state)
{
	static const struct {
		const char *policy, *access, *tags;
		unsigned parts;
		bool waits;
	} cases[] = {{"elastic32", "block", "own", 1, false}, {"elastic32", "block", "shared", 1, true},
		     {"elastic32", "chunk", "own", 4, false}, {"elastic32", "chunk", "shared", 4, true},
		     {"elastic64", "block", "own", 1, false}, {"elastic64", "chunk", "shared", 2, true},
		     {"dycache", "chunk", "own", 1, false},   {"dycache", "chunk", "shared", 1, false}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sim_config *c = one_sm();
		unsigned parts = cases[i].parts;
		struct sim_result *r = a_line_twice(cases[i].policy, cases[i].access, cases[i].tags, 32, c);

		assert_int_equal(mock_log_len, parts);
		for (unsigned n = 0; n < parts; n++)
			assert_int_equal(mock_log[n].bytes, 128 / parts);
		assert_int_equal(r->total.l1.accesses, 2);
		assert_int_equal(r->total.l1.misses, 1);
		assert_int_equal(r->total.l1.look_ups, 2 * parts);
		assert_int_equal(r->total.l1.fetches, parts);
		assert_int_equal(r->total.sm.load_cycles, 2 * parts + mock.latency + c->l1.fill_latency +
							      c->l1.hit_latency +
							      (cases[i].waits ? 2 * c->sm.shared_latency : 0));
		sim_result_free(r);
		sim_config_free(c);
	}
}

/* So many loads under DyCache, with a decision every `period`: twice of 32 B, then twice of another line. */
static struct sim_result *loads_of_both_sizes(const char *period, unsigned loads, bool wait, struct sim_config *c)
{
	struct diag d = DIAG_INIT;

	assert_int_equal(sim_config_policies(c, NULL, "dycache", &d), 0);
	assert_int_equal(sim_config_set(c, period, &d), 0);
	assert_int_equal(sim_config_set(c, "dycache.threshold=25", &d), 0);
	c->l1.size_bytes = 16384;
	c->l1.ways = 4;
	program_begin(&p, 1, 1);
	for (unsigned i = 0; i < loads; i++) {
		unsigned load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1 + (int)i);

		program_emit(&p, load, i < 2 ? 0x1000 : 0x2000, 4)->mask = i < 2 ? 0xff : UINT32_MAX;
		if (wait)
			program_emit(&p, program_inst(&p, TRACE_INT, 10, 1 + (int)i), 0, 0);
	}
	return program_run(&p, c);
}

/*
 * A load takes the cycles of the tags that it was looked up with, also when it is the one after which the L1 has other
 * chunks: whole lines at first, then chunks of 32 B, then whole lines.
 */
static void test_a_load_pays_for_the_tags_of_its_look_up(void **state)
{
	static const struct {
		const char *period;
		unsigned looked_up_in_chunks[4]; /* of the first loads */
	} cases[] = {{"dycache.period=1", {0, 1, 2, 2}}, {"dycache.period=2", {0, 0, 1, 2}}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned loads = 1; loads <= 4; loads++) {
			struct sim_config *c = one_sm();
			struct sim_result *r = loads_of_both_sizes(cases[i].period, loads, true, c);
			unsigned misses = (loads + 1) / 2;

			assert_int_equal(r->total.l1.misses, misses);
			assert_int_equal(r->total.sm.load_cycles,
					 loads + misses * (mock.latency + c->l1.fill_latency) +
					     (loads - misses) * c->l1.hit_latency +
					     cases[i].looked_up_in_chunks[loads - 1] * c->sm.shared_latency);
			sim_result_free(r);
			sim_config_free(c);
		}
}

/* The second load waits for the same fetch as the first, whose lines were whole. Only it has read chunk tags. */
static void test_loads_that_wait_together_pay_for_their_own_tags(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r = loads_of_both_sizes("dycache.period=1", 2, false, c);

	(void)state;
	assert_int_equal(r->total.l1.merges, 1);
	assert_int_equal(r->total.sm.load_cycles, 2 * (mock.latency + c->l1.fill_latency) + 1 + c->sm.shared_latency);
	sim_result_free(r);
	sim_config_free(c);
}

/* With one MSHR, each chunk waits until the one before has come. */
static void test_each_chunk_takes_an_mshr(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r = a_line_twice("elastic32", "chunk", "own", 1, c);

	(void)state;
	assert_int_equal(mock_log_len, 4);
	for (unsigned n = 1; n < 4; n++)
		assert_int_equal(mock_log[n].issued - mock_log[n - 1].issued, mock.latency);
	assert_int_equal(r->total.sm.mshr_stalls, 3 * (mock.latency - 1));
	sim_result_free(r);
	sim_config_free(c);
}

/* Loads of a sector, of each half of a line, of the two sectors between these, and of the line. */
static void test_loads_are_counted_by_size(void **state)
{
	static const uint32_t lanes[] = {0xff, 0xffff, 0xffff0000, 0xffff00, UINT32_MAX};
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++)
		program_emit(&p, load, 0x1000, 4)->mask = lanes[i];
	r = program_run(&p, c);
	assert_int_equal(r->total.l1.accesses, 5);
	assert_int_equal(r->total.l1.of_32, 1);
	assert_int_equal(r->total.l1.of_64, 2);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_loads_are_counted_by_size, reset),
	    cmocka_unit_test_setup(test_a_wide_load_pays_for_each_chunk, reset),
	    cmocka_unit_test_setup(test_a_load_pays_for_the_tags_of_its_look_up, reset),
	    cmocka_unit_test_setup(test_loads_that_wait_together_pay_for_their_own_tags, reset),
	    cmocka_unit_test_setup(test_each_chunk_takes_an_mshr, reset),
	    cmocka_unit_test_setup(test_a_fetch_is_of_the_missing_sectors, reset),
	    cmocka_unit_test_setup(test_a_fetch_is_of_the_line_without_sectors, reset),
	    cmocka_unit_test_setup(test_a_load_waits_for_all_its_parts, reset),
	    cmocka_unit_test_setup(test_reserved_ways_hold_the_lsu, reset),
	    cmocka_unit_test_setup(test_loads_past_the_l1_say_so, reset),
	    cmocka_unit_test_setup(test_a_reply_can_tell_the_l1_not_to_keep_it, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
