/* The order in which warps are picked. */
#include "sim-backend/sm/warp_scheduler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct warp_scheduler_ops *scheduler(const char *name)
{
	for (size_t i = 0; warp_scheduler_table[i]; i++)
		if (strcmp(warp_scheduler_table[i]->name, name) == 0)
			return warp_scheduler_table[i];
	fail_msg("no scheduler %s", name);
	return NULL;
}

/* The CTA in slots 4..7 is older than the CTA in 0..3. */
static const uint64_t masks[] = {0xf0, 0x0f};
static const struct warp_ages ages = {2, masks};

static void test_gto_is_greedy_then_oldest(void **state)
{
	const struct warp_scheduler_ops *gto = scheduler("gto");

	(void)state;
	assert_int_equal(gto->pick(0xff, 2, ages), 2); /* stays */
	assert_int_equal(gto->pick(0xfb, 2, ages), 4); /* oldest CTA, lowest warp */
	assert_int_equal(gto->pick(0x8b, 2, ages), 7);
	assert_int_equal(gto->pick(0x0b, 2, ages), 0);
	assert_int_equal(gto->pick(0xff, NO_WARP, ages), 4);
}

static void test_lrr_goes_round(void **state)
{
	const struct warp_scheduler_ops *lrr = scheduler("lrr");
	uint64_t all = (uint64_t)1 << 63 | 0x0d;

	(void)state;
	assert_int_equal(lrr->pick(all, NO_WARP, ages), 0);
	assert_int_equal(lrr->pick(all, 0, ages), 2);
	assert_int_equal(lrr->pick(all, 2, ages), 3);
	assert_int_equal(lrr->pick(all, 3, ages), 63);
	assert_int_equal(lrr->pick(all, 63, ages), 0);
	assert_int_equal(lrr->pick(4, 2, ages), 2);
}

static void test_two_level_goes_round_among_the_active(void **state)
{
	const struct warp_scheduler_ops *two = scheduler("two_level");
	uint8_t entered = NO_WARP;
	uint64_t active = two->activate(0, 0xff, 3, &entered);

	(void)state;
	assert_int_equal(active, 0x07);
	assert_int_equal(two->activate(active, 0xff, 3, &entered), 0x07); /* nobody leaves, nobody enters */
	active = two->activate(active, 0xfd, 3, &entered);                /* 1 leaves, 3 enters */
	assert_int_equal(active, 0x0d);
	active = two->activate(active, 0xff, 3, &entered); /* 1 comes back and is pending */
	assert_int_equal(active, 0x0d);
	active = two->activate(active, 0x8a, 3, &entered); /* 0 and 2 leave; behind 3: 7, then 1 */
	assert_int_equal(active, 0x8a);
	assert_int_equal(two->activate(active, 0, 3, &entered), 0);
	assert_int_equal(two->pick(0x8a, 3, ages), 7);
	assert_int_equal(two->pick(0x8a, 7, ages), 1);
	assert_int_equal(two->pick(0x8a, NO_WARP, ages), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gto_is_greedy_then_oldest),
	    cmocka_unit_test(test_lrr_goes_round),
	    cmocka_unit_test(test_two_level_goes_round_among_the_active),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
