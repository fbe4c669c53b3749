/*
 * Contexts: what branches say, where.
 *
 * An edge that every way to a block takes holds there, with the values that were compared: in SSA the latest one of a
 * node whose definition dominates a place is the one that was compared, since a way from a new definition that misses
 * the edge would be a way from the entry that misses it. A loop's header has such an edge where it is entered by one
 * edge, besides those of its rounds.
 */
#include "ptx-analyzer/ranges/nodes.h"

enum { MOST_PARTS = 16 };

/* --- Comparisons --- */

enum compare compare_negated(enum compare how)
{
	static const uint8_t negated[] = {
	    [COMPARE_EQ] = COMPARE_NE,     [COMPARE_NE] = COMPARE_EQ,     [COMPARE_LT_U] = COMPARE_GE_U,
	    [COMPARE_LE_U] = COMPARE_GT_U, [COMPARE_GT_U] = COMPARE_LE_U, [COMPARE_GE_U] = COMPARE_LT_U,
	    [COMPARE_LT_S] = COMPARE_GE_S, [COMPARE_LE_S] = COMPARE_GT_S, [COMPARE_GT_S] = COMPARE_LE_S,
	    [COMPARE_GE_S] = COMPARE_LT_S,
	};

	return negated[how];
}

enum compare compare_swapped(enum compare how)
{
	static const uint8_t swapped[] = {
	    [COMPARE_EQ] = COMPARE_EQ,     [COMPARE_NE] = COMPARE_NE,     [COMPARE_LT_U] = COMPARE_GT_U,
	    [COMPARE_LE_U] = COMPARE_GE_U, [COMPARE_GT_U] = COMPARE_LT_U, [COMPARE_GE_U] = COMPARE_LE_U,
	    [COMPARE_LT_S] = COMPARE_GT_S, [COMPARE_LE_S] = COMPARE_GE_S, [COMPARE_GT_S] = COMPARE_LT_S,
	    [COMPARE_GE_S] = COMPARE_LE_S,
	};

	return swapped[how];
}

/* --- Facts --- */

static void add_fact(struct kernel_ranges *k, context_id context, const struct range_node *compared, bool truth)
{
	enum compare how = compared->compare;

	vec_push(&k->facts, (struct fact){context, truth ? how : compare_negated(how), compared->a, compared->b, 0});
}

/* Takes a predicate apart into comparisons that all hold: those of a conjunction, or of a disjunction that is false. */
static void add_facts(struct kernel_ranges *k, context_id context, node_id guard, bool truth)
{
	struct {
		node_id node;
		bool truth;
	} work[MOST_PARTS] = {{guard, truth}};
	unsigned n = 1;

	while (n) {
		node_id at = work[--n].node;
		bool is = work[n].truth;
		const struct range_node *node = &k->nodes.data[at];

		if (node->op == NODE_COMPARE)
			add_fact(k, context, node, is);
		else if (node->op == NODE_NOT) {
			work[n].node = node->a;
			work[n++].truth = !is;
		} else if (node->op == (is ? NODE_AND : NODE_OR) && n + 2 <= MOST_PARTS) {
			work[n].node = node->a;
			work[n++].truth = is;
			work[n].node = node->b;
			work[n++].truth = is;
		}
	}
}

static context_id add_context(struct kernel_ranges *k, context_id parent, node_id guard, bool truth)
{
	struct range_context c = {.parent = parent, .guard = guard, .truth = truth, .fact = (uint32_t)k->facts.len};
	context_id id = (context_id)k->contexts.len;

	c.depth = parent == NO_CONTEXT ? 0 : k->contexts.data[parent].depth + 1;
	vec_push(&k->contexts, c);
	if (guard != NO_NODE)
		add_facts(k, id, guard, truth);
	k->contexts.data[id].nfacts = (uint32_t)k->facts.len - c.fact;
	return id;
}

/* --- Edges --- */

/* The predicate on which the branch at the end of `from` takes the edge to `to`; false where it has none. */
static bool edge_guard(const struct kernel_ranges *k, uint32_t from, uint32_t to, node_id *guard, bool *truth)
{
	const struct ptx_block *b = &k->function->blocks[from];
	const struct ptx_inst *last = &k->function->insts[b->first + b->count - 1];

	if (k->end_guard[from] == NO_NODE)
		return false;
	*guard = k->end_guard[from];
	if (last->opcode->op == PTX_OP_bra && b->nsucc == 2)
		*truth = (to == b->succ[0]) != last->predicate_not;
	else if ((last->opcode->cls == PTX_CLASS_RETURN || last->opcode->cls == PTX_CLASS_EXIT) && b->nsucc == 1)
		*truth = last->predicate_not;
	else
		return false;
	return true;
}

static context_id make_edge(struct kernel_ranges *k, uint32_t from, uint32_t to)
{
	node_id guard;
	bool truth;

	if (!edge_guard(k, from, to, &guard, &truth))
		return k->block_context[from];
	return add_context(k, k->block_context[from], guard, truth);
}

/* The only edge that does not come from below, or `npred`. */
static uint32_t only_entry(const struct kernel_ranges *k, uint32_t block)
{
	const struct ptx_block *b = &k->function->blocks[block];
	uint32_t found = b->npred, n = 0;

	for (uint32_t i = 0; i < b->npred; i++)
		if (k->function->blocks[b->pred[i]].reachable && !ssa_dominates(k, block, b->pred[i])) {
			found = i;
			n++;
		}
	return n == 1 ? found : b->npred;
}

