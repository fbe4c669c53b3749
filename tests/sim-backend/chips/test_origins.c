/* Where responses come from, and whose lines the LLCs hold: requests one by one on two chips, and random traffic. */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

enum { CHIPS = 2, PER_CHIP = 64, LINE = 128, PAGE = 4096 };
/* Lines of a page that chip 0 touches first, and of one that chip 1 does. */
enum { A = LINE, B = 16 * PAGE + LINE };

static struct memsys *ms;
static uint64_t now;

static void start(const char *policy)
{
	struct memsys_config config = paper_machine();

	config.chips.count = CHIPS;
	config.sms = CHIPS * PER_CHIP;
	config.chips.working_set = true;
	ms = memsys_with(&config, policy);
	memsys_kernel_begin(ms, 0, false);
	now = drain(ms, CHIPS * PER_CHIP, 10);
}

static void send(unsigned chip, struct mem_request request)
{
	now = round_trip(ms, chip * PER_CHIP, now, request);
	now = drain(ms, CHIPS * PER_CHIP, now) + 1;
}

static void stop(void)
{
	memsys_kernel_end(ms, now);
	now = drain(ms, CHIPS * PER_CHIP, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
}

static void assert_responses(unsigned local_llc, unsigned remote_llc, unsigned local_memory, unsigned remote_memory)
{
	struct response_stats r = memsys_statistics(ms)->responses;

	assert_int_equal(r.local_llc, local_llc);
	assert_int_equal(r.remote_llc, remote_llc);
	assert_int_equal(r.local_memory, local_memory);
	assert_int_equal(r.remote_memory, remote_memory);
}

static void read_both_twice(void)
{
	send(0, read_of(A, false));
	send(1, read_of(B, false));
	for (unsigned i = 0; i < 2; i++) {
		send(0, read_of(A + LINE, false));
		send(0, read_of(B + LINE, false));
	}
}

static void test_memory_side_has_remote_hits(void **state)
{
	(void)state;
	start("memory-side");
	read_both_twice();
	assert_responses(1, 1, 3, 1);
	assert_int_equal(memsys_statistics(ms)->responses_of[0].local_memory, 2);
	assert_int_equal(memsys_statistics(ms)->responses_of[1].local_memory, 1);
	stop();
}

static void test_sm_side_has_none(void **state)
{
	(void)state;
	start("sm-side");
	read_both_twice();
	assert_responses(2, 0, 3, 1);
	stop();
}

static struct contents_stats contents_of(unsigned chip)
{
	struct contents_stats by_chip[CHIPS];

	memsys_contents(ms, now, by_chip);
	return by_chip[chip];
}

/* Each line counts for the cycles since it has a place; under SM-side until the kernel's end drops it. */
static void test_lines_count_for_the_cycles_they_are_held(void **state)
{
	struct contents_stats at;

	(void)state;
	start("sm-side");
	send(0, read_of(A, false));
	send(1, read_of(B, false));
	send(0, read_of(B, false));
	at = contents_of(0);
	now += 1000;
	assert_int_equal(contents_of(0).local - at.local, 1000);
	assert_int_equal(contents_of(0).remote - at.remote, 1000);
	assert_int_equal(contents_of(1).remote, 0);
	memsys_kernel_end(ms, now);
	now = drain(ms, CHIPS * PER_CHIP, now);
	at = contents_of(0);
	now += 1000;
	assert_int_equal(contents_of(0).local, at.local);
	assert_int_equal(contents_of(0).remote, at.remote);
	stop();
}

/* The sums equal the contents of the slices' tags, counted cycle by cycle, with evictions and merges. */
static void test_contents_are_those_of_the_tags(void **state)
{
	uint64_t random = 7, sums[CHIPS][2] = {{0}};

	(void)state;
	start("sm-side");
	for (uint64_t cycle = now, end = now + 3000; cycle < end; cycle++, now = cycle) {
		for (unsigned sm = 0; sm < CHIPS * PER_CHIP; sm += 16) {
			struct mem_request r = read_of(random_below(&random, 400) * PAGE, false);

			if (memsys_can_send(ms, sm, cycle))
				memsys_send(ms, sm, cycle, &r);
			memsys_receive(ms, sm, cycle, &r);
		}
		memsys_tick(ms, cycle, false);
		for (unsigned i = 0; inside_slice(ms, i); i++) {
			const struct llc_slice *s = inside_slice(ms, i);
			int lines = (int)(s->common->geometry.sets * s->common->geometry.ways);

			for (int k = 0; k < lines; k++)
				if (s->tags.addresses[k] != LLC_NO_LINE)
					sums[s->common->chip]
					    [inside_home(ms, s->tags.addresses[k]) != s->common->chip]++;
		}
	}
	/* A line that is placed in cycle t is counted from t on; its sum here has that cycle as well. */
	for (unsigned chip = 0; chip < CHIPS; chip++) {
		assert_int_equal(contents_of(chip).local, sums[chip][0]);
		assert_int_equal(contents_of(chip).remote, sums[chip][1]);
		assert_true(sums[chip][1] > 0);
	}
	now = drain(ms, CHIPS * PER_CHIP, now);
	assert_true(memsys_statistics(ms)->responses.local_llc > 0);
	stop();
}

static void test_the_memory_system_feeds_the_working_set(void **state)
{
	struct working_set_of of;

	(void)state;
	start("memory-side");
	read_both_twice();
	memsys_end_watch(ms, now);
	of = memsys_statistics(ms)->working_set.of[WORKING_SET_LENGTHS - 1];
	assert_int_equal(of.cycles, now);
	assert_int_equal(of.not_shared, 2 * LINE * now);
	assert_int_equal(of.falsely_shared, 2 * LINE * now);
	assert_int_equal(of.truly_shared, 0);
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_side_has_remote_hits),
	    cmocka_unit_test(test_sm_side_has_none),
	    cmocka_unit_test(test_lines_count_for_the_cycles_they_are_held),
	    cmocka_unit_test(test_contents_are_those_of_the_tags),
	    cmocka_unit_test(test_the_memory_system_feeds_the_working_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
