/*
 * Basic blocks, edges, reverse post-order and immediate post-dominators (semi-NCA: Georgiadis, "Linear-Time Algorithms
 * for Dominators and Related Problems", 2005). All walks use explicit stacks.
 */
#include "ptx-analyzer/language/text/parser.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/meet.h"

/* --- Blocks and edges --- */

static bool ends_block(const struct ptx_inst *inst)
{
	uint8_t cls = inst->opcode->cls;

	return cls == PTX_CLASS_BRANCH || cls == PTX_CLASS_CALL || cls == PTX_CLASS_RETURN || cls == PTX_CLASS_EXIT;
}

/* Whether the instruction leaves the function (for those threads for which its predicate holds). */
static bool leaves(const struct ptx_inst *inst)
{
	return inst->opcode->cls == PTX_CLASS_RETURN || inst->opcode->cls == PTX_CLASS_EXIT;
}

static bool falls_through(const struct ptx_inst *inst)
{
	return inst->predicate != PTX_NONE || !ends_block(inst) || inst->opcode->cls == PTX_CLASS_CALL;
}

/* Marks where a branch may go. Labels that nothing branches to, such as those of debug information, start no block. */
static void mark_targets(const struct ptx_function *f, const struct ptx_inst *inst, uint8_t *leader)
{
	const struct ptx_operand *to = &inst->operands[inst->noperands - 1];
	const struct ptx_symbol *list;

	if (to->kind == PTX_OPERAND_LABEL)
		leader[f->labels[to->id]] = 1;
	if (to->kind != PTX_OPERAND_SYMBOL)
		return;
	list = &f->module->symbols[to->id];
	for (uint32_t i = 0; list->targets_are_labels && i < list->ntargets; i++)
		leader[f->labels[list->targets[i]]] = 1;
}

/* A byte per instruction: 1 where a block starts. */
static uint8_t *find_leaders(const struct ptx_function *f)
{
	uint8_t *leader = xcalloc((size_t)f->ninsts + 1, 1);

	leader[0] = 1;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (ends_block(&f->insts[i]))
			leader[i + 1] = 1;
		if (f->insts[i].opcode->cls == PTX_CLASS_BRANCH)
			mark_targets(f, &f->insts[i], leader);
	}
	return leader;
}

static void make_blocks(struct ptx_function *f)
{
	uint8_t *leader = find_leaders(f);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->ninsts; i++)
		n += leader[i];
	f->nblocks = n ? n : 1;
	f->blocks = arena_array(&f->module->arena, struct ptx_block, f->nblocks);
	n = 0;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (leader[i])
			f->blocks[n++].first = i;
		f->blocks[n - 1].count++;
		f->insts[i].block = n - 1;
	}
	free(leader);
}

/* The block that the label begins, or PTX_NONE at the end of the function. */
static uint32_t block_of_label(const struct ptx_function *f, uint32_t label)
{
	uint32_t inst = f->labels[label];

	return inst < f->ninsts ? f->insts[inst].block : PTX_NONE;
}

static const struct ptx_inst *last_inst(const struct ptx_function *f, const struct ptx_block *b)
{
	return b->count ? &f->insts[b->first + b->count - 1] : NULL;
}

static int bad_target(const struct ptx_function *f, const struct ptx_inst *inst, struct diag *d)
{
	return diag_set(d, f->module->file, inst->line, inst->column, "'%s' branches to something that is not a %s",
			inst->opcode->text, inst->opcode->op == PTX_OP_bra ? "label" : "list of .branchtargets");
}

/* Appends the blocks that a branch may go to. */
static int branch_targets(const struct ptx_function *f, const struct ptx_inst *inst, uint32_t *out, uint32_t *n,
			  struct diag *d)
{
	const struct ptx_operand *to = &inst->operands[inst->noperands - 1];
	const struct ptx_symbol *list;

