/*
 * Bounds of numbers, by abstract execution: at the start of each block every variable has an interval that holds on all
 * ways there. A condition narrows the variables that it compares on the edges that leave it.
 *
 * Variables are registers that are written more than once or compared at a branch, and slots of frames. All other
 * registers have one interval each, for they are written once. A store that a moved place leads to reaches the slots
 * that its own interval allows: the slots that it misses keep theirs, and it misses them because they did. Intervals
 * only grow while they are computed, so what holds at the end holds at every step of an execution.
 */
#include "ptx-analyzer/flow/intervals.h"

#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/interval_run.h"

/* Beyond these a function is left alone: state of all blocks together, and rounds over them. */
enum { MOST_STATE = 1 << 20, MOST_ROUNDS = 64, EXACT_ROUNDS = 3 };

/* --- Variables --- */

static bool is_conditional_branch(const struct interval_run *r, const struct ptx_block *b)
{
	const struct ptx_inst *last = b->count ? &r->f->insts[b->first + b->count - 1] : NULL;

	return last && last->opcode->op == PTX_OP_bra && last->predicate != PTX_NONE && b->nsucc == 2;
}

static void add_variable(struct interval_run *r, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_REG && !o->flags && interval_is_number(r, o->id) && r->variable[o->id] == PTX_NONE)
		r->variable[o->id] = r->nregs++;
}

static void add_landmark(struct interval_run *r, const struct ptx_operand *o)
{
	for (int64_t d = -1; o->kind == PTX_OPERAND_INT && o->imm > INT32_MIN && o->imm < INT32_MAX && d <= 1; d++)
		vec_push(&r->landmarks, o->imm + d);
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void find_variables(struct interval_run *r)
{
	static const int64_t always[] = {INT32_MIN, -1, 0, 1, INT32_MAX};

	memset(r->variable, 0xff, (r->f->nregs + 1) * sizeof *r->variable);
	for (uint32_t i = 0; i < r->f->nregs; i++)
		if (r->frame.written[i] > 1)
			add_variable(r, &(struct ptx_operand){.kind = PTX_OPERAND_REG, .id = i});
	for (uint32_t i = 0; i < r->f->ninsts; i++) {
		const struct ptx_inst *inst = &r->f->insts[i];

		if (inst->opcode->op != PTX_OP_setp || inst->noperands != 3)
			continue;
		for (unsigned o = 1; o <= 2; o++) {
			add_variable(r, &inst->operands[o]);
			add_landmark(r, &inst->operands[o]);
		}
	}
	for (unsigned i = 0; i < sizeof always / sizeof *always; i++)
		vec_push(&r->landmarks, always[i]);
	qsort(r->landmarks.data, r->landmarks.len, sizeof *r->landmarks.data, compare_numbers);
	r->nvars = r->nregs + (uint32_t)r->frame.slots.len;
}

/* --- Blocks --- */

static int64_t landmark_below(const struct interval_run *r, int64_t number)
{
	for (size_t i = r->landmarks.len; i-- > 0;)
		if (r->landmarks.data[i] <= number)
			return r->landmarks.data[i];
	return INT64_MIN;
}

static int64_t landmark_above(const struct interval_run *r, int64_t number)
{
	for (size_t i = 0; i < r->landmarks.len; i++)
		if (r->landmarks.data[i] >= number)
			return r->landmarks.data[i];
	return INT64_MAX;
}

static void enter(struct interval_run *r, uint32_t block, const struct interval *state, unsigned round)
{
	struct interval *at = &r->blocks[(size_t)block * r->nvars];

	if (!r->entered[block]) {
		memcpy(at, state, r->nvars * sizeof *at);
		r->entered[block] = r->changed = true;
		return;
	}
	for (uint32_t i = 0; i < r->nvars; i++) {
		struct interval hull = interval_hull(at[i], state[i]);

		if (hull.low == at[i].low && hull.high == at[i].high)
			continue;
		if (round >= EXACT_ROUNDS && hull.low < at[i].low)
			hull.low = landmark_below(r, hull.low);
		if (round >= EXACT_ROUNDS && hull.high > at[i].high)
			hull.high = landmark_above(r, hull.high);
		at[i] = hull;
		r->changed = true;
	}
}

/*
 * The predicate that decides where a block leads, if the block does nothing else than to read it: there the arms of
 * `a && b` meet. PTX_NONE for any other block.
 */
static uint32_t tested_predicate(const struct interval_run *r, uint32_t block, bool *negated)
{
	const struct ptx_block *b = &r->f->blocks[block];
	uint32_t predicate;

	if (!is_conditional_branch(r, b))
		return PTX_NONE;
	predicate = r->f->insts[b->first + b->count - 1].predicate;
	*negated = r->f->insts[b->first + b->count - 1].predicate_not;
	for (uint32_t i = b->first + b->count - 1; i-- > b->first;) {
		const struct ptx_inst *inst = &r->f->insts[i];
		const struct ptx_operand *o = inst->operands;
		bool turned = inst->opcode->op == PTX_OP_not;

		if ((inst->opcode->op != PTX_OP_mov && !turned) || inst->predicate != PTX_NONE ||
		    o[0].kind != PTX_OPERAND_REG || o[1].kind != PTX_OPERAND_REG || o[1].flags || o[0].id != predicate)
			return PTX_NONE;
		predicate = o[1].id;
		*negated ^= turned;
	}
	return predicate;
}

/*
 * Goes from `b` to `next` with the state `edge`. Where `next` only tests what `b` has just decided, it goes on to where
 * that leads.
 */
static void go(struct interval_run *r, const struct ptx_block *b, uint32_t next, const struct interval *edge,
	       unsigned round)
{
	bool negated = false;
	uint32_t predicate = tested_predicate(r, next, &negated);
	struct interval_condition c = interval_unconditional;

	if (predicate != PTX_NONE)
		c = interval_find_condition(r, b, predicate, negated);
	if (c.how == PTX_MOD_COUNT && !c.constant) {
		enter(r, next, edge, round);
		return;
	}
	for (uint32_t i = 0; i < 2; i++) {
		memcpy(r->beyond, edge, r->nvars * sizeof *edge);
		if (interval_assume(r, &c, i == 0, r->beyond))
			enter(r, r->f->blocks[next].succ[i], r->beyond, round);
	}
}

static void leave(struct interval_run *r, const struct ptx_block *b, struct interval *edge, unsigned round)
{
	const struct ptx_inst *last = b->count ? &r->f->insts[b->first + b->count - 1] : NULL;
	struct interval_condition c = interval_unconditional;

	if (is_conditional_branch(r, b))
		c = interval_find_condition(r, b, last->predicate, last->predicate_not);
	for (uint32_t i = 0; i < b->nsucc; i++) {
		memcpy(edge, r->now, r->nvars * sizeof *edge);
		if (interval_assume(r, &c, i == 0, edge))
			go(r, b, b->succ[i], edge, round);
	}
}

static void execute_block(struct interval_run *r, uint32_t block, struct interval *edge, unsigned round)
{
	const struct ptx_block *b = &r->f->blocks[block];

	memcpy(r->now, &r->blocks[(size_t)block * r->nvars], r->nvars * sizeof *r->now);
	interval_forget_copies(r);
	for (uint32_t i = b->first; i < b->first + b->count; i++)
		interval_step(r, &r->f->insts[i]);
	leave(r, b, edge, round);
}

/* False if the intervals do not settle soon. */
static bool run_blocks(struct interval_run *r, const uint32_t *order, struct interval *edge)
{
	for (unsigned round = 0; round < MOST_ROUNDS; round++) {
		r->changed = false;
		for (uint32_t i = 0; i < r->f->nregs; i++)
			r->written[i] = (struct interval){1, 0};
		for (uint32_t i = 0; i < r->f->nblocks; i++)
			if (order[i] != PTX_NONE && r->entered[order[i]])
				execute_block(r, order[i], edge, round);
		if (!r->changed)
			return true;
	}
	return false;
}

static uint32_t *blocks_in_order(const struct ptx_function *f)
{
	uint32_t *order = xmalloc((f->nblocks + 1) * sizeof *order);

	memset(order, 0xff, (f->nblocks + 1) * sizeof *order);
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i].reachable && f->blocks[i].rpo < f->nblocks)
			order[f->blocks[i].rpo] = i;
	return order;
}

