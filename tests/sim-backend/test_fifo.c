/* The bounded queue: what one side does in a cycle, the other sees in the next. */
#include "tests/sim-backend/support.h"

#include "sim-backend/fifo.h"

static void test_entries_and_room_show_one_cycle_later(void **state)
{
	FIFO(int) q;

	(void)state;
	fifo_init(&q, 2);
	assert_int_equal(fifo_room(&q, 5), 2);
	fifo_push(&q, 6, 10);
	fifo_push(&q, 6, 11);
	assert_null(fifo_peek(&q, 5));
	assert_int_equal(fifo_next(&q), 6);
	assert_int_equal(fifo_room(&q, 6), 0);
	assert_int_equal(*fifo_peek(&q, 6), 10);
	fifo_pop(&q, 6);
	assert_int_equal(fifo_room(&q, 6), 0);
	assert_int_equal(fifo_room(&q, 7), 1);
	fifo_pop(&q, 6);
	assert_int_equal(fifo_room(&q, 6), 0);
	assert_int_equal(fifo_room(&q, 7), 2);
	assert_int_equal(fifo_next(&q), UINT64_MAX);
	fifo_release(&q);
}

static void test_order_survives_the_wrap(void **state)
{
	FIFO(uint64_t) q;
	uint64_t in = 0, out = 0, random = 3;

	(void)state;
	fifo_init(&q, 3);
	for (uint64_t now = 1; now < 1000; now++) {
		if (fifo_room(&q, now) && random_below(&random, 3))
			fifo_push(&q, now + 1, in++);
		if (fifo_peek(&q, now) && random_below(&random, 3)) {
			assert_int_equal(*fifo_peek(&q, now), out++);
			fifo_pop(&q, now);
		}
	}
	assert_true(out > 300 && in - out <= 3);
	fifo_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_entries_and_room_show_one_cycle_later),
	    cmocka_unit_test(test_order_survives_the_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