	if (inst->opcode->op == PTX_OP_bra) {
		if (to->kind != PTX_OPERAND_LABEL)
			return bad_target(f, inst, d);
		out[(*n)++] = block_of_label(f, to->id);
		return 0;
	}
	list = to->kind == PTX_OPERAND_SYMBOL ? &f->module->symbols[to->id] : NULL;
	if (!list || list->kind != PTX_SYMBOL_TARGETS || !list->targets_are_labels)
		return bad_target(f, inst, d);
	for (uint32_t i = 0; i < list->ntargets; i++)
		out[(*n)++] = block_of_label(f, list->targets[i]);
	return 0;
}

static uint32_t most_targets(const struct ptx_function *f)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];
		const struct ptx_operand *to = inst->noperands ? &inst->operands[inst->noperands - 1] : NULL;

		if (inst->opcode->op == PTX_OP_brx_idx && to && to->kind == PTX_OPERAND_SYMBOL &&
		    f->module->symbols[to->id].ntargets > most)
			most = f->module->symbols[to->id].ntargets;
	}
	return most + 1;
}

/*
 * Keeps each successor once, in the order given, and drops PTX_NONE (the exit). `seen` holds the last block that
 * counted it.
 */
static void keep_successors(struct ptx_function *f, uint32_t block, const uint32_t *to, uint32_t n, uint32_t *seen)
{
	struct ptx_block *b = &f->blocks[block];
	uint32_t kept = 0;

	b->succ = arena_alloc(&f->module->arena, n * sizeof(uint32_t));
	for (uint32_t i = 0; i < n; i++) {
		if (to[i] == PTX_NONE || seen[to[i]] == block)
			continue;
		seen[to[i]] = block;
		b->succ[kept++] = to[i];
		f->blocks[to[i]].npred++;
	}
	b->nsucc = kept;
}

static void fill_predecessors(struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->nblocks; i++) {
		f->blocks[i].pred = arena_alloc(&f->module->arena, f->blocks[i].npred * sizeof(uint32_t));
		f->blocks[i].npred = 0;
	}
	for (uint32_t i = 0; i < f->nblocks; i++)
		for (uint32_t s = 0; s < f->blocks[i].nsucc; s++) {
			struct ptx_block *to = &f->blocks[f->blocks[i].succ[s]];

			to->pred[to->npred++] = i;
		}
}

static int make_edges(struct ptx_function *f, struct diag *d)
{
	uint32_t *to = xmalloc(most_targets(f) * sizeof(uint32_t));
	uint32_t *seen = xmalloc(f->nblocks * sizeof(uint32_t));
	int result = 0;

	memset(seen, 0xFF, f->nblocks * sizeof(uint32_t));
	for (uint32_t i = 0; i < f->nblocks && result == 0; i++) {
		const struct ptx_inst *last = last_inst(f, &f->blocks[i]);
		uint32_t n = 0;

		if (last && last->opcode->cls == PTX_CLASS_BRANCH)
			result = branch_targets(f, last, to, &n, d);
		if (last && falls_through(last) && i + 1 < f->nblocks)
			to[n++] = i + 1;
		keep_successors(f, i, to, n, seen);
	}
	free(to);
	free(seen);
	if (result == 0)
		fill_predecessors(f);
	return result;
}

/* --- Orders --- */

struct frame {
	uint32_t node, next;
};

/* Depth-first from the entry; fills reachable and rpo. */
static void order_forward(struct ptx_function *f)
{
	struct frame *stack = xmalloc(f->nblocks * sizeof(*stack));
	uint32_t depth = 0, finished = 0, reachable = 0;

	for (uint32_t i = 0; i < f->nblocks; i++)
		f->blocks[i].rpo = PTX_NONE;
	f->blocks[0].reachable = true;
	stack[depth++] = (struct frame){0, 0};
	while (depth) {
		struct frame *top = &stack[depth - 1];
		struct ptx_block *b = &f->blocks[top->node];

		if (top->next == b->nsucc) {
			b->rpo = finished++;
			depth--;
			continue;
		}
		b = &f->blocks[b->succ[top->next++]];
		if (!b->reachable) {
			b->reachable = true;
			stack[depth++] = (struct frame){(uint32_t)(b - f->blocks), 0};
		}
	}
	reachable = finished;
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i].reachable)
			f->blocks[i].rpo = reachable - 1 - f->blocks[i].rpo;
	free(stack);
}

