/*
 * Decodes machine code: reads the accesses of a block that the warp executes in the trace, and puts the block's
 * instructions with their accesses into the warp's queue, from which batches are taken.
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

/* --- The trace's block --- */

static void need_rows(struct sm *sm, uint32_t count)
{
	if (count > sm->row_capacity) {
		sm->row_capacity = count;
		sm->rows = xrealloc(sm->rows, count * sizeof *sm->rows);
	}
}

/* Reads the rows of the block that the cursor is at the beginning of. Returns the lanes that execute it. */
static uint32_t read_block(struct sm *sm, struct trace_warp_cursor *cursor)
{
	uint32_t mask = cursor->expect.mask;
	struct trace_op op;

	need_rows(sm, cursor->block_end - cursor->inst);
	for (unsigned i = 0; trace_warp_in_block(cursor) && trace_warp_row(cursor, &op); i++)
		sm->rows[i] = (struct row_access){op.lanes, op.access_mask, op.space};
	return mask;
}

/* --- Its instructions --- */

struct emission {
	struct sm *sm;
	unsigned warp;
	const struct machine_code *code;
	const struct trace_block *rows; /* the trace's block */
	uint32_t base;                  /* the code's first row in the launches' table */
	uint32_t mask;
	struct code_queue *queue;
};

static bool is_lone(enum sm_op kind)
{
	return kind == OP_BARRIER || kind == OP_ARRIVE || kind == OP_COPY_COMMIT || kind == OP_FENCE;
}

static void emit_plain(const struct emission *e, uint32_t inst)
{
	struct code_queue *q = e->queue;
	uint8_t kind = e->sm->context->insts[e->base + inst].kind;

	q->ops[q->nops++] = (struct warp_op){.inst = e->base + inst,
					     .lanes = (uint8_t)__builtin_popcount(e->mask),
					     .kind = e->mask || !is_lone((enum sm_op)kind) ? kind : OP_ALU};
}

static void emit_access(const struct emission *e, uint32_t inst)
{
	const struct code_inst *in = &e->code->insts[inst];
	const struct row_access *row = &e->sm->rows[in->access];
	struct trace_inst wide = e->sm->ctas[e->sm->warps[e->warp].cta].kernel->insts[e->rows->first + in->access];
	struct trace_op op = {.inst = &wide,
			      .inst_index = e->base + inst,
			      .mask = e->mask,
			      .access_mask = row->mask,
			      .space = row->space,
			      .lanes = row->lanes};
	struct code_queue *q = e->queue;
	unsigned naccesses = q->naccesses;

	if (in->part && !row->mask)
		return;
	wide.access_bytes = in->bytes;
	q->ops[q->nops++] = decode_op(e->sm, e->warp, &op, q->accesses, &naccesses);
	q->naccesses = naccesses;
	e->sm->context->stats.joined_accesses += in->joined - 1u;
}

static void emit_block(const struct emission *e, uint32_t block)
{
	const struct code_block *b = &e->code->blocks[block];

	for (uint32_t i = b->first; i < b->first + b->count; i++) {
		const struct code_inst *in = &e->code->insts[i];

		make_room(e->queue);
		if (e->mask && in->joined)
			emit_access(e, i);
		else if (!in->part)
			emit_plain(e, i);
	}
}

static struct emission emission_for(struct sm *sm, unsigned warp)
{
	const struct resident_cta *cta = &sm->ctas[sm->warps[warp].cta];

	return (struct emission){
	    .sm = sm, .warp = warp, .code = cta->code, .base = cta->first_inst, .queue = &sm->queues[warp]};
}

/* The block that the cursor has entered. */
static void take_block(struct sm *sm, unsigned warp, uint32_t block)
{
	struct emission e = emission_for(sm, warp);
	uint32_t rows = e.code->blocks[block].rows;

	e.rows = &sm->ctas[sm->warps[warp].cta].kernel->blocks[block];
	e.mask = read_block(sm, &sm->cursors[warp]);
	sm->context->stats.ptx_instructions += rows;
	sm->context->stats.ptx_thread_instructions += (uint64_t)rows * (unsigned)__builtin_popcount(e.mask);
	sm->warps[warp].decoded += rows;
	emit_block(&e, block);
}

/* Hardware issues a predicated block also where no lane executes it. */
static void pass_arm(struct sm *sm, unsigned warp, uint32_t block)
{
	struct emission e = emission_for(sm, warp);
	uint32_t before = e.queue->nops;

	emit_block(&e, block);
	sm->context->stats.idle_arm_instructions += e.queue->nops - before;
}

/* The arms behind `block`, in the order of the trace where it has them. */
static void take_arms(struct sm *sm, unsigned warp, uint32_t block)
{
	const struct machine_code *code = sm->ctas[sm->warps[warp].cta].code;
	uint32_t arm[2] = {code->blocks[block].arm[0], code->blocks[block].arm[1]}, next;

	for (unsigned i = 0; i < 2 && (arm[0] != CODE_NO_BLOCK || arm[1] != CODE_NO_BLOCK); i++) {
		if (!trace_warp_enter(&sm->cursors[warp], &next) || (next != arm[0] && next != arm[1]))
			break;
		take_block(sm, warp, next);
		arm[next == arm[1]] = CODE_NO_BLOCK;
	}
	for (unsigned i = 0; i < 2; i++)
		if (arm[i] != CODE_NO_BLOCK)
			pass_arm(sm, warp, arm[i]);
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
		take_arms(sm, warp, block);
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
