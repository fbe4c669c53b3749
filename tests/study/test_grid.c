/* Rows, columns and numbers of figures and tables, against values that were computed by hand. */
#include "study/report/grid.h"

#include "study/expression/expression.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "study: s\n"
    "traces: {z: z.romtrace, a: {trace: a.romtrace, label: alpha}}\n"
    "policies: {shared: {}, private: {label: own}}\n"
    "seeds: [1, 2]\n"
    "baseline: {policy: shared}\n"
    "values: {speedup: {is: base(cycles) / cycles, unit: times}}\n"
    "references:\n"
    "  average: {value: geomean(speedup), at: {policy: private}, paper: 1.5, source: x}\n"
    "  one: {value: mean(speedup), at: {program: a, policy: private}, paper: 2, source: x}\n"
    "figures:\n"
    "  bars: {value: speedup, x: program, bars: policy, over: seed, mean: geomean, references: [average, one]}\n"
    "  plain: {value: speedup, x: program, bars: policy, over: seed, references: [average]}\n"
    "  part: {value: cycles, x: [seed, program], where: policy = private and program != z}\n"
    "  stack: {kind: stacked, value: [cycles, speedup], x: policy, bars: program, over: seed}\n"
    "  curve: {kind: lines, value: cycles, x: cycles * 2, lines: policy, over: seed}\n"
    "  unclear: {value: cycles, x: program, bars: policy}\n"
    "tables:\n"
    "  both: {value: [cycles, speedup], rows: program, columns: policy, over: seed}\n";

static const struct run {
	const char *program, *policy, *seed;
	double cycles;
} runs[] = {
    {"z", "shared", "1", 100}, {"z", "shared", "2", 100}, {"z", "private", "1", 50}, {"z", "private", "2", 25},
    {"a", "shared", "1", 90},  {"a", "shared", "2", 80},  {"a", "private", "1", 45}, {"a", "private", "2", 80},
};
enum { RUNS = sizeof runs / sizeof *runs };

struct fixture {
	struct study *study;
	struct frame *frame;
	struct grid_request request;
	struct grid grid;
	struct diag d;
};

static bool number(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	(void)arg;
	(void)launch;
	*value = runs[run].cycles;
	return strcmp(counter, "cycles") == 0;
}

/* `undone`: the run that has no numbers, or RUNS. */
static struct fixture open_study(size_t undone)
{
	struct fixture x = {.d = DIAG_INIT};
	const struct frame_source source = {NULL, number, NULL};

	x.study = study_parse(text, sizeof text - 1, "s.yaml", &x.d);
	if (!x.study)
		fail_msg("%u:%u: %s", x.d.line, x.d.column, x.d.message);
	x.frame = frame_create(x.study, &source);
	for (size_t i = 0; i < RUNS; i++) {
		const char *values[DIM_COUNT] = {runs[i].program, "", "selrep64", "", runs[i].policy, runs[i].seed};

		frame_add(x.frame, values, (int64_t)i, i != undone);
	}
	return x;
}

static void close_study(struct fixture *x)
{
	grid_release(&x->grid);
	grid_request_release(&x->request);
	frame_free(x->frame);
	study_free(x->study);
}

static int build_figure(struct fixture *x, const char *name)
{
	for (size_t i = 0; i < x->study->figures.len; i++)
		if (strcmp(x->study->figures.data[i].name, name) == 0)
			x->request = grid_of_figure(&x->study->figures.data[i]);
	return grid_build(&x->grid, x->frame, NULL, &x->request, &x->d);
}

static void is_number(double value, double expected)
{
	if (fabs(value - expected) > 1e-9)
		fail_msg("%.12g, not %.12g", value, expected);
}

static void test_rows_come_in_the_studys_order_with_its_labels(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "plain"), 0);
	assert_int_equal(x.grid.rows.len, 2);
	assert_int_equal(x.grid.columns.len, 2);
	assert_string_equal(x.grid.rows.data[0].text, "z");
	assert_string_equal(x.grid.rows.data[1].text, "alpha");
	assert_string_equal(x.grid.rows.data[1].names[DIM_PROGRAM], "a");
	assert_string_equal(x.grid.columns.data[1].text, "own");
	close_study(&x);
}

static void test_cells_have_mean_and_deviation_over_seeds(void **state)
{
	struct fixture x = open_study(RUNS);
	const struct grid_cell *cell;

	(void)state;
	assert_int_equal(build_figure(&x, "plain"), 0);
	cell = grid_at(&x.grid, 0, 1); /* 100 / 50 and 100 / 25 */
	is_number(cell->value, 3);
	is_number(cell->spread, sqrt(2));
	assert_int_equal(cell->count, 2);
	cell = grid_at(&x.grid, 1, 1); /* 90 / 45 and 80 / 80 */
	is_number(cell->value, 1.5);
	assert_int_equal(x.grid.missing, 0);
	close_study(&x);
}

