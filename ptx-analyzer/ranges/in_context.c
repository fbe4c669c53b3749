/*
 * A node at one place: its value anywhere, cut down by the comparisons that hold there, and computed anew from operands
 * that are cut down so.
 *
 * The other side of a comparison is looked at where the comparison was made, further up the tree of contexts. So there
 * is no circle, but there are many ways to ask. MOST_DEPTH and a bound of the work end them with what is known
 * anywhere.
 */
#include "ptx-analyzer/ranges/evaluation.h"

enum { MOST_DEPTH = 24 };

/* --- Comparisons --- */

/* At least `by` less than `high`, and so on. */
static struct strided below_u(uint64_t high, uint64_t by, unsigned width)
{
	return high < by ? strided_empty(width) : strided_between(0, high - by, width);
}

static struct strided above_u(uint64_t low, uint64_t by, unsigned width)
{
	uint64_t most = width_mask(width);

	return most - low < by ? strided_empty(width) : strided_between(low + by, most, width);
}

static struct strided below_s(int64_t high, uint64_t by, unsigned width)
{
	int64_t least = width_signed((uint64_t)1 << (width - 1), width);
	uint64_t room = (uint64_t)high - (uint64_t)least;

	return room < by ? strided_empty(width) : strided_make((uint64_t)least, room - by, 1, width);
}

static struct strided above_s(int64_t low, uint64_t by, unsigned width)
{
	int64_t most = width_signed(((uint64_t)1 << (width - 1)) - 1, width);
	uint64_t room = (uint64_t)most - (uint64_t)low;

	return room < by ? strided_empty(width) : strided_make((uint64_t)low + by, room - by, 1, width);
}

/* All numbers but one, which matters where that is the first or the last. */
static struct strided without(struct strided a, struct strided b)
{
	if (a.empty || !strided_is_single(b))
		return a;
	if (a.span == 0)
		return a.low == b.low ? strided_empty(a.width) : a;
	if (strided_is_full(a))
		return strided_make(b.low + 1, width_mask(a.width) - 1, 1, a.width);
	if (a.low == b.low)
		return strided_make(a.low + a.step, a.span - a.step, a.step, a.width);
	if (((a.low + a.span) & width_mask(a.width)) == b.low)
		return strided_make(a.low, a.span - a.step, a.step, a.width);
	return a;
}

/* The members of `a` that compare so with some member of `b`, and that are `apart` or more from it where they differ.
 */
static struct strided allowed(enum compare how, struct strided a, struct strided b, uint64_t apart)
{
	if (a.empty || b.empty)
		return strided_empty(a.width);
	switch (how) {
	case COMPARE_EQ: return strided_meet(a, b);
	case COMPARE_NE: return without(a, b);
	case COMPARE_LT_U: return strided_meet(a, below_u(strided_unsigned(b).high, apart, a.width));
	case COMPARE_LE_U: return strided_meet(a, below_u(strided_unsigned(b).high, 0, a.width));
	case COMPARE_GT_U: return strided_meet(a, above_u(strided_unsigned(b).low, apart, a.width));
	case COMPARE_GE_U: return strided_meet(a, above_u(strided_unsigned(b).low, 0, a.width));
	case COMPARE_LT_S: return strided_meet(a, below_s(strided_signed(b).high, apart, a.width));
	case COMPARE_LE_S: return strided_meet(a, below_s(strided_signed(b).high, 0, a.width));
	case COMPARE_GT_S: return strided_meet(a, above_s(strided_signed(b).low, apart, a.width));
	case COMPARE_GE_S: return strided_meet(a, above_s(strided_signed(b).low, 0, a.width));
	}
	return a;
}

static uint64_t apart(const struct fact *f)
{
	return f->distance ? f->distance : 1;
}

static struct strided compared(enum compare how, struct strided a, struct strided b)
{
	bool can = !allowed(how, a, b, 1).empty, cannot = !allowed(compare_negated(how), a, b, 1).empty;

	if (a.empty || b.empty)
		return strided_empty(1);
	return strided_between(cannot ? 0 : 1, can ? 1 : 0, 1);
}

/* --- Bounds --- */

/* The operand `which` of the node, given what the node is. */
static struct strided operand_from(const struct evaluation *e, const struct range_node *n, node_id which,
				   struct strided is)
{
	unsigned width = e->k->nodes.data[which].width;

