/*
 * Start here: a trace is written and read again. One kernel of two instructions, r1 = load [address] and r2 = r1 + r1,
 * is launched once with one CTA of one warp; its 32 lanes load the words from 0x1000 on.
 */
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "tutorial.romtrace";

/* What every execution of the kernel shares stands in tables, once. */
static const struct trace_inst insts[] = {
    {.cls = TRACE_LOAD,
     .space = TRACE_GLOBAL,
     .flags = TRACE_HAS_ACCESS | TRACE_READ_ONLY,
     .access_bytes = 4,
     .ndst = 1,
     .dst = {1}},
    {.cls = TRACE_INT, .ndst = 1, .dst = {2}, .nsrc = 1, .src = {1}, .structure = TRACE_NO_STRUCTURE},
};
static const struct trace_block blocks[] = {{.first = 0, .count = 2}};
static const char *const structures[] = {"p0"};
static const struct trace_kernel kernel = {.name = "twice",
					   .module = "tutorial",
					   .insts = insts,
					   .ninsts = 2,
					   .blocks = blocks,
					   .nblocks = 1,
					   .structures = structures,
					   .nstructures = 1,
					   .registers_per_thread = 3,
					   .nregisters = 3};

/* What happened: the order of the calls is that of the launch, the CTA, the warp's blocks and their accesses. */
static void write_trace(void)
{
	struct trace_structure p0 = {.address = 0x1000, .allocation = UINT32_MAX, .verdict = TRACE_IS_READ_ONLY};
	struct trace_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .structures = &p0};
	uint64_t addresses[TRACE_WARP_LANES];
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = 0x1000 + 4 * lane;
	launch.kernel = trace_add_kernel(w, &kernel);
	trace_begin_launch(w, &launch);
	trace_begin_cta(w, 0, 0, 0, 1);
	trace_block(w, 0, 0, UINT32_MAX);
	trace_access(w, 0, TRACE_GLOBAL, UINT32_MAX, addresses);
	trace_end_cta(w);
	trace_end_launch(w);
	assert_int_equal(trace_finish(w, &d), 0);
}

/* The reader goes the same way: launches, their CTAs, and each warp's instructions with a cursor. */
static void test_what_was_written_is_read(void **state)
{
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct trace_reader *r;
	struct trace_cta cta;
	struct trace_op op;
	struct diag d = DIAG_INIT;

	(void)state;
	write_trace();
	r = trace_open(path, &d);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_string_equal(trace_kernel_of(r, launch.kernel)->name, "twice");
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, 0);

	assert_true(trace_warp_next(&cursor, &op));
	assert_int_equal(op.inst->cls, TRACE_LOAD);
	assert_int_equal(op.access_mask, UINT32_MAX);
	assert_int_equal(op.address[31], 0x1000 + 4 * 31);

	assert_true(trace_warp_next(&cursor, &op));
	assert_int_equal(op.inst->cls, TRACE_INT);
	assert_int_equal(op.access_mask, 0);

	assert_false(trace_warp_next(&cursor, &op)); /* the warp has ended, */
	trace_cta_release(&cta);
	assert_int_equal(trace_next_cta(r, &cta, &d), 0);       /* the launch has no other CTA, */
	assert_int_equal(trace_next_launch(r, &launch, &d), 0); /* and the trace no other launch. */
	trace_close(r);
	unlink(path);
}

/* A cut file says where it ends; docs/trace-format.md tells what stays usable. */
static void test_a_cut_trace_is_an_error(void **state)
{
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	int result;

	(void)state;
	write_trace();
	assert_int_equal(truncate(path, 100), 0);
	r = trace_open(path, &d);
	result = r ? trace_next_launch(r, &launch, &d) : DIAG_ERROR;
	assert_int_equal(result, DIAG_ERROR);
	assert_string_equal(d.file, path);
	if (r)
		trace_close(r);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_was_written_is_read),
	    cmocka_unit_test(test_a_cut_trace_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
