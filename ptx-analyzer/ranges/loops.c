/*
 * Loops: which of their variables grow by a sum in each round, and which tests each further round has passed.
 *
 * A test counts if its edge is taken on every way back to the header. Then each round that another one follows has
 * passed it, with the variable's value of that round.
 */
#include "ptx-analyzer/ranges/nodes.h"

/* More ways than this that meet are not followed: their number is to a power of MOST_SUMS. */
enum { MOST_WAYS = 4 };

bool leads_to(const struct kernel_ranges *k, node_id from, node_id phi, uint32_t header, unsigned depth)
{
	const struct range_node *n = &k->nodes.data[from];
	bool all = true;

	if (from == phi)
		return true;
	if (depth == 0 || !ssa_dominates(k, header, n->block))
		return false;
	switch (n->op) {
	case NODE_ADD: return leads_to(k, n->a, phi, header, depth - 1) || leads_to(k, n->b, phi, header, depth - 1);
	case NODE_SUB: return leads_to(k, n->a, phi, header, depth - 1);
	case NODE_SELECT: return leads_to(k, n->b, phi, header, depth - 1) && leads_to(k, n->c, phi, header, depth - 1);
	case NODE_PHI:
		if (n->comes_back || k->function->blocks[n->block].npred > MOST_WAYS)
			return false;
		for (uint32_t i = 0; i < k->function->blocks[n->block].npred; i++)
			all = all && n->args[i] != NO_NODE && leads_to(k, n->args[i], phi, header, depth - 1);
		return all;
	default: return false;
	}
}

static bool is_induction(const struct kernel_ranges *k, node_id phi)
{
	const struct range_node *n = &k->nodes.data[phi];
	const struct ptx_block *b = &k->function->blocks[n->block];

	for (uint32_t i = 0; i < b->npred; i++) {
		if (!k->function->blocks[b->pred[i]].reachable || !ssa_dominates(k, n->block, b->pred[i]))
			continue;
		if (!leads_to(k, n->args[i], phi, n->block, MOST_SUMS))
			return false;
	}
	return true;
}

/* --- Tests --- */

/* The same number in every round: computed before the loop, or of such numbers. */
static bool is_fixed(const struct kernel_ranges *k, node_id id, uint32_t header, unsigned depth)
{
	const struct range_node *n = &k->nodes.data[id];

	if (n->op == NODE_CONSTANT || n->op == NODE_PARAM || n->op == NODE_SREG || n->op == NODE_VARIABLE ||
	    !ssa_dominates(k, header, n->block))
		return true;
	if (depth == 0)
		return false;
	switch (n->op) {
	case NODE_SEXT:
	case NODE_ZEXT:
	case NODE_TRUNC:
	case NODE_NOT:
	case NODE_NEG: return is_fixed(k, n->a, header, depth - 1);
	case NODE_ADD:
	case NODE_SUB:
	case NODE_MUL:
	case NODE_AND:
	case NODE_SHL:
	case NODE_SHR_U:
	case NODE_SHR_S: return is_fixed(k, n->a, header, depth - 1) && is_fixed(k, n->b, header, depth - 1);
	default: return false;
	}
}

/* The variable of the loop that `sum` is, with something added that is the same in all rounds; or NO_NODE. */
static node_id variable_of(const struct kernel_ranges *k, node_id sum, uint32_t header, unsigned depth)
{
	const struct range_node *n = &k->nodes.data[sum];
	node_id found = NO_NODE;

	if (n->op == NODE_PHI && n->block == header)
		return n->induction ? sum : NO_NODE;
	if (depth == 0 || (n->op != NODE_ADD && n->op != NODE_SUB))
		return NO_NODE;
	if (is_fixed(k, n->b, header, MOST_SUMS))
		found = variable_of(k, n->a, header, depth - 1);
	if (found == NO_NODE && n->op == NODE_ADD && is_fixed(k, n->a, header, MOST_SUMS))
		found = variable_of(k, n->b, header, depth - 1);
	return found;
}

static void add_test(struct kernel_ranges *k, uint32_t fact, uint32_t header)
{
	const struct fact *f = &k->facts.data[fact];
	const struct range_node *subject = &k->nodes.data[f->subject];
	struct loop_test t = {.fact = fact, .sum = f->subject};

	if (subject->op == NODE_SEXT || subject->op == NODE_ZEXT || subject->op == NODE_TRUNC)
		t.sum = subject->a;
	t.phi = variable_of(k, t.sum, header, MOST_SUMS);
	t.fixed = is_fixed(k, f->other, header, MOST_SUMS);
	if (t.phi != NO_NODE)
		vec_push(&k->tests, t);
}

static bool holds_on_all_rounds(const struct kernel_ranges *k, context_id context, uint32_t header)
{
	const struct ptx_block *b = &k->function->blocks[header];

	for (uint32_t i = 0; i < b->npred; i++)
		if (k->function->blocks[b->pred[i]].reachable && ssa_dominates(k, header, b->pred[i]) &&
		    !context_holds_in(k, context, k->edge_context[header][i]))
			return false;
	return true;
}

static void find_tests(struct kernel_ranges *k, uint32_t header, uint32_t round)
{
	size_t swapped = k->facts.len / 2;

	for (context_id c = k->edge_context[header][round]; c != k->block_context[header];
	     c = k->contexts.data[c].parent) {
		const struct range_context *context = &k->contexts.data[c];

		if (!holds_on_all_rounds(k, c, header))
			continue;
		for (uint32_t i = context->fact; i < context->fact + context->nfacts; i++) {
			add_test(k, i, header);
			add_test(k, (uint32_t)(i + swapped), header);
		}
	}
}

/* --- Loops --- */

/* A way back to the block that it dominates, or npred. */
static uint32_t first_round(const struct kernel_ranges *k, uint32_t block)
{
	const struct ptx_block *b = &k->function->blocks[block];
	uint32_t i = 0;

	while (i < b->npred && !(k->function->blocks[b->pred[i]].reachable && ssa_dominates(k, block, b->pred[i])))
		i++;
	return i;
}

static bool comes_back(const struct kernel_ranges *k, uint32_t block)
{
	const struct ptx_block *blocks = k->function->blocks;

	for (uint32_t i = 0; i < blocks[block].npred; i++)
		if (blocks[blocks[block].pred[i]].reachable && blocks[blocks[block].pred[i]].rpo >= blocks[block].rpo)
			return true;
	return false;
}

void loops_build(struct kernel_ranges *k)
{
	k->loop_of = arena_alloc(&k->arena, k->function->nblocks * sizeof *k->loop_of);
	memset(k->loop_of, 0xFF, k->function->nblocks * sizeof *k->loop_of);
	for (size_t i = 0; i < k->nodes.len; i++)
		if (k->nodes.data[i].op == NODE_PHI)
			k->nodes.data[i].comes_back = comes_back(k, k->nodes.data[i].block);
	for (size_t i = 0; i < k->nodes.len; i++)
		if (k->nodes.data[i].comes_back && k->nodes.data[i].needed)
			k->nodes.data[i].induction = is_induction(k, (node_id)i);
	for (uint32_t i = 0; i < k->norder; i++) {
		uint32_t block = k->order[i], round = first_round(k, block);
		struct range_loop loop = {.header = block, .test = (uint32_t)k->tests.len};

		if (round == k->function->blocks[block].npred)
			continue;
		find_tests(k, block, round);
		loop.ntests = (uint32_t)k->tests.len - loop.test;
		k->loop_of[block] = (uint32_t)k->loops.len;
		vec_push(&k->loops, loop);
	}
}
