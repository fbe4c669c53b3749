/* One function: where its registers and blocks are, then its instructions in turn. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/engine/engine_op.h"

#include <stdlib.h>

/*
 * Lays out the frame: first a predicate word that is always true, then the predicates, a word each, then the other
 * registers, aligned for vector loads.
 */
void code_place_registers(struct code *code)
{
	const struct ptx_function *f = code->function;
	uint32_t at = 4;

	code->register_offset = arena_array(&code->program->arena, uint32_t, f->nregs + 1);
	for (uint32_t i = 0; i < f->nregs; i++)
		if (f->regs[i].type == PTX_pred) {
			code->register_offset[i] = at;
			at += 4;
		}
	at = aligned(at, 64);
	for (uint32_t i = 0; i < f->nregs; i++) {
		unsigned bits = ptx_type_bits(f->regs[i].type);

		if (f->regs[i].type == PTX_pred)
			continue;
		code->register_offset[i] = at;
		at += LANES * (bits <= 32 ? 4 : bits / 8);
	}
	code->frame_bytes = at < 512 ? 512 : at;
}

/*
 * Numbers the blocks: the function's own, split further at our instructions that start or end a block, and a last one
 * for the function's end.
 */
static void place_blocks(struct decode *d)
{
	const struct ptx_function *f = d->function;
	uint8_t *leader = xcalloc(f->ninsts + 1, 1);
	uint32_t n = 0;

	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].count)
			leader[f->blocks[b].first] = 1;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		leader[i] |= op_is(&f->insts[i], OP_STARTS_BLOCK);
		leader[i + 1] |= op_is(&f->insts[i], OP_ENDS_BLOCK);
	}
	d->block_of = xcalloc(f->ninsts + 1, sizeof *d->block_of);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		n += leader[i] && i;
		d->block_of[i] = n;
	}
	n += f->ninsts != 0;
	d->block_of[f->ninsts] = n;
	d->code->nblocks = n + 1;
	d->code->blocks = arena_array(&d->program->arena, struct block, n + 1);
	free(leader);
}

static const struct block *join_of(const struct decode *d, const struct ptx_inst *inst)
{
	const struct ptx_function *f = d->function;
	uint32_t meet = f->blocks[inst->block].meet;

	return meet == PTX_NONE ? NULL : &d->code->blocks[d->block_of[f->blocks[meet].first]];
}

/* Falling off the end of a function returns. */
static void decode_end(struct decode *d)
{
	struct control *c = arena_new(&d->program->arena, struct control);
	struct inst *in = decode_emit_extra(d, &(struct exec_key){.op = PTX_OP_ret});

	c->self = d->block;
	in->control = c;
}

static void decode_inst(struct decode *d, const struct ptx_inst *inst)
{
	const struct engine_op *op = &engine_ops[inst->opcode->op];

	d->inst = inst;
	d->scratch_used = 0;
	d->after.len = 0;
	if (op->decode)
		op->decode(d);
	else
		decode_unsupported(d);
}

static void decode_blocks(struct decode *d, size_t *first)
{
	const struct ptx_function *f = d->function;
	uint32_t at = 0;

	for (uint32_t b = 0; b + 1 < d->code->nblocks && !d->failed; b++) {
		const struct ptx_inst *last = NULL;
		uint32_t before = d->program->ninsts;

		d->block = &d->code->blocks[b];
		first[b] = d->insts.len;
		d->block->code = d->code;
		for (; at < f->ninsts && d->block_of[at] == b && !d->failed; at++) {
			last = &f->insts[at];
			d->block->join = join_of(d, last);
			decode_inst(d, last);
		}
		if (last && !op_is(last, OP_ENDS_BLOCK))
			decode_block_end(d);
		d->block->rows = d->program->ninsts - before;
		d->block->trace = d->program->nblocks++;
	}
	d->block = &d->code->blocks[d->code->nblocks - 1];
	d->block->code = d->code;
	first[d->code->nblocks - 1] = d->insts.len;
	decode_end(d);
}

int decode_function(struct decode *d)
{
	size_t *first;

	d->function = d->code->function;
	d->inst = d->function->ninsts ? &d->function->insts[0] : NULL;
	d->register_offset = d->code->register_offset;
	d->frame_bytes = d->code->frame_bytes;
	place_blocks(d);
	first = xcalloc(d->code->nblocks, sizeof *first);
	d->code->first_trace_inst = d->program->ninsts;
	d->code->first_trace_block = d->program->nblocks;
	d->code->first_trace_register = d->program->nregisters;
	d->program->nregisters += d->function->nregs;
	decode_blocks(d, first);
	d->code->ninsts = (uint32_t)d->insts.len;
	d->code->insts = arena_memdup(&d->program->arena, d->insts.data, d->insts.len * sizeof *d->insts.data);
	for (uint32_t b = 0; b < d->code->nblocks && !d->failed; b++)
		d->code->blocks[b].first = &d->code->insts[first[b]];
	d->code->frame_bytes = aligned(d->frame_bytes, 64);
	constants_place(d);
	free(first);
	free(d->block_of);
	vec_release(&d->insts);
	vec_release(&d->after);
	vec_release(&d->constants);
	return d->failed ? DIAG_ERROR : 0;
}