	switch (n->op) {
	case NODE_ADD: return strided_sub(is, e->value[n->a == which ? n->b : n->a]);
	case NODE_SUB: return n->a == which ? strided_add(is, e->value[n->b]) : strided_sub(e->value[n->a], is);
	case NODE_NEG: return strided_neg(is);
	case NODE_SEXT:
	case NODE_ZEXT: return strided_trunc(is, width);
	case NODE_MIN_U: return is.empty ? is : above_u(strided_unsigned(is).low, 0, width);
	case NODE_MIN_S: return is.empty ? is : above_s(strided_signed(is).low, 0, width);
	case NODE_MAX_U: return is.empty ? is : below_u(strided_unsigned(is).high, 0, width);
	case NODE_MAX_S: return is.empty ? is : below_s(strided_signed(is).high, 0, width);
	default: return strided_full(width);
	}
}

/* What a bound says of its node. */
static struct strided bound_of(struct evaluation *e, const struct node_bound *b, unsigned depth)
{
	const struct fact *f = &e->k->facts.data[b->fact];
	context_id where = e->k->contexts.data[f->context].parent;
	struct strided is = allowed(f->how, e->value[f->subject], value_in(e, f->other, where, depth), apart(f));

	for (uint32_t i = 0; i < b->nhops; i++) {
		node_id next = i + 1 < b->nhops ? b->hop[i + 1] : b->node;

		is = operand_from(e, &e->k->nodes.data[b->hop[i]], next, is);
		is = strided_meet(is, e->value[next]);
	}
	return is;
}

/* --- Operations --- */

static struct strided leaf(const struct evaluation *e, const struct range_node *n)
{
	const struct range_launch *l = e->launch;
	uint64_t number = 0;

	switch (n->op) {
	case NODE_CONSTANT: return strided_of(n->number, n->width);
	case NODE_PARAM:
		if (n->number + n->width / 8 > l->param_bytes || n->number > l->param_bytes)
			break;
		for (unsigned i = n->width / 8; i-- > 0;)
			number = number << 8 | ((const uint8_t *)l->params)[n->number + i];
		return strided_of(number, n->width);
	case NODE_SREG:
		if (n->number >= PTX_SREG_tid_x && n->number <= PTX_SREG_tid_z)
			return strided_between(0, l->block[n->number - PTX_SREG_tid_x] - 1, 32);
		if (n->number >= PTX_SREG_ntid_x && n->number <= PTX_SREG_ntid_z)
			return strided_of(l->block[n->number - PTX_SREG_ntid_x], 32);
		if (n->number >= PTX_SREG_ctaid_x && n->number <= PTX_SREG_ctaid_z)
			return strided_between(0, l->grid[n->number - PTX_SREG_ctaid_x] - 1, 32);
		if (n->number >= PTX_SREG_nctaid_x && n->number <= PTX_SREG_nctaid_z)
			return strided_of(l->grid[n->number - PTX_SREG_nctaid_x], 32);
		return n->number == PTX_SREG_laneid ? strided_between(0, 31, 32) : strided_full(n->width);
	case NODE_VARIABLE:
		if (l->variable && l->variable(l->data, (uint32_t)n->number, &number))
			return strided_of(number, n->width);
		break;
	case NODE_LOADED: return e->loaded ? e->loaded[n->number] : strided_full(n->width);
	case NODE_COUNT_BITS: return strided_between(0, n->number, n->width);
	default: break;
	}
	return strided_full(n->width);
}

typedef struct strided (*operation)(struct strided a, struct strided b);
static const operation operations[NODE_OPS] = {
    [NODE_ADD] = strided_add,         [NODE_SUB] = strided_sub,         [NODE_MUL] = strided_mul,
    [NODE_MULHI_U] = strided_mulhi_u, [NODE_MULHI_S] = strided_mulhi_s, [NODE_DIV_U] = strided_div_u,
    [NODE_DIV_S] = strided_div_s,     [NODE_REM_U] = strided_rem_u,     [NODE_REM_S] = strided_rem_s,
    [NODE_FLOOR_U] = strided_floor_u, [NODE_FLOOR_S] = strided_floor_s, [NODE_MIN_U] = strided_min_u,
    [NODE_MIN_S] = strided_min_s,     [NODE_MAX_U] = strided_max_u,     [NODE_MAX_S] = strided_max_s,
    [NODE_AND] = strided_and,         [NODE_OR] = strided_or,           [NODE_XOR] = strided_xor,
    [NODE_SHL] = strided_shl,         [NODE_SHR_U] = strided_shr_u,     [NODE_SHR_S] = strided_shr_s,
};