static void test_the_mean_is_over_rows_seed_by_seed(void **state)
{
	struct fixture x = open_study(RUNS);
	const struct grid_cell *cell;

	(void)state;
	assert_int_equal(build_figure(&x, "bars"), 0);
	assert_int_equal(x.grid.rows.len, 3);
	assert_true(x.grid.rows.data[2].mean);
	cell = grid_at(&x.grid, 2, 1); /* seed 1: sqrt(2 * 2); seed 2: sqrt(4 * 1) */
	is_number(cell->value, 2);
	is_number(cell->spread, 0);
	close_study(&x);
}

static void test_papers_values_stand_at_their_bars(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "bars"), 0);
	assert_int_equal(x.grid.references.len, 2);
	assert_int_equal(x.grid.references.data[0].row, 2); /* no program: the mean */
	assert_int_equal(x.grid.references.data[0].column, 1);
	is_number(x.grid.references.data[0].ours, 2);
	assert_int_equal(x.grid.references.data[1].row, 1);
	is_number(x.grid.references.data[1].ours, 1.5);
	close_study(&x);
	x = open_study(RUNS);
	assert_int_equal(build_figure(&x, "plain"), 0);
	assert_true(x.grid.references.data[0].row == SIZE_MAX); /* there is no mean to belong to */
	close_study(&x);
}

static void test_what_is_not_done_is_counted(void **state)
{
	struct fixture x = open_study(3); /* z private 2 */
	const struct grid_cell *cell;

	(void)state;
	assert_int_equal(build_figure(&x, "plain"), 0);
	cell = grid_at(&x.grid, 0, 1);
	is_number(cell->value, 2);
	assert_int_equal(cell->count, 1);
	assert_int_equal(cell->missing, 1);
	assert_int_equal(x.grid.missing, 1);
	close_study(&x);
}

static void test_where_leaves_rows_and_fixes_what_it_names(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "part"), 0);
	assert_int_equal(x.grid.rows.len, 2);
	assert_string_equal(x.grid.rows.data[0].text, "seed 1 alpha"); /* in the order of `x` */
	is_number(grid_at(&x.grid, 1, 0)->value, 80);
	close_study(&x);
}

static void test_stacks_are_rows_of_parts(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "stack"), 0);
	assert_int_equal(x.grid.rows.len, 4);
	assert_int_equal(x.grid.columns.len, 2);
	assert_string_equal(x.grid.rows.data[2].text, "own z");
	assert_string_equal(x.grid.columns.data[1].text, "speedup (times)");
	is_number(grid_at(&x.grid, 2, 0)->value, 37.5);
	is_number(grid_at(&x.grid, 2, 1)->value, 3);
	close_study(&x);
}

static void test_curves_have_a_point_for_each_run(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "curve"), 0);
	assert_int_equal(x.grid.rows.len, 2); /* programs: what is neither a line nor averaged */
	is_number(grid_at(&x.grid, 1, 0)->x, 170);
	is_number(grid_at(&x.grid, 1, 0)->value, 85);
	close_study(&x);
}

static void test_several_values_are_columns(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	x.request = grid_of_table(&x.study->tables.data[0]);
	assert_int_equal(grid_build(&x.grid, x.frame, NULL, &x.request, &x.d), 0);
	assert_int_equal(x.grid.columns.len, 4);
	assert_string_equal(x.grid.columns.data[2].text, "own cycles");
	is_number(grid_at(&x.grid, 0, 2)->value, 37.5);
	is_number(grid_at(&x.grid, 0, 3)->value, 3);
	close_study(&x);
}

static void test_several_runs_in_a_cell_are_an_error(void **state)
{
	struct fixture x = open_study(RUNS);

	(void)state;
	assert_int_equal(build_figure(&x, "unclear"), DIAG_ERROR);
	assert_non_null(strstr(x.d.message, "'cycles' has several values here"));
	assert_int_equal(x.d.line, 16);
	close_study(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_come_in_the_studys_order_with_its_labels),
	    cmocka_unit_test(test_cells_have_mean_and_deviation_over_seeds),
	    cmocka_unit_test(test_the_mean_is_over_rows_seed_by_seed),
	    cmocka_unit_test(test_papers_values_stand_at_their_bars),
	    cmocka_unit_test(test_what_is_not_done_is_counted),
	    cmocka_unit_test(test_where_leaves_rows_and_fixes_what_it_names),
	    cmocka_unit_test(test_stacks_are_rows_of_parts),
	    cmocka_unit_test(test_curves_have_a_point_for_each_run),
	    cmocka_unit_test(test_several_values_are_columns),
	    cmocka_unit_test(test_several_runs_in_a_cell_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
