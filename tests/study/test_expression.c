/* Expressions against values that were computed by hand. */
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "sim-backend/results/sections.h"
#include "study/expression/counters.h"
#include "study/expression/expression.h"
#include "study/expression/frame.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "study: s\n"
			   "traces: {a: a.romtrace, b: b.romtrace}\n"
			   "policies: [shared, private, selrep]\n"
			   "seeds: [1, 2]\n"
			   "groups: {fixed: {policy: [shared, private]}}\n"
			   "baseline: {policy: shared}\n"
			   "values:\n"
			   "  speedup: base(cycles) / cycles\n"
			   "  best: max(speedup over policy in fixed)\n";

/* Cycles of a run, and of its two launches, which need not sum up. */
static const struct run {
	const char *program, *policy, *seed;
	double cycles, launches[2];
} runs[] = {
    {"a", "shared", "1", 100, {30, 70}},    {"a", "shared", "2", 200, {100, 100}},
    {"a", "private", "1", 50, {45, 5}},     {"a", "private", "2", 100, {90, 10}},
    {"a", "selrep", "1", 80, {40, 40}},     {"a", "selrep", "2", 160, {80, 80}},
    {"b", "shared", "1", 300, {150, 150}},  {"b", "shared", "2", 300, {150, 150}},
    {"b", "private", "1", 400, {200, 200}}, {"b", "private", "2", 600, {300, 300}},
    {"b", "selrep", "1", 150, {75, 75}},    {"b", "selrep", "2", 300, {150, 150}},
};
enum { RUNS = sizeof runs / sizeof *runs };

static bool number(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	(void)arg;
	if (strcmp(counter, "cycles") != 0)
		return false;
	*value = launch < 0 ? runs[run].cycles : runs[run].launches[launch];
	return true;
}

static int64_t launches(void *arg, int64_t run)
{
	(void)arg;
	(void)run;
	return 2;
}

/* `undone`: the run that has no numbers, or RUNS. */
static struct frame *frame_without(struct study *s, int64_t undone)
{
	const struct frame_source source = {NULL, number, launches};
	struct frame *f = frame_create(s, &source);

	for (int64_t i = 0; i < RUNS; i++) {
		const char *const values[DIM_COUNT] = {runs[i].program, "",          "selrep64", "",
						       runs[i].policy,  runs[i].seed};

		frame_add(f, values, i, i != undone);
	}
	return f;
}

static struct study *the_study(void)
{
	struct diag d = DIAG_INIT;
	struct study *s = study_parse(text, sizeof text - 1, "s.yaml", &d);

	if (!s)
		fail_msg("%u:%u: %s", d.line, d.column, d.message);
	return s;
}

static struct expression *parsed(struct study *s, const char *words)
{
	const struct study_text t = {words, {0, 0}};
	struct diag d = DIAG_INIT;
	struct expression *e = expression_parse(s, &t, EXPRESSION_VALUE, &d);

	if (!e)
		fail_msg("%s: %u: %s", words, d.column, d.message);
	return e;
}

