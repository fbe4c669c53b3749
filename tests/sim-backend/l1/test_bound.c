/*
 * The bound: equal to brute force over all choices on small random streams, below every policy on larger streams, in a
 * whole run.
 */
#include "tests/sim-backend/l1/one_l1.h"
#include "tests/sim-backend/program.h"

/* --- All choices --- */

enum { LINES = 5, LONGEST = 11, MOST_WAYS = 3, NO_LINE = 99 };

struct small_stream {
	unsigned length, ways;
	unsigned line[LONGEST];
	bool drop[LONGEST];
};

/* The fewest fetches from event `at` on, when the set holds `held`. */
static unsigned fewest(const struct small_stream *s, unsigned at, const unsigned *held)
{
	unsigned then[MOST_WAYS], best, hit = MOST_WAYS;

	if (at == s->length)
		return 0;
	memcpy(then, held, sizeof then);
	for (unsigned way = 0; way < s->ways; way++)
		if (held[way] == s->line[at])
			hit = way;
	if (s->drop[at] && hit < s->ways)
		then[hit] = NO_LINE;
	best = fewest(s, at + 1, then);
	if (s->drop[at] || hit < s->ways)
		return best;
	for (unsigned way = 0; way < s->ways; way++) {
		unsigned fetches;

		memcpy(then, held, sizeof then);
		then[way] = s->line[at];
		fetches = fewest(s, at + 1, then);
		best = fetches < best ? fetches : best;
	}
	return best + 1;
}

static struct small_stream random_stream(uint64_t *random, unsigned ways)
{
	struct small_stream s = {.length = 1 + random_below(random, LONGEST), .ways = ways};

	for (unsigned i = 0; i < s.length; i++) {
		s.line[i] = random_below(random, LINES);
		s.drop[i] = random_below(random, 6) == 0;
	}
	return s;
}

static unsigned bound_of(const struct small_stream *s)
{
	struct l1_config c;
	struct l1_bound *b;
	uint64_t fetches;

	knob_defaults(l1_knobs, &c);
	c.ways = s->ways;
	c.size_bytes = s->ways * 128;
	b = l1_bound_create(&c);
	for (unsigned i = 0; i < s->length; i++)
		(s->drop[i] ? l1_bound_drop : l1_bound_load)(b, s->line[i]);
	fetches = l1_bound_settle(b);
	assert_int_equal(l1_bound_settle(b), 0);
	l1_bound_free(b);
	return (unsigned)fetches;
}

static void test_no_choice_is_better(void **state)
{
	const unsigned nothing[MOST_WAYS] = {NO_LINE, NO_LINE, NO_LINE};
	uint64_t random = 3;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		struct small_stream s = random_stream(&random, 1 + i % MOST_WAYS);

		assert_int_equal(bound_of(&s), fewest(&s, 0, nothing));
	}
}

/* --- Policies --- */

/* The L1's fetches on a stream of loads, stores and atomics; `bound`: the fewest possible. */
static uint64_t fetches_under(const char *policy, uint32_t write_hit, uint64_t *bound)
{
	struct one_l1 o;
	uint64_t random = 11;

	one_l1_init(&o, policy, 16, 4);
	o.config.bound = true;
	o.config.write_hit = write_hit;
	o.config.index = L1_INDEX_XOR;
	one_l1_begin(&o);
	for (unsigned i = 0; i < 30000; i++) {
		uint64_t line = (uint64_t)random_below(&random, 2) * random_below(&random, 400) +
				random_below(&random, 2) * random_below(&random, 60);

		switch (random_below(&random, 20)) {
		case 0: l1_store(o.l1, line * 128, 1); break;
		case 1: l1_invalidate(o.l1, line * 128, 1); break;
		default: one_access(&o, line, 15, 0);
		}
	}
	*bound = l1_bound_fetches(o.l1);
	one_l1_end(&o);
	return o.fetched_bytes / 128;
}

static void test_no_policy_is_better(void **state)
{
	(void)state;
	for (size_t i = 0; l1_policy_table[i]; i++)
		for (uint32_t write_hit = L1_UPDATE; write_hit <= L1_INVALIDATE; write_hit++) {
			uint64_t bound, fetches = fetches_under(l1_policy_table[i]->name, write_hit, &bound);

			assert_true(bound > 0 && bound < fetches);
		}
}

/* The stream does not depend on which lines are kept, so all policies have the same bound. */
static void test_what_is_dropped_counts(void **state)
{
	uint64_t update, invalidate, srrip;

	(void)state;
	fetches_under("lru", L1_UPDATE, &update);
	fetches_under("lru", L1_INVALIDATE, &invalidate);
	fetches_under("srrip", L1_INVALIDATE, &srrip);
	assert_true(update < invalidate);
	assert_int_equal(srrip, invalidate);
}

/* --- A run of two kernels --- */

static struct program p;

static struct sim_result *run(bool bound)
{
	struct sim_config *c = one_sm();
	unsigned load, use;
	struct sim_result *r;

	c->l1.size_bytes = 256;
	c->l1.ways = 2;
	c->l1.bound = bound;
	program_begin(&p, 1, 1);
	p.launches = 2;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_INT, 2, 1);
	for (unsigned i = 0; i < 12; i++) {
		program_emit(&p, load, 0x1000 + i % 3 * 128, 4);
		program_emit(&p, use, 0, 0);
	}
	r = program_run(&p, c);
	sim_config_free(c);
	return r;
}

/* Three lines in turn miss always under LRU. Belady keeps two of them, and the third is fetched each time. */
static void test_each_kernel_of_a_run_begins_anew(void **state)
{
	struct sim_result *without = run(false), *with = run(true);

	(void)state;
	assert_int_equal(without->total.l1.bound_fetches, 0);
	assert_int_equal(with->total.run.cycles, without->total.run.cycles);
	assert_int_equal(with->total.l1.misses, 2 * 12);
	assert_int_equal(with->total.l1.bound_fetches, 2 * (2 + 4));
	sim_result_free(without);
	sim_result_free(with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_no_choice_is_better),
	    cmocka_unit_test(test_no_policy_is_better),
	    cmocka_unit_test(test_what_is_dropped_counts),
	    cmocka_unit_test(test_each_kernel_of_a_run_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
