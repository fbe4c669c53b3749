/*
 * Decodes machine code: reads the accesses of a block, or of the blocks of a region, that the warp executes in the
 * trace, and puts the instructions with their accesses into the warp's queue, from which batches are taken.
 */
#include "sim-backend/sm/sm.h"

#include "common/xalloc.h"

#include <string.h>

/* An access of a row of the block, as in struct trace_op. */
struct row_access {
	struct trace_lanes lanes;
	uint32_t mask;
	uint8_t space;
};

struct code_queue {
	struct warp_op *ops;
	packed_access *accesses;
	uint32_t nops, naccesses, op_capacity, access_capacity;
	uint32_t at, access; /* the next */
};

void code_queues_free(struct sm *sm)
{
	for (unsigned i = 0; sm->queues && i < SM_MAX_WARPS; i++) {
		xfree(sm->queues[i].ops);
		xfree(sm->queues[i].accesses);
	}
	xfree(sm->queues);
	xfree(sm->rows);
}

/* Queues keep their memory, so nothing is allocated once they have seen the largest block. */
static void make_room(struct code_queue *q)
{
	if (q->nops == q->op_capacity) {
		q->op_capacity = 2 * q->op_capacity + AHEAD_OPS;
		q->ops = xrealloc(q->ops, q->op_capacity * sizeof *q->ops);
	}
	if (q->naccesses + COALESCE_MAX > q->access_capacity) {
		q->access_capacity = 2 * q->access_capacity + COALESCE_MAX;
		q->accesses = xrealloc(q->accesses, q->access_capacity * sizeof *q->accesses);
	}
}

/* --- Blocks of the trace --- */

/* A block that the warp has executed. Its rows' accesses are those from `first_row` on. */
struct executed {
	uint32_t block, mask, first_row;
};

/* Blocks that were executed one behind the other, of a region as long as they fit. */
struct executed_blocks {
	struct executed of[CODE_MOST_PARTS];
	unsigned n;
	uint32_t nrows;
};

static void need_rows(struct sm *sm, uint32_t count)
{
	if (count > sm->row_capacity) {
		sm->row_capacity = 2 * count;
		sm->rows = xrealloc(sm->rows, sm->row_capacity * sizeof *sm->rows);
	}
}

static const struct resident_cta *cta_of(const struct sm *sm, unsigned warp)
{
	return &sm->ctas[sm->warps[warp].cta];
}

/* Reads the rows of the block that the cursor is at the beginning of. */
static const struct executed *read_block(struct sm *sm, unsigned warp, uint32_t block, struct executed_blocks *blocks)
{
	struct trace_warp_cursor *cursor = &sm->cursors[warp];
	struct executed *e = &blocks->of[blocks->n++];
	uint32_t rows = cta_of(sm, warp)->code->blocks[block].rows;
	struct trace_op op;

	*e = (struct executed){.block = block, .mask = cursor->expect.mask, .first_row = blocks->nrows};
	need_rows(sm, blocks->nrows + cursor->block_end - cursor->inst);
	while (trace_warp_in_block(cursor) && trace_warp_row(cursor, &op))
		sm->rows[blocks->nrows++] = (struct row_access){op.lanes, op.access_mask, op.space};
	sm->context->stats.ptx_instructions += rows;
	sm->context->stats.ptx_thread_instructions += (uint64_t)rows * (unsigned)__builtin_popcount(e->mask);
	sm->warps[warp].decoded += rows;
	return e;
}

/* --- Regions --- */

/* A region while its parts are met; a part that the trace went past has no lanes. */
struct meeting {
	const struct code_part *parts;
	unsigned nparts, group; /* parts from the group on may come next: optional ones, up to the first that is not */
	struct executed met[CODE_MOST_PARTS];
	bool seen[CODE_MOST_PARTS];
};

static bool all_optional(const struct meeting *m)
{
	for (unsigned i = m->group; i < m->nparts; i++)
		if (!m->parts[i].optional)
			return false;
	return true;
}

/* Is the block a part that may come next? Then it is noted. */
static bool meet(struct meeting *m, uint32_t block, unsigned *part)
{
	for (unsigned i = m->group; i < m->nparts; i++) {
		bool optional = m->parts[i].optional;

		if (m->parts[i].block == block && !m->seen[i]) {
			m->seen[i] = true;
			m->group = optional ? m->group : i + 1;
			*part = i;
			return true;
		}
		if (!optional)
			return false;
	}
	return false;
}

static bool has_more(const struct meeting *m)
{
	for (unsigned i = m->group; i < m->nparts; i++)
		if (!m->seen[i])
			return true;
	return false;
}

/* Reads blocks as long as they are parts of the region. True if the trace has executed all of it. */
static bool read_region(struct sm *sm, unsigned warp, struct meeting *m, struct executed_blocks *blocks)
{
	uint32_t block;
	unsigned part;

	while (has_more(m) && trace_warp_enter(&sm->cursors[warp], &block) && meet(m, block, &part))
		m->met[part] = *read_block(sm, warp, block, blocks);
	return all_optional(m);
}

/* --- Instructions --- */

struct emission {
	struct sm *sm;
	unsigned warp;
	const struct machine_code *code;
	uint32_t base; /* the code's first row in the launches' table */
	struct code_queue *queue;
};

static bool is_lone(enum sm_op kind)
{
	return kind == OP_BARRIER || kind == OP_ARRIVE || kind == OP_COPY_COMMIT || kind == OP_FENCE;
}

