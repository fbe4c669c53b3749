/* Where CTAs go: each CTA stores to a line of its own, so the log of requests tells which SM ran it. */
#include "sim-backend/sm/cta_ranges.h"
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SMS = 8, ROUTERS = 4, MAX_CTAS = 64 };

static struct program p;
static uint32_t chunk; /* cta.chunk of the next placements */

/* SM of each CTA; CTAs of one warp that store once, `slots` of them fit an SM. */
static void place_on(uint32_t chips, enum cta_policy policy, uint32_t ctas, uint32_t slots, unsigned *where)
{
	struct sim_config *c = sim_config_create();
	unsigned store;

	c->gpu.sms = SMS;
	c->memory.chips.count = chips;
	c->memory.noc.sm_routers = ROUTERS / chips;
	c->cta.policy = policy;
	c->cta.per_cycle = 1;
	c->cta.chunk = chunk;
	c->sm.ctas = slots;
	program_begin(&p, ctas, 1);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	program_emit(&p, store, 0x1000, 4)->per_cta = 128;
	sim_result_free(program_run(&p, c));
	assert_int_equal(mock_log_len, ctas);
	for (uint32_t i = 0; i < mock_log_len; i++)
		where[(mock_log[i].line - 0x1000) / 128] = mock_log[i].sm;
	sim_config_free(c);
}

static void place(enum cta_policy policy, uint32_t ctas, uint32_t slots, unsigned *where)
{
	place_on(1, policy, ctas, slots, where);
}

static int slow_memory(void **state)
{
	(void)state;
	/* Stores are answered long after all CTAs are placed, so the first round is the policy's own order. */
	mock = (struct mock_settings){.latency = 1000, .interval = 1};
	chunk = 0;
	return 0;
}

static void test_two_level_round_robin_goes_over_routers_first(void **state)
{
	/* Router r has SMs 2r and 2r + 1. */
	static const unsigned expected[SMS] = {0, 2, 4, 6, 1, 3, 5, 7};
	unsigned where[MAX_CTAS];

	(void)state;
	place(CTA_2LRR, 2 * SMS, 2, where);
	for (unsigned i = 0; i < 2 * SMS; i++)
		assert_int_equal(where[i], expected[i % SMS]);
}

static void test_round_robin_goes_over_sms(void **state)
{
	unsigned where[MAX_CTAS];

	(void)state;
	place(CTA_RR, 2 * SMS, 2, where);
	for (unsigned i = 0; i < 2 * SMS; i++)
		assert_int_equal(where[i], i % SMS);
}

static void test_block_scheduling_pairs_consecutive_ctas(void **state)
{
	static const unsigned expected[SMS] = {0, 2, 4, 6, 1, 3, 5, 7};
	unsigned where[MAX_CTAS];

	(void)state;
	place(CTA_BCS, 4 * SMS + 1, 4, where);
	for (unsigned i = 0; i < 4 * SMS; i++)
		assert_int_equal(where[i], expected[i / 2 % SMS]);
	/* One slot per SM: pairs cannot be, single CTAs go round. */
	place(CTA_BCS, SMS, 1, where);
	for (unsigned i = 0; i < SMS; i++)
		assert_int_equal(where[i], expected[i]);
}

static void test_later_ctas_go_where_slots_become_free(void **state)
{
	unsigned where[MAX_CTAS], per_sm[SMS] = {0};

	(void)state;
	place(CTA_2LRR, MAX_CTAS, 2, where);
	for (unsigned i = 0; i < MAX_CTAS; i++)
		per_sm[where[i]]++;
	for (unsigned sm = 0; sm < SMS; sm++)
		assert_int_equal(per_sm[sm], MAX_CTAS / SMS);
}

/* CTA k of n goes to chip k * chips / n, in the order of 2lrr there; also when n is no multiple, and with CTAs waiting.
 */
