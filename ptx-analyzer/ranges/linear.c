/* Sums of nodes: how they are found, and their arithmetic. */
#include "ptx-analyzer/ranges/linear.h"

#include <string.h>

enum { MOST_DEPTH = 8 };

/* --- Arithmetic --- */

struct linear linear_constant(uint64_t number, unsigned width)
{
	return (struct linear){.width = (uint8_t)width, .known = true, .constant = number & width_mask(width)};
}

struct linear linear_node(const struct kernel_ranges *k, node_id id)
{
	struct linear a = linear_constant(0, k->nodes.data[id].width);

	a.terms[a.count++] = (struct linear_term){id, 1};
	return a;
}

static bool add_term(struct linear *a, struct linear_term t)
{
	unsigned i = 0;

	t.factor &= width_mask(a->width);
	if (t.factor == 0)
		return true;
	while (i < a->count && a->terms[i].node < t.node)
		i++;
	if (i < a->count && a->terms[i].node == t.node) {
		a->terms[i].factor = (a->terms[i].factor + t.factor) & width_mask(a->width);
		if (a->terms[i].factor == 0) {
			memmove(&a->terms[i], &a->terms[i + 1], (a->count - i - 1u) * sizeof t);
			a->count--;
		}
		return true;
	}
	if (a->count == MOST_LINEAR)
		return false;
	memmove(&a->terms[i + 1], &a->terms[i], (a->count - i) * sizeof t);
	a->terms[i] = t;
	a->count++;
	return true;
}

struct linear linear_add(struct linear a, uint64_t factor, const struct linear *b)
{
	a.known = a.known && b->known;
	a.constant = (a.constant + factor * b->constant) & width_mask(a.width);
	for (unsigned i = 0; i < b->count && a.known; i++)
		a.known = add_term(&a, (struct linear_term){b->terms[i].node, factor * b->terms[i].factor});
	return a;
}

struct linear linear_sub(const struct linear *a, const struct linear *b)
{
	return linear_add(*a, UINT64_MAX, b);
}

bool linear_is_constant(const struct linear *a, uint64_t *number)
{
	*number = a->constant;
	return a->known && a->count == 0;
}

bool linear_equal(const struct linear *a, const struct linear *b)
{
	struct linear d = linear_sub(a, b);

	return a->width == b->width && d.known && d.count == 0 && d.constant == 0;
}

uint64_t linear_factor(const struct linear *a, node_id id)
{
	for (unsigned i = 0; i < a->count; i++)
		if (a->terms[i].node == id)
			return a->terms[i].factor;
	return 0;
}

struct linear linear_replace(const struct linear *a, node_id id, const struct linear *by)
{
	uint64_t factor = linear_factor(a, id);
	struct linear without = *a;

	without.known = without.known && add_term(&without, (struct linear_term){id, 0 - factor});
	return linear_add(without, factor, by);
}

/* --- What a node is --- */

static struct linear of_node(const struct kernel_ranges *k, const struct linear *const *same, node_id id,
			     unsigned depth);

static bool is_number(const struct kernel_ranges *k, node_id id, uint64_t *number)
{
	*number = k->nodes.data[id].number;
	return k->nodes.data[id].op == NODE_CONSTANT;
}

/* a + factor * b + constant */
static struct linear sum(const struct kernel_ranges *k, const struct linear *const *same, const struct range_node *n,
			 uint64_t factor, unsigned depth)
{
	struct linear b = of_node(k, same, n->b, depth);

	return linear_add(of_node(k, same, n->a, depth), factor, &b);
}

static struct linear times(const struct kernel_ranges *k, const struct linear *const *same, node_id id, uint64_t factor,
			   uint64_t constant, unsigned depth)
{
	struct linear a = of_node(k, same, id, depth);

	return linear_add(linear_constant(constant, a.width), factor, &a);
}

static struct linear by_operation(const struct kernel_ranges *k, const struct linear *const *same, node_id id,
				  unsigned depth)
{
	const struct range_node *n = &k->nodes.data[id];
	uint64_t number;

	switch (n->op) {
	case NODE_CONSTANT: return linear_constant(n->number, n->width);
	case NODE_ADD: return sum(k, same, n, 1, depth);
	case NODE_SUB: return sum(k, same, n, UINT64_MAX, depth);
	case NODE_NEG: return times(k, same, n->a, UINT64_MAX, 0, depth);
	case NODE_NOT: return times(k, same, n->a, UINT64_MAX, UINT64_MAX, depth);
	case NODE_MUL:
		if (is_number(k, n->b, &number))
			return times(k, same, n->a, number, 0, depth);
		return is_number(k, n->a, &number) ? times(k, same, n->b, number, 0, depth) : linear_node(k, id);
	case NODE_SHL:
		if (is_number(k, n->b, &number) && number < n->width)
			return times(k, same, n->a, (uint64_t)1 << number, 0, depth);
		return linear_node(k, id);
	default: return linear_node(k, id);
	}
}

static struct linear of_node(const struct kernel_ranges *k, const struct linear *const *same, node_id id,
			     unsigned depth)
{
	struct linear a;

	if (same && same[id])
		return *same[id];
	if (depth == MOST_DEPTH)
		return linear_node(k, id);
	a = by_operation(k, same, id, depth + 1);
	return a.known ? a : linear_node(k, id);
}

struct linear linear_of(const struct kernel_ranges *k, const struct linear *const *same, node_id id)
{
	return of_node(k, same, id, 0);
}
