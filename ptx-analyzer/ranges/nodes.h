/*
 * Private to ranges: a kernel in static single assignment form, with what its branches say.
 *
 * A node is a number that an instruction computes, of 1 to 64 bits. A *context* is a place of the kernel by what is
 * known there: the comparisons that hold on the edges which every way to it takes. Contexts form a tree.
 */
#ifndef ROMARK_PTX_NODES_H
#define ROMARK_PTX_NODES_H

#include "common/arena.h"
#include "common/vec.h"
#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/ranges/strided.h"

enum node_op {
	NODE_UNKNOWN,    /* any number; `number` is 1 where memory holds it */
	NODE_CONSTANT,   /* number */
	NODE_PARAM,      /* at byte `number` of the kernel's parameters */
	NODE_SREG,       /* enum ptx_sreg `number` */
	NODE_VARIABLE,   /* address of symbol `number` */
	NODE_LOADED,     /* from memory, by load `number` of kernel_ranges.loads */
	NODE_COUNT_BITS, /* 0 to the width of what is counted, `number` */
	NODE_PHI,        /* one of `args`, by the predecessor */
	NODE_SELECT,     /* a ? b : c */
	NODE_COMPARE,    /* a and b, by `compare` */
	NODE_SEXT,
	NODE_ZEXT,
	NODE_TRUNC,
	NODE_NOT,
	NODE_NEG,
	NODE_ABS,
	NODE_ADD,
	NODE_SUB,
	NODE_MUL,
	NODE_MULHI_U,
	NODE_MULHI_S,
	NODE_DIV_U,
	NODE_DIV_S,
	NODE_REM_U,
	NODE_REM_S,
	NODE_FLOOR_U, /* a - a % b */
	NODE_FLOOR_S,
	NODE_MIN_U,
	NODE_MIN_S,
	NODE_MAX_U,
	NODE_MAX_S,
	NODE_AND,
	NODE_OR,
	NODE_XOR,
	NODE_SHL,
	NODE_SHR_U,
	NODE_SHR_S,
	NODE_OPS
};

enum compare {
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_LT_U,
	COMPARE_LE_U,
	COMPARE_GT_U,
	COMPARE_GE_U,
	COMPARE_LT_S,
	COMPARE_LE_S,
	COMPARE_GT_S,
	COMPARE_GE_S,
};
/* a < b is false when, and as seen from b. */
enum compare compare_negated(enum compare how);
enum compare compare_swapped(enum compare how);

typedef uint32_t node_id;
typedef uint32_t context_id;
#define NO_NODE UINT32_MAX
#define NO_CONTEXT UINT32_MAX

struct range_node {
	uint8_t op, width, compare;
	bool needed;     /* for an address, or for what bounds one */
	bool comes_back; /* PHI: an argument comes from a block that is not ahead of it */
	bool induction;  /* PHI of a loop, to which each round adds something */
	uint32_t block;
	node_id a, b, c;
	uint64_t number;
	node_id *args;                        /* PHI: in the order of the block's predecessors */
	context_id where[2];                  /* SELECT: of b and of c */
	uint32_t bounds, nbounds;             /* what contexts say of it: in kernel_ranges.bounds */
	uint32_t alternatives, nalternatives; /* what else it is: in kernel_ranges.alternatives */
};

/* `subject` compares so with `other` in a context and all below it. */
struct fact {
	context_id context;
	enum compare how;
	node_id subject, other;
	uint64_t distance; /* a power of 2 that divides other - subject; 0: as 1 */
};

/*
 * A node is equal to another one. If there is a counter, only as long as this does not go round the end of its numbers,
 * which it is moved by in steps: of `step`, or of what `step_node` is.
 */
struct node_alternative {
	node_id is, counter, step_node;
	bool by_sign; /* the counter's numbers are signed ones */
	uint64_t step;
};

/* What a fact says of one node: of its subject, or of an operand of that. */
enum { MOST_HOPS = 3 };
struct node_bound {
	node_id node;
	uint32_t fact;
	uint32_t nhops;
	node_id hop[MOST_HOPS]; /* the subject, and so on down to what the node is an operand of */
};

struct range_context {
	context_id parent;
	uint32_t depth;
	uint32_t enter, leave; /* in a walk of the tree: below it are those between */
	uint32_t fact, nfacts; /* in kernel_ranges.facts */
	node_id guard;         /* that branches here, with `truth`; NO_NODE: none */
	bool truth;
};

/* A memory access: its address is computed in `block`. */
struct node_access {
	uint32_t inst, block;
	node_id address, guard; /* guard: of the instruction */
	bool truth;
	uint64_t bytes;
	context_id context;
};

/* A number that a plain load of global or constant memory brings. */
struct node_load {
	uint32_t access;
	uint32_t place; /* byte of it in what the access takes */
	node_id node;
	bool wanted; /* addresses depend on it */
};

/*
 * A round of a loop follows only if `fact` held in this one. Its subject is `phi` and what is the same in all rounds,
 * perhaps widened or cut to fewer bits.
 */
