/*
 * Nodes as sums: each operation in integers. What goes round leaves the lowest bits alone, so sums, differences and
 * products need no condition; where a number is read (widened, compared, divided) it has to fit.
 */
#include "ptx-analyzer/ranges/symbolic.h"

enum { MOST_DEPTH = 32, MOST_WORK = 20000 };

/* --- Between --- */

struct between between_none(void)
{
	return (struct between){sum_none(), sum_none()};
}

struct between between_of(struct sum s)
{
	return (struct between){s, s};
}

static struct between from_to(int64_t low, int64_t high)
{
	return (struct between){sum_of(low), sum_of(high)};
}

bool between_is_known(const struct between *b)
{
	return b->low.known && b->high.known;
}

bool between_is_single(const struct between *b)
{
	return between_is_known(b) && sum_equal(&b->low, &b->high);
}

struct between between_add(struct between a, struct between b)
{
	return (struct between){sum_add(a.low, b.low), sum_add(a.high, b.high)};
}

struct between between_sub(struct between a, struct between b)
{
	return (struct between){sum_sub(a.low, b.high), sum_sub(a.high, b.low)};
}

struct between between_join(struct symbolic *s, struct between a, struct between b)
{
	return (struct between){sum_min(&s->atoms, a.low, b.low), sum_max(&s->atoms, a.high, b.high)};
}

/* --- Conditions --- */

static void note_condition(struct symbolic *s, const struct condition *c)
{
	for (size_t i = 0; i < s->conditions.len; i++) {
		const struct condition *known = &s->conditions.data[i];

		if (known->width == c->width && known->multiple == c->multiple && sum_equal(&known->sum, &c->sum))
			return;
	}
	vec_push(&s->conditions, *c);
}

bool must_be_natural(struct symbolic *s, const struct sum *sum)
{
	int64_t number;

	if (!sum->known)
		return false;
	if (sum_is_number(sum, &number))
		return number >= 0;
	if (!sum_is_natural(&s->atoms, sum))
		note_condition(s, &(struct condition){.sum = *sum});
	return true;
}

static bool sum_must_fit(struct symbolic *s, const struct sum *sum, unsigned width)
{
	int64_t number;

	if (width >= 64)
		return sum->known;
	if (sum_is_number(sum, &number))
		return number >= -((int64_t)1 << (width - 1)) && number < (int64_t)1 << (width - 1);
	if (sum->known)
		note_condition(s, &(struct condition){.sum = *sum, .width = width});
	return sum->known;
}

bool must_fit(struct symbolic *s, const struct between *b, unsigned width)
{
	return sum_must_fit(s, &b->low, width) && sum_must_fit(s, &b->high, width);
}

void must_be_multiple(struct symbolic *s, const struct sum *sum, int64_t of)
{
	if (of > 1)
		note_condition(s, &(struct condition){.sum = *sum, .width = 64, .multiple = of});
}

/* --- Operations --- */

static struct between atom(struct symbolic *s, enum atom_kind kind, uint64_t number, unsigned width)
{
	return between_of(sum_of_atom(&s->atoms, &(struct atom){.kind = kind, .number = number, .width = width}));
}

/* 0 to one less than the dimension. */
static struct between below_dimension(struct symbolic *s, uint64_t sreg)
{
	struct between n = atom(s, ATOM_DIMENSION, sreg, 32);

	return (struct between){sum_of(0), sum_sub(n.high, sum_of(1))};
}

static struct between leaf(struct symbolic *s, const struct range_node *n)
{
	switch (n->op) {
	case NODE_CONSTANT: return between_of(sum_of(width_signed(n->number, n->width)));
	case NODE_PARAM: return atom(s, ATOM_PARAM, n->number, n->width);
	case NODE_VARIABLE: return atom(s, ATOM_VARIABLE, n->number, 64);
	case NODE_COUNT_BITS: return from_to(0, (int64_t)n->number);
	case NODE_SREG:
		if (n->number >= PTX_SREG_tid_x && n->number <= PTX_SREG_tid_z)
			return below_dimension(s, n->number - PTX_SREG_tid_x + PTX_SREG_ntid_x);
		if (n->number >= PTX_SREG_ctaid_x && n->number <= PTX_SREG_ctaid_z)
			return below_dimension(s, n->number - PTX_SREG_ctaid_x + PTX_SREG_nctaid_x);
		if (n->number >= PTX_SREG_ntid_x && n->number <= PTX_SREG_nctaid_z)
			return atom(s, ATOM_DIMENSION, n->number, 32);
		return n->number == PTX_SREG_laneid ? from_to(0, 31) : between_none();
	default: return between_none();
	}
}

