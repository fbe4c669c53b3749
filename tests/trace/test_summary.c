/* What `romark info` counts, against numbers that can be worked out by hand. */
#include "tests/trace/matmul.h"
#include "trace/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "summary.romtrace";

/* 64 x 64 floats are 128 lines a matrix; a CTA's row of c is half a line, so two CTAs share each. */
static void test_matrix_product(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	uint64_t instructions = matmul_write(w, 64);
	struct trace_reader *r;
	struct trace_summary *s;

	(void)state;
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_non_null(r);
	s = trace_summarise(r, 128, NULL, NULL, &d);
	assert_non_null(s);
	assert_int_equal(s->nkernels, 1);
	assert_string_equal(s->kernels[0].name, "matmul");
	assert_int_equal(s->ctas, 16);
	assert_int_equal(s->warp_instructions, instructions);
	assert_int_equal(s->thread_instructions, instructions * 32);
	assert_int_equal(s->global_loads, 16 * 8 * 2 * 64);
	assert_int_equal(s->read_only_loads, s->global_loads);
	assert_int_equal(s->kernels[0].global_stores, 16 * 8);
	assert_int_equal(s->counts.lines, 3 * 128);
	assert_int_equal(s->counts.shared_lines, 3 * 128);
	assert_int_equal(s->counts.shared_read_only_lines, 2 * 128);
	assert_int_equal(s->nstructures, 3);
	assert_int_equal(s->structures[1].counts.shared_read_only_lines, 128);
	assert_int_equal(s->structures[2].counts.shared_read_only_lines, 0);
	/* Lines of c: two CTAs; of a: the four of a grid row; of b: two columns of four CTAs, as a line spans two
	 * tiles. */
	assert_int_equal(s->sharers[1], 128);
	assert_int_equal(s->sharers[2], 128);
	assert_int_equal(s->sharers[3], 128);
	trace_summary_free(s);
	trace_close(r);
	unlink(path);
}

static const struct trace_inst insts[2] = {
    {.cls = TRACE_LOAD, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS | TRACE_READ_ONLY, .access_bytes = 4},
    {.cls = TRACE_STORE, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS, .access_bytes = 4}};

/* Each of `ctas` CTAs runs block `block` (0 = load, 1 = store) on one line. */
static void launch_on_line(struct trace_writer *w, uint32_t kernel, uint32_t ctas, uint32_t block, bool marks)
{
	const struct trace_structure structure = {4096, UINT32_MAX, TRACE_IS_READ_WRITE, false};
	const struct trace_launch launch = {.kernel = kernel,
					    .grid = {ctas, 1, 1},
					    .block = {32, 1, 1},
					    .structures = &structure,
					    .marks_in_force = marks};
	uint64_t addresses[TRACE_WARP_LANES];

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = 4096 + 4 * lane;
	trace_begin_launch(w, &launch);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		trace_begin_cta(w, cta, 0, 0, 1);
		trace_block(w, 0, block, UINT32_MAX);
		trace_access(w, 0, TRACE_GLOBAL, UINT32_MAX, addresses);
		trace_end_cta(w);
	}
	trace_end_launch(w);
}

static struct line_counts count_launches(bool marked_third_launch)
{
	static const struct trace_block blocks[2] = {{0, 1}, {1, 1}};
	static const char *const structures[] = {"p0"};
	const struct trace_kernel kernel = {.name = "k",
					    .module = "m",
					    .insts = insts,
					    .ninsts = 2,
					    .blocks = blocks,
					    .nblocks = 2,
					    .structures = structures,
					    .nstructures = 1};
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	uint32_t id = trace_add_kernel(w, &kernel);
	struct trace_reader *r;
	struct trace_summary *s;
	struct line_counts counts;

	launch_on_line(w, id, 1, 1, true);
	launch_on_line(w, id, 5, 0, true);
	launch_on_line(w, id, 2, 0, marked_third_launch);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_non_null(r);
	s = trace_summarise(r, 128, NULL, NULL, &d);
	assert_non_null(s);
	assert_int_equal(s->launches, 3);
	assert_int_equal(s->nkernels, 3); /* three grids */
	assert_int_equal(s->sharers[3], 1);
	assert_int_equal(s->read_only_loads, marked_third_launch ? 7 : 5);
	counts = s->counts;
	trace_summary_free(s);
	trace_close(r);
	unlink(path);
	return counts;
}

/* A line that one launch writes alone and later launches read is shared read-only, unless a guard took the marks. */
static void test_sharing_is_per_launch(void **state)
{
	struct line_counts marked = count_launches(true), unmarked = count_launches(false);

	(void)state;
	assert_int_equal(marked.lines, 1);
	assert_int_equal(marked.shared_lines, 1);
	assert_int_equal(marked.shared_read_only_lines, 1);
	assert_int_equal(unmarked.shared_lines, 1);
	assert_int_equal(unmarked.shared_read_only_lines, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_matrix_product),
	    cmocka_unit_test(test_sharing_is_per_launch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