static const struct {
	const char *words, *program, *policy, *seed; /* NULL: free */
	double value;
} known[] = {
    {"1 + 2 * 3 - 4 / 2", NULL, NULL, NULL, 5},
    {"-(1 + 2) * 2", NULL, NULL, NULL, -6},
    {"8 / 4 / 2", NULL, NULL, NULL, 1},
    {"max(2, 3) + min(2, 3) + abs(-1) + sqrt(16) + log2(8)", NULL, NULL, NULL, 13},
    {"cycles", "a", "selrep", "2", 160},
    {"seed * 10", "a", "selrep", "2", 20},
    {"speedup", "a", "selrep", "1", 1.25}, /* 100 / 80 */
    {"speedup", "b", "private", "2", 0.5}, /* 300 / 600 */
    {"cycles[policy = shared, seed = 2]", "a", "selrep", "1", 200},
    {"mean(cycles over seed)", "a", "shared", NULL, 150},
    {"mean(cycles over seed)", "a", "shared", "1", 150}, /* `over` frees the seed */
    {"median(cycles)", NULL, "shared", NULL, 250},       /* 100 200 300 300 */
    {"stddev(cycles over seed)", "a", "shared", NULL, 70.710678118654755},
    {"geomean(speedup)", NULL, "selrep", NULL, 1.3295739742362471}, /* (1.25 1.25 2 1)^(1/4) */
    {"hmean(speedup)", NULL, "private", NULL, 12.0 / 13},           /* 4 / (1/2 + 1/2 + 4/3 + 2) */
    {"geomean(mean(speedup over seed) over program)", NULL, "selrep", NULL, 1.3693063937629153}, /* sqrt(1.25 1.5) */
    {"corr(cycles, 3 - 2 * cycles over program, seed)", NULL, "shared", NULL, -1},
    {"corr(cycles, seed over program, seed)", NULL, "shared", NULL, 0.30151134457776363}, /* 50 / sqrt(27500) */
    {"corr(cycles, seed)", NULL, "shared", NULL, 0.30151134457776363},
    {"best", "a", NULL, "1", 2},     /* of 1 and 2 */
    {"best", "b", "selrep", "2", 1}, /* of 1 and 1/2; selrep is not in the group */
    {"max(speedup over policy in (selrep, private))", "b", NULL, "1", 2},
    {"mean(best over program, seed)", NULL, NULL, NULL, 1.5},                  /* 2 2 1 1 */
    {"sum(min(cycles over policy in fixed) over launch)", "a", NULL, "1", 35}, /* 30 + 5 */
    {"sum(cycles over launch)", "a", "private", "2", 100},
    {"geomean(base(cycles) / cycles over launch)", "a", "private", "1", 3.0550504633038935}, /* sqrt(30/45 70/5) */
    {"count(cycles)", NULL, NULL, NULL, 12},
    {"sum(speedup > 1)", NULL, NULL, NULL, 5},
    {"mean(cycles over seed)[policy = shared]", "a", "selrep", NULL, 150},
};

static void test_values_are_as_computed_by_hand(void **state)
{
	struct study *s = the_study();
	struct frame *f = frame_without(s, RUNS);

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct expression *e = parsed(s, known[i].words);
		const struct study_at at = {
		    .value = {
			[DIM_PROGRAM] = known[i].program, [DIM_POLICY] = known[i].policy, [DIM_SEED] = known[i].seed}};
		struct outcome o;
		struct diag d = DIAG_INIT;

		if (expression_compute(e, f, &at, &o, &d) < 0)
			fail_msg("%s: %s", known[i].words, d.message);
		if (!o.known || o.missing || fabs(o.value - known[i].value) > 1e-12 * fabs(known[i].value))
			fail_msg("%s is %.17g, not %.17g", known[i].words, o.value, known[i].value);
	}
	frame_free(f);
	study_free(s);
}

/* Missing runs have no value, and an aggregate reports how many were missing. */
static void test_a_run_that_is_not_done_is_missing(void **state)
{
	struct study *s = the_study();
	struct frame *f = frame_without(s, 4); /* a, selrep, 1 */
	const struct study_at run = {.value = {"a", NULL, NULL, NULL, "selrep", "1"}};
	const struct study_at all = {.value = {[DIM_POLICY] = "selrep"}};
	struct diag d = DIAG_INIT;
	struct outcome o;

	(void)state;
	assert_int_equal(expression_compute(parsed(s, "speedup"), f, &run, &o, &d), 0);
	assert_false(o.known);
	assert_int_equal(expression_compute(parsed(s, "sum(cycles)"), f, &all, &o, &d), 0);
	assert_true(o.known && o.value == 610);
	assert_int_equal(o.missing, 1);
	assert_int_equal(expression_compute(parsed(s, "cycles / 0"), f,
					    &(struct study_at){.value = {"a", NULL, NULL, NULL, "shared", "1"}}, &o,
					    &d),
			 0);
	assert_false(o.known);
	frame_free(f);
	study_free(s);
}

