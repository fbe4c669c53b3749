/*
 * Effects of stores, replies and full sets on the slots of chunks; and how many fetches of chunks can be on their way.
 */
#include "tests/sim-backend/l1/one_l1.h"

#include "sim-backend/memory/memsys.h"
#include "tests/sim-backend/l1/load_and_fill.h"

enum { ALL = 15, LOW = 3, HIGH = 12, SETS = 32, WAYS = 4 };

/* Which sectors of the line are there, looked for one by one from the highest on. */
static uint8_t there(struct one_l1 *o, uint64_t line)
{
	struct l1_fetch fetch;
	uint8_t found = 0;

	for (unsigned s = 4; s-- > 0;)
		if (l1_load(o->l1, line * 128, (uint8_t)(1u << s), 1, &fetch) == L1_HIT)
			found |= (uint8_t)(1u << s);
	return found;
}

/* --- Stores and atomics --- */

/* They take the chunks that they touch, each in one piece, and say whether some of these were there. */
static void test_a_write_takes_the_chunks_that_it_touches(void **state)
{
	static const struct {
		const char *policy;
		uint8_t loaded, written, left;
		bool touched;
	} cases[] = {
	    {"elastic32", ALL, 2, 13, true},    {"elastic32", ALL, 9, 6, true},    {"elastic32", ALL, ALL, 0, true},
	    {"elastic32", LOW, HIGH, 3, false}, {"elastic32", 1, 8, 1, false},     {"elastic32", 2, 9, 2, false},
	    {"elastic64", ALL, 2, 12, true},    {"elastic64", ALL, 8, 3, true},    {"elastic64", ALL, 6, 0, true},
	    {"elastic64", LOW, HIGH, 3, false}, {"elastic64", HIGH, 2, 12, false}, {"elastic64", 8, 4, 0, true},
	    {"dycache", ALL, 4, 0, true},       {"dycache", 1, 8, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned atomic = 0; atomic < 2; atomic++) {
			struct one_l1 o;

			one_l1_init(&o, cases[i].policy, SETS, WAYS);
			o.config.write_hit = L1_INVALIDATE;
			one_l1_begin(&o);
			one_access(&o, 7, cases[i].loaded, 0);
			one_access(&o, 7 + SETS, ALL, 0);
			if (atomic)
				l1_invalidate(o.l1, 7 * 128, cases[i].written);
			else
				assert_int_equal(l1_store(o.l1, 7 * 128, cases[i].written), cases[i].touched);
			assert_int_equal(there(&o, 7), cases[i].left);
			assert_int_equal(there(&o, 7 + SETS), ALL);
			one_l1_end(&o);
		}
}

/* With write_hit=update a store keeps all chunks and returns those that it has touched; an atomic still drops them. */
static void test_an_update_leaves_chunks_there(void **state)
{
	struct one_l1 o;

	(void)state;
	one_l1_init(&o, "elastic64", SETS, WAYS);
	one_l1_begin(&o);
	one_access(&o, 7, LOW, 0);
	assert_true(l1_store(o.l1, 7 * 128, 2));
	assert_false(l1_store(o.l1, 7 * 128, HIGH));
	assert_int_equal(there(&o, 7), LOW);
	l1_invalidate(o.l1, 7 * 128, 2);
	assert_int_equal(there(&o, 7), 0);
	one_l1_end(&o);
}

/* Dropped chunks leave room: for chunks of the common tag, for chunks of another tag, and for whole lines. */
static void test_room_that_was_emptied_is_taken_first(void **state)
{
	enum { OTHER_COMMON = 1 << 14, LINES = 2 };
	static const struct {
		const char *policy;
		uint8_t sectors;
		uint64_t next;
	} cases[] = {{"elastic32", ALL, 300},     {"elastic32", 1, OTHER_COMMON}, {"elastic32", LOW, OTHER_COMMON},
		     {"elastic64", ALL, 300},     {"elastic64", 4, OTHER_COMMON}, {"dycache", ALL, 300},
		     {"dycache", 1, OTHER_COMMON}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (enum l1_alloc alloc = L1_ALLOC_MISS; alloc <= L1_ALLOC_STREAM; alloc++)
			for (uint64_t dropped = 0; dropped < LINES; dropped++) {
				struct one_l1 o;

				one_l1_init(&o, cases[i].policy, 1, LINES);
				o.config.alloc = alloc;
				one_l1_begin(&o);
				for (uint64_t n = 0; n < LINES; n++)
					one_access(&o, 100 * n, ALL, 0);
				l1_invalidate(o.l1, 100 * dropped * 128, ALL);
				one_access(&o, cases[i].next, cases[i].sectors, 0);
				assert_int_equal(there(&o, 100 * (1 - dropped)), ALL);
				assert_true(one_access(&o, cases[i].next, cases[i].sectors, 0).hit);
				one_l1_end(&o);
			}
}

/* A line that comes and is not kept leaves its room free. */
static void test_what_is_not_kept_leaves_room(void **state)
{
	struct one_l1 o;
	uint32_t mshr = L1_NO_MSHR;

	(void)state;
	one_l1_init(&o, "dycache", 1, 2);
	o.config.alloc = L1_ALLOC_MISS;
	one_l1_begin(&o);
	one_access(&o, 0, ALL, 0);
	assert_int_equal(load(&o, 100, ALL, &mshr), L1_MISS);
	assert_false(fill(&o, mshr, MEM_BYPASS));
	one_access(&o, 200, ALL, 0);
	assert_true(one_access(&o, 0, ALL, 0).hit);
	one_l1_end(&o);
}

/* --- Replies --- */

/* A reply that says so is not kept, whenever slots are chosen. What was there stays. */
static void test_a_reply_goes_past(void **state)
{
	static const char *const policies[] = {"elastic32", "elastic64", "dycache"};

	(void)state;
	for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
		for (enum l1_alloc alloc = L1_ALLOC_MISS; alloc <= L1_ALLOC_STREAM; alloc++) {
			struct one_l1 o;

			one_l1_init(&o, policies[i], 1, 2);
			o.config.alloc = alloc;
			one_l1_begin(&o);
			one_access(&o, 0, ALL, 0);
			for (uint64_t n = 1; n < 4; n++)
				assert_false(one_access(&o, 100 * n, ALL, MEM_BYPASS).kept);
			assert_int_equal(there(&o, 0), ALL);
			for (uint64_t n = 1; n < 4; n++)
				assert_int_equal(there(&o, 100 * n), 0);
			assert_true(one_access(&o, 100, ALL, 0).kept);
			assert_int_equal(there(&o, 100), ALL);
			one_l1_end(&o);
		}
}

/* --- Full sets --- */

/*
 * Of the line with what is on its way: two slots are free for the three sectors that a load lacks, so it waits; with a
 * third it need not. There is none for the pair alone when the free slots are not side by side.
 */
static void test_a_fetch_in_two_blocks_waits_for_room_for_both(void **state)
{
	struct one_l1 o;
	uint32_t first = L1_NO_MSHR, second = L1_NO_MSHR, any;

	(void)state;
	one_l1_init(&o, "elastic32", 1, 1);
	o.config.alloc = L1_ALLOC_MISS;
	one_l1_begin(&o);
	assert_int_equal(load(&o, 7, 1, &first), L1_MISS);
	assert_int_equal(load(&o, 9, 1, &second), L1_MISS);
	assert_int_equal(load(&o, 7, ALL, &any), L1_STALL_WAY);
	assert_true(fill(&o, second, 0));
	assert_int_equal(load(&o, 7, ALL, &any), L1_MISS);
	assert_int_equal(load(&o, 9, 1, &any), L1_STALL_WAY);
	one_l1_end(&o);
}

/* --- Streaming --- */

/*
 * A streaming L1 has an MSHR for each chunk that it has room for, and any number of merges. It reserves nothing: no
 * load waits for slots, and what is there stays until something has come.
 */
static void test_streaming_has_an_mshr_for_each_chunk(void **state)
{
	static const struct {
		const char *policy;
		unsigned chunks; /* of a line */
	} cases[] = {{"elastic32", 4}, {"elastic64", 2}, {"dycache", 4}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned most = SETS * WAYS * cases[i].chunks;
		uint32_t mshr, first = L1_NO_MSHR;
		struct one_l1 o;

		one_l1_init(&o, cases[i].policy, SETS, WAYS);
		o.config.alloc = L1_ALLOC_STREAM;
		o.config.mshrs = o.config.merges = 1;
		one_l1_begin(&o);
		one_access(&o, 0, 1, 0);
		for (unsigned n = 1; n <= most; n++) {
			assert_int_equal(load(&o, (uint64_t)n * SETS, 1, &mshr), L1_MISS); /* all of set 0 */
			first = n == 1 ? mshr : first;
		}
		assert_int_equal(load(&o, 1, 1, &mshr), L1_STALL_MSHR);
		for (unsigned n = 0; n < 5000; n++)
			assert_int_equal(load(&o, (1 + n % 3) * SETS, 1, &mshr), L1_MERGED);
		assert_int_equal(load(&o, 0, 1, &mshr), L1_HIT);
		assert_true(fill(&o, first, 0));
		assert_int_equal(load(&o, SETS, 1, &mshr), L1_HIT);
		one_l1_end(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_write_takes_the_chunks_that_it_touches),
	    cmocka_unit_test(test_an_update_leaves_chunks_there),
	    cmocka_unit_test(test_room_that_was_emptied_is_taken_first),
	    cmocka_unit_test(test_what_is_not_kept_leaves_room),
	    cmocka_unit_test(test_a_reply_goes_past),
	    cmocka_unit_test(test_a_fetch_in_two_blocks_waits_for_room_for_both),
	    cmocka_unit_test(test_streaming_has_an_mshr_for_each_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
