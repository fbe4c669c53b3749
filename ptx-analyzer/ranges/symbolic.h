/* Private to ranges: what a node is between, as sums of a launch's parameters and dimensions. */
#ifndef ROMARK_PTX_SYMBOLIC_H
#define ROMARK_PTX_SYMBOLIC_H

#include "ptx-analyzer/ranges/nodes.h"
#include "ptx-analyzer/ranges/sums.h"

/*
 * A node's number is an integer between the two, of which it has the lowest bits. `known` is false on a side that has
 * no bound.
 */
struct between {
	struct sum low, high;
};

/* Without it a bound says nothing of a launch. */
struct condition {
	struct sum sum;
	unsigned width;   /* it is a signed number of so many bits; 0: it is not negative */
	int64_t multiple; /* of this it is one; 0: no matter */
};

struct known_between {
	node_id node;
	context_id context;
	uint32_t access; /* that it was found for */
	struct between value;
};

enum { KNOWN_BETWEEN = 1024 };

/* One access at a time. */
struct symbolic {
	const struct kernel_ranges *k;
	atom_list atoms;
	VEC(struct condition) conditions;
	struct known_between known[KNOWN_BETWEEN];
	bool *busy;      /* per node: a loop's variable that is being looked at */
	bool *cuts;      /* per node: facts of it are being looked at */
	uint32_t access; /* which one, from 1 on */
	uint32_t work;
};

struct between between_none(void);
struct between between_of(struct sum s);
bool between_is_known(const struct between *b);
bool between_is_single(const struct between *b);
struct between between_add(struct between a, struct between b);
struct between between_sub(struct between a, struct between b);

/* The node where the context's facts hold. (symbolic.c) */
struct between between_at(struct symbolic *s, node_id id, context_id context, unsigned depth);
/* The node where it is computed. */
struct between between_anywhere(struct symbolic *s, node_id id, unsigned depth);
struct between between_join(struct symbolic *s, struct between a, struct between b);
/* Notes that the sum has to be so; false where it never is. */
bool must_be_natural(struct symbolic *s, const struct sum *sum);
bool must_fit(struct symbolic *s, const struct between *b, unsigned width);
void must_be_multiple(struct symbolic *s, const struct sum *sum, int64_t of);
/* What comparisons with a bound let through; (symbolic_facts.c) */
struct between between_cut(struct symbolic *s, node_id id, context_id context, struct between v, unsigned depth);
/* Do the facts of the context show that the sum is not negative? */
bool is_natural_in(struct symbolic *s, const struct sum *sum, context_id context, unsigned depth);
/* A loop's variable in all rounds. (symbolic_loops.c) */
struct between between_in_loop(struct symbolic *s, node_id phi, unsigned depth);

#endif
