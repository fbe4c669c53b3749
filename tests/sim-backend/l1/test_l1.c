/* The L1 by itself: replacement, MSHRs, stores, policies behind the interface, and the table of policies. */
#include "sim-backend/l1/l1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* One set of four ways. */
static struct l1 *small(const char *name, struct l1_config *config)
{
	static uint32_t bits = 3; /* the only knob there is: srrip's */

	knob_defaults(l1_knobs, config);
	config->size_bytes = 512;
	config->ways = 4;
	config->mshrs = 2;
	config->merges = 2;
	return l1_create(config, l1_policy_find(name), &bits);
}

/* A miss takes its MSHR. */
static enum l1_outcome load(struct l1 *l1, unsigned n, uint16_t waiter, uint32_t *mshr)
{
	struct l1_fetch fetch;
	enum l1_outcome outcome = l1_load(l1, (uint64_t)n * 128, 1, waiter, &fetch);

	*mshr = outcome == L1_MISS ? l1_open(l1, (uint64_t)n * 128, 0, waiter) : 0;
	return outcome;
}

/* Hit, or miss and fill at once. */
static bool touch(struct l1 *l1, unsigned n)
{
	const uint16_t *waiters;
	uint32_t mshr;
	bool kept;

	if (load(l1, n, 0, &mshr) == L1_HIT)
		return true;
	l1_fill(l1, mshr, 0, 0, &waiters, &kept);
	assert_true(kept);
	return false;
}

static void test_lru_drops_the_least_recently_used(void **state)
{
	struct l1_config config;
	struct l1 *l1 = small("lru", &config);

	(void)state;
	for (unsigned n = 0; n < 4; n++)
		assert_false(touch(l1, n));
	assert_true(touch(l1, 0));
	assert_false(touch(l1, 4)); /* replaces 1 */
	assert_true(touch(l1, 0));
	assert_true(touch(l1, 2));
	assert_true(touch(l1, 3));
	assert_false(touch(l1, 1)); /* replaces 4 */
	assert_false(touch(l1, 4)); /* replaces 0, the oldest touch */
	assert_false(touch(l1, 0));
	l1_flush(l1);
	assert_false(touch(l1, 4));
	l1_free(l1);
}

/* A scan of new lines does not push out a line that was used twice; under LRU it does. */
static void test_srrip_resists_a_scan(void **state)
{
	struct l1_config config;
	struct l1 *srrip = small("srrip", &config), *lru = small("lru", &config);

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		touch(srrip, 0);
		touch(lru, 0);
	}
	for (unsigned n = 1; n <= 6; n++) {
		assert_false(touch(srrip, n));
		assert_false(touch(lru, n));
	}
	assert_true(touch(srrip, 0));
	assert_false(touch(lru, 0));
	l1_free(srrip);
	l1_free(lru);
}

static void test_mshrs_merge_and_run_out(void **state)
{
	struct l1_config config;
	struct l1 *l1 = small("lru", &config);
	const uint16_t *waiters;
	uint32_t first, second, unused;
	bool kept;

	(void)state;
	assert_int_equal(load(l1, 1, 10, &first), L1_MISS);
	assert_int_equal(load(l1, 1, 11, &unused), L1_MERGED);
	assert_int_equal(load(l1, 1, 12, &unused), L1_STALL_MERGE);
	assert_int_equal(load(l1, 2, 20, &second), L1_MISS);
	assert_int_equal(load(l1, 3, 30, &unused), L1_STALL_MSHR);
	assert_int_equal(l1_mshrs_in_use(l1), 2);
	assert_int_equal(l1_fill(l1, first, 0, 0, &waiters, &kept), 2);
	assert_int_equal(waiters[0], 10);
	assert_int_equal(waiters[1], 11);
	assert_int_equal(load(l1, 1, 12, &unused), L1_HIT);
	assert_int_equal(load(l1, 3, 30, &unused), L1_MISS);
	assert_int_equal(l1_fill(l1, second, 0, 0, &waiters, &kept), 1);
	assert_int_equal(waiters[0], 20);
	l1_free(l1);
}

static void test_stores_update_or_drop(void **state)
{
	struct l1_config config;
	struct l1 *l1 = small("lru", &config);

	(void)state;
	assert_false(l1_store(l1, 5 * 128, 1));
	assert_false(touch(l1, 5)); /* a store does not allocate */
	assert_true(l1_store(l1, 5 * 128, 1));
	assert_true(touch(l1, 5));
	l1_invalidate(l1, 5 * 128, 1);
	assert_false(touch(l1, 5));
	l1_free(l1);

	config.write_hit = L1_INVALIDATE;
	l1 = l1_create(&config, l1_policy_find("lru"), NULL);
	assert_false(touch(l1, 5));
	assert_true(l1_store(l1, 5 * 128, 1));
	assert_false(touch(l1, 5));
	l1_free(l1);
}

/* 64 sets: lines 64 apart collide under the linear index, not under the XOR. */
static void test_index_spreads_strides(void **state)
{
	struct l1_config config;
	struct l1 *l1;
	unsigned hits = 0;

	(void)state;
	knob_defaults(l1_knobs, &config);
	for (config.index = 0; config.index < 2; config.index++) {
		l1 = l1_create(&config, l1_policy_find("lru"), NULL);
		hits = 0;
		for (unsigned round = 0; round < 2; round++)
			for (unsigned n = 0; n < 64; n++)
				hits += touch(l1, n * 64);
		assert_int_equal(hits, config.index ? 64 : 0);
		l1_free(l1);
	}
}

static void test_the_table_is_complete(void **state)
{
	(void)state;
	for (size_t p = 0; l1_policy_table[p]; p++) {
		const struct l1_policy_ops *o = l1_policy_table[p];

		assert_true(o->name && o->summary && o->source && o->create && o->destroy);
		assert_int_equal(o->knobs != NULL, o->knobs_size > 0);
		assert_int_equal(o->stats != NULL, o->statistics != NULL);
		assert_ptr_equal(l1_policy_find(o->name), o);
	}
	assert_null(l1_policy_find("none"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lru_drops_the_least_recently_used),
	    cmocka_unit_test(test_srrip_resists_a_scan),
	    cmocka_unit_test(test_mshrs_merge_and_run_out),
	    cmocka_unit_test(test_stores_update_or_drop),
	    cmocka_unit_test(test_index_spreads_strides),
	    cmocka_unit_test(test_the_table_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
