/* The bounded queue and the port: what one side does in a cycle, the other sees in the next, and is woken for. */
#include "tests/sim-backend/support.h"

#include "sim-backend/base/port.h"

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
		for (uint64_t n = 0; n < in - out; n++)
			assert_int_equal(*fifo_behind(&q, n), out + n);
		assert_null(fifo_behind(&q, in - out));
		if (fifo_peek(&q, now) && random_below(&random, 3)) {
			assert_int_equal(*fifo_peek(&q, now), out++);
			fifo_pop(&q, now);
		}
	}
	assert_true(out > 300 && in - out <= 3);
	fifo_release(&q);
}

/* A push sets the receiver's bit and no other, and its cycle becomes the first in which there is something to do. */
static void test_a_push_wakes_the_receiver(void **state)
{
	struct {
		PORT(int);
	} ports[70];
	struct wakeups w;

	(void)state;
	wakeups_init(&w, 70, true);
	for (unsigned i = 0; i < 70; i++)
		port_init(&ports[i], 2, wakeup_of(&w, i));
	assert_false(wakeups_any(&w));
	port_push(&ports[69], 9, 1);
	assert_int_equal(w.awake[0], 0);
	assert_int_equal(w.awake[1], 1 << 5);
	assert_int_equal(w.at[69], 9);
	assert_int_equal(w.at[68], UINT64_MAX);
	port_push(&ports[69], 12, 2);
	assert_int_equal(w.at[69], 9);
	wakeups_set(&w, 69, 12);
	wake(&ports[69].receiver, 10);
	assert_int_equal(w.at[69], 10);
	wakeups_set(&w, 69, UINT64_MAX);
	assert_false(wakeups_any(&w));
	assert_int_equal(w.at[69], UINT64_MAX);
	for (unsigned i = 0; i < 70; i++)
		port_release(&ports[i]);
	wakeups_release(&w);
}

/* A group without cycles has the bits alone; the receiver clears its own. */
static void test_a_group_may_have_no_cycles(void **state)
{
	uint64_t awake = 0;
	struct {
		PORT(int);
	} port;

	(void)state;
	port_init(&port, 1, wakeup_in(&awake, 63));
	port_push(&port, 5, 7);
	assert_true(awake == UINT64_C(1) << 63);
	assert_null(port_peek(&port, 4));
	assert_int_equal(*port_peek(&port, 5), 7);
	port_pop(&port, 5);
	assert_int_equal(port_room(&port, 5), 0);
	put_to_sleep(&port.receiver);
	assert_int_equal(awake, 0);
	port_release(&port);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_entries_and_room_show_one_cycle_later),
	    cmocka_unit_test(test_order_survives_the_wrap),
	    cmocka_unit_test(test_a_push_wakes_the_receiver),
	    cmocka_unit_test(test_a_group_may_have_no_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