/* In reverse post-order, where the dominator comes first; edges from below follow when all blocks have one. */
static void make_blocks(struct kernel_ranges *k)
{
	const struct ptx_block *blocks = k->function->blocks;

	k->block_context = arena_array(&k->arena, context_id, k->function->nblocks);
	k->edge_context = arena_array(&k->arena, context_id *, k->function->nblocks);
	k->block_context[0] = add_context(k, NO_CONTEXT, NO_NODE, false);
	for (uint32_t i = 1; i < k->norder; i++) {
		uint32_t block = k->order[i], entry = only_entry(k, block);

		k->edge_context[block] = arena_alloc(&k->arena, (blocks[block].npred + 1) * sizeof(context_id));
		memset(k->edge_context[block], 0xFF, blocks[block].npred * sizeof(context_id));
		k->block_context[block] = k->block_context[k->idom[block]];
		if (entry == blocks[block].npred)
			continue;
		k->edge_context[block][entry] = make_edge(k, blocks[block].pred[entry], block);
		k->block_context[block] = k->edge_context[block][entry];
	}
}

static void make_edges(struct kernel_ranges *k)
{
	const struct ptx_block *blocks = k->function->blocks;

	for (uint32_t i = 1; i < k->norder; i++) {
		uint32_t block = k->order[i];

		for (uint32_t p = 0; p < blocks[block].npred; p++)
			if (k->edge_context[block][p] == NO_CONTEXT && blocks[blocks[block].pred[p]].reachable)
				k->edge_context[block][p] = make_edge(k, blocks[block].pred[p], block);
	}
}

/* --- Guards of instructions, and selections --- */

static void make_selections(struct kernel_ranges *k)
{
	for (size_t i = 0; i < k->nodes.len; i++) {
		struct range_node n = k->nodes.data[i];

		if (n.op != NODE_SELECT)
			continue;
		k->nodes.data[i].where[0] = add_context(k, k->block_context[n.block], n.a, true);
		k->nodes.data[i].where[1] = add_context(k, k->block_context[n.block], n.a, false);
	}
	for (size_t i = 0; i < k->accesses.len; i++) {
		struct node_access *a = &k->accesses.data[i];

		a->context = k->block_context[a->block];
		if (a->guard != NO_NODE)
			a->context = add_context(k, a->context, a->guard, a->truth);
	}
}

/* --- The tree of contexts --- */

/* A context is made after its parent. So sizes of what is below add up from the last one to the first. */
static void number_contexts(struct kernel_ranges *k)
{
	uint32_t n = (uint32_t)k->contexts.len, *size = xcalloc(n + 1, sizeof *size),
		 *next = xcalloc(n + 1, sizeof *next);
	struct range_context *c = k->contexts.data;

	for (uint32_t i = n; i-- > 1;)
		size[c[i].parent] += size[i] + 1;
	for (uint32_t i = 0; i < n; i++) {
		c[i].enter = i ? next[c[i].parent] : 0;
		c[i].leave = c[i].enter + size[i];
		next[i] = c[i].enter + 1;
		if (i)
			next[c[i].parent] = c[i].leave + 1;
	}
	free(size);
	free(next);
}

bool context_holds_in(const struct kernel_ranges *k, context_id context, context_id below)
{
	const struct range_context *c = &k->contexts.data[context], *d = &k->contexts.data[below];

	return c->enter <= d->enter && d->leave <= c->leave;
}

/* --- Bounds of nodes --- */

static void add_bound(struct kernel_ranges *k, const struct node_bound *b)
{
	enum node_op op = k->nodes.data[b->node].op;

	if (op != NODE_CONSTANT && op != NODE_PARAM)
		vec_push(&k->bounds, *b);
}

/*
 * The subject of a fact and what it is a sum, a widening, a minimum or a maximum of: whoever bounds the result bounds
 * the operand.
 */
static void add_bounds(struct kernel_ranges *k, struct node_bound b)
{
	const struct range_node *n = &k->nodes.data[b.node];

	add_bound(k, &b);
	if (b.nhops == MOST_HOPS)
		return;
	b.hop[b.nhops++] = b.node;
	switch (n->op) {
	case NODE_ADD:
	case NODE_SUB:
	case NODE_MIN_U:
	case NODE_MIN_S:
	case NODE_MAX_U:
	case NODE_MAX_S:
		b.node = n->b;
		add_bounds(k, b);
		b.node = n->a;
		add_bounds(k, b);
		break;
	case NODE_SEXT:
	case NODE_ZEXT:
	case NODE_NEG:
		b.node = n->a;
		add_bounds(k, b);
		break;
	default: break;
	}
}

static int compare_bounds(const void *a, const void *b)
{
	const struct node_bound *x = a, *y = b;

	return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
				  : (x->fact > y->fact) - (x->fact < y->fact);
}

void contexts_index_bounds(struct kernel_ranges *k)
{
	size_t nfacts = k->facts.len;

	/* Each fact as seen from its other side stands behind all of them. */
	for (size_t i = 0; i < nfacts; i++) {
		struct fact f = k->facts.data[i];

		vec_push(&k->facts, (struct fact){f.context, compare_swapped(f.how), f.other, f.subject, 0});
	}
	for (size_t i = 0; i < k->facts.len; i++)
		add_bounds(k, (struct node_bound){.node = k->facts.data[i].subject, .fact = (uint32_t)i});
	if (k->bounds.len)
		qsort(k->bounds.data, k->bounds.len, sizeof *k->bounds.data, compare_bounds);
	for (size_t i = 0; i < k->bounds.len; i++) {
		struct range_node *n = &k->nodes.data[k->bounds.data[i].node];

		if (n->nbounds++ == 0)
			n->bounds = (uint32_t)i;
	}
}

void contexts_build(struct kernel_ranges *k)
{
	make_blocks(k);
	make_edges(k);
	make_selections(k);
	number_contexts(k);
}
