/* Where windows of local memory lie: each by itself, those in use without a gap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim-backend/sm/local_memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SLOTS_OF_SM = 64 };

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The windows of the first `slots` slots of all SMs, in rising order. */
static uint64_t *windows(const struct local_layout *l, unsigned slots, bool far)
{
	uint64_t *at = calloc((size_t)l->sms * slots, sizeof *at);

	for (unsigned sm = 0; sm < l->sms; sm++)
		for (unsigned slot = 0; slot < slots; slot++) {
			struct local_window w = local_window_of(l, sm, slot);

			at[sm * slots + slot] = far ? local_line(&w, l->words) : local_line(&w, 0);
		}
	qsort(at, (size_t)l->sms * slots, sizeof *at, by_number);
	return at;
}

/* An even spread of CTAs uses `slots` of each SM: its windows form an array. So do the windows of twice as many. */
static void test_windows_stand_back_to_back(void **state)
{
	static const struct local_layout layouts[] = {
	    {.words = 1, .slots = 1, .sms = 1},
	    {.words = 64, .slots = 4, .sms = 64},
	    {.words = 10, .slots = 12, .sms = 15, .launch = 3},
	    {.words = 131072, .slots = 32, .sms = 256},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
		for (unsigned times = 1; times <= 2; times++) {
			const struct local_layout *l = &layouts[i];
			uint64_t *at = windows(l, times * l->slots, false);

			for (unsigned w = 0; w < times * l->slots * l->sms; w++)
				assert_int_equal(at[w], LOCAL_BASE + l->launch * LOCAL_BYTES_OF_LAUNCH +
							    (uint64_t)w * l->words * LOCAL_LINE_BYTES);
			free(at);
		}
}

/* Whatever slots are in use, no two windows share a line, and neither do windows of two launches. */
static void test_no_window_meets_another(void **state)
{
	static const struct local_layout layouts[] = {
	    {.words = 7, .slots = 5, .sms = 15},
	    {.words = 4096, .slots = 3, .sms = 64},
	    {.words = 131072, .slots = 64, .sms = 256},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		const struct local_layout *l = &layouts[i];
		uint64_t *at = windows(l, SLOTS_OF_SM, false);

		for (unsigned w = 1; w < SLOTS_OF_SM * l->sms; w++)
			assert_true(at[w] - at[w - 1] >= (uint64_t)l->words * LOCAL_LINE_BYTES);
		assert_true(at[SLOTS_OF_SM * l->sms - 1] + (uint64_t)l->words * LOCAL_LINE_BYTES <=
			    LOCAL_BASE + LOCAL_BYTES_OF_LAUNCH);
		free(at);
	}
}

/* Without a size each has room for 16 MB a thread, and sets of any power of two are used evenly. */
static void test_windows_of_unknown_size_spread(void **state)
{
	const struct local_layout l = {.words = 0, .slots = 8, .sms = 64};
	uint64_t *at = windows(&l, 8, true);
	unsigned used[512] = {0};

	(void)state;
	for (unsigned w = 0; w < 512; w++) {
		assert_true(at[w] >= LOCAL_FAR_BASE);
		assert_true(w == 0 || at[w] - at[w - 1] >= (uint64_t)1 << 29);
		used[at[w] / LOCAL_LINE_BYTES % 512]++;
	}
	for (unsigned set = 0; set < 512; set++)
		assert_int_equal(used[set], 1);
	free(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_windows_stand_back_to_back),
	    cmocka_unit_test(test_no_window_meets_another),
	    cmocka_unit_test(test_windows_of_unknown_size_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
