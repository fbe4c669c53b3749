/* When a line gets its way, what a reply's flags do, and that a streaming L1 does not stall: closed forms. */
#include "sim-backend/l1/l1.h"
#include "sim-backend/memory/memsys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ALL = 15, WAYS = 4 };

/* One set of four ways, with more MSHRs than ways. */
static struct l1_config one_set(enum l1_alloc alloc, bool sectored)
{
	struct l1_config c;

	knob_defaults(l1_knobs, &c);
	c.size_bytes = WAYS * 128;
	c.ways = WAYS;
	c.alloc = alloc;
	c.sectored = sectored;
	c.mshrs = 16;
	c.merges = 8;
	return c;
}

static struct l1 *lru(enum l1_alloc alloc, bool sectored)
{
	struct l1_config c = one_set(alloc, sectored);

	return l1_create(&c, l1_policy_table[0], NULL);
}

static uint8_t fetched;

/* Sends for what is missing; `mshr` gets its number. */
static enum l1_outcome load(struct l1 *l1, unsigned n, uint8_t sectors, uint32_t *mshr)
{
	struct l1_fetch fetch;
	enum l1_outcome outcome = l1_load(l1, n * UINT64_C(128), sectors, 7, &fetch);

	*mshr = UINT32_MAX;
	if (outcome == L1_MISS || outcome == L1_PARTIAL) {
		*mshr = l1_open(l1, n * UINT64_C(128), 0, 7);
		fetched = fetch.sectors;
	}
	return outcome;
}

static bool fill(struct l1 *l1, uint32_t mshr, uint8_t flags)
{
	const uint16_t *waiters;
	bool kept;

	assert_true(l1_fill(l1, mshr, flags, 0, &waiters, &kept) > 0);
	return kept;
}

static void miss_and_fill(struct l1 *l1, unsigned n)
{
	uint32_t mshr;

	assert_int_equal(load(l1, n, ALL, &mshr), L1_MISS);
	assert_true(fill(l1, mshr, 0));
}

static void test_on_miss_all_ways_may_be_reserved(void **state)
{
	struct l1 *l1 = lru(L1_ALLOC_MISS, false);
	uint32_t mshr[WAYS + 1], none;

	(void)state;
	for (unsigned n = 0; n < WAYS; n++)
		assert_int_equal(load(l1, n, ALL, &mshr[n]), L1_MISS);
	assert_int_equal(load(l1, WAYS, ALL, &none), L1_STALL_WAY);
	assert_int_equal(load(l1, 2, ALL, &none), L1_MERGED);
	fill(l1, mshr[1], 0);
	assert_int_equal(load(l1, WAYS, ALL, &mshr[WAYS]), L1_MISS); /* takes the way of line 1 */
	fill(l1, mshr[0], 0);
	assert_int_equal(load(l1, 0, ALL, &none), L1_HIT);
	assert_int_equal(load(l1, 1, ALL, &mshr[1]), L1_MISS); /* takes that of line 0, which is lost */
	assert_int_equal(load(l1, 0, ALL, &none), L1_STALL_WAY);
	l1_free(l1);
}

static void test_on_fill_misses_reserve_nothing(void **state)
{
	struct l1 *l1 = lru(L1_ALLOC_FILL, false);
	uint32_t mshr[2 * WAYS];

	(void)state;
	for (unsigned n = 0; n < 2 * WAYS; n++)
		assert_int_equal(load(l1, n, ALL, &mshr[n]), L1_MISS);
	for (unsigned n = 0; n < 2 * WAYS; n++)
		assert_true(fill(l1, mshr[n], 0));
	for (unsigned n = WAYS; n < 2 * WAYS; n++)
		assert_int_equal(load(l1, n, ALL, &mshr[0]), L1_HIT);
	assert_int_equal(load(l1, 0, ALL, &mshr[0]), L1_MISS);
	l1_free(l1);
}

/* The line that leaves is gone at the miss, or not before the fill. */
static void test_the_old_line_leaves_with_the_allocation(void **state)
{
	(void)state;
	for (enum l1_alloc alloc = L1_ALLOC_MISS; alloc <= L1_ALLOC_STREAM; alloc++) {
		struct l1 *l1 = lru(alloc, false);
		uint32_t mshr, other;

		for (unsigned n = 0; n < WAYS; n++)
			miss_and_fill(l1, n);
		assert_int_equal(load(l1, WAYS, ALL, &mshr), L1_MISS);
		assert_int_equal(load(l1, 0, ALL, &other), alloc == L1_ALLOC_MISS ? L1_MISS : L1_HIT);
		l1_free(l1);
	}
}

