/* What dropped chunks leave, and how many fetches of chunks can be on their way. */
#include "tests/sim-backend/l1/one_l1.h"

#include "sim-backend/memsys.h"

enum { ALL = 15, LOW = 3, SETS = 32, WAYS = 4 };

static enum l1_outcome load(struct one_l1 *o, uint64_t line, uint8_t sectors, uint32_t *mshr)
{
	struct l1_fetch fetch;
	enum l1_outcome outcome = l1_load(o->l1, line * 128, sectors, 1, &fetch);

	if (outcome == L1_MISS || outcome == L1_PARTIAL)
		*mshr = l1_open(o->l1, line * 128, 0, 1);
	return outcome;
}

static bool fill(struct one_l1 *o, uint32_t mshr, uint8_t flags)
{
	const uint16_t *waiters;
	bool kept;

	l1_fill(o->l1, mshr, flags, 0, &waiters, &kept);
	return kept;
}

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

/* What was dropped is room: for chunks of the common tag, for those of another one, and for whole lines. */
static void room_that_was_emptied_is_taken_first(void **state)
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
static void what_is_not_kept_leaves_room(void **state)
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

/*
 * A streaming L1 has an MSHR for each chunk that it has room for, and any number of merges. It reserves nothing: no
 * load waits for slots, and what is there stays until something has come.
 */
static void streaming_has_an_mshr_for_each_chunk(void **state)
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
	    cmocka_unit_test(room_that_was_emptied_is_taken_first),
	    cmocka_unit_test(what_is_not_kept_leaves_room),
	    cmocka_unit_test(streaming_has_an_mshr_for_each_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