struct loop_test {
	uint32_t fact;
	node_id phi, sum; /* sum: the subject before that */
	bool fixed;       /* the other side is the same in all rounds, too */
};

/* Places in reverse post-order, from one to ahead of another, that no edge comes back to from behind them. */
struct range_region {
	uint32_t first, end;
	bool loops; /* edges come back within it */
};

/* All rounds begin in the header, which dominates them. */
struct range_loop {
	uint32_t header;
	uint32_t test, ntests; /* in kernel_ranges.tests */
};

struct kernel_ranges {
	struct arena arena;
	const struct ptx_function *function;
	bool known; /* else nothing is known of any access */
	VEC(struct range_node) nodes;
	VEC(struct range_context) contexts;
	VEC(struct fact) facts;
	VEC(struct node_bound) bounds; /* by node */
	VEC(struct node_alternative) alternatives;
	VEC(struct node_access) accesses;
	VEC(struct node_load) loads;
	VEC(struct range_loop) loops;
	VEC(struct loop_test) tests;
	VEC(struct range_region) regions;
	uint32_t *order; /* reachable blocks in reverse post-order */
	uint32_t norder;
	uint32_t *idom;
	uint32_t *enter, *leave;   /* of blocks in a walk of the dominator tree */
	node_id *end_guard;        /* per block: the predicate of its last instruction, or NO_NODE */
	context_id *block_context; /* per block */
	context_id **edge_context; /* per block, of the edge from each predecessor */
	uint32_t *first_node;      /* per place in `order`, and one more: in by_block */
	node_id *by_block;         /* needed nodes by block, in order */
	uint32_t *loop_of;         /* per block: the loop that it is the header of, or PTX_NONE */
	uint32_t *access_of;       /* per instruction: its access, PTX_NONE for none or several */
};

/* --- SSA (ssa.c, lower_numbers.c, lower_access.c) --- */

/* Fills nodes and accesses; false where the kernel is not followed. */
bool ssa_build(struct kernel_ranges *k);
bool ssa_dominates(const struct kernel_ranges *k, uint32_t block, uint32_t other);

struct register_undo {
	uint32_t reg;
	node_id was;
};

/* While the kernel is walked: what each register holds at this place. */
struct ssa_walk {
	struct kernel_ranges *k;
	node_id *current; /* per register */
	node_id *known;   /* by a hash of what they compute; NO_NODE: none */
	uint32_t nknown;  /* a power of 2 */
	VEC(struct register_undo) undo;
	uint32_t block;
	node_id guard; /* what the instruction's predicate was before it; NO_NODE: it has none */
};
/* The node, or one that is computed alike on the way here. */
node_id ssa_add(struct ssa_walk *w, struct range_node node);
node_id ssa_constant(struct ssa_walk *w, uint64_t number, unsigned width);
node_id ssa_unknown(struct ssa_walk *w, unsigned width);
void ssa_write(struct ssa_walk *w, uint32_t reg, node_id node);
node_id ssa_read(struct ssa_walk *w, uint32_t reg);
/* Width of a register that is followed; 0 for others. */
unsigned ssa_width(const struct ptx_function *f, uint32_t reg);

/* Nodes of an instruction, and its accesses. (lower_numbers.c) */
void ssa_lower(struct ssa_walk *w, uint32_t inst);
node_id ssa_binary(struct ssa_walk *w, enum node_op op, node_id a, node_id b);
/* The operand's lowest `width` bits; any number where it has fewer. */
node_id ssa_operand(struct ssa_walk *w, const struct ptx_operand *o, unsigned width);
/* Those of memory that may be global or constant, before the instruction has written registers. (lower_access.c) */
void ssa_note_accesses(struct ssa_walk *w, uint32_t inst);

/* --- Loads (wanted_loads.c) --- */

/* Says of each load whether addresses depend on its number; loops must have been found. */
void find_wanted_loads(struct kernel_ranges *k);

/* --- What is needed (prepare_ranges.c) --- */

void need_node(struct kernel_ranges *k, node_id id);

/* --- Contexts (contexts.c) --- */

void contexts_build(struct kernel_ranges *k);
void contexts_index_bounds(struct kernel_ranges *k);
bool context_holds_in(const struct kernel_ranges *k, context_id context, context_id below);

/* --- Loops (loops.c) --- */

void loops_build(struct kernel_ranges *k);
/* Is `from` the value of `phi` in this round of its loop with something added, on all ways? `depth`: sums followed. */
bool leads_to(const struct kernel_ranges *k, node_id from, node_id phi, uint32_t header, unsigned depth);
enum { MOST_SUMS = 6 };

/* --- What else nodes are --- */

/* Takes what branches say for max and min that are one of their operands; before bounds are indexed. (choices.c) */
void decide_choices(struct kernel_ranges *k);
/* Alternatives, and distances of facts; loops must have been found. (lockstep.c) */
void find_lockstep(struct kernel_ranges *k);

#endif
