/*
 * Barriers in a trace: number, warps, and arrivals without waiting, if these are constants. Groups of asynchronous
 * copies: who commits and who waits for how many.
 */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <unistd.h>

/* 64 threads; the first warp arrives at barrier 3 and the second waits there, both meet at the others. */
static const char ptx[] = ".visible .entry meet(.param .u32 number)\n{\n"
			  ".reg .pred %first;\n.reg .u32 %t, %n, %five, %count, %two;\n"
			  "ld.param.u32 %n, [number];\n"
			  "mov.u32 %five, 5;\nmov.u32 %count, 64;\n"
			  "mov.u32 %two, 1;\nadd.u32 %two, %two, 1;\n"
			  "mov.u32 %t, %tid.x;\nsetp.lt.u32 %first, %t, 32;\n"
			  "bar.sync 0;\n"
			  "barrier.sync %five, %count;\n"
			  "bar.sync %n;\n"
			  "bar.sync %two, 64;\n"
			  "bar.red.and.pred %first, 7, 64, %first;\n"
			  "setp.lt.u32 %first, %t, 32;\n"
			  "@%first bra ARRIVE;\n"
			  "bar.sync 3, 64;\nret;\n"
			  "ARRIVE:\nbar.arrive 3, 64;\nret;\n}\n";

static const struct expected {
	uint8_t number, warps, flags;
} expected[] = {{0, 0, 0}, {5, 2, 0}, {TRACE_ANY_BARRIER, 0, 0}, {TRACE_ANY_BARRIER, 0, 0},
		{7, 2, 0}, {3, 2, 0}, {3, 2, TRACE_ARRIVES}};

static void test_rows_say_which_barrier(void **state)
{
	static const struct harness_launch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
	char path[] = "/tmp/romark-barriers-XXXXXX";
	const uint64_t params[] = {9};
	const struct trace_kernel *kernel;
	struct trace_launch traced;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	size_t n = 0;

	(void)state;
	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	harness_run_ok(harness_load(ptx), "meet", &launch, params, 1);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &traced, &d), 1);
	kernel = trace_kernel_of(r, traced.kernel);
	for (uint32_t i = 0; i < kernel->ninsts; i++) {
		const struct trace_inst *row = &kernel->insts[i];

		if (!trace_is_barrier(row))
			continue;
		assert_true(n < sizeof expected / sizeof *expected);
		assert_int_equal(row->barrier, expected[n].number);
		assert_int_equal(row->barrier_warps, expected[n].warps);
		assert_int_equal(row->flags & TRACE_ARRIVES, expected[n].flags);
		n++;
	}
	assert_int_equal(n, sizeof expected / sizeof *expected);
	trace_close(r);
	unlink(path);
	harness_close();
}

static const char copying[] = ".visible .entry copying(.param .u64 from)\n{\n"
			      ".reg .u64 %from;\n.shared .align 16 .b8 buffer[64];\n"
			      "ld.param.u64 %from, [from];\n"
			      "cp.async.ca.shared.global [buffer], [%from], 16;\n"
			      "cp.async.commit_group;\n"
			      "cp.async.cg.shared.global [buffer+16], [%from+16], 16;\n"
			      "cp.async.commit_group;\n"
			      "cp.async.wait_group 1;\ncp.async.wait_group 0;\ncp.async.wait_all;\nret;\n}\n";

static const struct group_row {
	bool access, commits;
	unsigned waits; /* 1 + groups that may be on their way */
} group_rows[] = {{true, false, 0},  {false, true, 0},  {true, false, 0}, {false, true, 0},
		  {false, false, 2}, {false, false, 1}, {false, true, 1}};

static void test_rows_say_which_copies(void **state)
{
	static const struct harness_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
	char path[] = "/tmp/romark-copies-XXXXXX";
	const struct trace_kernel *kernel;
	struct trace_launch traced;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	void *memory;
	uint64_t from;
	size_t n = 0;

	(void)state;
	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	memory = harness_alloc(64, "from");
	from = (uint64_t)(uintptr_t)memory;
	harness_run_ok(harness_load(copying), "copying", &launch, &from, 1);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &traced, &d), 1);
	kernel = trace_kernel_of(r, traced.kernel);
	for (uint32_t i = 0; i < kernel->ninsts; i++) {
		const struct trace_inst *row = &kernel->insts[i];

		if (row->cls != TRACE_ASYNC_COPY)
			continue;
		assert_true(n < sizeof group_rows / sizeof *group_rows);
		assert_int_equal((row->flags & TRACE_HAS_ACCESS) != 0, group_rows[n].access);
		assert_int_equal(trace_commits_copies(row), group_rows[n].commits);
		assert_int_equal(trace_waits_for_copies(row) ? row->access_bytes : 0, group_rows[n].waits);
		n++;
	}
	assert_int_equal(n, sizeof group_rows / sizeof *group_rows);
	trace_close(r);
	harness_free(memory);
	unlink(path);
	harness_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_say_which_barrier),
					   cmocka_unit_test(test_rows_say_which_copies)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
