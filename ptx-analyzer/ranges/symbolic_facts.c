/*
 * What branches say of a node, as sums: a bound of another node takes the place of its own where it is one of the
 * kernel's parameters. Numbers are read as signed, so both sides have to fit.
 */
#include "ptx-analyzer/ranges/symbolic.h"

enum { MOST_FACTS = 64 };

/* The number is the one that its bits are as a signed one: any number is taken so. */
static bool is_placed(struct symbolic *s, node_id id, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[id];
	struct between b;

	if (n->op == NODE_UNKNOWN || n->op == NODE_LOADED)
		return true;
	b = between_anywhere(s, id, depth + 1);
	return between_is_known(&b) && must_fit(s, &b, n->width);
}

/* Between what the subject is that compares so with something between `b`. */
static struct between let_through(struct symbolic *s, enum compare how, struct between b)
{
	struct between v = between_none();
	struct sum one = sum_of(1);

	switch (how) {
	case COMPARE_EQ: return b;
	case COMPARE_LT_S: v.high = sum_sub(b.high, one); break;
	case COMPARE_LE_S: v.high = b.high; break;
	case COMPARE_GT_S: v.low = sum_add(b.low, one); break;
	case COMPARE_GE_S: v.low = b.low; break;
	case COMPARE_LT_U:
	case COMPARE_LE_U:
		if (!must_be_natural(s, &b.low))
			break;
		v.low = sum_of(0);
		v.high = how == COMPARE_LT_U ? sum_sub(b.high, one) : b.high;
		break;
	default: break;
	}
	return v;
}

/* The operand `which` of the node, given what the node is; the other one is anything that it ever is. */
static struct between operand_from(struct symbolic *s, node_id id, node_id which, struct between is, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[id];
	node_id beside = n->a == which ? n->b : n->a;

	switch (n->op) {
	case NODE_ADD: return between_sub(is, between_anywhere(s, beside, depth + 1));
	case NODE_SUB:
		if (n->a == which)
			return between_add(is, between_anywhere(s, beside, depth + 1));
		return between_sub(between_anywhere(s, beside, depth + 1), is);
	case NODE_SEXT:
	case NODE_ZEXT:
		if (between_is_known(&is) && must_fit(s, &is, s->k->nodes.data[which].width))
			return is;
		return between_none();
	default: return between_none();
	}
}

static struct between bound_of(struct symbolic *s, const struct node_bound *b, unsigned depth)
{
	const struct fact *f = &s->k->facts.data[b->fact];
	struct between other;

	if (f->how == COMPARE_NE || !is_placed(s, f->subject, depth))
		return between_none();
	other = between_at(s, f->other, s->k->contexts.data[f->context].parent, depth + 1);
	if (!between_is_known(&other) || !must_fit(s, &other, s->k->nodes.data[f->other].width))
		return between_none();
	other = let_through(s, f->how, other);
	for (uint32_t i = 0; i < b->nhops; i++)
		other = operand_from(s, b->hop[i], i + 1 < b->nhops ? b->hop[i + 1] : b->node, other, depth);
	return other;
}

/* How much a sum tells to a reader: parameters more than dimensions, operations less than both. */
enum telling { TELLS_OPERATION, TELLS_DIMENSION, TELLS_PARAMETER };

static enum telling telling_of(const struct symbolic *s, const struct sum *sum)
{
	enum telling tells = TELLS_DIMENSION;

	for (unsigned i = 0; i < sum->count; i++)
		for (unsigned f = 0; f < MOST_FACTORS && sum->terms[i].atoms[f]; f++) {
			enum atom_kind kind = s->atoms.data[sum->terms[i].atoms[f] - 1].kind;

			if (kind >= ATOM_MIN)
				return TELLS_OPERATION;
			if (kind != ATOM_DIMENSION)
				tells = TELLS_PARAMETER;
		}
	return tells;
}

/* Does the fact say something of a sum that the node is in? */
static bool is_of_sum(const struct symbolic *s, const struct node_bound *b)
{
	for (uint32_t i = 0; i < b->nhops; i++)
		if (s->k->nodes.data[b->hop[i]].op == NODE_ADD || s->k->nodes.data[b->hop[i]].op == NODE_SUB)
			return true;
	return false;
}

/*
 * Both hold: the nearer one where that is certain, else what a fact says of the node itself if that tells more or is
 * not longer.
 */
static struct sum better(struct symbolic *s, struct sum was, struct sum of_fact, bool of_sum, bool is_low)
{
	struct sum closer;

	if (!was.known || !of_fact.known)
		return was.known ? was : of_fact;
	closer = is_low ? sum_sub(of_fact, was) : sum_sub(was, of_fact);
	if (sum_is_natural(&s->atoms, &closer))
		return of_fact;
	closer = sum_times(closer, -1);
	if (sum_is_natural(&s->atoms, &closer))
		return was;
	if (of_sum)
		return was;
	if (telling_of(s, &was) != telling_of(s, &of_fact))
		return telling_of(s, &of_fact) > telling_of(s, &was) ? of_fact : was;
	return of_fact.count <= was.count ? of_fact : was;
}

struct between between_cut(struct symbolic *s, node_id id, context_id context, struct between v, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[id];

	if (context == NO_CONTEXT || between_is_single(&v))
		return v;
	for (uint32_t i = n->bounds; i < n->bounds + n->nbounds; i++) {
		const struct node_bound *b = &s->k->bounds.data[i];
		struct between cut;

		if (!context_holds_in(s->k, s->k->facts.data[b->fact].context, context) || s->cuts[id])
			continue;
		s->cuts[id] = true;
		cut = bound_of(s, b, depth);
		s->cuts[id] = false;
		v.low = better(s, v.low, cut.low, is_of_sum(s, b), true);
		v.high = better(s, v.high, cut.high, is_of_sum(s, b), false);
	}
	return v;
}

/* --- What facts show --- */

/* Not negative because the fact holds; no sum where it does not say so. */
static struct sum shown_by(struct symbolic *s, const struct fact *f, unsigned depth)
{
	context_id where = s->k->contexts.data[f->context].parent;
	struct between a = between_at(s, f->subject, where, depth + 1), b = between_at(s, f->other, where, depth + 1);
	unsigned width = s->k->nodes.data[f->subject].width;

	if (!between_is_single(&a) || !between_is_single(&b) || !must_fit(s, &a, width) || !must_fit(s, &b, width))
		return sum_none();
	switch (f->how) {
	case COMPARE_LT_S: return sum_sub(sum_sub(b.low, a.low), sum_of(1));
	case COMPARE_LE_S: return sum_sub(b.low, a.low);
	case COMPARE_GT_S: return sum_sub(sum_sub(a.low, b.low), sum_of(1));
	case COMPARE_GE_S: return sum_sub(a.low, b.low);
	default: return sum_none();
	}
}

bool is_natural_in(struct symbolic *s, const struct sum *sum, context_id context, unsigned depth)
{
	unsigned looked_at = 0;

	if (sum_is_natural(&s->atoms, sum))
		return true;
	for (; context != NO_CONTEXT; context = s->k->contexts.data[context].parent) {
		const struct range_context *c = &s->k->contexts.data[context];

		for (uint32_t i = c->fact; i < c->fact + c->nfacts && looked_at < MOST_FACTS; i++, looked_at++) {
			struct sum shown = shown_by(s, &s->k->facts.data[i], depth), more;

			more = sum_sub(*sum, shown);
			if (shown.known && sum_is_natural(&s->atoms, &more))
				return true;
		}
	}
	return false;
}
