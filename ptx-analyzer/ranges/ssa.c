/*
 * Static single assignment: dominators, where values of a register meet, and a walk of the dominator tree that gives
 * each instruction the nodes that it reads (Cytron et al., "Efficiently Computing Static Single Assignment Form",
 * 1991). Dominators are those of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
 */
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/ranges/nodes.h"

/* A kernel with more values and meetings than this is not followed. */
enum { MOST_NODES = 1 << 21 };

/* --- Dominators --- */

static void order_blocks(struct kernel_ranges *k)
{
	const struct ptx_function *f = k->function;

	k->order = arena_array(&k->arena, uint32_t, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].reachable) {
			k->order[f->blocks[b].rpo] = b;
			k->norder++;
		}
}

static uint32_t nearest_common(const struct kernel_ranges *k, uint32_t a, uint32_t b)
{
	const struct ptx_block *blocks = k->function->blocks;

	while (a != b)
		if (blocks[a].rpo > blocks[b].rpo)
			a = k->idom[a];
		else
			b = k->idom[b];
	return a;
}

static bool find_idom(struct kernel_ranges *k, uint32_t block)
{
	const struct ptx_block *b = &k->function->blocks[block];
	uint32_t idom = PTX_NONE;

	for (uint32_t i = 0; i < b->npred; i++)
		if (k->idom[b->pred[i]] != PTX_NONE)
			idom = idom == PTX_NONE ? b->pred[i] : nearest_common(k, idom, b->pred[i]);
	if (idom == k->idom[block])
		return false;
	k->idom[block] = idom;
	return true;
}

static void find_dominators(struct kernel_ranges *k)
{
	bool changed = true;

	k->idom = arena_alloc(&k->arena, k->function->nblocks * sizeof *k->idom);
	memset(k->idom, 0xFF, k->function->nblocks * sizeof *k->idom);
	k->idom[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < k->norder; i++)
			changed |= find_idom(k, k->order[i]);
	}
}

/* Children of each block in the dominator tree, as lists through `next`, in reverse post-order. */
struct tree {
	uint32_t *first, *next;
};

static struct tree dominator_tree(struct kernel_ranges *k)
{
	uint32_t n = k->function->nblocks;
	struct tree t = {arena_alloc(&k->arena, n * sizeof(uint32_t)), arena_alloc(&k->arena, n * sizeof(uint32_t))};

	memset(t.first, 0xFF, n * sizeof(uint32_t));
	for (uint32_t i = k->norder; i-- > 1;) {
		uint32_t b = k->order[i];

		t.next[b] = t.first[k->idom[b]];
		t.first[k->idom[b]] = b;
	}
	return t;
}

bool ssa_dominates(const struct kernel_ranges *k, uint32_t block, uint32_t other)
{
	return k->enter[block] <= k->enter[other] && k->leave[other] <= k->leave[block];
}

/* --- Where values meet --- */

/* The blocks where what a block dominates ends, as lists. */
struct frontier {
	uint32_t *first; /* per block, and one more: in `blocks` */
	uint32_t *blocks;
};

/* Counts the members of all frontiers, or lists them from count[block] on. */
static size_t walk_frontiers(const struct kernel_ranges *k, uint32_t *count, uint32_t *blocks)
{
	size_t total = 0;

	for (uint32_t i = 0; i < k->norder; i++) {
		uint32_t join = k->order[i];
		const struct ptx_block *b = &k->function->blocks[join];

		for (uint32_t p = 0; p < b->npred && b->npred > 1; p++)
			for (uint32_t at = b->pred[p]; k->idom[at] != PTX_NONE && at != k->idom[join];
			     at = k->idom[at]) {
				if (blocks)
					blocks[count[at]++] = join;
				else
					count[at]++;
				total++;
			}
	}
	return total;
}

static bool find_frontiers(struct kernel_ranges *k, struct frontier *fr)
{
	uint32_t n = k->function->nblocks, *count = xcalloc(n + 1, sizeof *count), total = 0;
	size_t all = walk_frontiers(k, count, NULL);

	if (all > MOST_NODES) {
		free(count);
		return false;
	}
	fr->first = xcalloc(n + 1, sizeof *fr->first);
	fr->blocks = xcalloc(all + 1, sizeof *fr->blocks);
	for (uint32_t b = 0; b < n; b++) {
		fr->first[b] = total;
		total += count[b];
		count[b] = fr->first[b];
	}
	fr->first[n] = total;
	walk_frontiers(k, count, fr->blocks);
	free(count);
	return true;
}

