/* Results in a database as a frame: numbers of runs and of their launches, in the order of the study. */
#include "study/results.h"

#include "study/database/ledger.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "study: s\n"
			   "traces: {z: z.romtrace, a: a.romtrace}\n"
			   "policies: [shared, private]\n"
			   "baseline: {policy: shared}\n";

static void enter(struct database *db, const char *program, const char *policy, double cycles, double first,
		  double second)
{
	int64_t run =
	    database_count(db, "SELECT run FROM points WHERE program = ? AND policy = ?", "ss", program, policy);

	database_do(db, "INSERT OR IGNORE INTO counters(id, name) VALUES(1, 'cycles')", "");
	database_do(db, "INSERT INTO run_values(run, counter, value) VALUES(?, 1, ?)", "id", run, cycles);
	database_do(db, "INSERT INTO kernels(run, launch, name) VALUES(?, 0, 'k'), (?, 5, 'k')", "ii", run, run);
	database_do(db, "INSERT INTO kernel_values(run, launch, counter, value) VALUES(?, 0, 1, ?), (?, 5, 1, ?)",
		    "idid", run, first, run, second);
	database_do(db, "UPDATE runs SET state = 'done' WHERE id = ?", "i", run);
}

/* A plan in which both traces are there. */
static struct plan *entered(struct database *db, struct study *s)
{
	struct plan *p = plan_create(s, NULL);
	struct diag d = DIAG_INIT;

	for (size_t i = 0; i < p->traces.len; i++) {
		p->traces.data[i].known = true;
		p->traces.data[i].path = "x";
		p->traces.data[i].hash = hash_of(&i, sizeof i);
	}
	assert_int_equal(plan_configure(p, &d), 0);
	assert_int_equal(ledger_enter(db, p, &d), 0);
	return p;
}

static double value(struct study *s, struct frame *f, const char *words, const char *program, const char *policy)
{
	const struct study_text t = {words, {0, 0}};
	const struct study_at at = {.value = {[DIM_PROGRAM] = program, [DIM_POLICY] = policy}};
	struct diag d = DIAG_INIT;
	struct expression *e = expression_parse(s, &t, EXPRESSION_VALUE, &d);
	struct outcome o = {0};

	if (!e || expression_compute(e, f, &at, &o, &d) < 0)
		fail_msg("%s: %s", words, d.message);
	return o.known ? o.value : NAN;
}

static void test_values_come_from_the_database(void **state)
{
	char path[64];
	struct diag d = DIAG_INIT;
	struct study *s = study_parse(text, sizeof text - 1, "s.yaml", &d);
	struct database *db;
	struct plan *p;
	struct frame *f;

	(void)state;
	snprintf(path, sizeof path, "/tmp/test_results.%ld.sqlite", (long)getpid());
	unlink(path);
	db = database_open(path, DATABASE_WRITE, &d);
	p = entered(db, s);
	enter(db, "a", "shared", 100, 60, 40);
	enter(db, "a", "private", 50, 10, 40);
	enter(db, "z", "shared", 10, 5, 5);
	f = frame_of(db, s, &d);
	assert_non_null(f);
	assert_int_equal(f->points.len, 4);
	assert_string_equal(f->names[DIM_PROGRAM].data[0], "z"); /* as the study has it */
	assert_true(value(s, f, "base(cycles) / cycles", "a", "private") == 2);
	assert_true(value(s, f, "sum(min(cycles over policy) over launch)", "a", NULL) == 50);
	assert_true(value(s, f, "max(base(cycles) / cycles over launch)", "a", "private") == 6);
	assert_true(isnan(value(s, f, "base(cycles) / cycles", "z", "private"))); /* it is not done */
	frame_free(f);
	plan_free(p);
	database_close(db);
	study_free(s);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_come_from_the_database)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
