/* A bulk copy is in the trace with the lines of global memory that it reads or writes, 32 of them in a row. */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <unistd.h>

struct copies {
	unsigned instructions, rows, lines;
	uint64_t first, last; /* lines */
};

/* Of the class; `nth`: of the instructions, in order. */
static struct copies copies_in(const char *path, uint8_t cls, unsigned nth)
{
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	struct copies found = {0};
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct trace_cta cta;
	struct trace_op op;

	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, 0);
	while (trace_warp_next(&cursor, &op)) {
		if (op.inst->cls != cls || !(op.inst->flags & TRACE_HAS_ACCESS))
			continue;
		found.instructions += !(op.inst->flags & TRACE_PART);
		if (found.instructions != nth + 1)
			continue;
		assert_int_equal(op.space, TRACE_GLOBAL);
		assert_int_equal(op.inst->access_bytes, 128);
		found.rows++;
		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			if (op.access_mask >> lane & 1) {
				found.first = found.lines++ ? found.first : op.address[lane];
				found.last = op.address[lane];
			}
	}
	assert_false(cursor.bad);
	trace_cta_release(&cta);
	trace_close(r);
	return found;
}

static bool commits(const struct trace_kernel *k)
{
	for (uint32_t i = 0; i < k->ninsts; i++)
		if (trace_commits_copies(&k->insts[i]) && i + 1 < k->ninsts && trace_waits_for_copies(&k->insts[i + 1]))
			return k->insts[i + 1].access_bytes == 1;
	return false;
}

static void check_groups(void *data, const struct trace_launch *launch, const struct trace_kernel *kernel)
{
	(void)launch;
	*(bool *)data = commits(kernel);
}

static void test_lines_of_copies(void **state)
{
	const struct harness_launch one_warp = {.block = {32}};
	char path[] = "/tmp/romark-bulk-XXXXXX";
	struct copies fixed, sized, back;
	uint64_t params[2], line;
	bool groups = false;

	(void)state;
	close(mkstemp(path));
	harness_open_with("ROMARK_TRACE", path);
	params[0] = DEVICE_POINTER(harness_alloc(64 << 10, "data"));
	params[1] = 20000; /* 156.25 lines */
	line = params[0] / 128 * 128;
	assert_int_equal(line, params[0]);
	harness_run_ok(harness_load_file("bulk.ptx"), "bulk", &one_warp, params, 2);
	cpu_device_ops.finish(harness_device());
	fixed = copies_in(path, TRACE_ASYNC_COPY, 0);
	assert_int_equal(fixed.rows, 3); /* 64 lines, and one for its begin within a line */
	assert_int_equal(fixed.lines, 65);
	assert_int_equal(fixed.first, line);
	assert_int_equal(fixed.last, line + 64 * 128);
	sized = copies_in(path, TRACE_ASYNC_COPY, 1);
	assert_int_equal(sized.instructions, 2);
	assert_int_equal(sized.rows, 5); /* of 8: those without a line are passed over */
	assert_int_equal(sized.lines, 157);
	assert_int_equal(sized.last, line + 156 * 128);
	back = copies_in(path, TRACE_STORE, 0);
	assert_int_equal(back.rows, 1);
	assert_int_equal(back.lines, 2);
	harness_read_trace(path, check_groups, &groups);
	assert_true(groups);
	harness_open();
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_of_copies)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