static void test_each_chip_gets_a_contiguous_range(void **state)
{
	static const unsigned four[SMS] = {0, 1, 2, 3, 4, 5, 6, 7}, two[SMS] = {0, 2, 1, 3, 4, 6, 5, 7};
	unsigned where[MAX_CTAS];

	(void)state;
	place_on(4, CTA_DISTRIBUTED, SMS, 1, where);
	for (unsigned i = 0; i < SMS; i++)
		assert_int_equal(where[i], four[i]);
	place_on(2, CTA_DISTRIBUTED, SMS, 1, where);
	for (unsigned i = 0; i < SMS; i++)
		assert_int_equal(where[i], two[i]);
	for (uint32_t ctas = 1; ctas <= MAX_CTAS; ctas += 7)
		for (uint32_t chips = 1; chips <= 4; chips *= 2) {
			place_on(chips, CTA_DISTRIBUTED, ctas, 2, where);
			for (uint32_t i = 0; i < ctas; i++)
				assert_int_equal(where[i] / (SMS / chips), i * chips / ctas);
		}
}

/* CTA k goes to chip k / chunk % chips, whatever the launch has: less than a chunk for a chip, or many. */
static void test_chips_take_chunks_in_turn(void **state)
{
	static const uint32_t chunks[] = {1, 3, 5, MAX_CTAS};
	unsigned where[MAX_CTAS];

	(void)state;
	for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++)
		for (uint32_t ctas = 1; ctas <= MAX_CTAS; ctas += 7)
			for (uint32_t chips = 1; chips <= 4; chips *= 2) {
				chunk = chunks[k];
				place_on(chips, CTA_DISTRIBUTED, ctas, 2, where);
				for (uint32_t i = 0; i < ctas; i++)
					assert_int_equal(where[i] / (SMS / chips), i / chunk % chips);
			}
}

/* --- Waiting CTAs --- */

struct counted_source {
	struct cta_source source;
	uint64_t given, total;
};

static int next_counted(struct cta_source *source, struct trace_cta *cta, struct diag *d)
{
	struct counted_source *s = (struct counted_source *)source;

	(void)d;
	if (s->given == s->total)
		return 0;
	*cta = (struct trace_cta){.index = s->given++};
	return 1;
}

static void expect_front(struct cta_ranges *r, uint32_t chip, uint64_t index)
{
	struct diag d = DIAG_INIT;
	struct trace_cta *cta = cta_ranges_front(r, chip, &d);

	assert_non_null(cta);
	assert_int_equal(cta->index, index);
	cta_ranges_pop(r, chip);
}

/* A chip that is quick goes on with its next chunk while others have not begun theirs; each has its own in order. */
static void test_a_chip_does_not_wait_for_the_chunks_of_others(void **state)
{
	struct counted_source s = {.source = {.next = next_counted}, .total = 11};
	struct cta_ranges r;
	struct diag d = DIAG_INIT;

	(void)state;
	cta_ranges_init(&r, 2, 3);
	cta_ranges_begin(&r, &s.source, s.total);
	for (uint64_t index = 0; index < 3; index++)
		expect_front(&r, 0, index);
	for (uint64_t index = 6; index < 9; index++)
		expect_front(&r, 0, index);
	assert_null(cta_ranges_front(&r, 0, &d));
	assert_false(cta_ranges_over(&r));
	for (uint64_t index = 3; index < 6; index++)
		expect_front(&r, 1, index);
	expect_front(&r, 1, 9);
	expect_front(&r, 1, 10);
	assert_null(cta_ranges_front(&r, 1, &d));
	assert_true(cta_ranges_over(&r));
	assert_false(diag_is_set(&d));
	cta_ranges_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_two_level_round_robin_goes_over_routers_first, slow_memory),
	    cmocka_unit_test_setup(test_round_robin_goes_over_sms, slow_memory),
	    cmocka_unit_test_setup(test_block_scheduling_pairs_consecutive_ctas, slow_memory),
	    cmocka_unit_test_setup(test_later_ctas_go_where_slots_become_free, slow_memory),
	    cmocka_unit_test_setup(test_each_chip_gets_a_contiguous_range, slow_memory),
	    cmocka_unit_test_setup(test_chips_take_chunks_in_turn, slow_memory),
	    cmocka_unit_test(test_a_chip_does_not_wait_for_the_chunks_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
