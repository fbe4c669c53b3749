/* The port for constants, and the caches of constants and instructions: cycles and misses against closed forms. */
#include "sim-backend/sm/small_cache.h"
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct program p;
static uint64_t const_misses, inst_misses;

static uint64_t cycles_of(struct sim_config *c)
{
	struct sim_result *r = program_run(&p, c);
	uint64_t cycles = r->cycles;

	const_misses = r->total.sm.const_misses;
	inst_misses = r->total.sm.inst_misses;
	sim_result_free(r);
	return cycles;
}

/* Each warp loads `count` times `words` distinct words, then waits for the last of them. */
static void make_loads(uint32_t warps, unsigned count, unsigned words, uint64_t apart, enum trace_space space)
{
	unsigned load = 0;

	program_begin(&p, 1, warps);
	for (unsigned i = 0; i < count; i++) {
		load = program_memory(&p, TRACE_LOAD, space, 4, (int)i + 1);
		program_emit(&p, load, i * apart, 4)->mask = words == 32 ? UINT32_MAX : (1u << words) - 1;
	}
	program_emit(&p, program_inst(&p, TRACE_INT, 0, (int)count), 0, 0);
}

/* The port passes a word every `interval`; with `warps` schedulers its loads come one a cycle and more. */
static void test_the_port_is_held_for_each_word(void **state)
{
	static const double intervals[] = {1, 1.75, 1.85, 4};
	static const unsigned words[] = {1, 3, 32};
	enum { COUNT = 11 };

	(void)state;
	for (uint32_t warps = 1; warps <= 4; warps *= 2)
		for (unsigned w = 0; w < sizeof words / sizeof *words; w++)
			for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
				struct sim_config *c = one_sm();
				uint64_t without, last;

				c->sm.schedulers = 4;
				make_loads(warps, COUNT, words[w], 0, TRACE_CONST);
				without = cycles_of(c);
				c->sm.const_interval = intervals[i];
				last = (uint64_t)floor((warps * COUNT * words[w] - 1) * intervals[i] + 1e-6);
				assert_in_range(cycles_of(c) + COUNT - 1 + words[w] - 1, without + last - 1,
						without + last);
				sim_config_free(c);
			}
}

/* A line that the cache does not have comes const_miss later, once for all loads that want it. */
static void test_constants_miss_once(void **state)
{
	enum { COUNT = 8, MISS = 90 };

	(void)state;
	for (int parameters = 0; parameters < 2; parameters++) {
		struct sim_config *c = one_sm();
		uint64_t without;

		make_loads(1, COUNT, 1, 4, parameters ? TRACE_PARAM : TRACE_CONST);
		without = cycles_of(c);
		assert_int_equal(const_misses, 0);
		c->sm.const_bytes = 2048;
		c->sm.const_miss = MISS;
		/* All loads wait for the line that the first asked for; the last issued COUNT - 1 later. */
		assert_int_equal(cycles_of(c), without + MISS - (COUNT - 1));
		assert_int_equal(const_misses, 1);
		p.launches = 2;
		cycles_of(c);
		assert_int_equal(const_misses, 2);
		sim_config_free(c);
	}
}

/* A warp whose lanes read two lines waits for both; a line in each of `count` loads is a miss for each. */
static void test_lines_of_constants_are_counted(void **state)
{
	struct sim_config *c = one_sm();

	(void)state;
	c->sm.const_bytes = 2048;
	c->sm.const_line = 64;
	make_loads(1, 4, 32, 128, TRACE_CONST);
	cycles_of(c);
	assert_int_equal(const_misses, 8);
	make_loads(1, 16, 1, 256, TRACE_CONST);
	cycles_of(c);
	assert_int_equal(const_misses, 16);
	sim_config_free(c);
}

/* LRU: as many lines as there are ways stay, one more in the same set drives all out in turn. */
static void test_a_set_keeps_its_latest_lines(void **state)
{
	struct small_cache *c = small_cache_create(8 * 64, 64);
	uint64_t misses = 0;

	(void)state;
	for (unsigned round = 0; round < 3; round++)
		for (uint64_t line = 0; line < 8; line += 2)
			small_cache_ask(c, line, 1000, 10, &misses);
	assert_int_equal(misses, 4);
	for (unsigned round = 0; round < 3; round++)
		for (uint64_t line = 0; line < 10; line += 2)
			small_cache_ask(c, line, 1000, 10, &misses);
	assert_int_equal(misses, 4 + 1 + 5 + 5);
	assert_int_equal(small_cache_ask(c, 1, 2000, 10, &misses), 2010);
	assert_int_equal(small_cache_ask(c, 1, 2004, 10, &misses), 2010);
	assert_int_equal(small_cache_ask(c, 1, 2030, 10, &misses), 2030);
	small_cache_free(c);
}