unsigned ssa_width(const struct ptx_function *f, uint32_t reg)
{
	enum ptx_type type = f->regs[reg].type;
	unsigned bits = ptx_type_bits(type);

	return ptx_type_kind(type) == PTX_KIND_FLOAT || bits > 64 ? 0 : bits;
}

/* Registers that an operand names, one call each. */
static void each_register(const struct ptx_operand *o, void (*call)(void *data, uint32_t reg), void *data)
{
	if (o->kind == PTX_OPERAND_REG)
		call(data, o->id);
	if (o->flags & PTX_FLAG_COMPONENT)
		return;
	for (uint32_t i = 0; i < o->count; i++)
		each_register(&o->elems[i], call, data);
}

struct register_write {
	uint32_t reg, block;
};

/* What registers are written where, and which are read in another block than that. */
struct writes {
	const struct ptx_function *f;
	VEC(struct register_write) list;
	uint32_t block;
	uint32_t *last; /* per register: the last block that wrote it, + 1 */
	bool *crosses;  /* per register: read before it is written in some block */
};

static void note_write(void *data, uint32_t reg)
{
	struct writes *w = data;

	if (!ssa_width(w->f, reg) || w->last[reg] == w->block + 1)
		return;
	w->last[reg] = w->block + 1;
	vec_push(&w->list, (struct register_write){reg, w->block});
}

static void note_read(void *data, uint32_t reg)
{
	struct writes *w = data;

	w->crosses[reg] |= w->last[reg] != w->block + 1;
}

static bool is_written(enum ptx_role role)
{
	return role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC;
}

static void note_instruction(struct writes *w, const struct ptx_inst *inst)
{
	if (inst->predicate != PTX_NONE)
		note_read(w, inst->predicate);
	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		/* Under a guard what was there before is read as well. */
		if (role != PTX_ROLE_DST || inst->predicate != PTX_NONE)
			each_register(&inst->operands[i], note_read, w);
	}
	for (unsigned i = 0; i < inst->noperands; i++)
		if (is_written(ptx_operand_role(inst, i)))
			each_register(&inst->operands[i], note_write, w);
}

static int compare_writes(const void *a, const void *b)
{
	const struct register_write *x = a, *y = b;

	return x->reg != y->reg ? (x->reg > y->reg) - (x->reg < y->reg) : (x->block > y->block) - (x->block < y->block);
}

/* Registers that need a PHI in a block, in the order of the blocks. */
struct meeting {
	uint32_t block, reg;
};
typedef VEC(struct meeting) meetings;

struct placing {
	const struct frontier *fr;
	uint32_t *placed, *queued; /* per block: the last register that it was done for, + 1 */
	VEC(uint32_t) work;
	meetings *found;
};

static void place_register(struct placing *p, uint32_t reg)
{
	while (p->work.len) {
		uint32_t block = vec_pop(&p->work);

		for (uint32_t i = p->fr->first[block]; i < p->fr->first[block + 1]; i++) {
			uint32_t join = p->fr->blocks[i];

			if (p->placed[join] == reg + 1)
				continue;
			p->placed[join] = reg + 1;
			vec_push(p->found, (struct meeting){join, reg});
			if (p->queued[join] != reg + 1) {
				p->queued[join] = reg + 1;
				vec_push(&p->work, join);
			}
		}
	}
}

static void place_all(struct kernel_ranges *k, struct writes *w, const struct frontier *fr, meetings *found)
{
	struct placing p = {.fr = fr, .found = found};

	p.placed = xcalloc(k->function->nblocks, sizeof *p.placed);
	p.queued = xcalloc(k->function->nblocks, sizeof *p.queued);
	for (size_t i = 0; i < w->list.len && found->len < MOST_NODES;) {
		uint32_t reg = w->list.data[i].reg;

		for (; i < w->list.len && w->list.data[i].reg == reg; i++)
			if (w->crosses[reg]) {
				p.queued[w->list.data[i].block] = reg + 1;
				vec_push(&p.work, w->list.data[i].block);
			}
		place_register(&p, reg);
	}
	vec_release(&p.work);
	free(p.placed);
	free(p.queued);
}

static int compare_meetings(const void *a, const void *b)
{
	const struct meeting *x = a, *y = b;

	return x->block != y->block ? (x->block > y->block) - (x->block < y->block)
				    : (x->reg > y->reg) - (x->reg < y->reg);
}

