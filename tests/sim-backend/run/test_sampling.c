/* The CTAs that are simulated, and the estimates for the rest: counted one by one, and against textbook values. */
#include "sim-backend/run/sampling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t count(const struct cta_choice *c, uint64_t first, uint64_t end)
{
	uint64_t n = 0;

	for (uint64_t i = first; i < end; i++)
		n += cta_choice_has(c, i);
	return n;
}

/* Whole waves are simulated or left out, the number is what was promised, and both ends are there. */
static void test_waves_are_taken_whole(void **state)
{
	enum { WAVE = 6 };

	(void)state;
	for (uint64_t total = 1; total < 200; total += 7)
		for (uint64_t wanted = 0; wanted < 220; wanted += 3) {
			struct cta_choice c = cta_choice_of(total, WAVE, wanted);

			assert_int_equal(count(&c, 0, total), c.simulated);
			assert_true(c.simulated >= wanted || c.simulated == total);
			assert_int_equal((total - c.simulated) % WAVE, 0);
			if (wanted == 0 || wanted >= total)
				assert_int_equal(c.simulated, total);
			if (c.simulated == total)
				continue;
			assert_int_equal(count(&c, 0, c.warm * WAVE), c.warm * WAVE);
			assert_int_equal(count(&c, total - WAVE - total % WAVE, total), WAVE + total % WAVE);
			for (uint64_t i = 0; i + WAVE <= total; i += WAVE)
				assert_int_equal(count(&c, i, i + WAVE) % WAVE, 0);
		}
}

/* 20 waves, of which 8 are wanted: two in front, the last, and five of the other 17. */
static void test_waves_in_between_are_at_equal_distances(void **state)
{
	static const uint64_t expected[] = {0, 1, 3, 7, 10, 13, 17, 19};
	struct cta_choice c = cta_choice_of(2000, 100, 800);
	size_t next = 0;

	(void)state;
	for (uint64_t wave = 0; wave < 20; wave++)
		if (cta_choice_has(&c, wave * 100))
			assert_int_equal(wave, expected[next++]);
	assert_int_equal(next, 8);
	assert_true(cta_choice_weight(&c) == 17 / 5.0);
	assert_int_equal(cta_choice_border(&c, 0), 250);
	assert_int_equal(cta_choice_border(&c, c.kept), 750);
}

static void test_plans_are_read_and_written(void **state)
{
	static const char *const good[] = {"ctas:1", "kernels", "ctas:4096,kernels", "cycles:1",
					   "cycles:200000,kernels"};
	static const char *const bad[] = {"",
					  "ctas",
					  "ctas:",
					  "ctas:0",
					  "ctas:-1",
					  "ctas:1k",
					  "kernel",
					  "kernels,",
					  "kernels,,x",
					  "ctas:1kernels",
					  "ctas:99999999999999999999",
					  "cycles",
					  "cycles:",
					  "cycles:0",
					  "cycle:1",
					  "ctas:1,cycles:1"};
	struct sampling_plan plan;
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(sampling_parse(good[i], &plan, NULL), 0);
		sampling_format(&plan, text, sizeof text);
		assert_string_equal(text, good[i]);
	}
	assert_int_equal(sampling_parse("kernels,ctas:7", &plan, NULL), 0);
	assert_true(plan.kernels && plan.ctas == 7);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diag d = DIAG_INIT;

		assert_int_equal(sampling_parse(bad[i], &plan, &d), DIAG_ERROR);
		assert_true(diag_is_set(&d));
	}
}

/* Borders are the windows' middles and ends. */
static void test_time_is_cut_into_equal_windows(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2 * TIME_WINDOWS; i++)
		assert_int_equal(time_border(1000 * TIME_WINDOWS, i), 500 * (i + 1));
}

/*
 * Half of 1,000 cycles are over. The rest would take 1,500, three times what is left. Then at least a quarter is
 * simulated.
 */
static void test_so_much_is_passed_over_that_the_time_suffices(void **state)
{
	(void)state;
	assert_true(time_ratio(1000, 500, 1500) == 2);
	assert_true(time_ratio(1000, 500, 400) == 0);
	assert_true(time_ratio(1000, 900, 500) == 1);
	assert_true(time_ratio(1000, 3000, 500) == 1);
}

static struct spread spread_of(const double *values, size_t n)
{
	struct spread s = {.count = 0};

	for (size_t i = 0; i < n; i++)
		spread_add(&s, values[i]);
	return s;
}

static void assert_near(double a, double b)
{
	assert_true(a > b * 0.999 && a < b * 1.001);
}

/* 4 of 100 values with variance 20 / 3: the sum's error is 100 sqrt(0.96 * 20 / 3 / 4), and t of 3 degrees is 3.182. */
static void test_the_margin_is_that_of_a_sampled_sum(void **state)
{
	const double values[] = {10, 12, 14, 16};
	struct spread s = spread_of(values, 4);
	struct uncertainty u = {.variance = 0};

	(void)state;
	assert_near(s.mean, 13);
	assert_near(spread_variance(&s), 20.0 / 3);
	uncertainty_add(&u, &s, 100);
	assert_false(u.unknown);
	assert_near(uncertainty_margin(&u), 3.182 * 126.491);
	/* The same again: the error grows with the root, and there are 6 degrees. */
	uncertainty_add(&u, &s, 100);
	assert_near(uncertainty_margin(&u), 2.447 * 126.491 * 1.41421);
}

static void test_what_was_all_seen_is_certain_and_one_value_says_nothing(void **state)
{
	const double values[] = {1, 100, 3};
	struct spread all = spread_of(values, 3), one = spread_of(values, 1);
	struct uncertainty u = {.variance = 0};

	(void)state;
	uncertainty_add(&u, &all, 3);
	assert_true(uncertainty_margin(&u) == 0 && !u.unknown);
	uncertainty_add(&u, &one, 1);
	assert_false(u.unknown);
	uncertainty_add(&u, &one, 2);
	assert_true(u.unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_waves_are_taken_whole),
	    cmocka_unit_test(test_waves_in_between_are_at_equal_distances),
	    cmocka_unit_test(test_plans_are_read_and_written),
	    cmocka_unit_test(test_time_is_cut_into_equal_windows),
	    cmocka_unit_test(test_so_much_is_passed_over_that_the_time_suffices),
	    cmocka_unit_test(test_the_margin_is_that_of_a_sampled_sum),
	    cmocka_unit_test(test_what_was_all_seen_is_certain_and_one_value_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
