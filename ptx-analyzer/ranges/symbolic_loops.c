/*
 * A loop's variables as sums. A test that each further round has passed bounds what its variable grows by in all
 * rounds: for i from 0 to below n by 4 that is n + 3 at most. What another variable grows by is to that as its step is
 * to the step of i.
 */
#include "ptx-analyzer/ranges/symbolic.h"

#include <string.h>

/* What the way from `phi` to `from` adds; false where that is not a sum. */
static bool added_between(struct symbolic *s, node_id from, node_id phi, unsigned depth, struct between *added)
{
	const struct range_node *n = &s->k->nodes.data[from];
	uint32_t header = s->k->nodes.data[phi].block;
	node_id to;

	*added = between_of(sum_of(0));
	if (from == phi)
		return true;
	if ((n->op != NODE_ADD && n->op != NODE_SUB) || depth > MOST_SUMS)
		return false;
	to = n->op == NODE_SUB || leads_to(s->k, n->a, phi, header, MOST_SUMS) ? n->a : n->b;
	if (!added_between(s, to, phi, depth + 1, added))
		return false;
	*added = n->op == NODE_SUB ? between_sub(*added, between_anywhere(s, n->b, depth + 1))
				   : between_add(*added, between_anywhere(s, to == n->a ? n->b : n->a, depth + 1));
	return between_is_known(added);
}

/* What a round adds, where that is the same in each. */
static bool step_of(struct symbolic *s, node_id phi, struct sum *step)
{
	const struct range_node *n = &s->k->nodes.data[phi];
	const struct ptx_block *b = &s->k->function->blocks[n->block];
	struct between way;
	bool any = false;

	for (uint32_t i = 0; i < b->npred; i++) {
		if (!s->k->function->blocks[b->pred[i]].reachable || !ssa_dominates(s->k, n->block, b->pred[i]))
			continue;
		if (!added_between(s, n->args[i], phi, 0, &way) || !between_is_single(&way) ||
		    (any && !sum_equal(step, &way.low)))
			return false;
		*step = way.low;
		any = true;
	}
	return any;
}

static struct between first_of(struct symbolic *s, node_id phi, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[phi];
	const struct ptx_block *b = &s->k->function->blocks[n->block];
	struct between v = between_none();
	bool any = false;

	for (uint32_t i = 0; i < b->npred; i++) {
		struct between way;

		if (!s->k->function->blocks[b->pred[i]].reachable || ssa_dominates(s->k, n->block, b->pred[i]))
			continue;
		way = between_at(s, n->args[i], s->k->edge_context[n->block][i], depth + 1);
		v = any ? between_join(s, v, way) : way;
		any = true;
	}
	return v;
}

/* --- Tests --- */

/* How far a test lets its variable go from where it begins, as a number that is not negative. */
struct way {
	struct sum far, step; /* step: of a round, > 0 */
	struct sum last;      /* the test's variable goes no further, but where it begins there; not known for != */
	bool up;
};

static bool steps_up(struct symbolic *s, struct sum step, bool *up)
{
	struct sum more = sum_sub(step, sum_of(1)), less = sum_sub(sum_times(step, -1), sum_of(1));

	*up = !sum_is_natural(&s->atoms, &less);
	return !*up || must_be_natural(s, &more);
}

/* `end`: the first number that does not pass, or one behind it. */
static bool goes_to(struct symbolic *s, const struct loop_test *t, struct between first, struct between end, bool up,
		    struct way *w, context_id context, unsigned depth)
{
	const struct fact *f = &s->k->facts.data[t->fact];
	unsigned of_sum = s->k->nodes.data[t->sum].width, of_subject = s->k->nodes.data[f->subject].width;
	unsigned width = of_subject < of_sum ? of_subject : of_sum;
	struct sum rest = sum_sub(w->step, sum_of(1));
	struct between last;

	w->far = up ? sum_sub(end.high, first.low) : sum_sub(first.high, end.low);
	if (f->how == COMPARE_NE) {
		int64_t number;

		if (!t->fixed || t->sum != f->subject || !between_is_single(&first) || !between_is_single(&end) ||
		    !sum_is_number(&w->step, &number))
			return false;
		must_be_multiple(s, &w->far, number);
		return must_be_natural(s, &w->far);
	}
	w->far = sum_add(w->far, rest);
	last = between_of(up ? sum_add(end.high, rest) : sum_sub(end.low, rest));
	if (!must_fit(s, &first, width) || !must_fit(s, &last, width) || !w->far.known)
		return false;
	if (!is_natural_in(s, &w->far, context, depth))
		w->far = sum_max(&s->atoms, sum_of(0), w->far);
	return w->far.known;
}

