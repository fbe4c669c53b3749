/*
 * max(n, i + 1) where i < n is n: what compilers write of a loop that runs at least once. The choice is replaced by its
 * operand, since a branch to its place has decided it.
 */
#include "ptx-analyzer/ranges/linear.h"

enum { MOST_CONTEXTS = 16 };

/* Is a - b 0, or 1 where that is allowed? */
static bool is_next(const struct kernel_ranges *k, node_id a, node_id b, bool allows_1)
{
	struct linear x = linear_of(k, NULL, a), y = linear_of(k, NULL, b), d;
	uint64_t number;

	if (a == b)
		return true;
	if (x.width != y.width)
		return false;
	d = linear_sub(&x, &y);
	return linear_is_constant(&d, &number) && (number == 0 || (number == 1 && allows_1));
}

/* `less` is less than `more`, or equal, by this fact; false where it says nothing of the kind. */
static bool is_order(const struct fact *f, bool by_sign, node_id *less, node_id *more, bool *strictly)
{
	static const uint8_t orders[][2] = {{COMPARE_LT_U, COMPARE_LT_S}, {COMPARE_LE_U, COMPARE_LE_S}};
	enum compare swapped = compare_swapped(f->how);

	for (unsigned i = 0; i < 2; i++) {
		*strictly = i == 0;
		*less = f->how == orders[i][by_sign] ? f->subject : f->other;
		*more = f->how == orders[i][by_sign] ? f->other : f->subject;
		if (f->how == orders[i][by_sign] || swapped == orders[i][by_sign])
			return true;
	}
	return false;
}

/* The operand that the choice is by this fact, or NO_NODE. */
static node_id decided(const struct kernel_ranges *k, const struct range_node *n, const struct fact *f)
{
	bool by_sign = n->op == NODE_MIN_S || n->op == NODE_MAX_S, largest = n->op == NODE_MAX_S || n->op == NODE_MAX_U;
	bool strictly;
	node_id less, more;

	if (!is_order(f, by_sign, &less, &more, &strictly))
		return NO_NODE;
	for (unsigned i = 0; i < 2; i++) {
		node_id one = i ? n->b : n->a, other = i ? n->a : n->b;

		if (largest && one == more && is_next(k, other, less, strictly))
			return one;
		if (!largest && one == less && is_next(k, more, other, strictly))
			return one;
	}
	return NO_NODE;
}

static node_id decided_in(const struct kernel_ranges *k, const struct range_node *n)
{
	context_id context = k->block_context[n->block];

	for (unsigned i = 0; context != NO_CONTEXT && i < MOST_CONTEXTS; i++) {
		const struct range_context *c = &k->contexts.data[context];

		for (uint32_t f = c->fact; f < c->fact + c->nfacts; f++) {
			node_id is = decided(k, n, &k->facts.data[f]);

			if (is != NO_NODE)
				return is;
		}
		context = c->parent;
	}
	return NO_NODE;
}

static void replace(const node_id *is, node_id *n)
{
	while (*n != NO_NODE && is[*n] != NO_NODE)
		*n = is[*n];
}

static void replace_all(struct kernel_ranges *k, const node_id *is)
{
	for (size_t i = 0; i < k->nodes.len; i++) {
		struct range_node *n = &k->nodes.data[i];

		for (uint32_t p = 0; n->op == NODE_PHI && p < k->function->blocks[n->block].npred; p++)
			replace(is, &n->args[p]);
		if (n->op <= NODE_PHI)
			continue;
		replace(is, &n->a);
		replace(is, &n->b);
		replace(is, &n->c);
	}
	for (size_t i = 0; i < k->facts.len; i++) {
		replace(is, &k->facts.data[i].subject);
		replace(is, &k->facts.data[i].other);
	}
	for (size_t i = 0; i < k->accesses.len; i++)
		replace(is, &k->accesses.data[i].address);
}

void decide_choices(struct kernel_ranges *k)
{
	node_id *is = xmalloc((k->nodes.len + 1) * sizeof *is);
	bool any = false;

	for (size_t i = 0; i < k->nodes.len; i++) {
		const struct range_node *n = &k->nodes.data[i];

		is[i] = NO_NODE;
		if (n->op >= NODE_MIN_U && n->op <= NODE_MAX_S && k->function->blocks[n->block].reachable)
			is[i] = decided_in(k, n);
		any |= is[i] != NO_NODE;
	}
	if (any)
		replace_all(k, is);
	free(is);
}
