/* Kernels launched by kernels: order, waiting, refusals, faults, what a trace has of them. */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <unistd.h>

enum { LOG_WORDS = 128 };
static const struct harness_launch one_thread = {.block = {1}};

/* Runs a kernel and compares the entries that it and its children put into the log. */
static void expect_log(const char *kernel, const uint64_t *codes, size_t count)
{
	uint64_t *log = harness_alloc(LOG_WORDS * sizeof *log, "log"), params[2] = {DEVICE_POINTER(log), 0};
	struct device_module *m = harness_load_file("nested.ptx");

	harness_run_ok(m, kernel, &one_thread, params, 2);
	assert_int_equal(log[0], count);
	assert_memory_equal(log + 1, codes, count * sizeof *codes);
	harness_unload(m);
	harness_free(log);
}

#define EXPECT_LOG(kernel, ...)                                                                                        \
	expect_log(kernel, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void test_order(void **state)
{
	(void)state;
	EXPECT_LOG("order", 1, 6, 2, 3, 4, 5);
	EXPECT_LOG("old", 0, 9, 9);
}

static void test_waiting(void **state)
{
	(void)state;
	EXPECT_LOG("waits", 1, 2, 3, 4, 6, 5);
}

/* Invalid configuration, invalid device function; the last error is given once. */
static void test_refusals(void **state)
{
	(void)state;
	setenv("ROMARK_QUIET", "1", 1);
	harness_open();
	EXPECT_LOG("wrong", 9, 98, 98, 0, 5);
	unsetenv("ROMARK_QUIET");
	harness_open();
}

static void test_depth(void **state)
{
	uint64_t codes[101];

	(void)state;
	for (uint64_t i = 0; i < 101; i++)
		codes[i] = i;
	setenv("ROMARK_QUIET", "1", 1);
	harness_open();
	expect_log("deep", codes, 25);
	unsetenv("ROMARK_QUIET");
	harness_open();
	expect_log("tail", codes, 101);
}

static void test_faults(void **state)
{
	uint64_t *log = harness_alloc(LOG_WORDS * sizeof *log, "log"), params[2] = {DEVICE_POINTER(log), 0};
	struct device_module *m = harness_load_file("nested.ptx");

	(void)state;
	assert_int_equal(harness_run(m, "parent_of_bad", &one_thread, params, 2), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "'bad'"));
	assert_int_equal(harness_run(m, "waits_for_bad", &one_thread, params, 2), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "'bad'"));
	harness_run_ok(m, "order", &one_thread, params, 2);
	assert_int_equal(log[0], 6);
	harness_unload(m);
	harness_free(log);
}

/* Each launch follows its launcher; launches that a running kernel waits for are left out. */
static void expect_trace(const char *kernel, const char *const *names, size_t count)
{
	char path[] = "/tmp/romark-trace-XXXXXX";
	struct trace_launch launch;
	struct device_module *m;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	uint64_t params[2] = {0};
	size_t n = 0;

	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	params[0] = DEVICE_POINTER(harness_alloc(LOG_WORDS * 8, "log"));
	m = harness_load_file("nested.ptx");
	harness_run_ok(m, kernel, &one_thread, params, 2);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	for (; trace_next_launch(r, &launch, &d) > 0; n++) {
		assert_true(n < count);
		assert_string_equal(trace_kernel_of(r, launch.kernel)->name, names[n]);
	}
	assert_int_equal(n, count);
	assert_false(diag_is_set(&d));
	trace_close(r);
	unsetenv("ROMARK_QUIET");
	harness_open();
	unlink(path);
}

static void test_traces(void **state)
{
	static const char *const order[] = {"order", "middle", "note", "note", "note"};
	static const char *const waits[] = {"waits", "note", "note"};

	(void)state;
	expect_trace("order", order, 5);
	expect_trace("waits", waits, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_order), cmocka_unit_test(test_waiting), cmocka_unit_test(test_refusals),
	    cmocka_unit_test(test_depth), cmocka_unit_test(test_faults),  cmocka_unit_test(test_traces),
	};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