static struct between times_number(struct between a, int64_t number)
{
	struct between v = {sum_times(a.low, number), sum_times(a.high, number)};

	return number >= 0 ? v : (struct between){v.high, v.low};
}

static struct between product(struct symbolic *s, struct between a, struct between b)
{
	int64_t number;

	if (between_is_single(&b) && sum_is_number(&b.low, &number))
		return times_number(a, number);
	if (between_is_single(&a) && sum_is_number(&a.low, &number))
		return times_number(b, number);
	if (between_is_single(&a) && between_is_single(&b))
		return between_of(sum_product(a.low, b.low));
	/* Of two that are not negative, or of a factor that is not. */
	if (between_is_single(&b) && must_be_natural(s, &b.low))
		return (struct between){sum_product(a.low, b.low), sum_product(a.high, b.low)};
	if (between_is_single(&a) && must_be_natural(s, &a.low))
		return (struct between){sum_product(a.low, b.low), sum_product(a.low, b.high)};
	if (!must_be_natural(s, &a.low) || !must_be_natural(s, &b.low))
		return between_none();
	return (struct between){sum_product(a.low, b.low), sum_product(a.high, b.high)};
}

static bool constant_of(const struct symbolic *s, node_id id, int64_t *number)
{
	const struct range_node *n = &s->k->nodes.data[id];

	*number = n->op == NODE_CONSTANT ? width_signed(n->number, n->width) : 0;
	return n->op == NODE_CONSTANT;
}

/* Read as a number that is not negative. */
static bool is_read(struct symbolic *s, const struct between *a, unsigned width)
{
	return must_fit(s, a, width) && must_be_natural(s, &a->low);
}

static struct between quotient(struct symbolic *s, struct between a, int64_t by, unsigned width)
{
	if (by <= 0 || !is_read(s, &a, width))
		return between_none();
	return (struct between){sum_quotient(&s->atoms, a.low, by), sum_quotient(&s->atoms, a.high, by)};
}

/* Below what it is divided by. */
static struct between rest(struct symbolic *s, struct between a, struct between b, unsigned width)
{
	struct sum least = sum_sub(b.low, sum_of(1));

	if (!is_read(s, &a, width) || !must_fit(s, &b, width) || !must_be_natural(s, &least))
		return between_none();
	if (between_is_single(&a) && between_is_single(&b))
		return between_of(sum_of_operation(&s->atoms, ATOM_REST, a.low, b.low));
	return (struct between){sum_of(0), sum_sub(b.high, sum_of(1))};
}

static struct between masked(struct symbolic *s, struct between a, int64_t mask, unsigned width)
{
	bool is_power = mask < 0 && (-mask & (-mask - 1)) == 0;

	if (between_is_single(&a) && must_fit(s, &a, width))
		return between_of(sum_of_operation(&s->atoms, ATOM_AND, a.low, sum_of(mask)));
	if (mask >= 0)
		return from_to(0, mask);
	return is_power ? (struct between){sum_add(a.low, sum_of(mask + 1)), a.high} : between_none();
}

static struct between least_of(struct symbolic *s, struct between a, struct between b, bool most, unsigned width)
{
	if (!must_fit(s, &a, width) || !must_fit(s, &b, width))
		return between_none();
	if (most)
		return (struct between){sum_max(&s->atoms, a.low, b.low), sum_max(&s->atoms, a.high, b.high)};
	return (struct between){sum_min(&s->atoms, a.low, b.low), sum_min(&s->atoms, a.high, b.high)};
}

static struct between of_two(struct symbolic *s, const struct range_node *n, struct between a, struct between b)
{
	bool by_sign = n->op == NODE_MIN_S || n->op == NODE_MAX_S;
	int64_t number = 0;
	bool is_number = constant_of(s, n->b, &number);