static void emit_plain(const struct emission *e, uint32_t inst, uint32_t mask)
{
	struct code_queue *q = e->queue;
	uint8_t kind = e->sm->context->insts[e->base + inst].kind;

	q->ops[q->nops++] = (struct warp_op){.inst = e->base + inst,
					     .lanes = (uint8_t)__builtin_popcount(mask),
					     .kind = mask || !is_lone((enum sm_op)kind) ? kind : OP_ALU};
}

static void emit_access(const struct emission *e, uint32_t inst, const struct executed *by)
{
	const struct code_inst *in = &e->code->insts[inst];
	const struct row_access *row = &e->sm->rows[by->first_row + in->access];
	const struct trace_kernel *kernel = cta_of(e->sm, e->warp)->kernel;
	struct trace_inst wide = kernel->insts[kernel->blocks[in->block].first + in->access];
	struct trace_op op = {.inst = &wide,
			      .inst_index = e->base + inst,
			      .mask = by->mask,
			      .access_mask = row->mask,
			      .space = row->space,
			      .lanes = row->lanes};
	struct code_queue *q = e->queue;
	unsigned naccesses = q->naccesses;

	if (in->texel && !row->mask)
		return;
	wide.access_bytes = in->bytes;
	q->ops[q->nops++] = decode_op(e->sm, e->warp, &op, q->accesses, &naccesses);
	q->naccesses = naccesses;
	e->sm->context->stats.joined_accesses += in->joined - 1u;
}

/* An instruction of a block that was executed, or that the warp went past. */
static void emit_inst(const struct emission *e, uint32_t inst, const struct executed *by)
{
	const struct code_inst *in = &e->code->insts[inst];

	make_room(e->queue);
	if (by->mask && in->joined)
		emit_access(e, inst, by);
	else if (!in->texel)
		emit_plain(e, inst, by->mask);
	e->sm->context->stats.idle_arm_instructions += !by->mask && !in->texel;
}

static void emit_region(const struct emission *e, const struct code_block *b, const struct meeting *m)
{
	for (uint32_t i = b->region_first; i < b->region_first + b->region_count; i++)
		emit_inst(e, i, &m->met[e->code->insts[i].part]);
}

static void emit_block(const struct emission *e, const struct executed *by)
{
	const struct code_block *b = &e->code->blocks[by->block];

	for (uint32_t i = b->first; i < b->first + b->count; i++)
		emit_inst(e, i, by);
}

static bool was_executed(const struct executed_blocks *blocks, uint32_t block)
{
	for (unsigned i = 0; i < blocks->n; i++)
		if (blocks->of[i].block == block)
			return true;
	return false;
}

/* Block by block, where the trace left a region before its end. Hardware issues predicated arms in each case. */
static void emit_blocks(const struct emission *e, const struct executed_blocks *blocks)
{
	for (unsigned i = 0; i < blocks->n; i++) {
		const struct code_block *b = &e->code->blocks[blocks->of[i].block];

		emit_block(e, &blocks->of[i]);
		for (unsigned k = 0; k < 2; k++)
			if (b->arm[k] != CODE_NO_BLOCK && !was_executed(blocks, b->arm[k]))
				emit_block(e, &(struct executed){.block = b->arm[k]});
	}
}

/* The block that the cursor has entered, with what belongs to it. */
static void take_block(struct sm *sm, unsigned warp, uint32_t block)
{
	const struct resident_cta *cta = cta_of(sm, warp);
	const struct code_block *b = &cta->code->blocks[block];
	struct emission e = {
	    .sm = sm, .warp = warp, .code = cta->code, .base = cta->first_inst, .queue = &sm->queues[warp]};
	struct executed_blocks blocks = {.n = 0};
	struct meeting m;
	struct code_part arms[2] = {{b->arm[0], true}, {b->arm[1], true}};

	m = (struct meeting){.parts = arms, .nparts = (b->arm[0] != CODE_NO_BLOCK) + (b->arm[1] != CODE_NO_BLOCK)};
	if (b->nparts)
		m = (struct meeting){.parts = cta->code->parts + b->first_part, .nparts = b->nparts, .group = 1};
	m.met[0] = *read_block(sm, warp, block, &blocks);
	if (read_region(sm, warp, &m, &blocks) && b->nparts)
		emit_region(&e, b, &m);
	else
		emit_blocks(&e, &blocks);
}

/* Fills the warp's queue; false at the end of its stream. */
static bool refill(struct sm *sm, unsigned warp)
{
	struct code_queue *q = &sm->queues[warp];
	uint32_t block;

	q->nops = q->naccesses = q->at = q->access = 0;
	while (q->nops == 0) {
		if (!trace_warp_enter(&sm->cursors[warp], &block))
			return false;
		take_block(sm, warp, block);
	}
	return true;
}

unsigned decode_code(struct sm *sm, unsigned warp)
{
	packed_access *accesses = sm_accesses(sm, warp);
	unsigned nops = 0, naccesses = 0;
	struct code_queue *q;

	if (!sm->queues)
		sm->queues = xcalloc(SM_MAX_WARPS, sizeof *sm->queues);
	q = &sm->queues[warp];
	if (q->at == q->nops && !refill(sm, warp))
		return 0;
	while (nops < AHEAD_OPS && naccesses <= AHEAD_ACCESSES && q->at < q->nops) {
		const struct warp_op *op = &q->ops[q->at++];
		unsigned count = accesses_of(op);

		memcpy(accesses + naccesses, q->accesses + q->access, count * sizeof *accesses);
		q->access += count;
		naccesses += count;
		sm->warps[warp].ops[nops++] = *op;
	}
	return nops;
}
