/*
 * ROMARK_GUARDS=access: where guards fail, each marked load is held against what the launch writes. On the mock driver
 * ld.global.nc reads memory as it was when the kernel started, so a load that passes wrongly gives a wrong number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "ptx-analyzer/readonly/checked.h"
#include "runtime/gpu/gpu.h"
#include "runtime/gpu/gpu_device.h"
#include "tests/runtime/gpu/mock_libcuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 32, WORDS = 256, OUT = 0, INDEX = 32, DATA = 64 }; /* places in words */

static const struct device_ops *const ops = &gpu_device_ops;
static const char *(*last_launched)(void);

struct fixture {
	struct device *dev;
	struct device_module *module;
	uint64_t pool, far;
	uint32_t words[WORDS];
};

static int set_up(void **state, const char *check)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct settings settings;
	struct file_data text;
	struct diag d = DIAG_INIT;
	void *mock = dlopen(getenv("ROMARK_LIBCUDA"), RTLD_NOW), *found = dlsym(mock, "mock_last_launched");

	memcpy(&last_launched, &found, sizeof found);
	setenv("ROMARK_GUARDS", check, 1);
	settings_read(&settings, NULL);
	assert_int_equal(file_read(TEST_FOLDER "/checked.ptx", &text, &d), 0);
	f->dev = ops->open(&settings, &d);
	assert_non_null(f->dev);
	assert_int_equal(ops->load(f->dev, text.data, text.size, "checked.ptx", &f->module, &d), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, sizeof f->words, "pool", &f->pool), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, sizeof f->words, "far", &f->far), DEVICE_OK);
	file_data_release(&text);
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return set_up(state, "access");
}

static int setup_unasked(void **state)
{
	return set_up(state, "launch");
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	ops->close(f->dev);
	free(f);
	return 0;
}

/* The kernel runs on the pool, with data[i] = 100 + i and index[i] = first + i. */
static void run(struct fixture *f, const char *name, int first, uint32_t odd, const char *version)
{
	struct {
		uint64_t out, index, data;
		uint32_t odd;
	} params = {f->pool + 4 * OUT, f->pool + 4 * INDEX, f->pool + 4 * DATA, odd};
	const struct launch_params p = {
	    .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = &params, .param_bytes = 28};
	struct device_kernel *kernel;
	struct diag d = DIAG_INIT;

	for (int i = 0; i < WORDS; i++)
		f->words[i] = i < INDEX ? 1000u + i : i < DATA ? (uint32_t)(first + i - INDEX) : 100u + i - DATA;
	assert_int_equal(ops->copy(f->dev, f->pool, (uintptr_t)f->words, sizeof f->words), DEVICE_OK);
	assert_int_equal(ops->kernel(f->dev, f->module, name, &kernel), DEVICE_OK);
	assert_int_equal(ops->launch(f->dev, kernel, &p, &d), DEVICE_OK);
	assert_string_equal(last_launched(), version);
	assert_int_equal(ops->copy(f->dev, (uintptr_t)f->words, f->pool, sizeof f->words), DEVICE_OK);
}

static void test_a_gather_beside_what_is_written(void **state)
{
	struct fixture *f = *state;

	run(f, "pick", 3, 0, "pick$checked");
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(f->words[i], i % 2 ? 1 : 100 + 3 + i + 1);
	run(f, "pick", 3, 2, "pick$checked");
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(f->words[i], i % 2 ? 1 : 100 + 3 + i + 1);
}

/* Thread i loads out[i], in which it has just written a 7. */
static void test_a_gather_from_what_is_written(void **state)
{
	struct fixture *f = *state;

	run(f, "pick", OUT - DATA - 1, 1, "pick$checked");
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(f->words[i], i % 2 ? 7 : 1);
	run(f, "pick", OUT - DATA - 1, 2, "pick$checked");
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(f->words[i], i % 2 ? 1 : 7);
}

/* out[16] alone is written: loads of two words before it, of it, and behind it. */
static void test_loads_of_two_words(void **state)
{
	struct fixture *f = *state;
	run(f, "pair", OUT + 14 - DATA, 0, "pair$checked");
	assert_int_equal(f->words[16], 1014 + 1015);
	run(f, "pair", OUT + 16 - DATA, 0, "pair$checked");
	assert_int_equal(f->words[16], 7 + 1017);
	run(f, "pair", OUT + 18 - DATA, 0, "pair$checked");
	assert_int_equal(f->words[16], 1018 + 1019);
}

static void test_unknown_writes_run_plain(void **state)
{
	run(*state, "scatter", 3, 0, "scatter$plain");
}

static void test_nobody_asks(void **state)
{
	run(*state, "pick", 3, 0, "pick$plain");
}

static void test_many_ranges_become_few(void **state)
{
	struct byte_range ranges[] = {
	    {RANGE_KNOWN, 100, 199}, {RANGE_KNOWN, 300, 399}, {RANGE_KNOWN, 410, 419}, {RANGE_KNOWN, 5000, 5003}};
	range_list written = {ranges, 4, 4};
	uint64_t params[CHECKED_PARAMS];

	(void)state;
	ptx_checked_params(&written, params);
	assert_int_equal(params[0], 100);
	assert_int_equal(params[1], 4904);
	written.len = 1;
	ptx_checked_params(&written, params);
	assert_int_equal(params[1], 100);
	written.len = 0;
	ptx_checked_params(&written, params);
	assert_int_equal(params[1], 0);
}

#define DEVICE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    DEVICE_TEST(test_a_gather_beside_what_is_written),
	    DEVICE_TEST(test_a_gather_from_what_is_written),
	    DEVICE_TEST(test_loads_of_two_words),
	    DEVICE_TEST(test_unknown_writes_run_plain),
	    cmocka_unit_test_setup_teardown(test_nobody_asks, setup_unasked, teardown),
	    cmocka_unit_test(test_many_ranges_become_few),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