/* --- Post-dominators --- */

/* Nodes by number in a depth-first walk of the reversed graph from the virtual exit, which is number 0. */
struct postdom {
	const struct ptx_function *f;
	uint32_t *number; /* block -> number, 0 = not visited */
	uint32_t *block;  /* number -> block */
	uint32_t *parent, *semi, *label, *idom;
	uint32_t *ancestor; /* 1 + the node above in the forest, 0 = none */
	uint32_t count;     /* numbers used */
	struct frame *stack;
	bool *exits; /* block has an edge to the exit */
	const struct dominance *way;
};

/* True if the caller counts this edge. */
static bool counts(const struct postdom *pd, uint32_t from, uint32_t to)
{
	const struct dominance *way = pd->way;

	return (!way->part || way->part[from] == way->part[to]) &&
	       (!way->forward || pd->f->blocks[from].rpo < pd->f->blocks[to].rpo);
}

static void visit(struct postdom *pd, uint32_t block, uint32_t parent)
{
	uint32_t n = pd->count++;

	pd->number[block] = n;
	pd->block[n] = block;
	pd->parent[n] = parent;
}

static void number_predecessors(struct postdom *pd, uint32_t root)
{
	uint32_t depth = 0;

	visit(pd, root, 0);
	pd->stack[depth++] = (struct frame){root, 0};
	while (depth) {
		struct frame *top = &pd->stack[depth - 1];
		const struct ptx_block *b = &pd->f->blocks[top->node];
		uint32_t pred;

		if (top->next == b->npred) {
			depth--;
			continue;
		}
		pred = b->pred[top->next++];
		if (pd->f->blocks[pred].reachable && !pd->number[pred] && counts(pd, pred, top->node)) {
			visit(pd, pred, pd->number[top->node]);
			pd->stack[depth++] = (struct frame){pred, 0};
		}
	}
}

bool leaves_function(const struct ptx_function *f, uint32_t block)
{
	const struct ptx_block *b = &f->blocks[block];
	const struct ptx_inst *last = last_inst(f, b);
	const struct ptx_operand *to;
	const struct ptx_symbol *list;

	if (!last || leaves(last) || (block + 1 == f->nblocks && falls_through(last)))
		return true;
	if (last->opcode->cls != PTX_CLASS_BRANCH)
		return false;
	to = &last->operands[last->noperands - 1];
	if (to->kind == PTX_OPERAND_LABEL)
		return f->labels[to->id] == f->ninsts;
	list = &f->module->symbols[to->id];
	for (uint32_t i = 0; i < list->ntargets; i++)
		if (f->labels[list->targets[i]] == f->ninsts)
			return true;
	return false;
}

/* Numbers all reachable blocks. A loop without an exit gets an edge to the virtual exit from its last block. */
static void number_blocks(struct postdom *pd, const uint32_t *by_rpo, uint32_t reachable)
{
	pd->count = 1;
	for (uint32_t i = reachable; i--;)
		if (pd->exits[by_rpo[i]] && !pd->number[by_rpo[i]])
			number_predecessors(pd, by_rpo[i]);
	for (uint32_t i = reachable; i--;)
		if (!pd->number[by_rpo[i]]) {
			pd->exits[by_rpo[i]] = true;
			number_predecessors(pd, by_rpo[i]);
		}
}

/* Label of least semi-dominator on the way up to the root of v's tree, compressing the path. */
static uint32_t evaluate(struct postdom *pd, uint32_t v)
{
	uint32_t *path = (uint32_t *)pd->stack, n = 0, u = v;

	while (pd->ancestor[u] && pd->ancestor[pd->ancestor[u] - 1]) {
		path[n++] = u;
		u = pd->ancestor[u] - 1;
	}
	while (n--) {
		uint32_t w = path[n], up = pd->ancestor[w] - 1;

		if (pd->semi[pd->label[up]] < pd->semi[pd->label[w]])
			pd->label[w] = pd->label[up];
		pd->ancestor[w] = pd->ancestor[up];
	}
	return pd->label[v];
}

