/* Private to ranges: one launch while its nodes are evaluated. */
#ifndef ROMARK_PTX_EVALUATION_H
#define ROMARK_PTX_EVALUATION_H

#include "ptx-analyzer/ranges/nodes.h"
#include "ptx-analyzer/ranges/ranges.h"

/* What a node is in a context, as far as that is known in this sweep. */
struct known_value {
	node_id node;
	context_id context;
	uint32_t sweep;
	struct strided value;
};

struct evaluation {
	const struct kernel_ranges *k;
	const struct range_launch *launch;
	const struct strided *loaded; /* per load: what its number is; NULL: nothing is known of any */
	struct strided *value;        /* per node: all that it ever is; empty: nothing has come there yet */
	bool *reached;                /* per block */
	uint8_t *widened;             /* per node: how often a PHI grew */
	uint32_t *alive; /* per context: twice the sweep in which it was looked at, + 1 if it can be come to */
	uint32_t sweep;
	bool descends;            /* values only shrink any more */
	bool changed;             /* a node, or what is reached, in this sweep */
	uint64_t work, most_work; /* nodes evaluated in this sweep; from there on none in contexts */
	struct known_value *known;
	uint32_t nknown; /* a power of 2 */
};

/* What a launch's accesses touch. */
struct launch_ranges {
	const struct kernel_ranges *k;
	struct byte_range *ranges;  /* per access */
	uint64_t *steps;            /* per access: from one first byte to the next, 0 for a single one */
	struct memory_scans *scans; /* what it rests on beside the launch's numbers; NULL: nothing */
};
struct launch_ranges *evaluate_launch(const struct kernel_ranges *k, const struct range_launch *launch,
				      const struct strided *loaded);
void release_scans(struct memory_scans *s); /* scans.c */

/* --- At one place (in_context.c) --- */

/* The node where the context's facts hold, when they were last true. `depth`: of what asks. */
struct strided value_in(struct evaluation *e, node_id id, context_id context, unsigned depth);
/* What the operation gives for its operands in a context; not of PHIs. */
struct strided value_of(struct evaluation *e, node_id id, context_id context, unsigned depth);
/* `v` of the node, made less by what else it is in a context. */
struct strided with_alternatives(struct evaluation *e, node_id id, struct strided v, context_id context,
				 unsigned depth);
/* Can the context be come to? */
bool is_alive(struct evaluation *e, context_id context, unsigned depth);

/* --- Loops (rounds.c) --- */

/* What an induction variable is in all rounds; false if there is no bound of their number. */
bool induction_value(struct evaluation *e, node_id phi, struct strided *value);

/* --- The fixpoint (range_sweeps.c) --- */

/* Join of a PHI's arguments over edges that can be taken: all, or those that come into its loop. */
enum edges { EDGES_ALL, EDGES_IN };
struct strided phi_join(struct evaluation *e, node_id phi, enum edges which);
/* Can the edge from predecessor `place` of the block be taken? */
bool edge_is_alive(struct evaluation *e, uint32_t block, uint32_t place);

#endif