static void test_several_values_are_no_value(void **state)
{
	struct study *s = the_study();
	struct frame *f = frame_without(s, RUNS);
	const struct study_at at = {.value = {"a"}};
	struct diag d = DIAG_INIT;
	struct outcome o;

	(void)state;
	assert_int_equal(expression_compute(parsed(s, "1 + cycles"), f, &at, &o, &d), DIAG_ERROR);
	assert_int_equal(d.column, 5);
	assert_non_null(strstr(d.message, "'cycles' has several values here"));
	frame_free(f);
	study_free(s);
}

static void test_conditions_choose_runs(void **state)
{
	static const struct {
		const char *words;
		bool holds; /* for b, private, seed 2 */
	} conditions[] = {
	    {"policy = private", true},
	    {"policy != private", false},
	    {"seed < 10", true}, /* as numbers: as texts "10" comes before "2" */
	    {"seed >= 2 and program = b", true},
	    {"not (seed = 1 or program = a)", true},
	    {"not seed = 2 or program = b", true},
	    {"policy in fixed", true},
	    {"policy in (shared, selrep)", false},
	    {"program = a or policy = private and seed = 2", true}, /* `and` binds stronger */
	    {"size = ''", true},
	};
	const char *const values[DIM_COUNT] = {"b", "", "selrep64", "", "private", "2"};
	struct study *s = the_study();

	(void)state;
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		const struct study_text t = {conditions[i].words, {0, 0}};
		struct diag d = DIAG_INIT;
		struct expression *e = expression_parse(s, &t, EXPRESSION_CONDITION, &d);

		if (!e)
			fail_msg("%s: %s", t.text, d.message);
		if (expression_holds(e, values) != conditions[i].holds)
			fail_msg("%s", t.text);
	}
	study_free(s);
}

/* Neither depth nor length is too much for the parser. */
static void test_an_endless_expression_is_refused(void **state)
{
	static char words[20000];
	struct study *s = the_study();
	struct diag d = DIAG_INIT;

	(void)state;
	memset(words, '(', sizeof words - 1);
	assert_null(expression_parse(s, &(struct study_text){words, {0, 0}}, EXPRESSION_VALUE, &d));
	memset(words, '-', sizeof words - 1);
	d = (struct diag)DIAG_INIT;
	assert_null(expression_parse(s, &(struct study_text){words, {0, 0}}, EXPRESSION_VALUE, &d));
	assert_non_null(strstr(d.message, "too deep"));
	study_free(s);
}

/* --- Long expressions --- */

static size_t guesses;
void __real_guess_try(struct guess *g, const char *name);
void __wrap_guess_try(struct guess *g, const char *name);

/* The linker has all calls of guess_try come here. */
void __wrap_guess_try(struct guess *g, const char *name)
{
	guesses++;
	__real_guess_try(g, name);
}

/* `count` times `term`, with `operator` between them. */
static char *repeated(const char *term, const char *operator, size_t count)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "%s%s", i ? operator: "", term);
	return strbuf_detach(&text);
}

/* Guesses are only for unknown names, since a guess compares a name with all others. */
static void test_names_that_are_known_are_not_guessed(void **state)
{
	static const char *const terms[] = {"cycles",
					    "llc.miss_rate",
					    "speedup",
					    "complete",
					    "cycles[policy = selrep]",
					    "seed = 2",
					    "policy in (selrep, private)"};
	struct study *s = the_study();

	(void)state;
	guesses = 0;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		parsed(s, terms[i]);
	assert_int_equal(guesses, 0);
	study_free(s);
}

