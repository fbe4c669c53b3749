/* Lines by the chips that share them: small cases by hand, and random streams against a plain count of each window. */
#include "sim-backend/memory/working_set.h"
#include "tests/sim-backend/support.h"

#include <limits.h>
#include <string.h>

enum { LINE = 128, PAGE = 4096, CHIPS = 4 };

static void test_the_classes_of_the_paper(void **state)
{
	struct working_set *w = working_set_create(LINE, PAGE);
	struct working_set_of of;

	(void)state;
	working_set_note(w, 10, 0, 0 * PAGE); /* page 0: chip 0 alone */
	working_set_note(w, 11, 0, 0 * PAGE + LINE);
	working_set_note(w, 12, 0, 1 * PAGE); /* page 1: other lines for other chips */
	working_set_note(w, 13, 1, 1 * PAGE + LINE);
	working_set_note(w, 14, 1, 2 * PAGE); /* page 2: three chips for one line, one of them for the next one */
	working_set_note(w, 14, 2, 2 * PAGE);
	working_set_note(w, 15, 3, 2 * PAGE);
	working_set_note(w, 999, 3, 2 * PAGE + LINE);
	working_set_tick(w, 999);
	assert_int_equal(working_set_statistics(w).of[0].cycles, 0);
	working_set_tick(w, 1000);
	of = working_set_statistics(w).of[0];
	assert_int_equal(of.cycles, 1000);
	assert_int_equal(of.not_shared, 2 * LINE * 1000);
	assert_int_equal(of.falsely_shared, 3 * LINE * 1000);
	assert_int_equal(of.truly_shared, 1 * LINE * 1000);
	assert_int_equal(of.copies, 3 * LINE * 1000);
	working_set_free(w);
}

/* The last window of each length is as long as what is left of the run. */
static void test_the_end_of_a_run_ends_all_windows(void **state)
{
	struct working_set *w = working_set_create(LINE, PAGE);
	struct working_set_stats s;

	(void)state;
	working_set_note(w, 100, 0, 0);
	working_set_note(w, 6200, 1, 0);
	working_set_end(w, 6500);
	s = working_set_statistics(w);
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		assert_int_equal(s.of[i].cycles, 6500);
	assert_int_equal(s.of[0].not_shared, LINE * 1500);
	assert_int_equal(s.of[1].not_shared, LINE * 6500);
	assert_int_equal(s.of[2].truly_shared, LINE * 6500);
	assert_int_equal(s.of[4].truly_shared, LINE * 6500);
	assert_int_equal(s.of[5].truly_shared, LINE * 6500);
	working_set_free(w);
}

/* --- Against a plain count --- */

enum { LINES = 40 * PAGE / LINE, CYCLES = 211000 };

static const unsigned lengths[WORKING_SET_LENGTHS] = {1000, 5000, 10000, 50000, 100000, UINT_MAX};
static uint8_t seen[WORKING_SET_LENGTHS][LINES]; /* chips, in the present window */

static void count_plainly(struct working_set_of *to, uint8_t *lines, uint64_t cycles)
{
	for (unsigned i = 0; i < LINES; i++) {
		uint8_t page = 0;

		for (unsigned k = i / (PAGE / LINE) * (PAGE / LINE); k < (i / (PAGE / LINE) + 1) * (PAGE / LINE); k++)
			page |= lines[k];
		if (__builtin_popcount(lines[i]) > 1) {
			to->truly_shared += cycles * LINE;
			to->copies += cycles * LINE * (unsigned)__builtin_popcount(lines[i]);
		} else if (lines[i] && __builtin_popcount(page) > 1) {
			to->falsely_shared += cycles * LINE;
		} else if (lines[i]) {
			to->not_shared += cycles * LINE;
		}
	}
	to->cycles += cycles;
	memset(lines, 0, LINES);
}

/* Busy and idle times, chips that prefer some pages and chips that do not. */
static void test_random_streams_are_counted_as_plainly(void **state)
{
	struct working_set *w = working_set_create(LINE, PAGE);
	struct working_set_stats plain = {0}, stats;
	uint64_t random = 1;

	(void)state;
	for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
		for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
			if (cycle && cycle % lengths[i] == 0)
				count_plainly(&plain.of[i], seen[i], lengths[i]);
		if (cycle / 15000 % 3 == 1 || random_below(&random, 8))
			continue;
		for (unsigned k = random_below(&random, 4); k > 0; k--) {
			unsigned chip = (unsigned)random_below(&random, CHIPS);
			unsigned line = (unsigned)random_below(&random, LINES / (1 + chip % 2 * 3));

			working_set_note(w, cycle, chip, (uint64_t)line * LINE);
			for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
				seen[i][line] |= (uint8_t)(1 << chip);
		}
	}
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		count_plainly(&plain.of[i], seen[i], CYCLES % lengths[i] ? CYCLES % lengths[i] : lengths[i]);
	working_set_end(w, CYCLES);
	stats = working_set_statistics(w);
	assert_memory_equal(&stats, &plain, sizeof plain);
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		assert_true(plain.of[i].truly_shared > 0);
	assert_true(plain.of[0].not_shared > 0 && plain.of[0].falsely_shared > 0);
	working_set_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_classes_of_the_paper),
	    cmocka_unit_test(test_the_end_of_a_run_ends_all_windows),
	    cmocka_unit_test(test_random_streams_are_counted_as_plainly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
