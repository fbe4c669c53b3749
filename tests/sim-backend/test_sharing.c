/* Lines that several SMs ask for within a window: small cases by hand, and random streams against a plain count. */
#include "sim-backend/memory/sharing.h"
#include "tests/sim-backend/support.h"

#include <string.h>

static void test_a_line_counts_once_in_each_window(void **state)
{
	struct sharing *s = sharing_create(64);
	struct sharing_stats stats;

	(void)state;
	for (unsigned sm = 0; sm < 12; sm++)
		sharing_note(s, 100 + sm, sm, 0x1000, true);
	for (unsigned sm = 40; sm < 43; sm++)
		sharing_note(s, 900 + sm, sm, 0x2000, sm > 40);
	sharing_note(s, 999, 63, 0x3000, true);
	sharing_tick(s, 999);
	assert_int_equal(sharing_statistics(s).lines, 0);
	sharing_tick(s, 1000);
	sharing_note(s, 1000, 62, 0x3000, true); /* the next window: not the same */
	stats = sharing_statistics(s);
	assert_int_equal(stats.lines, 3);
	assert_int_equal(stats.lines_over_2, 2);
	assert_int_equal(stats.lines_over_9, 1);
	assert_int_equal(stats.requests, 16);
	assert_int_equal(stats.requests_over_2, 15);
	assert_int_equal(stats.requests_over_9, 12);
	assert_int_equal(stats.sharers, 16);
	assert_int_equal(stats.lines_shared, 2);
	assert_int_equal(stats.lines_shared_read_only, 1);
	sharing_end_window(s);
	assert_int_equal(sharing_statistics(s).lines, 4);
	assert_int_equal(sharing_statistics(s).sharers, 17);
	sharing_end_window(s);
	assert_int_equal(sharing_statistics(s).lines, 4);
	sharing_free(s);
}

/* Every SM asks in every cycle: the worst case of lists and table. More than 64 SMs take two words. */
static void check_random_streams(bool tick_first)
{
	enum { SMS = 100, LINES = 3000, CYCLES = 5000 };
	static uint32_t requests[LINES];
	static bool by[LINES][SMS], written[LINES];
	struct sharing *s = sharing_create(SMS);
	struct sharing_stats plain = {0}, stats;
	uint64_t random = 1;

	for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
		if (tick_first)
			sharing_tick(s, cycle);
		for (unsigned sm = 0; sm < SMS; sm++) {
			uint64_t line = random_below(&random, random_below(&random, LINES) + 1);

			bool read_only = random_below(&random, 20) > 0;

			sharing_note(s, cycle, sm, line * 128, read_only);
			written[line] |= !read_only;
			requests[line]++;
			by[line][sm] = true;
		}
		if (!tick_first)
			sharing_tick(s, cycle);
		for (unsigned line = 0; cycle % 1000 == 999 && line < LINES; line++) {
			unsigned sharers = 0;

			for (unsigned sm = 0; sm < SMS; sm++)
				sharers += by[line][sm];
			plain.lines += requests[line] > 0;
			plain.lines_over_2 += sharers > 2;
			plain.lines_over_9 += sharers > 9;
			plain.requests += requests[line];
			plain.requests_over_2 += sharers > 2 ? requests[line] : 0;
			plain.requests_over_9 += sharers > 9 ? requests[line] : 0;
			plain.sharers += sharers;
			plain.lines_shared += sharers > 1;
			plain.lines_shared_read_only += sharers > 1 && !written[line];
			written[line] = false;
			requests[line] = 0;
			memset(by[line], 0, sizeof by[line]);
		}
	}
	sharing_end_window(s);
	stats = sharing_statistics(s);
	assert_memory_equal(&stats, &plain, sizeof plain);
	sharing_free(s);
}

/* Before and after the SMs: what an SM asks for in the first cycle of a window is in its list already or not yet. */
static void test_random_streams_agree_with_a_plain_count(void **state)
{
	(void)state;
	check_random_streams(true);
	check_random_streams(false);
}

/* Every request that passes the port of the memory system is counted. */
static void test_every_request_is_noted(void **state)
{
	struct memsys_config c = paper_machine();
	struct memsys *ms = memsys_with(&c, "shared");
	const struct mem_request request = read_of(0x4000, true);
	uint64_t end;

	(void)state;
	memsys_watch_sharing(ms);
	for (unsigned sm = 0; sm < 5; sm++)
		memsys_send(ms, sm, 900, &request);
	end = drain(ms, c.sms, 900);
	assert_true(end > 1000);
	assert_int_equal(memsys_statistics(ms)->sharing.lines, 1);
	for (unsigned sm = 0; sm < 2; sm++)
		memsys_send(ms, sm, end, &request);
	end = drain(ms, c.sms, end);
	memsys_kernel_end(ms, end);
	assert_int_equal(memsys_statistics(ms)->sharing.requests_over_2, 5);
	assert_int_equal(memsys_statistics(ms)->sharing.lines, 2);
	assert_int_equal(memsys_statistics(ms)->sharing.lines_shared_read_only, 2);
	memsys_free(ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_line_counts_once_in_each_window),
	    cmocka_unit_test(test_random_streams_agree_with_a_plain_count),
	    cmocka_unit_test(test_every_request_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
