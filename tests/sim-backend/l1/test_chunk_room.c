/* Chunks that survive a change to whole lines under DyCache, and kernels without room for chunk tags. */
#include "tests/sim-backend/l1/one_l1.h"
#include "tests/sim-backend/program.h"

enum { ALL = 15, LOW = 3, PERIOD = 8, SETS = 32, WAYS = 4 };

/* --- DyCache --- */

/* Misses of one period; then chunks are of the size that its loads have. */
static void a_period_of(struct one_l1 *o, uint8_t sectors)
{
	static uint64_t next = 5000;

	for (unsigned i = 0; i < PERIOD; i++)
		one_access(o, next++ * SETS, sectors, 0);
}

static void begin_dycache(struct one_l1 *o, uint32_t retain, const char *tags)
{
	one_l1_init(o, "dycache", SETS, WAYS);
	one_l1_knob(o, "period", PERIOD);
	one_l1_knob(o, "retain", retain);
	one_l1_choose(o, "tags", tags);
	one_l1_begin(o);
	a_period_of(o, 1);
	assert_int_equal(counter(o, "to_32"), 1);
}

/* Set 1 has a whole line, fetched as such, and parts of others. Then large misses in set 0 make lines whole. */
static void test_whole_lines_may_outlast_a_change(void **state)
{
	for (uint32_t retain = 0; retain < 2; retain++) {
		struct one_l1 o;

		(void)state;
		begin_dycache(&o, retain, "own");
		one_access(&o, 1, ALL, 0);
		one_access(&o, 1 + SETS, LOW, 0);
		one_access(&o, 1 + 2 * SETS, 1, 0);
		a_period_of(&o, ALL);
		assert_int_equal(counter(&o, "to_128"), 1);
		assert_int_equal(one_access(&o, 1, ALL, 0).hit, retain);
		assert_false(one_access(&o, 1 + SETS, LOW, 0).hit);
		assert_false(one_access(&o, 1 + 2 * SETS, 1, 0).hit);
		one_l1_end(&o);
	}
}

/*
 * Sectors that came one by one may fill the four slots of a line without being the line: in another order, or side by
 * side but from the ends of two lines. They are dropped, and leave no part of a line behind.
 */
static void test_parts_are_no_line(void **state)
{
	static const struct {
		uint64_t line;
		uint8_t sectors;
	} parts[][4] = {{{1, 8}, {1, 4}, {1, 2}, {1, 1}},
			{{1, 1}, {1, 4}, {1, 2}, {1, 8}},
			{{1, 1}, {1, 2}, {1, 4}, {1 + SETS, 8}},
			{{1, 2}, {1, 4}, {1, 8}, {1 + SETS, 1}},
			{{1, 4}, {1, 8}, {1 + SETS, 1}, {1 + SETS, 2}}};

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct one_l1 o;

		begin_dycache(&o, 1, "own");
		for (unsigned n = 0; n < 4; n++)
			one_access(&o, parts[i][n].line, parts[i][n].sectors, 0);
		a_period_of(&o, ALL);
		assert_int_equal(counter(&o, "to_128"), 1);
		for (uint64_t line = 1; line <= 1 + SETS; line += SETS) {
			struct access a = one_access(&o, line, ALL, 0);

			assert_false(a.hit || a.partial);
		}
		one_l1_end(&o);
	}
}

/*
 * The sectors of a line are on their way to its slots, one by one and in order. They are not a line, and are not kept.
 */
static void test_parts_on_their_way_are_no_line(void **state)
{
	struct l1_fetch fetch;
	const uint16_t *waiters;
	uint32_t mshrs[4];
	struct one_l1 o;
	bool kept;

	(void)state;
	one_l1_init(&o, "dycache", SETS, WAYS);
	one_l1_knob(&o, "period", PERIOD);
	one_l1_knob(&o, "retain", 1);
	o.config.alloc = L1_ALLOC_MISS;
	one_l1_begin(&o);
	a_period_of(&o, 1);
	for (unsigned s = 0; s < 4; s++) {
		assert_int_equal(l1_load(o.l1, 128, (uint8_t)(1u << s), 1, &fetch), L1_MISS);
		mshrs[s] = l1_open(o.l1, 128, 0, 1);
	}
	a_period_of(&o, ALL);
	assert_int_equal(counter(&o, "to_128"), 1);
	for (unsigned s = 0; s < 4; s++) {
		l1_fill(o.l1, mshrs[s], 0, 0, &waiters, &kept);
		assert_false(kept);
	}
	assert_int_equal(l1_load(o.l1, 128, ALL, 1, &fetch), L1_MISS);
	one_l1_end(&o);
}

/* --- Kernels without room for chunk tags --- */

/* Bytes that a load of one sector fetches in a kernel that leaves so much shared memory. */
static uint64_t fetch_with(struct one_l1 *o, uint32_t spare)
{
	uint64_t bytes;

	one_l1_begin(o);
	l1_kernel_begin(o->l1, 0);
	l1_kernel_begin(o->l1, spare);
	o->fetched_bytes = 0;
	one_access(o, 1, 1, 0);
	bytes = o->fetched_bytes;
	one_l1_end(o);
	return bytes;
}

