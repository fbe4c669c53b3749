/* The tree at a place: a value for some dimensions, and those that are free. */
#include "common/c_locale.h"
#include "study/expression/frame.h"
#include "study/expression/expression_tree.h"
#include "study/file/measured.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FREE UINT32_MAX
#define NOWHERE (UINT32_MAX - 1)

struct place {
	uint32_t value[DIM_COUNT]; /* FREE; NOWHERE: a name that no point has */
	int64_t launch;            /* -1: the whole run */
};

/*
 * A value, and the power to which it contains totals of its run, if that run was cut: 1 for cycles, 0 for instructions
 * / cycles. NAN: not known.
 */
struct amount {
	double value;
	int power;
};

struct evaluation {
	const struct expression *e;
	struct frame *f;
	size_t missing, cut, absent;
	bool failed;
	struct diag *d;
};

static double fail(struct evaluation *v, const struct node *n, const char *what, const char *name)
{
	v->failed = true;
	expression_wrong(v->e, n->column, v->d, what, name);
	return NAN;
}

/* --- Conditions --- */

/* Numbers are compared as such where both are. */
static int order(const char *a, const char *b)
{
	char *end_a, *end_b;
	double x = c_strtod(a, &end_a), y = c_strtod(b, &end_b);

	if (*a && *b && !*end_a && !*end_b)
		return (x > y) - (x < y);
	return strcmp(a, b);
}

static bool is_so(char operator, int order)
{
	switch (operator) {
	case '=': return order == 0;
	case '!': return order != 0;
	case '<': return order < 0;
	case '>': return order > 0;
	case 'l': return order <= 0;
	default: return order >= 0;
	}
}

static bool is_among(const char *value, const struct study_text *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (order(value, words[i].text) == 0)
			return true;
	return false;
}

static bool holds(const struct node *n, const char *const values[DIM_COUNT]);

static bool both_or_either_hold(const struct node *n, const char *const values[DIM_COUNT])
{
	const struct node *b = leftmost(n);
	bool so = holds(b->left, values);

	for (;; b = b->up) {
		if (so == (b->operator== '&'))
			so = holds(b->right, values);
		if (b == n)
			return so;
	}
}

static bool holds(const struct node *n, const char *const values[DIM_COUNT])
{
	switch (n->kind) {
	case NODE_COMPARE: return is_so(n->operator, order(values[n->dimension], n->words[0].text));
	case NODE_IN: return is_among(values[n->dimension], n->words, n->nwords);
	case NODE_UNARY: return !holds(n->left, values);
	case NODE_BINARY: return both_or_either_hold(n, values);
	default: BUG("no condition");
	}
}

bool expression_holds(const struct expression *e, const char *const values[DIM_COUNT])
{
	return holds(e->root, values);
}

/* --- Points at a place --- */

static bool is_at(const struct frame_point *p, const struct place *place)
{
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (place->value[i] != FREE && place->value[i] != p->value[i])
			return false;
	return true;
}

/* Whether no dimension is free, and the frame has each value. */
static bool is_full(const struct evaluation *v, const struct place *place)
{
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (place->value[i] >= v->f->names[i].len)
			return false;
	return true;
}

/*
 * The only point that is left at the place; SIZE_MAX: none is left, or several with different runs, which is an error
 * of node `n`.
 */
static size_t only_point(struct evaluation *v, const struct node *n, const struct place *place)
{
	size_t found = SIZE_MAX;

	if (is_full(v, place) && frame_find(v->f, place->value, &found))
		return found;
	for (size_t i = 0; i < v->f->points.len; i++) {
		const struct frame_point *p = &v->f->points.data[i];

		if (!is_at(p, place))
			continue;
		if (found != SIZE_MAX && v->f->points.data[found].run != p->run) {
			fail(v, n, "'%s' has several values here; put mean() around it, or name the run in brackets",
			     n->text);
			return SIZE_MAX;
		}
		if (found == SIZE_MAX)
			found = i;
	}
	return found;
}

static struct amount compute(struct evaluation *v, const struct node *n, const struct place *place);

static struct amount known(double value)
{
	return (struct amount){value, 0};
}

/* The value by itself. A value that depends on where a run was cut is not known. */
static double settled(struct evaluation *v, struct amount a)
{
	if (!a.power || isnan(a.value))
		return a.value;
	v->cut++;
	return NAN;
}

/* The run is done, and its policy has no such counter: the value is not missing, there is none. */
static bool is_absent(const struct frame *f, size_t point, const char *counter)
{
	return f->points.data[point].done && strncmp(counter, "policy_stats.", strlen("policy_stats.")) == 0;
}