/* Neither the parser nor who computes goes deeper for each term. */
static void test_long_sums_and_conditions_are_taken(void **state)
{
	const char *const values[DIM_COUNT] = {"b", "", "selrep64", "", "private", "2"};
	const struct study_at run = {.value = {"a", NULL, NULL, NULL, "selrep", "1"}};
	char *sum = repeated("cycles", " + ", 50000), *any = repeated("seed = 1", " or ", 50000);
	struct study *s = the_study();
	struct frame *f = frame_without(s, RUNS);
	struct diag d = DIAG_INIT;
	struct outcome o;
	struct expression *e;

	(void)state;
	assert_int_equal(expression_compute(parsed(s, sum), f, &run, &o, &d), 0);
	assert_true(o.known && o.value == 50000 * 80.0);
	e = expression_parse(s, &(struct study_text){any, {0, 0}}, EXPRESSION_CONDITION, &d);
	assert_non_null(e);
	assert_false(expression_holds(e, values));
	xfree(sum);
	xfree(any);
	frame_free(f);
	study_free(s);
}

static struct study *study_of_values(const char *values, struct diag *d)
{
	struct strbuf text = STRBUF_INIT;
	struct study *s;

	strbuf_addf(&text, "study: s\ntraces: {a: a.romtrace}\nvalues:\n%s", values);
	s = study_parse(text.data, text.len, "s.yaml", d);
	strbuf_release(&text);
	return s;
}

/* " v0: FIRST", then each value as twice the previous (`twice`), or as one more. */
static char *chain(const char *first, unsigned count, bool twice)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "  v0: %s\n", first);
	for (unsigned i = 1; i < count; i++)
		strbuf_addf(&text, twice ? "  v%u: v%u + v%u\n" : "  v%u: v%u + 1\n", i, i - 1, i - 1);
	return strbuf_detach(&text);
}

static double value_of(struct study *s, const char *name)
{
	struct frame *f = frame_without(s, RUNS);
	struct diag d = DIAG_INIT;
	struct outcome o;

	assert_int_equal(expression_compute(parsed(s, name), f, &(struct study_at){.value = {"a"}}, &o, &d), 0);
	frame_free(f);
	return o.value;
}

static void test_values_that_double_have_a_bound(void **state)
{
	struct diag d = DIAG_INIT;
	char *text = chain("1", 15, true);
	struct study *s = study_of_values(text, &d);

	(void)state;
	assert_non_null(s);
	assert_true(value_of(s, "v14") == 1 << 14);
	study_free(s);
	xfree(text);
	text = chain("1", 40, true);
	assert_null(study_of_values(text, &d));
	assert_string_equal(d.file, "s.yaml");
	assert_int_equal(d.line, 3 + 1 + 16); /* v16: 2^16 numbers, as many sums, and twice as many names */
	assert_non_null(strstr(d.message, "name values fewer times"));
	xfree(text);
}

static void test_chains_of_values_have_a_bound(void **state)
{
	struct diag d = DIAG_INIT;
	char *text = chain("1", 100, false);
	struct study *s = study_of_values(text, &d);

	(void)state;
	assert_non_null(s);
	assert_true(value_of(s, "v99") == 100);
	study_free(s);
	xfree(text);
	text = chain("1", 20000, false);
	assert_null(study_of_values(text, &d));
	assert_non_null(strstr(d.message, "each naming the next"));
	xfree(text);
}

/* In whichever order the file has them. */
static void test_a_value_is_found_by_its_name(void **state)
{
	struct diag d = DIAG_INIT;
	struct study *s = study_of_values("  m: 1\n  z: 2\n  a: 3\n  aa: 4\n  B: 5\n", &d);
	static const char *const names = "mza";

	(void)state;
	assert_non_null(s);
	for (size_t i = 0; names[i]; i++)
		assert_true(value_of(s, (char[]){names[i], '\0'}) == (double)(i + 1));
	assert_true(value_of(s, "aa * 10 + B") == 45);
	assert_null(expression_parse(s, &(struct study_text){"aaa", {0, 0}}, EXPRESSION_VALUE, &d));
	study_free(s);
}