static struct strided unary(struct evaluation *e, const struct range_node *n, context_id context, unsigned depth)
{
	struct strided a = value_in(e, n->a, context, depth);

	switch (n->op) {
	case NODE_SEXT: return strided_sext(a, n->width);
	case NODE_ZEXT: return strided_zext(a, n->width);
	case NODE_TRUNC: return strided_trunc(a, n->width);
	case NODE_NOT: return strided_not(a);
	case NODE_NEG: return strided_neg(a);
	default: return strided_abs(a);
	}
}

/* One of the two, where its condition can be; it is both what it is here and what it was where it was chosen. */
static struct strided chosen(struct evaluation *e, const struct range_node *n, unsigned i, context_id context,
			     unsigned depth)
{
	node_id id = i ? n->c : n->b;
	struct strided v;

	if (!is_alive(e, n->where[i], depth))
		return strided_empty(n->width);
	v = value_in(e, id, n->where[i], depth);
	return context == e->k->block_context[n->block] ? v : strided_meet(v, value_in(e, id, context, depth));
}

/* a - b where it is at least `by`, by this comparison of the two. */
static struct strided from_order(enum compare how, struct strided a, struct strided b, uint64_t by)
{
	struct bounds_s x = strided_signed(a), y = strided_signed(b);
	struct bounds_u u = strided_unsigned(a), v = strided_unsigned(b);
	bool by_sign = how == COMPARE_GT_S || how == COMPARE_GE_S;
	uint64_t most = by_sign ? (uint64_t)x.high - (uint64_t)y.low : u.high - v.low;

	if (by_sign ? x.high < y.low : u.high < v.low)
		return strided_empty(a.width);
	return most < by ? strided_empty(a.width) : strided_make(by, most - by, by ? by : 1, a.width);
}

/*
 * A difference of numbers whose order is known. It is less than 2 to the width then, so what the instruction leaves is
 * the difference itself, as an unsigned number.
 */
static struct strided ordered_difference(struct evaluation *e, const struct range_node *n, struct strided a,
					 struct strided b, context_id context)
{
	const struct range_node *first = &e->k->nodes.data[n->a];
	struct strided v = strided_sub(a, b);

	for (uint32_t i = first->bounds; i < first->bounds + first->nbounds && !v.empty; i++) {
		const struct node_bound *bound = &e->k->bounds.data[i];
		const struct fact *f = &e->k->facts.data[bound->fact];

		if (bound->nhops || f->other != n->b || !context_holds_in(e->k, f->context, context))
			continue;
		switch (f->how) {
		case COMPARE_GT_U:
		case COMPARE_GT_S: v = strided_meet(v, from_order(f->how, a, b, apart(f))); break;
		case COMPARE_GE_U:
		case COMPARE_GE_S: v = strided_meet(v, from_order(f->how, a, b, 0)); break;
		case COMPARE_LT_U:
		case COMPARE_LT_S:
			v = strided_meet(v, strided_neg(from_order(compare_swapped(f->how), b, a, apart(f))));
			break;
		default: break;
		}
	}
	return v;
}

struct strided value_of(struct evaluation *e, node_id id, context_id context, unsigned depth)
{
	const struct range_node *n = &e->k->nodes.data[id];
	struct strided a, b;

	e->work++;
	if (operations[n->op]) {
		a = value_in(e, n->a, context, depth);
		b = value_in(e, n->b, context, depth);
		return n->op == NODE_SUB ? ordered_difference(e, n, a, b, context) : operations[n->op](a, b);
	}
	switch (n->op) {
	case NODE_SELECT: a = chosen(e, n, 0, context, depth); return strided_join(a, chosen(e, n, 1, context, depth));
	case NODE_COMPARE:
		a = value_in(e, n->a, context, depth);
		return compared(n->compare, a, value_in(e, n->b, context, depth));
	case NODE_SEXT:
	case NODE_ZEXT:
	case NODE_TRUNC:
	case NODE_NOT:
	case NODE_NEG:
	case NODE_ABS: return unary(e, n, context, depth);
	default: return leaf(e, n);
	}
}

/* --- Values in contexts --- */

static struct known_value *known_at(struct evaluation *e, node_id id, context_id context)
{
	uint32_t hash = (id * 0x9E3779B1u) ^ (context * 0x85EBCA77u);

