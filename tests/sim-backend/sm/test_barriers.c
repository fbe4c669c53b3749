/* Barriers with a number and a count: who waits for whom, and what happens where the trace does not say. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LATENCY = 6, BARRIER_LATENCY = 4, FULL = 1, EMPTY = 2, ROUNDS = 5 };

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 500, .interval = 1};
	return 0;
}

static struct program p;
static unsigned add;

/* One CTA; each of its warps has a scheduler of its own, so that issues do not get into each other's way. */
static void begin(uint32_t warps)
{
	program_begin(&p, 1, warps);
	add = program_inst(&p, TRACE_INT, 1, 1);
}

static unsigned barrier(unsigned number, unsigned warps, bool arrives)
{
	unsigned at = program_inst(&p, TRACE_BARRIER, -1, 1); /* everything before it is done */

	p.insts[at].barrier = (uint8_t)number;
	p.insts[at].barrier_warps = (uint8_t)warps;
	p.insts[at].flags = arrives ? TRACE_ARRIVES : 0;
	return at;
}

static void emit(int warp, unsigned inst, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		program_emit(&p, inst, 0, 0)->only_warp = warp;
}

static uint64_t cycles(void)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	uint64_t n;

	c->sm.schedulers = SM_MAX_SCHEDULERS;
	c->sm.barrier_latency = BARRIER_LATENCY;
	c->exec.latency[TRACE_INT] = LATENCY;
	r = program_run(&p, c);
	assert_int_equal(r->total.sm.slots[SLOT_ISSUED], r->total.sm.warp_instructions);
	n = r->cycles - 1 - 2; /* from the first issue to the last */
	sim_result_free(r);
	sim_config_free(c);
	return n;
}

/* Warps 0 and 1 meet at one barrier, 2 and 3 at another, each pair as late as its slower warp. */
static void test_pairs_meet_at_their_own_barriers(void **state)
{
	unsigned first, second;

	(void)state;
	begin(4);
	first = barrier(FULL, 2, false);
	second = barrier(EMPTY, 2, false);
	emit(1, add, 10);
	emit(3, add, 50);
	emit(0, first, 1);
	emit(1, first, 1);
	emit(2, second, 1);
	emit(3, second, 1);
	emit(0, add, 60);
	/* Warp 0 goes on behind warp 1's ten additions, long before warp 3's fifty are done. */
	assert_int_equal(cycles(), 10 * LATENCY + BARRIER_LATENCY + 59 * LATENCY);
}

/* The producer arrives and goes on; the consumer waits for it. */
static void test_an_arrival_does_not_wait(void **state)
{
	(void)state;
	begin(2);
	emit(0, add, 10);
	emit(0, barrier(FULL, 2, true), 1);
	emit(0, add, 100);
	emit(1, barrier(FULL, 2, false), 1);
	emit(1, add, 100);
	assert_int_equal(cycles(), 10 * LATENCY + BARRIER_LATENCY + 99 * LATENCY);

	/* The other way round: the consumer comes late, and the producer does not notice. */
	begin(2);
	emit(0, barrier(FULL, 2, true), 1);
	emit(0, add, 100);
	emit(1, add, 50);
	emit(1, barrier(FULL, 2, false), 1);
	assert_int_equal(cycles(), 1 + 99 * LATENCY);
}

/*
 * A buffer of one entry: the producer (warp 0, `make` additions) waits until it is empty, the consumer (warp 1, `use`
 * additions) until it is full. Each fills its barrier for the other, so both take turns in every round.
 */
static uint64_t producer_and_consumer(unsigned make, unsigned use)
{
	unsigned full_arrive, full_sync, empty_arrive, empty_sync;

	begin(2);
	full_arrive = barrier(FULL, 2, true);
	full_sync = barrier(FULL, 2, false);
	empty_arrive = barrier(EMPTY, 2, true);
	empty_sync = barrier(EMPTY, 2, false);
	emit(1, empty_arrive, 1);
	for (unsigned i = 0; i < ROUNDS; i++) {
		emit(0, empty_sync, 1);
		emit(0, add, make);
		emit(0, full_arrive, 1);
		emit(1, full_sync, 1);
		emit(1, add, use);
		emit(1, empty_arrive, 1);
	}
	return cycles();
}

static void test_producer_and_consumer_take_turns(void **state)
{
	uint64_t round = 7 * LATENCY + BARRIER_LATENCY + 3 * LATENCY + BARRIER_LATENCY;

	(void)state;
	/* The producer's first wait opens when it comes: both warps issue in the first cycle. */
	assert_int_equal(producer_and_consumer(7, 3), ROUNDS * round);
	assert_int_equal(producer_and_consumer(3, 7), ROUNDS * round);
}

/* A count of 0 takes the warps that have not ended. */
static void test_ended_warps_are_not_waited_for(void **state)
{
	(void)state;
	begin(4);
	emit(2, add, 20);
	emit(0, barrier(3, 0, false), 1);
	emit(1, barrier(3, 0, false), 1);
	emit(0, add, 1);
	assert_int_equal(cycles(), 19 * LATENCY + BARRIER_LATENCY);
}

/* Without a number a barrier opens when all warps wait somewhere, as all barriers of old traces do. */
static void test_unknown_barriers_open_when_all_wait(void **state)
{
	unsigned unknown, arrive, known;

	(void)state;
	begin(3);
	unknown = barrier(TRACE_ANY_BARRIER, 0, false);
	arrive = barrier(TRACE_ANY_BARRIER, 2, true);
	known = barrier(FULL, 2, false);
	emit(0, unknown, 1);
	emit(1, add, 10);
	emit(1, arrive, 1);
	emit(1, unknown, 1);
	emit(2, add, 5);
	emit(2, known, 1); /* no warp comes to this one */
	emit(2, add, 1);
	assert_int_equal(cycles(), 10 * LATENCY + 1 + BARRIER_LATENCY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_pairs_meet_at_their_own_barriers, reset),
	    cmocka_unit_test_setup(test_an_arrival_does_not_wait, reset),
	    cmocka_unit_test_setup(test_producer_and_consumer_take_turns, reset),
	    cmocka_unit_test_setup(test_ended_warps_are_not_waited_for, reset),
	    cmocka_unit_test_setup(test_unknown_barriers_open_when_all_wait, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
