/* CTAs per SM for shapes whose answer is known from the resources of the paper's SM. */
#include "sim-backend/sm/sm_occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_table(void **state)
{
	static const struct {
		uint32_t threads, registers, shared;
		uint32_t ctas;
		enum occupancy_limit limit;
	} rows[] = {
	    {256, 32, 0, 8, LIMIT_THREADS},    {1024, 32, 0, 2, LIMIT_THREADS},   {32, 16, 0, 32, LIMIT_CTAS},
	    {256, 64, 0, 4, LIMIT_REGISTERS},  {256, 33, 0, 6, LIMIT_REGISTERS}, /* 33 * 32 rounds up to 1280 per warp
										  */
	    {256, 255, 0, 1, LIMIT_REGISTERS}, {256, 32, 8192, 8, LIMIT_THREADS}, {256, 32, 8193, 7, LIMIT_SHARED},
	    {256, 32, 65536, 1, LIMIT_SHARED}, {256, 32, 65537, 0, LIMIT_SHARED}, {1000, 16, 0, 2, LIMIT_THREADS},
	    {1, 1, 1, 32, LIMIT_CTAS},         {96, 16, 0, 21, LIMIT_THREADS},    {2048, 33, 0, 1, LIMIT_THREADS},
	};
	struct sm_config config;

	(void)state;
	knob_defaults(sm_knobs, &config);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct occupancy o = occupancy_of(&config, rows[i].threads, rows[i].registers, rows[i].shared);

		assert_int_equal(o.ctas, rows[i].ctas);
		assert_int_equal(o.limit, rows[i].limit);
		assert_int_equal(o.have / o.need, o.ctas);
		assert_int_equal(o.warps_per_cta, (rows[i].threads + 31) / 32);
	}
}

/* A kernel's estimated registers never keep a CTA from fitting, unless the SM is too small for any compiler. */
static void test_a_cta_that_is_launched_fits(void **state)
{
	struct sm_config config;
	struct occupancy o;

	(void)state;
	knob_defaults(sm_knobs, &config);
	for (uint32_t threads = 1; threads <= 1024; threads++)
		assert_in_range(occupancy_of(&config, threads, 255, 0).ctas, 1, 32);
	o = occupancy_of(&config, 1024, 80, 0);
	assert_int_equal(o.ctas, 1);
	assert_int_equal(o.limit, LIMIT_REGISTERS);
	assert_int_equal(o.need, 65536);
	assert_int_equal(occupancy_of(&config, 768, 90, 0).need, 24 * 32 * 80);
	config.registers = 8192;
	o = occupancy_of(&config, 1024, 80, 0);
	assert_int_equal(o.ctas, 0);
	assert_int_equal(o.limit, LIMIT_REGISTERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_table),
					   cmocka_unit_test(test_a_cta_that_is_launched_fits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