/* As many fetches as lines (or sectors), and any number of loads for each. */
static void test_streaming_never_stalls(void **state)
{
	struct l1_config c;
	uint32_t mshr;

	(void)state;
	knob_defaults(l1_knobs, &c);
	c.alloc = L1_ALLOC_STREAM;
	c.mshrs = 1;
	c.merges = 1;
	for (unsigned sectored = 0; sectored < 2; sectored++) {
		unsigned lines = c.size_bytes / 128, parts = sectored ? 4 : 1;
		struct l1 *l1;

		c.sectored = sectored;
		l1 = l1_create(&c, l1_policy_table[0], NULL);
		for (unsigned n = 0; n < lines; n++)
			for (unsigned s = 0; s < parts; s++)
				assert_int_equal(load(l1, n, (uint8_t)(1u << s), &mshr), L1_MISS);
		assert_int_equal(l1_mshrs_in_use(l1), lines * parts);
		for (unsigned merge = 0; merge < 5000; merge++)
			assert_int_equal(load(l1, merge % 3, 1, &mshr), L1_MERGED);
		assert_int_equal(load(l1, lines, 1, &mshr), L1_STALL_MSHR);
		l1_free(l1);
	}
}

static void test_sectors_come_one_by_one(void **state)
{
	(void)state;
	for (enum l1_alloc alloc = L1_ALLOC_MISS; alloc <= L1_ALLOC_STREAM; alloc++) {
		struct l1 *l1 = lru(alloc, true);
		struct l1_fetch fetch;
		uint32_t low, high, rest, none;

		assert_int_equal(load(l1, 5, 1, &low), L1_MISS);
		assert_int_equal(fetched, 1);
		assert_true(fill(l1, low, 0));
		assert_int_equal(load(l1, 5, 1, &none), L1_HIT);
		assert_int_equal(load(l1, 5, 3, &low), L1_PARTIAL);
		assert_int_equal(fetched, 2);
		assert_int_equal(load(l1, 5, 4, &high), L1_PARTIAL);
		/* Sectors 1 and 2 are on their way, so 3 is missing, and three fills are waited for. */
		assert_int_equal(l1_load(l1, 5 * 128, ALL, 9, &fetch), L1_PARTIAL);
		assert_int_equal(fetch.sectors, 8);
		assert_int_equal(fetch.parts, 3);
		rest = l1_open(l1, 5 * 128, 0, 9);
		assert_int_equal(l1_load(l1, 5 * 128, 14, 10, &fetch), L1_MERGED);
		assert_int_equal(fetch.parts, 3);
		fill(l1, high, 0);
		fill(l1, rest, 0);
		fill(l1, low, 0);
		assert_int_equal(load(l1, 5, ALL, &none), L1_HIT);
		l1_free(l1);
	}
}

static void test_a_store_drops_its_sectors_only(void **state)
{
	struct l1_config c = one_set(L1_ALLOC_FILL, true);
	struct l1 *l1;
	uint32_t mshr;

	(void)state;
	c.write_hit = L1_INVALIDATE;
	l1 = l1_create(&c, l1_policy_table[0], NULL);
	miss_and_fill(l1, 3);
	assert_true(l1_store(l1, 3 * 128, 2));
	assert_false(l1_store(l1, 3 * 128, 2));
	assert_int_equal(load(l1, 3, 13, &mshr), L1_HIT);
	l1_invalidate(l1, 3 * 128, 4);
	assert_int_equal(load(l1, 3, ALL, &mshr), L1_PARTIAL);
	assert_int_equal(fetched, 6);
	l1_free(l1);
}

static void test_replies_that_bypass_are_not_kept(void **state)
{
	(void)state;
	for (enum l1_alloc alloc = L1_ALLOC_MISS; alloc <= L1_ALLOC_STREAM; alloc++) {
		struct l1 *l1 = lru(alloc, false);
		uint32_t mshr, last = 3 * (WAYS - 1);

		for (unsigned n = 0; n <= last; n++) {
			assert_int_equal(load(l1, n, ALL, &mshr), L1_MISS);
			assert_int_equal(fill(l1, mshr, n % 3 ? MEM_BYPASS | MEM_READ_ONLY : 0), n % 3 == 0);
		}
		/* Their ways were free again, so the four that were kept are still there. */
		for (unsigned n = 0; n <= last; n += 3)
			assert_int_equal(load(l1, n, ALL, &mshr), L1_HIT);
		assert_int_equal(load(l1, 1, ALL, &mshr), L1_MISS);
		l1_free(l1);
	}
}