static struct amount counter_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	size_t point = only_point(v, n, place);
	struct amount a = known(NAN);

	if (point != SIZE_MAX && frame_number(v->f, point, place->launch, n->text, &a.value))
		a.power = n->total && frame_is_cut(v->f, point);
	else
		a.value = NAN;
	v->absent += isnan(a.value) && point != SIZE_MAX && is_absent(v->f, point, n->text);
	return a;
}

static const struct measured_row *measured_of_point(const struct evaluation *v, const struct node *n, size_t point)
{
	const char *values[DIM_COUNT];

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		values[i] = v->f->names[i].data[v->f->points.data[point].value[i]];
	return measured_find(&v->e->study->measured, values, n->measured);
}

/* What somebody has measured of the runs at this place; these must not have several rows. */
static double measured_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	const struct measured_row *found = NULL;
	bool first = true;

	for (size_t i = 0; i < v->f->points.len; i++) {
		const struct measured_row *row;

		if (!is_at(&v->f->points.data[i], place))
			continue;
		row = measured_of_point(v, n, i);
		if (!first && row != found)
			return fail(v, n,
				    "'%s' has several values here; put mean() around it, or name the run in brackets",
				    n->text);
		found = row;
		first = false;
	}
	return found ? found->numbers[n->measured] : NAN;
}

/* The value of a dimension that is a number. */
static double dimension_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	uint32_t index = place->value[n->dimension];
	const char *text;
	char *end;
	double value;

	if (index == FREE || index == NOWHERE)
		return fail(v, n, "%s has no one value here", dimension_names[n->dimension]);
	text = v->f->names[n->dimension].data[index];
	value = c_strtod(text, &end);
	return *text && !*end ? value : fail(v, n, "'%s' is not a number", text);
}

static double condition_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	const char *values[DIM_COUNT] = {NULL};
	uint32_t index = place->value[n->dimension];

	if (index == FREE || index == NOWHERE)
		return fail(v, n, "%s has no one value here", dimension_names[n->dimension]);
	values[n->dimension] = v->f->names[n->dimension].data[index];
	return holds(n, values);
}

static struct place moved(const struct evaluation *v, const struct place *from, const struct study_at *at)
{
	struct place place = *from;

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (at->value[i]) {
			place.value[i] = frame_name(v->f, i, at->value[i]);
			if (place.value[i] == FREE)
				place.value[i] = NOWHERE;
		}
	return place;
}

/* --- Aggregates --- */

typedef VEC(double) numbers;

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *x, size_t n)
{
	double *sorted = xmalloc(n * sizeof *sorted), value;

	memcpy(sorted, x, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_size);
	value = (sorted[n / 2] + sorted[(n - 1) / 2]) / 2;
	xfree(sorted);
	return value;
}

static double sum(const double *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += x[i];
	return s;
}

static double mean(const double *x, size_t n)
{
	return sum(x, n) / (double)n;
}

static double geomean(const double *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += log(x[i]);
	return exp(s / (double)n);
}

static double hmean(const double *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += 1 / x[i];
	return (double)n / s;
}

static double least(const double *x, size_t n)
{
	double m = x[0];

	for (size_t i = 1; i < n; i++)
		m = fmin(m, x[i]);
	return m;
}

static double largest(const double *x, size_t n)
{
	double m = x[0];

	for (size_t i = 1; i < n; i++)
		m = fmax(m, x[i]);
	return m;
}

/* The deviation of a sample: the sum of squares is divided by n - 1. */
static double stddev(const double *x, size_t n)
{
	double m = mean(x, n), s = 0;

	for (size_t i = 0; i < n; i++)
		s += (x[i] - m) * (x[i] - m);
	return n > 1 ? sqrt(s / (double)(n - 1)) : 0;
}

static double count(const double *x, size_t n)
{
	(void)x;
	return (double)n;
}

/* Pearson's, of n pairs; NAN when one side does not vary. */
static double correlation(const double *pairs, size_t n)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		x += pairs[2 * i] / (double)n;
		y += pairs[2 * i + 1] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		double a = pairs[2 * i] - x, b = pairs[2 * i + 1] - y;

		xx += a * a;
		yy += b * b;
		xy += a * b;
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static const struct {
	const char *name;
	double (*of)(const double *x, size_t n);
} aggregates[] = {{"mean", mean},   {"geomean", geomean}, {"hmean", hmean},   {"sum", sum},    {"min", least},
		  {"max", largest}, {"median", median},   {"stddev", stddev}, {"count", count}};

