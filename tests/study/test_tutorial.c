/*
 * Start here: a study file becomes a study, the study a plan of points, and the runs' counters become values. What
 * executes the plan is sweep.c; tests/study/test_sweep follows that from outside.
 */
#include "study/expression/frame.h"
#include "study/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "study: tutorial\n"
			   "traces: {product: product.romtrace}\n"
			   "policies: [shared, private]\n"
			   "seeds: [1, 2, 3]\n"
			   "where: policy = shared or seed < 3\n" /* private with seed 3 is left out */
			   "baseline: {policy: shared}\n"
			   "values: {speedup: mean(base(cycles) / cycles over seed)}\n";

/* Numbers of the runs: here shared takes 300 cycles and private 200; a sweep's come from its database. */
static bool number(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	const struct plan *plan = arg;

	(void)launch;
	(void)counter;
	*value = strcmp(plan_value(plan, &plan->points.data[run], DIM_POLICY), "shared") == 0 ? 300 : 200;
	return true;
}

static int64_t no_launches(void *arg, int64_t run)
{
	(void)arg;
	(void)run;
	return 0;
}

static void test_from_a_file_to_a_speedup(void **state)
{
	struct diag d = DIAG_INIT;
	struct study *s = study_parse(text, sizeof text - 1, "tutorial.yaml", &d);
	struct plan *plan = plan_create(s, NULL);
	const struct frame_source source = {plan, number, no_launches};
	struct frame *f = frame_create(s, &source);
	const struct study_text words = {"speedup", {0, 0}};
	const struct study_at at = {.value = {[DIM_POLICY] = "private"}};
	struct expression *e = expression_parse(s, &words, EXPRESSION_VALUE, &d);
	struct outcome speedup;

	(void)state;
	assert_int_equal(plan->points.len, 5);
	for (size_t i = 0; i < plan->points.len; i++) {
		const char *values[DIM_COUNT];

		for (enum dimension k = 0; k < DIM_COUNT; k++)
			values[k] = plan_value(plan, &plan->points.data[i], k);
		frame_add(f, values, (int64_t)i, true);
	}
	assert_int_equal(expression_compute(e, f, &at, &speedup, &d), 0);
	assert_true(speedup.known && speedup.value == 1.5);

	/* Each point has a whole configuration, which is also what tells its run from others. */
	plan->traces.data[0].known = true; /* as if it were there */
	assert_int_equal(plan_configure(plan, &d), 0);
	assert_int_equal(plan->runs.len, 5);
	assert_non_null(strstr(plan->runs.data[0].config, "\"seed\": 1"));
	frame_free(f);
	plan_free(plan);
	study_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_from_a_file_to_a_speedup)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