/* Eight instructions a line: a warp waits for the first time that any warp comes to a line. */
static void test_instructions_miss_once(void **state)
{
	enum { COUNT = 24, MISS = 150 };
	struct sim_config *c = one_sm();
	uint64_t without;

	(void)state;
	program_begin(&p, 1, 4);
	for (unsigned i = 0; i < COUNT; i++)
		program_emit(&p, program_inst(&p, TRACE_INT, -1, -1), 0, 0);
	c->sm.schedulers = 4;
	without = cycles_of(c);
	assert_int_equal(inst_misses, 0);
	c->sm.inst_cache_bytes = 128 << 10;
	c->sm.inst_miss = MISS;
	assert_int_equal(cycles_of(c), without + MISS - 1);
	assert_int_equal(inst_misses, COUNT / 8);
	/* CTAs that follow find them. */
	p.ctas = 5;
	cycles_of(c);
	assert_int_equal(inst_misses, COUNT / 8);
	sim_config_free(c);
}

/*
 * With sm.misses_to_llc a line is a request, which leaves a cycle after it was asked for and comes mock.latency later.
 * It is 64 bytes of constants, or 128 of instructions; others that want it ask for nothing.
 */
static void test_misses_are_requests(void **state)
{
	enum { COUNT = 8 };
	struct sim_config *c = one_sm();
	uint64_t without;

	(void)state;
	c->sm.misses_to_llc = true;
	make_loads(1, COUNT, 1, 4, TRACE_CONST);
	without = cycles_of(c);
	assert_int_equal(mock_log_len, 0);
	c->sm.const_bytes = 2048;
	assert_int_equal(cycles_of(c), without + mock.latency + 1 - (COUNT - 1));
	assert_int_equal(const_misses, 1);
	assert_int_equal(mock_log_len, 1);
	assert_int_equal(mock_log[0].bytes, 64);
	assert_int_equal(mock_log[0].kind, MEM_READ);

	/* Two lines for each of four loads, all of which are on their way when the last load issues. */
	make_loads(1, 4, 32, 128, TRACE_CONST);
	cycles_of(c);
	assert_int_equal(const_misses, 8);
	assert_int_equal(mock_log_len, 8);
	assert_int_equal(mock_log[7].line, mock_log[0].line + 3 * 128);
	sim_config_free(c);
}

static void test_instructions_are_requests(void **state)
{
	enum { COUNT = 24, LINES = COUNT / 8 };
	struct sim_config *c = one_sm();
	uint64_t without;

	(void)state;
	program_begin(&p, 1, 4);
	for (unsigned i = 0; i < COUNT; i++)
		program_emit(&p, program_inst(&p, TRACE_INT, -1, -1), 0, 0);
	c->sm.schedulers = 4;
	c->sm.misses_to_llc = true;
	without = cycles_of(c);
	c->sm.inst_cache_bytes = 128 << 10;
	assert_int_equal(cycles_of(c), without + mock.latency + LINES);
	assert_int_equal(inst_misses, LINES);
	assert_int_equal(mock_log_len, LINES);
	assert_int_equal(mock_log[0].bytes, 128);
	p.ctas = 5;
	cycles_of(c);
	assert_int_equal(mock_log_len, LINES);
	sim_config_free(c);
}

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 500, .interval = 1};
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_the_port_is_held_for_each_word, reset),
	    cmocka_unit_test_setup(test_constants_miss_once, reset),
	    cmocka_unit_test_setup(test_lines_of_constants_are_counted, reset),
	    cmocka_unit_test(test_a_set_keeps_its_latest_lines),
	    cmocka_unit_test_setup(test_instructions_miss_once, reset),
	    cmocka_unit_test_setup(test_misses_are_requests, reset),
	    cmocka_unit_test_setup(test_instructions_are_requests, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