bool aggregate(const char *name, const double *x, size_t n, double *value)
{
	for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
		if (strcmp(aggregates[i].name, name) == 0) {
			*value = n || aggregates[i].of == count ? aggregates[i].of(x, n) : NAN;
			return true;
		}
	return false;
}

/* `absent`: of the evaluation, before the value was computed. */
static void add_number(struct evaluation *v, numbers *list, double value, size_t absent)
{
	if (!isnan(value))
		vec_push(list, value);
	else if (v->absent == absent)
		v->missing++;
}

/* The value at one place; of corr() a pair, which is there or missing as a whole. */
static void add_place(struct evaluation *v, const struct node *n, const struct place *place, numbers *list)
{
	size_t absent = v->absent;
	double x = settled(v, compute(v, n->left, place)), y;

	if (!n->right) {
		add_number(v, list, x, absent);
		return;
	}
	y = settled(v, compute(v, n->right, place));
	if (isnan(x) || isnan(y)) {
		v->missing += v->absent == absent;
		return;
	}
	vec_push(list, x);
	vec_push(list, y);
}

static void gather(struct evaluation *v, const struct node *n, size_t over, const struct place *place, numbers *list);

/* All runs of a program that were not cut have the same launches. This takes them from the first run that is done. */
static int64_t launches_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	const struct frame_point *first = NULL;
	bool whole = false;
	int64_t launches = 0;

	for (size_t i = 0; i < v->f->points.len; i++) {
		const struct frame_point *p = &v->f->points.data[i];

		if (!p->done || !is_at(p, place))
			continue;
		if (first && (first->value[DIM_PROGRAM] != p->value[DIM_PROGRAM] ||
			      first->value[DIM_SIZE] != p->value[DIM_SIZE])) {
			fail(v, n, "'%s' goes through the launches of one program, and here are several",
			     "over launch");
			return 0;
		}
		if (!first || (!whole && !frame_is_cut(v->f, i)))
			launches = v->f->source.launches(v->f->source.arg, p->run);
		whole = whole || !frame_is_cut(v->f, i);
		first = p;
	}
	return launches;
}

static void gather_launches(struct evaluation *v, const struct node *n, size_t over, const struct place *place,
			    numbers *list)
{
	int64_t launches = launches_at(v, n, place);

	if (!launches)
		v->missing++;
	for (int64_t i = 0; i < launches && !v->failed; i++) {
		struct place next = *place;

		next.launch = i;
		gather(v, n, over + 1, &next, list);
	}
}

static bool is_limited_to(const struct evaluation *v, const struct over *over, uint32_t value)
{
	return !over->limited || is_among(v->f->names[over->dimension].data[value], over->words.data, over->words.len);
}

/* Goes through the values that points at this place have, in the order of the frame. */
static void gather(struct evaluation *v, const struct node *n, size_t index, const struct place *place, numbers *list)
{
	const struct over *over = &n->overs[index];
	struct place next = *place;
	bool *seen;
	size_t names;

	if (index == n->novers) {
		add_place(v, n, place, list);
		return;
	}
	if (over->launch) {
		gather_launches(v, n, index, place, list);
		return;
	}
	names = v->f->names[over->dimension].len;
	seen = xcalloc(names + 1, sizeof *seen);
	next.value[over->dimension] = FREE;
	for (size_t i = 0; i < v->f->points.len; i++)
		if (is_at(&v->f->points.data[i], &next))
			seen[v->f->points.data[i].value[over->dimension]] = true;
	for (uint32_t i = 0; i < names && !v->failed; i++)
		if (seen[i] && is_limited_to(v, over, i)) {
			next.value[over->dimension] = i;
			gather(v, n, index + 1, &next, list);
		}
	xfree(seen);
}

/* Without `over`: each point at this place. */
static void gather_free(struct evaluation *v, const struct node *n, const struct place *place, numbers *list)
{
	for (size_t i = 0; i < v->f->points.len && !v->failed; i++) {
		struct place next = {.launch = place->launch};

		if (!is_at(&v->f->points.data[i], place))
			continue;
		memcpy(next.value, v->f->points.data[i].value, sizeof next.value);
		add_place(v, n, &next, list);
	}
}

static double aggregate_at(struct evaluation *v, const struct node *n, const struct place *place)
{
	numbers list = VEC_INIT;
	double value = NAN;

	if (n->novers)
		gather(v, n, 0, place, &list);
	else
		gather_free(v, n, place, &list);
	if (!v->failed && n->right)
		value = correlation(list.data, list.len / 2);
	else if (!v->failed)
		aggregate(n->text, list.data, list.len, &value);
	vec_release(&list);
	return value;
}

