/*
 * How often a loop's rounds can be followed by another, and so what its induction variables are.
 *
 * A test bounds the rounds if its variable goes towards the bound in each round and cannot jump over it: whatever
 * passes the test stays in front of the end of numbers when a round is added. `!=` asks that the distance is a multiple
 * of what a round adds.
 */
#include "ptx-analyzer/ranges/evaluation.h"

/* What a round adds: from low to high, read as signed. */
struct growth {
	int64_t low, high;
	bool known, any; /* any: some way has been seen */
};

/* --- Growth --- */

static void widen_growth(struct growth *g, int64_t low, int64_t high)
{
	g->low = !g->any || low < g->low ? low : g->low;
	g->high = !g->any || high > g->high ? high : g->high;
	g->any = true;
}

/* Sums stay far from the ends of 64 bits. */
enum { GROWTH_BITS = 60 };

static bool in_reach(int64_t number)
{
	return number < (int64_t)1 << GROWTH_BITS && number > -((int64_t)1 << GROWTH_BITS);
}

/* Adds to `g` what lies between `phi` and `from`, with low and high added behind it. */
static void gather(struct evaluation *e, node_id from, node_id phi, int64_t low, int64_t high, unsigned depth,
		   struct growth *g)
{
	const struct kernel_ranges *k = e->k;
	const struct range_node *n = &k->nodes.data[from];
	uint32_t header = k->nodes.data[phi].block;
	struct strided added;
	struct bounds_s by;
	node_id to;

	if (from == phi) {
		widen_growth(g, low, high);
		return;
	}
	if (n->op == NODE_SELECT) {
		gather(e, n->b, phi, low, high, depth - 1, g);
		gather(e, n->c, phi, low, high, depth - 1, g);
		return;
	}
	for (uint32_t i = 0; n->op == NODE_PHI && i < k->function->blocks[n->block].npred; i++)
		gather(e, n->args[i], phi, low, high, depth - 1, g);
	if (n->op == NODE_PHI)
		return;
	to = n->op == NODE_SUB || leads_to(k, n->a, phi, header, depth - 1) ? n->a : n->b;
	added = e->value[to == n->a ? n->b : n->a];
	if (added.empty)
		return;
	by = strided_signed(added);
	if (strided_wraps_signed(added) || !in_reach(by.low) || !in_reach(by.high)) {
		g->known = false;
		return;
	}
	low += n->op == NODE_SUB ? -by.high : by.low;
	high += n->op == NODE_SUB ? -by.low : by.high;
	g->known = g->known && in_reach(low) && in_reach(high);
	if (g->known)
		gather(e, to, phi, low, high, depth - 1, g);
}

static struct growth growth_of(struct evaluation *e, node_id phi)
{
	const struct range_node *n = &e->k->nodes.data[phi];
	const struct ptx_block *b = &e->k->function->blocks[n->block];
	struct growth g = {.known = n->induction};

	for (uint32_t i = 0; i < b->npred && g.known; i++)
		if (e->k->function->blocks[b->pred[i]].reachable && ssa_dominates(e->k, n->block, b->pred[i]))
			gather(e, n->args[i], phi, 0, 0, MOST_SUMS, &g);
	return g;
}

/* --- Tests --- */

/* Numbers in the order of a comparison, counted from its least: 0 to `most`. */
struct line {
	bool by_sign;
	unsigned width;
	uint64_t most;
};

static uint64_t place_on(const struct line *l, uint64_t bits)
{
	return (l->by_sign ? bits ^ (uint64_t)1 << (l->width - 1) : bits) & l->most;
}

static bool is_signed_compare(enum compare how)
{
	return how >= COMPARE_LT_S;
}

/* Of a sum that is an induction variable and fixed numbers, at the first test. */
static struct strided first_sum(struct evaluation *e, node_id sum, node_id phi, struct strided init)
{
	const struct range_node *n = &e->k->nodes.data[sum];
	uint32_t header = e->k->nodes.data[phi].block;
	struct strided a, b;

	if (sum == phi)
		return init;
	if (n->op == NODE_SUB || leads_to(e->k, n->a, phi, header, MOST_SUMS)) {
		a = first_sum(e, n->a, phi, init);
		b = e->value[n->b];
	} else {
		a = e->value[n->a];
		b = first_sum(e, n->b, phi, init);
	}
	return n->op == NODE_SUB ? strided_sub(a, b) : strided_add(a, b);
}