static bool way_of(struct symbolic *s, const struct loop_test *t, uint32_t header, unsigned depth, struct way *w)
{
	const struct fact *f = &s->k->facts.data[t->fact];
	struct between end = between_at(s, f->other, s->k->contexts.data[f->context].parent, depth + 1), first, added;
	struct sum one = sum_of(1);
	bool up,
	    is_up =
		f->how == COMPARE_LT_S || f->how == COMPARE_LE_S || f->how == COMPARE_LT_U || f->how == COMPARE_LE_U,
	    by_sign = f->how >= COMPARE_LT_S;

	if (!between_is_known(&end) || !must_fit(s, &end, s->k->nodes.data[f->other].width) ||
	    !step_of(s, t->phi, &w->step) || !steps_up(s, w->step, &up) || !added_between(s, t->sum, t->phi, 0, &added))
		return false;
	first = between_add(first_of(s, t->phi, depth), added);
	if (!between_is_known(&first) || f->how == COMPARE_EQ || (f->how != COMPARE_NE && is_up != up))
		return false;
	if (!up)
		w->step = sum_times(w->step, -1);
	if ((!by_sign && f->how != COMPARE_NE) || s->k->nodes.data[f->subject].op == NODE_ZEXT)
		if (!up || !must_be_natural(s, &first.low) || !must_be_natural(s, &end.low))
			return false;
	if (f->how == COMPARE_LE_S || f->how == COMPARE_LE_U)
		end.high = sum_add(end.high, one);
	if (f->how == COMPARE_GE_S)
		end.low = sum_sub(end.low, one);
	w->up = up;
	w->last = up ? sum_add(sum_sub(sum_sub(end.high, one), added.low), w->step)
		     : sum_sub(sum_sub(sum_add(end.low, one), added.high), w->step);
	if (f->how == COMPARE_NE)
		w->last = sum_none();
	return goes_to(s, t, first, end, up, w, s->k->block_context[header], depth);
}

/* --- Variables --- */

/* step is to w->step as the result is to w->far; rounded away from 0. */
static struct sum in_proportion(struct symbolic *s, struct sum step, const struct way *w)
{
	const struct sum *to = &w->step;
	int64_t number;
	bool same = step.count == to->count && step.count > 0;
	struct sum far;

	for (unsigned i = 0; same && i < step.count; i++) {
		same = sum_is_number(&step, &number) ||
		       memcmp(step.terms[i].atoms, to->terms[i].atoms, sizeof step.terms[i].atoms) == 0;
		same = same && (__int128)step.terms[i].number * to->terms[0].number ==
				   (__int128)step.terms[0].number * to->terms[i].number;
	}
	if (same && step.terms[0].number % to->terms[0].number == 0)
		return sum_times(w->far, step.terms[0].number / to->terms[0].number);
	if (!sum_is_number(to, &number))
		return sum_none();
	far = sum_quotient(&s->atoms, w->far, number);
	return sum_product(far, step);
}

static struct between in_rounds(struct symbolic *s, struct between first, struct sum step, const struct way *w)
{
	struct sum less = sum_times(step, -1), far;

	if (sum_is_natural(&s->atoms, &less)) {
		far = in_proportion(s, less, w);
		return (struct between){sum_sub(first.low, far), first.high};
	}
	if (!must_be_natural(s, &step))
		return between_none();
	far = in_proportion(s, step, w);
	return (struct between){first.low, sum_add(first.high, far)};
}

/* The test's own variable: as far as its last round goes, or where it begins. */
static struct between own_rounds(struct symbolic *s, struct between first, const struct way *w)
{
	if (w->up)
		return (struct between){first.low, sum_max(&s->atoms, first.high, w->last)};
	return (struct between){sum_min(&s->atoms, first.low, w->last), first.high};
}

static struct between tested(struct symbolic *s, node_id phi, struct between first, struct sum step, unsigned depth)
{
	uint32_t header = s->k->nodes.data[phi].block;
	const struct range_loop *loop = &s->k->loops.data[s->k->loop_of[header]];

	for (uint32_t i = loop->test; i < loop->test + loop->ntests; i++) {
		struct way w;
		struct between v;

		if (way_of(s, &s->k->tests.data[i], header, depth, &w)) {
			v = s->k->tests.data[i].phi == phi && w.last.known ? own_rounds(s, first, &w)
									   : in_rounds(s, first, step, &w);
			if (between_is_known(&v))
				return v;
		}
	}
	return between_none();
}

struct between between_in_loop(struct symbolic *s, node_id phi, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[phi];
	struct between v = between_none();
	struct sum step;

	if (!n->induction || s->k->loop_of[n->block] == PTX_NONE || s->busy[phi])
		return v;
	s->busy[phi] = true;
	if (step_of(s, phi, &step)) {
		struct between first = first_of(s, phi, depth);

		if (between_is_known(&first))
			v = tested(s, phi, first, step, depth);
	}
	s->busy[phi] = false;
	return v;
}