/* --- A policy that sees flags --- */

struct probe {
	unsigned fills, replies;
	uint8_t fill_flags, reply_flags;
	bool refuse_fill, refuse_reply;
	uint32_t dropped;
};

static struct probe probe;

static void *probe_create(const struct l1_geometry *geometry, const void *knobs)
{
	(void)geometry;
	(void)knobs;
	return &probe;
}

static void probe_nothing(void *state)
{
	(void)state;
}

static void probe_hit(void *state, uint32_t set, uint32_t way)
{
	(void)state;
	(void)set;
	(void)way;
}

static bool probe_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	(void)state;
	probe.fills++;
	probe.fill_flags = incoming->flags;
	*way = incoming->free_way;
	return !probe.refuse_fill;
}

static bool probe_reply(void *state, uint32_t set, uint32_t way, uint8_t flags)
{
	(void)state;
	(void)set;
	(void)way;
	probe.replies++;
	probe.reply_flags = flags;
	return !probe.refuse_reply;
}

static void probe_drop(void *state, uint32_t set, uint32_t way)
{
	(void)state;
	(void)set;
	(void)way;
	probe.dropped++;
}

static const struct l1_policy_ops probe_policy = {
    .name = "probe",
    .create = probe_create,
    .destroy = probe_nothing,
    .hit = probe_hit,
    .fill = probe_fill,
    .reply = probe_reply,
    .drop = probe_drop,
    .flush = probe_nothing,
};

static struct l1 *probed(enum l1_alloc alloc, struct probe settings)
{
	struct l1_config c = one_set(alloc, false);

	probe = settings;
	return l1_create(&c, &probe_policy, NULL);
}

static void test_the_policy_gets_the_replys_flags(void **state)
{
	struct l1 *l1 = probed(L1_ALLOC_FILL, (struct probe){0});
	uint32_t mshr;

	(void)state;
	assert_int_equal(load(l1, 1, ALL, &mshr), L1_MISS);
	assert_int_equal(probe.fills, 0);
	assert_true(fill(l1, mshr, MEM_VICTIM | MEM_READ_ONLY));
	assert_int_equal(probe.fill_flags, MEM_VICTIM | MEM_READ_ONLY);
	l1_free(l1);

	l1 = probed(L1_ALLOC_MISS, (struct probe){0});
	assert_int_equal(load(l1, 1, ALL, &mshr), L1_MISS);
	assert_int_equal(probe.fills, 1);
	assert_int_equal(probe.fill_flags, 0); /* the request's */
	assert_true(fill(l1, mshr, MEM_VICTIM));
	assert_int_equal(probe.replies, 1);
	assert_int_equal(probe.reply_flags, MEM_VICTIM);
	l1_free(l1);
}

/* A refused line goes to the waiting loads and is not kept. Its reserved way is free again. */
static void test_the_policy_may_refuse(void **state)
{
	static const struct {
		enum l1_alloc alloc;
		struct probe settings;
		unsigned dropped;
	} cases[] = {{L1_ALLOC_FILL, {.refuse_fill = true}, 0},
		     {L1_ALLOC_MISS, {.refuse_fill = true}, 0},
		     {L1_ALLOC_MISS, {.refuse_reply = true}, 1}};
	uint32_t mshr, none;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct l1 *l1 = probed(cases[i].alloc, cases[i].settings);

		assert_int_equal(load(l1, 1, ALL, &mshr), L1_MISS);
		assert_int_equal(load(l1, 1, ALL, &none), L1_MERGED);
		assert_false(fill(l1, mshr, 0));
		assert_int_equal(probe.dropped, cases[i].dropped);
		assert_int_equal(load(l1, 1, ALL, &mshr), L1_MISS);
		l1_free(l1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_on_miss_all_ways_may_be_reserved),
	    cmocka_unit_test(test_on_fill_misses_reserve_nothing),
	    cmocka_unit_test(test_the_old_line_leaves_with_the_allocation),
	    cmocka_unit_test(test_streaming_never_stalls),
	    cmocka_unit_test(test_sectors_come_one_by_one),
	    cmocka_unit_test(test_a_store_drops_its_sectors_only),
	    cmocka_unit_test(test_replies_that_bypass_are_not_kept),
	    cmocka_unit_test(test_the_policy_gets_the_replys_flags),
	    cmocka_unit_test(test_the_policy_may_refuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