static void test_values_in_a_circle_are_refused(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	assert_null(study_of_values("  x: y + 1\n  y: z + z\n  z: 2 * x\n", &d));
	assert_int_equal(d.line, 4);
	assert_non_null(strstr(d.message, "'y' needs itself"));
}

/* --- Runs that were cut --- */

/* Run 0 (a, shared, 1) was cut: half of its instructions are known, and its cycles are those until then. */
static bool number_of_cut(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	(void)arg;
	if (strcmp(counter, "complete") == 0)
		return *value = run != 0, true;
	if (strcmp(counter, "warp_instructions") == 0 || strcmp(counter, "ipc") == 0) {
		*value = run == 0 ? 500 : 1000;
		if (strcmp(counter, "ipc") == 0)
			*value /= runs[run].cycles;
		return true;
	}
	return number(arg, run, launch, counter, value);
}

static const struct {
	const char *words, *policy, *seed;
	double value; /* NAN: not known */
	size_t cut;
} of_cut[] = {
    /* No speedup over it, nor of it. */
    {"speedup", "private", "1", NAN, 1},
    {"speedup", "shared", "1", NAN, 1},
    {"speedup", "private", "2", 2, 0},
    {"cycles", "shared", "1", NAN, 1},
    {"cycles", "private", "1", 50, 0},
    {"1 / cycles", "shared", "1", NAN, 1},
    {"cycles[policy = shared] + 1", "private", "1", NAN, 1},
    {"cycles * cycles / cycles", "shared", "1", NAN, 1},
    {"1 - cycles", "shared", "1", NAN, 1},
    {"(1 - cycles) / cycles", "shared", "1", NAN, 1},
    {"cycles > 10", "shared", "1", NAN, 1},
    {"sqrt(cycles) / cycles", "shared", "1", NAN, 1},
    /* Rates, and ratios of its own totals. */
    {"ipc", "shared", "1", 5, 0},
    {"ipc / base(ipc)", "private", "1", 4, 0},
    {"warp_instructions / cycles", "shared", "1", 5, 0},
    {"base(warp_instructions / cycles)", "private", "1", 5, 0},
    {"1 - 10 * cycles / warp_instructions", "shared", "1", -1, 0},
    {"max(cycles, warp_instructions) / cycles", "shared", "1", 5, 0},
    {"-abs(cycles) / warp_instructions", "shared", "1", -0.2, 0},
    {"cycles < warp_instructions", "shared", "1", 1, 0},
    {"1 / (cycles / warp_instructions)", "shared", "1", 5, 0},
    {"base(warp_instructions) / base(cycles)", "private", "1", NAN, 1},
    /* Means leave it out. */
    {"mean(cycles over seed)", "shared", NULL, 200, 1},
    {"geomean(speedup over seed)", "private", NULL, 2, 1},
    {"mean(ipc over seed)", "shared", NULL, 5, 0},
    {"max(cycles over policy)", NULL, "1", 80, 1},
    {"count(cycles over seed)", "shared", NULL, 1, 1},
    {"sum(cycles over launch)", "shared", "1", NAN, 2},
    {"sum(cycles over launch)", "private", "1", 50, 0},
};

