/*
 * Private to ranges: a node as a sum of other nodes times constants, modulo 2 to its width.
 *
 *   4 * sext(j) + p + 8 is {p, 1}, {sext(j), 4} and the constant 8.
 *
 * Two nodes of one sum are equal wherever both can be seen: what they are made of has been computed once for both.
 */
#ifndef ROMARK_PTX_LINEAR_H
#define ROMARK_PTX_LINEAR_H

#include "ptx-analyzer/ranges/nodes.h"

enum { MOST_LINEAR = 6 };

struct linear_term {
	node_id node;
	uint64_t factor; /* not 0 */
};

struct linear {
	uint8_t width, count;
	bool known; /* false: more terms than there is room for */
	uint64_t constant;
	struct linear_term terms[MOST_LINEAR]; /* by node */
};

struct linear linear_constant(uint64_t number, unsigned width);
struct linear linear_node(const struct kernel_ranges *k, node_id id);
/* a + factor * b */
struct linear linear_add(struct linear a, uint64_t factor, const struct linear *b);
struct linear linear_sub(const struct linear *a, const struct linear *b);
bool linear_is_constant(const struct linear *a, uint64_t *number);
bool linear_equal(const struct linear *a, const struct linear *b);
/* The factor of a node; 0 where it is not in the sum. */
uint64_t linear_factor(const struct linear *a, node_id id);
/* The sum with other nodes in place of one of its nodes. */
struct linear linear_replace(const struct linear *a, node_id id, const struct linear *by);

/* What a node is: a sum of nodes that are no sums. `same`: per node, what it is besides its operation; may be NULL. */
struct linear linear_of(const struct kernel_ranges *k, const struct linear *const *same, node_id id);

#endif
