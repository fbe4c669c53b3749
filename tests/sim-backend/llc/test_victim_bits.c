/* The victim bits of the LLC's lines: what replies say of lines that an SM had, lost, or only loaded past its L1. */
#include "tests/sim-backend/support.h"

static struct memsys_config config;
static struct memsys *ms;
static uint64_t now;

static void start(const char *policy, uint32_t victim_sms)
{
	config = paper_machine();
	config.llc.victim_sms = victim_sms;
	ms = memsys_with(&config, policy);
	now = 0;
}

static void stop(void)
{
	now = drain(ms, config.sms, now);
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

static void put(unsigned sm, struct mem_request request)
{
	while (!memsys_can_send(ms, sm, now))
		memsys_tick(ms, now++, false);
	memsys_send(ms, sm, now, &request);
}

/* The flags of the reply. */
static uint8_t reply_to(unsigned sm, struct mem_request request)
{
	struct mem_request reply;

	put(sm, request);
	while (!memsys_receive(ms, sm, now, &reply))
		memsys_tick(ms, now++, false);
	return reply.flags;
}

static bool had_it(unsigned sm, uint64_t line)
{
	return reply_to(sm, read_of(line, false)) & MEM_VICTIM;
}

static void test_each_sm_has_its_bit(void **state)
{
	static const char *const policies[] = {"shared", "private", "selrep"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		start(policies[i], 1);
		for (unsigned sm = 0; sm < 64; sm += 21)
			assert_false(had_it(sm, 0x4000));
		for (unsigned sm = 0; sm < 64; sm += 21)
			assert_true(had_it(sm, 0x4000));
		assert_false(had_it(1, 0x4000));
		assert_false(had_it(0, 0x8000));
		stop();
	}
}

static void test_no_policy_no_bits(void **state)
{
	(void)state;
	start("shared", 0);
	assert_false(had_it(3, 0x4000));
	assert_false(had_it(3, 0x4000));
	stop();
}

/* The four SMs of a cluster share a bit: an SM that never had the line gets the answer that it had. */
static void test_sms_may_share_a_bit(void **state)
{
	(void)state;
	start("shared", 4);
	assert_false(had_it(8, 0x4000));
	assert_true(had_it(11, 0x4000));
	assert_false(had_it(12, 0x4000));
	stop();
}

/* Loads past the L1, atomics and writes do not bring the line into the L1. */
static void test_only_what_the_l1_keeps_counts(void **state)
{
	struct mem_request past = read_of(0x4000, false);

	(void)state;
	past.flags |= MEM_BYPASS;
	start("shared", 1);
	assert_false(reply_to(5, past) & MEM_VICTIM);
	assert_false(reply_to(5, atomic_of(0x4000)) & MEM_VICTIM);
	put(5, write_of(0x4000, 32, 1));
	assert_false(had_it(5, 0x4000));
	assert_true(had_it(5, 0x4000));
	assert_false(reply_to(5, past) & MEM_VICTIM);
	stop();
}

/* The SM reads so much that the line leaves the slice. When the line comes back, its bits are new. */
static void test_a_line_that_leaves_takes_its_bits_along(void **state)
{
	(void)state;
	start("shared", 1);
	assert_false(had_it(5, 0x4000));
	for (uint64_t line = 1 << 24; line < (1 << 24) + 2 * 4096 * 1024; line += 128)
		reply_to(5, read_of(line, false));
	assert_false(had_it(5, 0x4000));
	assert_true(had_it(5, 0x4000));
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_sm_has_its_bit),
	    cmocka_unit_test(test_no_policy_no_bits),
	    cmocka_unit_test(test_sms_may_share_a_bit),
	    cmocka_unit_test(test_only_what_the_l1_keeps_counts),
	    cmocka_unit_test(test_a_line_that_leaves_takes_its_bits_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