/* 128 lines of four chunks with 16 bits take 1 KB, of two chunks half of that; of a single line, whole bytes. */
static void test_without_room_lines_are_whole(void **state)
{
	static const struct {
		const char *policy;
		uint32_t sets, ways, tag_bits, tag_bytes, chunk;
	} cases[] = {{"elastic32", SETS, WAYS, 16, 1024, 32}, {"elastic64", SETS, WAYS, 16, 512, 64},
		     {"elastic32", 1, 1, 3, 2, 32},           {"elastic64", 1, 1, 5, 2, 64},
		     {"elastic32", 1, 1, 4, 2, 32},           {"elastic64", 1, 1, 12, 3, 64}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct one_l1 o;

		one_l1_init(&o, cases[i].policy, cases[i].sets, cases[i].ways);
		one_l1_knob(&o, "tag_bits", cases[i].tag_bits);
		assert_int_equal(fetch_with(&o, cases[i].tag_bytes), cases[i].chunk);
		assert_int_equal(fetch_with(&o, cases[i].tag_bytes - 1), 128);
		one_l1_knob(&o, "fallback", 0);
		assert_int_equal(fetch_with(&o, 0), cases[i].chunk);
	}
}

/* DyCache, if its tags are there, has whole lines in such a kernel, and in the next the chunks that it had before. */
static void test_dycache_remembers_its_chunks(void **state)
{
	static const uint32_t spare[] = {1023, 1024}, fetched[] = {128, 32};
	uint64_t whole = PERIOD;
	struct one_l1 o;

	(void)state;
	begin_dycache(&o, 0, "shared");
	for (unsigned i = 0; i < 2; i++) {
		uint64_t before = o.fetched_bytes;

		l1_kernel_begin(o.l1, spare[i]);
		one_access(&o, 1, 1, 0);
		assert_int_equal(o.fetched_bytes - before, fetched[i]);
		assert_int_equal(counter(&o, "fallbacks"), 1);
		assert_int_equal(counter(&o, "loads_at_128") - whole, 1);
	}
	one_l1_end(&o);
}

/* Loads read tags from shared memory when lines are in chunks, and not when they are whole. */
static void test_whole_lines_have_tags_of_their_own(void **state)
{
	struct one_l1 o;

	(void)state;
	begin_dycache(&o, 0, "shared");
	assert_true(l1_tags_are_shared(o.l1));
	a_period_of(&o, ALL);
	assert_int_equal(counter(&o, "to_128"), 1);
	assert_false(l1_tags_are_shared(o.l1));
	one_l1_end(&o);
	begin_dycache(&o, 0, "own");
	assert_false(l1_tags_are_shared(o.l1));
	one_l1_end(&o);
}

/* Tags of their own need no room. */
static void test_own_tags_need_no_room(void **state)
{
	struct one_l1 o;

	(void)state;
	one_l1_init(&o, "elastic32", SETS, WAYS);
	one_l1_choose(&o, "tags", "own");
	one_l1_begin(&o);
	l1_kernel_begin(o.l1, 0);
	one_access(&o, 1, 1, 0);
	assert_int_equal(o.fetched_bytes, 32);
	one_l1_end(&o);
}

static struct program p;

/* L1s of 16 KB beside 64 KB of shared memory, of which the only CTA takes so much. */
static uint64_t fallbacks(uint32_t shared_bytes)
{
	struct sim_config *c = one_sm();
	struct diag d = DIAG_INIT;
	struct sim_result *r;
	uint64_t count;

	assert_int_equal(sim_config_policies(c, NULL, "elastic32", &d), 0);
	c->l1.size_bytes = 16384;
	c->l1.ways = 4;
	program_begin(&p, 1, 1);
	p.shared_bytes = shared_bytes;
	program_emit(&p, program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1), 0x1000, 128);
	r = program_run(&p, c);
	assert_string_equal(c->l1_policy->stats[0].name, "fallbacks");
	count = *(const uint64_t *)r->end.l1_policy;
	sim_result_free(r);
	sim_config_free(c);
	return count;
}

static void test_a_kernel_says_what_it_leaves(void **state)
{
	(void)state;
	assert_int_equal(fallbacks(63 << 10), 0);
	assert_int_equal(fallbacks((63 << 10) + 1), 1);
	/* Twice this fits, and leaves nothing. */
	assert_int_equal(fallbacks(32 << 10), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_whole_lines_may_outlast_a_change),
	    cmocka_unit_test(test_parts_are_no_line),
	    cmocka_unit_test(test_parts_on_their_way_are_no_line),
	    cmocka_unit_test(test_without_room_lines_are_whole),
	    cmocka_unit_test(test_dycache_remembers_its_chunks),
	    cmocka_unit_test(test_whole_lines_have_tags_of_their_own),
	    cmocka_unit_test(test_own_tags_need_no_room),
	    cmocka_unit_test(test_a_kernel_says_what_it_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