static bool find_meetings(struct kernel_ranges *k, meetings *found)
{
	const struct ptx_function *f = k->function;
	struct writes w = {.f = f};
	struct frontier fr;

	if (!find_frontiers(k, &fr))
		return false;
	w.last = xcalloc(f->nregs + 1, sizeof *w.last);
	w.crosses = xcalloc(f->nregs + 1, sizeof *w.crosses);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		w.block = b;
		for (uint32_t i = f->blocks[b].first;
		     f->blocks[b].reachable && i < f->blocks[b].first + f->blocks[b].count; i++)
			note_instruction(&w, &f->insts[i]);
	}
	if (w.list.len)
		qsort(w.list.data, w.list.len, sizeof *w.list.data, compare_writes);
	place_all(k, &w, &fr, found);
	if (found->len)
		qsort(found->data, found->len, sizeof *found->data, compare_meetings);
	vec_release(&w.list);
	free(w.last);
	free(w.crosses);
	free(fr.first);
	free(fr.blocks);
	return found->len < MOST_NODES;
}

/* --- The walk --- */

/* The same wherever it is computed from the same operands. */
static bool is_function(enum node_op op)
{
	return (op >= NODE_CONSTANT && op <= NODE_VARIABLE) || op > NODE_PHI;
}

static uint64_t hash_of(const struct range_node *n)
{
	uint64_t hash = n->op | (uint64_t)n->width << 8 | (uint64_t)n->compare << 16;

	hash = (hash ^ n->a) * 0x9E3779B97F4A7C15;
	hash = (hash ^ n->b ^ hash >> 29) * 0x9E3779B97F4A7C15;
	hash = (hash ^ n->c ^ hash >> 29) * 0x9E3779B97F4A7C15;
	hash = (hash ^ n->number ^ hash >> 29) * 0x9E3779B97F4A7C15;
	return hash ^ hash >> 32;
}

/* Computed in this block or in one that dominates it: those are the blocks that the walk is in. */
static bool is_alike(const struct ssa_walk *w, node_id id, const struct range_node *n)
{
	const struct range_node *known;

	if (id == NO_NODE)
		return false;
	known = &w->k->nodes.data[id];
	return known->op == n->op && known->width == n->width && known->compare == n->compare && known->a == n->a &&
	       known->b == n->b && known->c == n->c && known->number == n->number && !w->k->leave[known->block];
}

node_id ssa_add(struct ssa_walk *w, struct range_node node)
{
	node_id *known = is_function(node.op) ? &w->known[hash_of(&node) & (w->nknown - 1)] : NULL;

	if (known && is_alike(w, *known, &node))
		return *known;
	node.block = w->block;
	vec_push(&w->k->nodes, node);
	if (known)
		*known = (node_id)w->k->nodes.len - 1;
	return (node_id)w->k->nodes.len - 1;
}

node_id ssa_constant(struct ssa_walk *w, uint64_t number, unsigned width)
{
	return ssa_add(
	    w, (struct range_node){.op = NODE_CONSTANT, .width = (uint8_t)width, .number = number & width_mask(width)});
}

node_id ssa_unknown(struct ssa_walk *w, unsigned width)
{
	return ssa_add(w, (struct range_node){.op = NODE_UNKNOWN, .width = (uint8_t)width});
}

void ssa_write(struct ssa_walk *w, uint32_t reg, node_id node)
{
	vec_push(&w->undo, (struct register_undo){reg, w->current[reg]});
	w->current[reg] = node;
}

/* A register that nothing has written on the way here may hold anything. */
node_id ssa_read(struct ssa_walk *w, uint32_t reg)
{
	return w->current[reg] == NO_NODE ? ssa_unknown(w, ssa_width(w->k->function, reg)) : w->current[reg];
}

/* The PHIs of each block: first[block] to first[block + 1] of these. */
struct phis {
	const meetings *found;
	uint32_t *first;
	node_id *node;
};

/* All PHIs stand before the walk, since edges lead backwards as well. */
static void make_phis(struct ssa_walk *w, const meetings *found, struct phis *phis)
{
	const struct ptx_function *f = w->k->function;
	size_t at = 0;

	phis->found = found;
	phis->first = xcalloc(f->nblocks + 1, sizeof *phis->first);
	phis->node = xcalloc(found->len + 1, sizeof *phis->node);
	for (uint32_t block = 0; block < f->nblocks; block++) {
		phis->first[block] = (uint32_t)at;
		w->block = block;
		for (; at < found->len && found->data[at].block == block; at++) {
			node_id *args = arena_alloc(&w->k->arena, (f->blocks[block].npred + 1) * sizeof *args);

			memset(args, 0xFF, f->blocks[block].npred * sizeof *args);
			phis->node[at] = ssa_add(
			    w, (struct range_node){
				   .op = NODE_PHI, .width = (uint8_t)ssa_width(f, found->data[at].reg), .args = args});
		}
	}
	phis->first[f->nblocks] = (uint32_t)at;
}