/* --- The tree --- */

/*
 * For operators whose sides must have the same power. If they differ, as in 1 - cycles, the value depends on the cut,
 * whatever is done with it.
 */
static struct amount of_same_power(struct evaluation *v, struct amount a, struct amount b, double value, int power)
{
	if (a.power == b.power)
		return (struct amount){value, power};
	return known(settled(v, (struct amount){value, 1}));
}

/* `a` is the left operand. */
static struct amount operation(struct evaluation *v, const struct node *n, struct amount a, const struct place *place)
{
	size_t cut = v->cut;
	struct amount b = compute(v, n->right, place);
	double x = a.value, y = b.value;

	if (isnan(x)) /* one value that is not known, even if both sides are not */
		v->cut = cut;
	if (isnan(x) || isnan(y))
		return known(NAN);
	switch (n->operator) {
	case '+': return of_same_power(v, a, b, x + y, a.power);
	case '-': return of_same_power(v, a, b, x - y, a.power);
	case '*': return (struct amount){x * y, a.power + b.power};
	case '/': return (struct amount){y == 0 ? NAN : x / y, a.power - b.power};
	case '&': return of_same_power(v, a, b, x != 0 && y != 0, 0);
	case '|': return of_same_power(v, a, b, x != 0 || y != 0, 0);
	default: return of_same_power(v, a, b, is_so(n->operator,(x > y) - (x < y)), 0);
	}
}

static struct amount binary(struct evaluation *v, const struct node *n, const struct place *place)
{
	const struct node *b = leftmost(n);
	struct amount a = compute(v, b->left, place);

	for (;; b = b->up) {
		a = operation(v, b, a, place);
		if (b == n)
			return a;
	}
}

static struct amount unary(struct evaluation *v, const struct node *n, const struct place *place)
{
	struct amount a = compute(v, n->left, place);

	if (isnan(a.value))
		return a;
	return n->operator== '-' ? (struct amount){-a.value, a.power} : known(a.value == 0);
}

static struct amount call(struct evaluation *v, const struct node *n, const struct place *place)
{
	struct amount a = compute(v, n->left, place), b = a;

	if (n->right)
		b = compute(v, n->right, place);
	if (isnan(a.value) || isnan(b.value))
		return known(NAN);
	a = of_same_power(v, a, b, n->function(a.value, b.value), a.power);
	return n->scales ? a : known(settled(v, a));
}

/* Compared with another run's totals, this run's totals are plain numbers, whatever their power. */
static struct amount elsewhere(struct evaluation *v, const struct node *n, const struct place *place,
			       const struct study_at *at)
{
	struct place next = moved(v, place, at);

	return known(settled(v, compute(v, n->left, &next)));
}

static struct amount compute(struct evaluation *v, const struct node *n, const struct place *place)
{
	if (v->failed)
		return known(NAN);
	switch (n->kind) {
	case NODE_NUMBER: return known(n->number);
	case NODE_COUNTER: return counter_at(v, n, place);
	case NODE_MEASURED: return known(measured_at(v, n, place));
	case NODE_VALUE: return compute(v, n->left, place);
	case NODE_DIMENSION: return known(dimension_at(v, n, place));
	case NODE_COMPARE:
	case NODE_IN: return known(condition_at(v, n, place));
	case NODE_UNARY: return unary(v, n, place);
	case NODE_BINARY: return binary(v, n, place);
	case NODE_CALL: return call(v, n, place);
	case NODE_AGGREGATE: return known(aggregate_at(v, n, place));
	case NODE_AT: return elsewhere(v, n, place, &n->at);
	case NODE_BASE: return elsewhere(v, n, place, &v->e->study->baseline);
	}
	BUG("no kind of node");
}

int expression_compute(const struct expression *e, struct frame *f, const struct study_at *at, struct outcome *outcome,
		       struct diag *d)
{
	struct evaluation v = {.e = e, .f = f, .d = d};
	struct place place = {.launch = -1};

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		place.value[i] = FREE;
	place = moved(&v, &place, at);
	outcome->value = settled(&v, compute(&v, e->root, &place));
	outcome->known = !isnan(outcome->value) && !isinf(outcome->value);
	outcome->missing = v.missing;
	outcome->cut = v.cut;
	outcome->absent = v.absent;
	return v.failed ? DIAG_ERROR : 0;
}