	return &e->known[(hash ^ hash >> 15) & (e->nknown - 1)];
}

static bool is_leaf(enum node_op op)
{
	return op <= NODE_COUNT_BITS;
}

static uint64_t larger_size(struct bounds_s s)
{
	uint64_t low = s.low < 0 ? 0 - (uint64_t)s.low : (uint64_t)s.low;
	uint64_t high = s.high < 0 ? 0 - (uint64_t)s.high : (uint64_t)s.high;

	return low > high ? low : high;
}

/* The counter's numbers do not go round: each step leads from one of all that it is to another. */
static bool goes_straight(const struct evaluation *e, const struct node_alternative *a)
{
	struct strided counter = e->value[a->counter], step;
	uint64_t size = a->step;

	if (a->step_node != NO_NODE) {
		step = e->value[a->step_node];
		if (step.empty || (a->by_sign && strided_wraps_signed(step)))
			return false;
		size = a->by_sign ? larger_size(strided_signed(step)) : strided_unsigned(step).high;
	}
	return !(a->by_sign ? strided_wraps_signed(counter) : strided_wraps_unsigned(counter)) &&
	       size <= width_mask(counter.width) - counter.span;
}

/* Less of `v` by what else the node is. That is not known before all values are. */
struct strided with_alternatives(struct evaluation *e, node_id id, struct strided v, context_id context, unsigned depth)
{
	const struct range_node *n = &e->k->nodes.data[id];

	if (!e->descends)
		return v;
	for (uint32_t i = n->alternatives; i < n->alternatives + n->nalternatives && !v.empty; i++) {
		const struct node_alternative *a = &e->k->alternatives.data[i];

		if (a->counter == NO_NODE || goes_straight(e, a))
			v = strided_meet(v, value_in(e, a->is, context, depth + 1));
	}
	return v;
}

static struct strided cut(struct evaluation *e, node_id id, context_id context, unsigned depth)
{
	const struct range_node *n = &e->k->nodes.data[id];
	struct strided v = e->value[id];

	if (!is_leaf(n->op) && n->op != NODE_PHI)
		v = strided_meet(v, value_of(e, id, context, depth + 1));
	for (uint32_t i = n->bounds; i < n->bounds + n->nbounds && !v.empty; i++) {
		const struct node_bound *b = &e->k->bounds.data[i];

		if (context_holds_in(e->k, e->k->facts.data[b->fact].context, context))
			v = strided_meet(v, bound_of(e, b, depth + 1));
	}
	return with_alternatives(e, id, v, context, depth);
}

struct strided value_in(struct evaluation *e, node_id id, context_id context, unsigned depth)
{
	struct strided v = e->value[id];
	struct known_value *known;

	if (v.empty || v.span == 0 || depth >= MOST_DEPTH || e->work > e->most_work ||
	    context == e->k->block_context[e->k->nodes.data[id].block])
		return v;
	known = known_at(e, id, context);
	if (known->sweep == e->sweep && known->node == id && known->context == context)
		return known->value;
	v = cut(e, id, context, depth);
	/* The place may have been taken meanwhile; which one stays is no matter. */
	*known = (struct known_value){id, context, e->sweep, v};
	return v;
}

/* --- Contexts --- */

static bool facts_can_hold(struct evaluation *e, const struct range_context *c, unsigned depth)
{
	for (uint32_t i = c->fact; i < c->fact + c->nfacts; i++) {
		const struct fact *f = &e->k->facts.data[i];
		struct strided subject = value_in(e, f->subject, c->parent, depth);

		if (allowed(f->how, subject, value_in(e, f->other, c->parent, depth), apart(f)).empty)
			return false;
	}
	return true;
}

bool is_alive(struct evaluation *e, context_id context, unsigned depth)
{
	VEC(context_id) path = VEC_INIT;
	bool alive = true;

	if (depth >= MOST_DEPTH)
		return true;
	while (context != NO_CONTEXT && e->alive[context] >> 1 != e->sweep) {
		vec_push(&path, context);
		context = e->k->contexts.data[context].parent;
	}
	if (context != NO_CONTEXT)
		alive = e->alive[context] & 1;
	while (path.len) {
		context = vec_pop(&path);
		alive = alive && facts_can_hold(e, &e->k->contexts.data[context], depth + 1);
		e->alive[context] = e->sweep << 1 | alive;
	}
	vec_release(&path);
	return alive;
}