static void begin_block(struct ssa_walk *w, const struct phis *phis, uint32_t block)
{
	const struct ptx_block *b = &w->k->function->blocks[block];

	w->block = block;
	for (uint32_t i = phis->first[block]; i < phis->first[block + 1]; i++)
		ssa_write(w, phis->found->data[i].reg, phis->node[i]);
	for (uint32_t i = b->first; i < b->first + b->count; i++)
		ssa_lower(w, i);
}

/* Hands what registers hold at the end of a block to the PHIs behind it. */
static void end_block(struct ssa_walk *w, const struct phis *phis, uint32_t block)
{
	const struct ptx_block *blocks = w->k->function->blocks;
	const struct ptx_inst *last = &w->k->function->insts[blocks[block].first + blocks[block].count - 1];

	if (blocks[block].count && last->predicate != PTX_NONE)
		w->k->end_guard[block] = ssa_read(w, last->predicate);
	for (uint32_t s = 0; s < blocks[block].nsucc; s++) {
		uint32_t to = blocks[block].succ[s], place = 0;

		while (blocks[to].pred[place] != block)
			place++;
		for (uint32_t i = phis->first[to]; i < phis->first[to + 1]; i++) {
			node_id value = ssa_read(w, phis->found->data[i].reg);

			w->k->nodes.data[phis->node[i]].args[place] = value;
		}
	}
}

struct walk_frame {
	uint32_t block, child;
	size_t undo;
};

static void leave_block(struct ssa_walk *w, size_t undo)
{
	while (w->undo.len > undo) {
		struct register_undo u = vec_pop(&w->undo);

		w->current[u.reg] = u.was;
	}
}

/* Down the dominator tree: what a block sees is what its dominator left, but for its PHIs. */
static void walk_tree(struct ssa_walk *w, const struct phis *phis, const struct tree *tree)
{
	struct kernel_ranges *k = w->k;
	VEC(struct walk_frame) stack = VEC_INIT;
	uint32_t clock = 0;

	vec_push(&stack, (struct walk_frame){0, PTX_NONE, 0});
	while (stack.len) {
		struct walk_frame *top = &vec_last(&stack);
		bool begins = top->child == PTX_NONE && k->enter[top->block] == 0;
		uint32_t child;

		if (begins) {
			k->enter[top->block] = ++clock;
			begin_block(w, phis, top->block);
			end_block(w, phis, top->block);
			top->child = tree->first[top->block];
		}
		child = top->child;
		if (child == PTX_NONE) {
			k->leave[top->block] = ++clock;
			leave_block(w, top->undo);
			(void)vec_pop(&stack);
			continue;
		}
		top->child = tree->next[child];
		vec_push(&stack, (struct walk_frame){child, PTX_NONE, w->undo.len});
	}
	vec_release(&stack);
}

static void init_known(struct ssa_walk *w)
{
	enum { LEAST = 64 };

	w->nknown = LEAST;
	while (w->nknown < 4 * w->k->function->ninsts)
		w->nknown *= 2;
	w->known = xmalloc(w->nknown * sizeof *w->known);
	memset(w->known, 0xFF, w->nknown * sizeof *w->known);
}

bool ssa_build(struct kernel_ranges *k)
{
	const struct ptx_function *f = k->function;
	struct ssa_walk w = {.k = k};
	meetings found = VEC_INIT;
	struct phis phis;
	struct tree tree;
	bool followed;

	if (f->nblocks == 0 || f->blocks[0].npred > 0)
		return false;
	order_blocks(k);
	find_dominators(k);
	tree = dominator_tree(k);
	k->enter = arena_array(&k->arena, uint32_t, f->nblocks);
	k->leave = arena_array(&k->arena, uint32_t, f->nblocks);
	k->end_guard = arena_alloc(&k->arena, f->nblocks * sizeof *k->end_guard);
	memset(k->end_guard, 0xFF, f->nblocks * sizeof *k->end_guard);
	followed = find_meetings(k, &found);
	if (followed) {
		w.current = xmalloc((f->nregs + 1) * sizeof *w.current);
		memset(w.current, 0xFF, f->nregs * sizeof *w.current);
		init_known(&w);
		make_phis(&w, &found, &phis);
		walk_tree(&w, &phis, &tree);
		vec_release(&w.undo);
		free(w.current);
		free(w.known);
		free(phis.first);
		free(phis.node);
	}
	vec_release(&found);
	return followed && k->nodes.len < MOST_NODES;
}