static uint64_t size_of(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Passed while the variable is below `end`, a place; it grows. */
static bool rounds_up(const struct line *l, uint64_t first, uint64_t end, struct growth g, uint64_t *rounds)
{
	*rounds = 0;
	if (first >= end)
		return true;
	if (g.low <= 0 || end - 1 > l->most || (uint64_t)g.high > l->most - (end - 1))
		return false;
	*rounds = (end - first - 1) / (uint64_t)g.low + 1;
	return true;
}

/* Passed from the place `start` on; it shrinks. */
static bool rounds_down(uint64_t first, uint64_t start, struct growth g, uint64_t *rounds)
{
	*rounds = 0;
	if (first < start)
		return true;
	if (g.high >= 0 || size_of(g.low) > start)
		return false;
	*rounds = (first - start) / size_of(g.high) + 1;
	return true;
}

static bool rounds_to(struct strided first, struct strided bound, struct growth g, uint64_t *rounds)
{
	struct strided distance = g.low > 0 ? strided_sub(bound, first) : strided_sub(first, bound);
	uint64_t size = size_of(g.low);

	*rounds = 0;
	if (distance.empty)
		return true;
	if (g.low != g.high || size == 0 || strided_wraps_unsigned(distance) || distance.low % size ||
	    distance.step % size)
		return false;
	*rounds = (distance.low + distance.span) / size;
	return true;
}

/*
 * The other side as a place on a line that may be of fewer bits: 1 where it is beyond the end, -1 where it is ahead of
 * the first.
 */
static int place_of_bound(const struct line *l, enum compare how, struct strided bound, bool upper, uint64_t *place)
{
	struct bounds_s s = strided_signed(bound);
	struct bounds_u u = strided_unsigned(bound);
	int64_t number = upper ? s.high : s.low, most = (int64_t)(l->most >> 1);

	if (l->width == bound.width) {
		*place = place_on(l, is_signed_compare(how) ? (uint64_t)number : upper ? u.high : u.low);
		return 0;
	}
	if (!is_signed_compare(how)) {
		*place = upper ? u.high : u.low;
		return *place > l->most ? 1 : 0;
	}
	*place = place_on(l, (uint64_t)number);
	if (l->by_sign)
		return number > most ? 1 : number < -most - 1 ? -1 : 0;
	return number < 0 ? -1 : (uint64_t)number > l->most ? 1 : 0;
}

/* What is added is the same number with so many bits. */
static bool fits(const struct growth *g, unsigned width)
{
	int64_t half = (int64_t)1 << (width - 1);

	return width < 64 && (!g->any || (g->low >= -half && g->high < half));
}

/* The most rounds that pass the test one after the other, each with a next one; false if there is no such number. */
static bool rounds_of(struct evaluation *e, const struct loop_test *t, uint64_t *rounds)
{
	const struct fact *f = &e->k->facts.data[t->fact];
	const struct range_node *subject = &e->k->nodes.data[f->subject];
	struct strided bound = value_in(e, f->other, e->k->contexts.data[f->context].parent, 0);
	struct strided first = first_sum(e, t->sum, t->phi, phi_join(e, t->phi, EDGES_IN));
	struct growth g = growth_of(e, t->phi);
	bool cut = subject->op == NODE_TRUNC && t->sum != f->subject, widened = t->sum != f->subject && !cut;
	struct line l = {.by_sign = widened ? subject->op == NODE_SEXT : is_signed_compare(f->how)};
	uint64_t low, high, place;
	int beyond;

	*rounds = 0;
	if (!g.known || (cut && !fits(&g, subject->width)))
		return false;
	/* The lowest bits of a sum grow by the lowest bits of what is added. */
	first = cut ? strided_trunc(first, subject->width) : first;
	l.width = first.width;
	l.most = width_mask(first.width);
	if (first.empty || bound.empty || !g.any)
		return true;
	if (f->how == COMPARE_NE)
		return !widened && t->fixed && rounds_to(first, bound, g, rounds);
	if (f->how == COMPARE_EQ || (widened && l.by_sign && !is_signed_compare(f->how)) ||
	    (l.by_sign ? strided_wraps_signed(first) : strided_wraps_unsigned(first)))
		return false;
	low = place_on(&l, first.low);
	high = low + first.span;
	switch (f->how) {
	case COMPARE_LT_U:
	case COMPARE_LT_S:
	case COMPARE_LE_U:
	case COMPARE_LE_S:
		beyond = place_of_bound(&l, f->how, bound, true, &place);
		if (beyond > 0)
			return false;
		if (f->how == COMPARE_LE_U || f->how == COMPARE_LE_S) {
			if (beyond == 0 && place == l.most)
				return false;
			place++;
		}
		return rounds_up(&l, low, beyond < 0 ? 0 : place, g, rounds);
	default:
		beyond = place_of_bound(&l, f->how, bound, false, &place);
		if (beyond < 0)
			return false;
		if (beyond > 0)
			return true;
		if (f->how == COMPARE_GT_U || f->how == COMPARE_GT_S) {
			if (place == l.most)
				return true;
			place++;
		}
		return rounds_down(high, place, g, rounds);
	}
}

static bool rounds_of_loop(struct evaluation *e, const struct range_loop *loop, uint64_t *rounds)
{
	bool bounded = false;

	for (uint32_t i = loop->test; i < loop->test + loop->ntests; i++) {
		uint64_t n;

		if (!rounds_of(e, &e->k->tests.data[i], &n))
			continue;
		*rounds = !bounded || n < *rounds ? n : *rounds;
		bounded = true;
	}
	return bounded;
}

/* --- Variables --- */

/* a * b, or `most` + 1 where that is more than `most`, which is less than 2^64 - 1 or the largest number. */
static bool times(uint64_t a, uint64_t b, uint64_t most, uint64_t *product)
{
	*product = 0;
	if (a && b > most / a)
		return false;
	*product = a * b;
	return true;
}

static struct strided grown(struct strided init, struct growth g, uint64_t rounds)
{
	uint64_t most = width_mask(init.width), down, up, step = 1;
	bool fits = times(g.low < 0 ? size_of(g.low) : 0, rounds, most, &down) &&
		    times(g.high > 0 ? (uint64_t)g.high : 0, rounds, most, &up);

	if (g.low == g.high)
		step = common_step(init.step, size_of(g.low));
	if (!fits || down > most - init.span || up > most - init.span - down)
		return strided_any(init.low, step, init.width);
	return strided_make(init.low - down, init.span + down + up, step, init.width);
}

/* The variable begins each further round with what the test was of. */
static bool goes_on_with(const struct evaluation *e, node_id phi, node_id sum)
{
	const struct range_node *n = &e->k->nodes.data[phi];
	const struct ptx_block *b = &e->k->function->blocks[n->block];

	for (uint32_t i = 0; i < b->npred; i++)
		if (e->k->function->blocks[b->pred[i]].reachable && ssa_dominates(e->k, n->block, b->pred[i]) &&
		    n->args[i] != sum)
			return false;
	return true;
}

/* `!=` is passed by what lies ahead of the bound, some rounds away from it. */
static bool passed_by(struct evaluation *e, const struct loop_test *t, struct growth g, struct strided *passed)
{
	const struct fact *f = &e->k->facts.data[t->fact];
	struct strided first, bound, ahead;
	uint64_t rounds, size = size_of(g.low);

	if (f->how != COMPARE_NE || t->sum != f->subject || !t->fixed || !goes_on_with(e, t->phi, t->sum))
		return false;
	bound = value_in(e, f->other, e->k->contexts.data[f->context].parent, 0);
	first = first_sum(e, t->sum, t->phi, phi_join(e, t->phi, EDGES_IN));
	if (first.empty || bound.empty || !rounds_to(first, bound, g, &rounds))
		return false;
	ahead = rounds ? strided_make(size, (rounds - 1) * size, size, first.width) : strided_empty(first.width);
	*passed = g.low > 0 ? strided_sub(bound, ahead) : strided_add(bound, ahead);
	return true;
}

static struct strided cut_by_tests(struct evaluation *e, node_id phi, struct strided init, struct growth g,
				   struct strided value)
{
	const struct range_loop *loop = &e->k->loops.data[e->k->loop_of[e->k->nodes.data[phi].block]];
	struct strided passed;

	for (uint32_t i = loop->test; i < loop->test + loop->ntests; i++)
		if (e->k->tests.data[i].phi == phi && passed_by(e, &e->k->tests.data[i], g, &passed))
			value = strided_meet(value, strided_join(init, passed));
	return value;
}

bool induction_value(struct evaluation *e, node_id phi, struct strided *value)
{
	const struct range_node *n = &e->k->nodes.data[phi];
	uint32_t loop = e->k->loop_of[n->block];
	struct strided init;
	struct growth g;
	uint64_t rounds = 0;

	if (!n->induction || loop == PTX_NONE)
		return false;
	if (!rounds_of_loop(e, &e->k->loops.data[loop], &rounds))
		return false;
	init = phi_join(e, phi, EDGES_IN);
	g = growth_of(e, phi);
	if (!g.known)
		return false;
	*value = init.empty || !g.any ? init : cut_by_tests(e, phi, init, g, grown(init, g, rounds));
	return true;
}
