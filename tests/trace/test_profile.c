/* Profiles of launches whose counts are known, and CTAs that are passed over. */
#include "tests/trace/matmul.h"
#include "trace/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "profile.romtrace";

static struct trace_reader *matmul_of(uint32_t n, struct trace_launch *launch)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct trace_reader *r;

	matmul_write(w, n);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_non_null(r);
	unlink(path);
	assert_int_equal(trace_next_launch(r, launch, &d), 1);
	return r;
}

static void profile_of(uint32_t n, struct trace_profile *profile)
{
	struct trace_launch launch;
	struct trace_reader *r = matmul_of(n, &launch);
	struct trace_cta cta;

	memset(profile, 0, sizeof *profile);
	while (trace_next_cta(r, &cta, NULL) > 0) {
		assert_int_equal(trace_profile_cta(profile, trace_kernel_of(r, launch.kernel), &cta), 0);
		trace_cta_release(&cta);
	}
	trace_close(r);
}

/* 64 x 64 floats are 128 lines a matrix; 256 x 256 are 2,048. */
static void test_a_matrix_product_is_counted(void **state)
{
	struct trace_profile small, large;

	(void)state;
	profile_of(64, &small);
	assert_int_equal(small.ctas, 16);
	assert_int_equal(small.of_class[TRACE_LOAD], 16 * 8 * 2 * 64);
	assert_int_equal(small.lanes_of_class[TRACE_LOAD], 32 * 16 * 8 * 2 * 64);
	assert_int_equal(small.accesses_to[TRACE_GLOBAL], 16 * 8 * (2 * 64 + 1));
	assert_in_range((uint64_t)trace_profile_lines(&small), 3 * 128 * 95 / 100, 3 * 128 * 105 / 100);
	profile_of(256, &large);
	assert_in_range((uint64_t)trace_profile_lines(&large), 3 * 2048 * 95 / 100, 3 * 2048 * 105 / 100);
}

static void test_each_part_of_a_profile_counts(void **state)
{
	struct trace_profile a, b;

	(void)state;
	profile_of(128, &a);
	b = a;
	assert_true(trace_profiles_alike(&a, &b));
	b.ctas++;
	assert_false(trace_profiles_alike(&a, &b));
	b = a;
	b.of_class[TRACE_FP32] += b.of_class[TRACE_FP32] / 100;
	assert_true(trace_profiles_alike(&a, &b));
	b.of_class[TRACE_FP32] += b.of_class[TRACE_FP32] / 40;
	assert_false(trace_profiles_alike(&a, &b));
	b = a;
	b.lanes_of_class[TRACE_LOAD] /= 2;
	assert_false(trace_profiles_alike(&a, &b));
	b = a;
	b.accesses_to[TRACE_GLOBAL] /= 2;
	assert_false(trace_profiles_alike(&a, &b));
	b = a;
	memset(b.buckets, 0, sizeof b.buckets / 4);
	assert_false(trace_profiles_alike(&a, &b));
}

static void test_ctas_are_passed_over(void **state)
{
	struct trace_launch launch;
	struct trace_reader *r = matmul_of(64, &launch);
	struct trace_cta cta;
	uint64_t seen = 0;

	(void)state;
	for (uint64_t i = 0; i < 16; i++) {
		if (i % 3) {
			assert_int_equal(trace_skip_cta(r, NULL), 1);
			continue;
		}
		assert_int_equal(trace_next_cta(r, &cta, NULL), 1);
		assert_int_equal(cta.index, i);
		assert_int_equal(cta.x + cta.y * launch.grid[0], i);
		trace_cta_release(&cta);
		seen++;
	}
	assert_int_equal(seen, 6);
	assert_int_equal(trace_skip_cta(r, NULL), 0);
	assert_int_equal(trace_next_launch(r, &launch, NULL), 0);
	assert_null(trace_cut(r));
	trace_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_matrix_product_is_counted),
	    cmocka_unit_test(test_each_part_of_a_profile_counts),
	    cmocka_unit_test(test_ctas_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
