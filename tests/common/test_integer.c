/* Rounding and powers of two, against counting. */
#include "common/integer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_rounding(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 200; n++)
		for (uint64_t unit = 1; unit < 20; unit++) {
			uint64_t units = 0;

			while (units * unit < n)
				units++;
			assert_int_equal(divide_up(n, unit), units);
			assert_int_equal(round_up(n, unit), units * unit);
		}
}

static void test_powers_of_two(void **state)
{
	(void)state;
	assert_false(is_power_of_two(0));
	for (uint64_t n = 1; n < 5000; n++) {
		unsigned below = 0, above = 0;

		while (UINT64_C(2) << below <= n)
			below++;
		while (UINT64_C(1) << above < n)
			above++;
		assert_int_equal(log2_floor(n), below);
		assert_int_equal(log2_ceil(n), above);
		assert_int_equal(is_power_of_two(n), below == above);
	}
	assert_int_equal(log2_floor(UINT64_MAX), 63);
	assert_true(is_power_of_two(UINT64_C(1) << 63));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rounding),
	    cmocka_unit_test(test_powers_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