static void test_a_cut_run_has_rates_and_no_totals(void **state)
{
	const struct frame_source source = {NULL, number_of_cut, launches};
	struct study *s = the_study();
	struct frame *f = frame_create(s, &source);

	(void)state;
	for (int64_t i = 0; i < RUNS; i++) {
		const char *const values[DIM_COUNT] = {runs[i].program, "",          "selrep64", "",
						       runs[i].policy,  runs[i].seed};

		frame_add(f, values, i, true);
	}
	for (size_t i = 0; i < sizeof of_cut / sizeof *of_cut; i++) {
		const struct study_text words = {of_cut[i].words, {0, 0}};
		const struct study_at at = {
		    .value = {[DIM_PROGRAM] = "a", [DIM_POLICY] = of_cut[i].policy, [DIM_SEED] = of_cut[i].seed}};
		struct diag d = DIAG_INIT;
		struct expression *e = expression_parse(s, &words, EXPRESSION_VALUE, &d);
		struct outcome got;

		if (!e || expression_compute(e, f, &at, &got, &d) < 0)
			fail_msg("%s: %s", words.text, d.message);
		if (got.known == (bool)isnan(of_cut[i].value) || got.cut != of_cut[i].cut ||
		    (got.known && fabs(got.value - of_cut[i].value) > 1e-12))
			fail_msg("%s: %g, %zu cut, not %g, %zu", words.text, got.value, got.cut, of_cut[i].value,
				 of_cut[i].cut);
	}
	frame_free(f);
	study_free(s);
}

/* Each counter of the list is a total, or one of these kinds of rates by its unit or formula. */
static void test_which_counters_grow(void **state)
{
	static const char *const totals[] = {"cycles",
					     "llc.misses",
					     "llc.hits",
					     "energy.total_j",
					     "dram.reads",
					     "sm.slots_memory",
					     "policy_stats.selrep.epochs",
					     "accesses",
					     "made_up"};
	static const char *const rates[] = {"ipc",
					    "llc.miss_rate",
					    "llc.replies_per_cycle",
					    "dram.bandwidth_gbs",
					    "sms",
					    "complete",
					    "energy.watts",
					    "stages.memory_mean",
					    "l1_hit_rate",
					    "policy_stats.adaptive.shared_hit_rate"};

	(void)state;
	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
		if (!counter_is_total(totals[i]))
			fail_msg("%s is no total", totals[i]);
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		if (counter_is_total(rates[i]))
			fail_msg("%s is no rate", rates[i]);
}

/* An expression may name every counter and every derived value of a result's sections, old and new. */
static void test_every_section_is_known(void **state)
{
	char name[256];

	(void)state;
	for (const struct stat_section *s = counter_sections + 1; s->rows; s++) {
		for (const struct stat_row *row = s->rows; row->name; row++) {
			snprintf(name, sizeof name, "%s.%s", s->name, row->name);
			if (!counter_is_known(name))
				fail_msg("%s", name);
		}
		for (const struct stat_formula *f = s->derived; f->name; f++) {
			snprintf(name, sizeof name, "%s.%s", s->name, f->name);
			if (!counter_is_known(name))
				fail_msg("%s", name);
		}
	}
	assert_true(counter_is_known("cycles"));
	assert_true(counter_is_known("policy_stats.selrep.epochs"));
	assert_true(counter_is_known("energy.total_j"));
	assert_false(counter_is_known("run.cycles"));
	assert_false(counter_is_known("structures.llc_hits"));
	assert_false(counter_is_known("selrep.epochs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values_are_as_computed_by_hand),
	    cmocka_unit_test(test_a_run_that_is_not_done_is_missing),
	    cmocka_unit_test(test_several_values_are_no_value),
	    cmocka_unit_test(test_conditions_choose_runs),
	    cmocka_unit_test(test_an_endless_expression_is_refused),
	    cmocka_unit_test(test_names_that_are_known_are_not_guessed),
	    cmocka_unit_test(test_long_sums_and_conditions_are_taken),
	    cmocka_unit_test(test_values_that_double_have_a_bound),
	    cmocka_unit_test(test_chains_of_values_have_a_bound),
	    cmocka_unit_test(test_a_value_is_found_by_its_name),
	    cmocka_unit_test(test_values_in_a_circle_are_refused),
	    cmocka_unit_test(test_a_cut_run_has_rates_and_no_totals),
	    cmocka_unit_test(test_which_counters_grow),
	    cmocka_unit_test(test_every_section_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