/* At the start nothing is known of any variable, nor of a register before it is written. */
static void start(struct interval_run *r)
{
	for (uint32_t i = 0; i < r->f->nregs; i++) {
		r->regs[i] = interval_full(interval_register_bits(r, i) >= 16 ? interval_register_bits(r, i) : 64);
		if (r->variable[i] != PTX_NONE)
			r->blocks[r->variable[i]] = r->regs[i];
	}
	for (uint32_t i = 0; i < r->frame.slots.len; i++)
		r->blocks[r->nregs + i] = interval_full(r->frame.slots.data[i].size * 8);
	r->entered[0] = true;
}

/* Places are no numbers, and what no instruction writes holds anything. */
static void conclude(struct interval_run *r)
{
	for (uint32_t i = 0; i < r->f->nregs; i++)
		if (r->frame.places[i].kind || r->written[i].low > r->written[i].high || !interval_is_number(r, i))
			r->written[i] = interval_full(64);
}

struct interval *intervals_find(struct ptx_module *m, uint32_t function, frame_keeps keeps, void *context)
{
	struct ptx_function *f = &m->functions[function];
	struct interval_run r = {.f = f};
	struct interval *edge;
	uint32_t *order;
	bool settled = false;

	if (ptx_build_cfg(f, NULL) < 0)
		return NULL;
	stack_frame_find(&r.frame, f, keeps, context);
	r.variable = xmalloc((f->nregs + 1) * sizeof *r.variable);
	find_variables(&r);
	r.written = xcalloc(f->nregs + 1, sizeof *r.written);
	if ((uint64_t)(r.nvars + 1) * (f->nblocks + 1) < MOST_STATE) {
		r.regs = xcalloc(f->nregs + 1, sizeof *r.regs);
		r.blocks = xcalloc((size_t)(r.nvars + 1) * (f->nblocks + 1), sizeof *r.blocks);
		r.entered = xcalloc(f->nblocks + 1, sizeof *r.entered);
		r.now = xcalloc(r.nvars + 1, sizeof *r.now);
		r.beyond = xcalloc(r.nvars + 1, sizeof *r.beyond);
		r.source = xmalloc((f->nregs + 1) * sizeof *r.source);
		memset(r.source, 0xff, (f->nregs + 1) * sizeof *r.source);
		edge = xcalloc(r.nvars + 1, sizeof *edge);
		order = blocks_in_order(f);
		start(&r);
		settled = run_blocks(&r, order, edge);
		conclude(&r);
		free(r.regs);
		free(r.blocks);
		free(r.entered);
		free(r.now);
		free(r.beyond);
		free(r.source);
		free(edge);
		free(order);
	}
	stack_frame_release(&r.frame);
	vec_release(&r.landmarks);
	vec_release(&r.copies);
	free(r.variable);
	if (settled)
		return r.written;
	free(r.written);
	return NULL;
}
