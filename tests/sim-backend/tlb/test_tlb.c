/* When pages come: TLBs of SMs, the TLB that they share, and walks, against closed forms. */
#include "sim-backend/tlb/tlb.h"

#include "common/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PAGE = 64 << 10, SHARED = 70, WALK = 400 };

static struct tlb_config config = {.entries = 4,
				   .page_kilobytes = PAGE >> 10,
				   .waiting = 2,
				   .shared_entries = 16,
				   .shared_ways = 16,
				   .shared_latency = SHARED,
				   .walkers = 2,
				   .walk_cycles = WALK};

static uint64_t page(uint64_t n)
{
	return n * PAGE + 128;
}

static void test_a_page_is_walked_for_once(void **state)
{
	struct tlbs *t = tlbs_create(&config, 2, 1);

	(void)state;
	assert_int_equal(tlb_translate(t, 0, page(3), 1000), 1000 + SHARED + WALK);
	/* Who asks while it is on its way gets it then; another SM looks into the shared TLB first. */
	assert_int_equal(tlb_translate(t, 0, page(3) + PAGE / 2, 1100), 1000 + SHARED + WALK);
	assert_int_equal(tlb_translate(t, 1, page(3), 1200), 1000 + SHARED + WALK);
	assert_int_equal(tlb_translate(t, 0, page(3), 1470), 1470);
	assert_int_equal(tlb_translate(t, 1, page(3), 2000), 2000);
	assert_int_equal(tlbs_statistics(t)->walks, 1);
	assert_int_equal(tlbs_statistics(t)->shared_requests, 2);
	assert_int_equal(tlbs_statistics(t)->requests, 5);
	assert_int_equal(tlbs_statistics(t)->misses, 3);
	assert_int_equal(tlbs_statistics(t)->wait_cycles, 470 + 370 + 270);
	tlbs_free(t);
}

/* The i-th of pages that are asked for at once comes after i / walkers + 1 walks. */
static void test_walks_wait_for_walkers(void **state)
{
	struct tlbs *t = tlbs_create(&config, 1, 1);

	(void)state;
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(tlb_translate(t, 0, page(i), 500), 500 + SHARED + (i / 2 + 1) * WALK);
	tlbs_free(t);
}

/* One page more than the TLB holds drives all out in turn, and the shared TLB has them. */
static void test_a_full_tlb_asks_the_shared_one(void **state)
{
	struct tlbs *t = tlbs_create(&config, 1, 1);
	uint64_t cycle = 0;

	(void)state;
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < config.entries; i++)
			tlb_translate(t, 0, page(i), cycle += 10000);
	assert_int_equal(tlbs_statistics(t)->misses, config.entries);
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i <= config.entries; i++) {
			uint64_t ready = tlb_translate(t, 0, page(i), cycle += 10000);

			if (round)
				assert_int_equal(ready, cycle + SHARED);
		}
	assert_int_equal(tlbs_statistics(t)->walks, config.entries + 1);
	tlbs_free(t);
}

/* Each chip has a shared TLB and walkers of its own. */
static void test_chips_are_apart(void **state)
{
	struct tlbs *t = tlbs_create(&config, 4, 2);

	(void)state;
	tlb_translate(t, 1, page(0), 0);
	assert_int_equal(tlb_translate(t, 0, page(0), 10000), 10000 + SHARED);
	assert_int_equal(tlb_translate(t, 2, page(0), 10000), 10000 + SHARED + WALK);
	tlbs_free(t);
}

static struct mem_request to(uint64_t n)
{
	return (struct mem_request){.line = page(n), .cookie = (uint32_t)n};
}

/* A request that waits lets others pass. With no place to wait in, the port waits too. */
static void test_requests_pass_those_that_wait(void **state)
{
	struct tlbs *t = tlbs_create(&config, 1, 1);
	const uint64_t sequence[] = {0, 9, 8, 7, 9};
	struct mem_request r;
	uint64_t cycle = 10, taken = 0;

	(void)state;
	tlb_translate(t, 0, page(9), 0);
	cycle = 1000;
	for (unsigned i = 0; i < 5 && tlb_can_take(t, 0, cycle); i++, taken++) {
		r = to(sequence[i]);
		tlb_take(t, 0, cycle, &r);
	}
	assert_int_equal(taken, 4);              /* the port's room */
	assert_false(tlb_tick(t, 0, cycle, &r)); /* seen from the next cycle on */
	assert_false(tlb_tick(t, 0, cycle + 1, &r));
	assert_true(tlb_tick(t, 0, cycle + 2, &r) && r.cookie == 9);
	assert_false(tlb_tick(t, 0, cycle + 3, &r)); /* page 8 */
	assert_false(tlb_tick(t, 0, cycle + 4, &r)); /* page 7 has no place */
	assert_int_equal(tlbs_next(t, cycle + 4), cycle + 1 + SHARED + WALK);
	assert_false(tlb_tick(t, 0, cycle + SHARED + WALK, &r));
	assert_true(tlb_tick(t, 0, cycle + 1 + SHARED + WALK, &r) && r.cookie == 0);
	assert_false(tlb_tick(t, 0, cycle + 2 + SHARED + WALK, &r)); /* page 7 */
	assert_true(tlb_tick(t, 0, cycle + 3 + SHARED + WALK, &r) && r.cookie == 8);
	assert_false(tlbs_are_empty(t));
	assert_true(tlb_tick(t, 0, cycle + 9999, &r) && r.cookie == 7);
	assert_true(tlbs_are_empty(t));
	assert_true(tlbs_next(t, cycle + 9999) == UINT64_MAX);
	tlbs_free(t);
}

static void test_sizes_are_checked(void **state)
{
	struct tlb_config wrong = config;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(tlb_config_check(&wrong, &d), 0);
	wrong.page_kilobytes = 48;
	assert_true(tlb_config_check(&wrong, &d) < 0);
	wrong.page_kilobytes = 64;
	wrong.shared_ways = 5;
	assert_true(tlb_config_check(&wrong, &d) < 0);
	wrong = config;
	wrong.entries = 0;
	assert_null(tlbs_create(&wrong, 1, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_page_is_walked_for_once),      cmocka_unit_test(test_walks_wait_for_walkers),
	    cmocka_unit_test(test_a_full_tlb_asks_the_shared_one), cmocka_unit_test(test_chips_are_apart),
	    cmocka_unit_test(test_requests_pass_those_that_wait),  cmocka_unit_test(test_sizes_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