	switch (n->op) {
	case NODE_ADD: return between_add(a, b);
	case NODE_SUB: return between_sub(a, b);
	case NODE_MUL: return product(s, a, b);
	case NODE_SHL:
		return is_number && number >= 0 && number < 62 ? times_number(a, (int64_t)1 << number) : between_none();
	case NODE_DIV_U:
	case NODE_DIV_S: return is_number ? quotient(s, a, number, n->width) : between_none();
	case NODE_SHR_U:
	case NODE_SHR_S:
		return is_number && number >= 0 && number < 62 ? quotient(s, a, (int64_t)1 << number, n->width)
							       : between_none();
	case NODE_REM_U:
	case NODE_REM_S: return rest(s, a, b, n->width);
	case NODE_FLOOR_U:
	case NODE_FLOOR_S: {
		struct between r = rest(s, a, b, n->width);

		return between_is_single(&r) ? between_sub(a, r)
		       : r.low.known         ? (struct between){sum_of(0), a.high}
					     : between_none();
	}
	case NODE_AND: return is_number ? masked(s, a, number, n->width) : between_none();
	case NODE_MIN_S:
	case NODE_MIN_U:
	case NODE_MAX_S:
	case NODE_MAX_U:
		if (!by_sign && !(must_be_natural(s, &a.low) && must_be_natural(s, &b.low)))
			return between_none();
		return least_of(s, a, b, n->op == NODE_MAX_S || n->op == NODE_MAX_U, n->width);
	default: return between_none();
	}
}

/* --- Nodes --- */

static struct between phi(struct symbolic *s, node_id id, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[id];
	const struct ptx_block *b = &s->k->function->blocks[n->block];
	struct between v = between_none();
	bool any = false;

	if (n->comes_back)
		return between_in_loop(s, id, depth);
	for (uint32_t i = 0; i < b->npred; i++) {
		struct between way;

		if (!s->k->function->blocks[b->pred[i]].reachable)
			continue;
		way = between_at(s, n->args[i], s->k->edge_context[n->block][i], depth + 1);
		v = any ? between_join(s, v, way) : way;
		any = true;
	}
	return v;
}

static struct between computed(struct symbolic *s, node_id id, context_id context, unsigned depth)
{
	const struct range_node *n = &s->k->nodes.data[id];
	struct between a;

	if (n->op <= NODE_COUNT_BITS)
		return leaf(s, n);
	if (n->op == NODE_PHI)
		return phi(s, id, depth);
	if (n->op == NODE_SELECT)
		return between_join(s, between_at(s, n->b, n->where[0], depth + 1),
				    between_at(s, n->c, n->where[1], depth + 1));
	if (n->op == NODE_COMPARE)
		return from_to(0, 1);
	a = between_at(s, n->a, context, depth + 1);
	switch (n->op) {
	case NODE_TRUNC: return a;
	case NODE_NEG: return times_number(a, -1);
	case NODE_NOT: return between_sub(between_of(sum_of(-1)), a);
	case NODE_SEXT: return must_fit(s, &a, s->k->nodes.data[n->a].width) ? a : between_none();
	case NODE_ZEXT:
		if (is_read(s, &a, s->k->nodes.data[n->a].width))
			return a;
		return s->k->nodes.data[n->a].width < 32 ? from_to(0, (int64_t)width_mask(s->k->nodes.data[n->a].width))
							 : between_none();
	case NODE_ABS: return between_none();
	default: return of_two(s, n, a, between_at(s, n->b, context, depth + 1));
	}
}

static struct known_between *known_at(struct symbolic *s, node_id id, context_id context)
{
	return &s->known[((id * 0x9E3779B1u) ^ (context * 0x85EBCA77u)) >> 16 & (KNOWN_BETWEEN - 1)];
}

struct between between_at(struct symbolic *s, node_id id, context_id context, unsigned depth)
{
	struct known_between *known;
	struct between v;

	if (id == NO_NODE || depth > MOST_DEPTH || s->work++ > MOST_WORK)
		return between_none();
	known = known_at(s, id, context);
	if (known->access == s->access && known->node == id && known->context == context)
		return known->value;
	v = between_cut(s, id, context, computed(s, id, context, depth), depth);
	*known_at(s, id, context) = (struct known_between){id, context, s->access, v};
	return v;
}

struct between between_anywhere(struct symbolic *s, node_id id, unsigned depth)
{
	return between_at(s, id, s->k->block_context[s->k->nodes.data[id].block], depth);
}