static void find_semidominators(struct postdom *pd)
{
	for (uint32_t v = 0; v < pd->count; v++)
		pd->semi[v] = pd->label[v] = v;
	for (uint32_t v = pd->count; --v;) {
		const struct ptx_block *b = &pd->f->blocks[pd->block[v]];

		if (pd->exits[pd->block[v]])
			pd->semi[v] = 0;
		for (uint32_t s = 0; s < b->nsucc; s++) {
			uint32_t u = pd->number[b->succ[s]], least;

			if (!counts(pd, pd->block[v], b->succ[s]))
				continue;
			least = pd->semi[u > v ? evaluate(pd, u) : u];
			if (least < pd->semi[v])
				pd->semi[v] = least;
		}
		pd->ancestor[v] = pd->parent[v] + 1;
	}
}

static void find_postdominators(struct postdom *pd, uint32_t *out)
{
	find_semidominators(pd);
	for (uint32_t v = 1; v < pd->count; v++) {
		uint32_t d = pd->parent[v];

		while (d > pd->semi[v])
			d = pd->idom[d];
		pd->idom[v] = d;
		out[pd->block[v]] = d ? pd->block[d] : PTX_NONE;
	}
}

static uint32_t *order_blocks(const struct ptx_function *f, uint32_t *reachable)
{
	uint32_t *by_rpo = xmalloc(f->nblocks * sizeof(uint32_t));

	*reachable = 0;
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i].reachable) {
			by_rpo[f->blocks[i].rpo] = i;
			++*reachable;
		}
	return by_rpo;
}

void post_dominators(const struct ptx_function *f, const struct dominance *way, uint32_t *out)
{
	size_t n = (size_t)f->nblocks + 1;
	uint32_t *memory = xcalloc(n * 7, sizeof(uint32_t)), reachable;
	uint32_t *by_rpo = order_blocks(f, &reachable);
	struct postdom pd = {.f = f,
			     .number = memory,
			     .block = memory + n,
			     .parent = memory + 2 * n,
			     .semi = memory + 3 * n,
			     .label = memory + 4 * n,
			     .ancestor = memory + 5 * n,
			     .idom = memory + 6 * n,
			     .way = way};

	pd.stack = xmalloc(n * sizeof(*pd.stack));
	pd.exits = xcalloc(n, sizeof(bool));
	for (uint32_t i = 0; i < f->nblocks; i++) {
		pd.exits[i] = f->blocks[i].reachable && way->exits[i];
		out[i] = PTX_NONE;
	}
	number_blocks(&pd, by_rpo, reachable);
	find_postdominators(&pd, out);
	free(pd.stack);
	free(pd.exits);
	free(by_rpo);
	free(memory);
}

static void order_backward(struct ptx_function *f)
{
	uint32_t *ipdom = xmalloc(f->nblocks * sizeof(uint32_t));
	bool *exits = xcalloc(f->nblocks, sizeof(bool));

	for (uint32_t i = 0; i < f->nblocks; i++)
		exits[i] = f->blocks[i].reachable && leaves_function(f, i);
	post_dominators(f, &(struct dominance){.exits = exits}, ipdom);
	for (uint32_t i = 0; i < f->nblocks; i++)
		f->blocks[i].ipdom = f->blocks[i].meet = ipdom[i];
	free(exits);
	free(ipdom);
}

int ptx_build_cfg(struct ptx_function *f, struct diag *d)
{
	if (f->blocks || f->is_declaration)
		return 0;
	make_blocks(f);
	if (make_edges(f, d) < 0) {
		f->blocks = NULL;
		f->nblocks = 0;
		return DIAG_ERROR;
	}
	order_forward(f);
	order_backward(f);
	find_meets(f);
	return 0;
}
