/* Marked reads use the slices of their own chip, while the rest is memory-side: two chips, with packets counted. */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

#include "sim-backend/knobs/stat.h"

#include <string.h>

enum { CHIPS = 2, PER_CHIP = 64, LINE = 128, PAGE = 4096 };
/* Lines of chip 1's memory. */
enum { B1 = 16 * PAGE + LINE, B2 = B1 + LINE };

static const char *const policies[] = {"memory-side-ro", "sac-ro"};
static struct memsys *ms;
static uint64_t now;

static void start(const char *policy)
{
	struct memsys_config config = paper_machine();

	config.chips.count = CHIPS;
	config.sms = CHIPS * PER_CHIP;
	ms = memsys_with(&config, policy);
	memsys_follow_versions(ms);
	memsys_kernel_begin(ms, 0, false);
	now = drain(ms, CHIPS * PER_CHIP, 10);
}

/* Returns the packets that went over links for it. */
static unsigned send(unsigned chip, struct mem_request request)
{
	uint64_t before = memsys_statistics(ms)->links.packets;

	now = round_trip(ms, chip * PER_CHIP, now, request);
	now = drain(ms, CHIPS * PER_CHIP, now) + 1;
	return (unsigned)(memsys_statistics(ms)->links.packets - before);
}

static void next_kernel(void)
{
	memsys_kernel_end(ms, now);
	now = drain(ms, CHIPS * PER_CHIP, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, CHIPS * PER_CHIP, now + 1);
}

static void stop(void)
{
	next_kernel();
	memsys_free(ms);
}

static bool holds(unsigned chip, uint64_t line)
{
	return inside_holds(ms, chip, line);
}

static void test_marked_reads_have_copies_and_others_have_none(void **state)
{
	(void)state;
	for (unsigned p = 0; p < 2; p++) {
		start(policies[p]);
		send(1, read_of(17 * PAGE - LINE, false));
		assert_int_equal(send(0, read_of(B1, true)), 2);
		assert_int_equal(send(0, read_of(B1, true)), 0);
		assert_true(holds(0, B1) && !holds(1, B1));
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(send(0, read_of(B2, false)), 2);
		assert_true(holds(1, B2) && !holds(0, B2));
		stop();
	}
}

/* The next kernel may write the data: copies are dropped, and memory has what was written before a kernel begins. */
static void test_copies_do_not_outlive_their_kernel(void **state)
{
	struct mem_request write = write_of(B1, LINE, 15);

	(void)state;
	write.flags = 0;
	for (unsigned p = 0; p < 2; p++) {
		start(policies[p]);
		send(1, read_of(B1, true));
		send(0, read_of(B1, true));
		send(0, read_of(B2, false));
		next_kernel();
		assert_true(!holds(0, B1) && holds(1, B1) && holds(1, B2));
		send(1, write);
		assert_int_equal(memsys_statistics(ms)->llc.write_backs, 0);
		next_kernel();
		assert_int_equal(memsys_statistics(ms)->llc.write_backs, 1);
		send(0, read_of(B1, true));
		stop();
	}
}

static double value_of(const char *name)
{
	const struct memsys_stats *s = memsys_statistics(ms);

	for (const struct stat_row *row = s->policy_rows; row->name; row++)
		if (!strcmp(row->name, name))
			return stat_value(row, s->policy_values);
	fail_msg("no value %s", name);
	return 0;
}

/*
 * A profile with remote marked reads and local plain reads: SAC decides for both kinds, sac-ro only for the plain
 * reads.
 */
static void test_the_model_sees_the_rest_only(void **state)
{
	static const char *const both[] = {"sac", "sac-ro"};

	(void)state;
	for (unsigned p = 0; p < 2; p++) {
		start(both[p]);
		send(1, read_of(17 * PAGE - LINE, false));
		for (unsigned i = 0; i < 3; i++) {
			send(0, read_of(B1, true));
			send(0, read_of(LINE, false));
		}
		for (uint64_t end = now + 3000; now < end; now++)
			memsys_tick(ms, now, false);
		assert_int_equal(value_of("decisions"), 1);
		assert_float_equal(value_of("local"), p ? 1 : 4 / 7.0, 1e-6);
		stop();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_marked_reads_have_copies_and_others_have_none),
	    cmocka_unit_test(test_copies_do_not_outlive_their_kernel),
	    cmocka_unit_test(test_the_model_sees_the_rest_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
