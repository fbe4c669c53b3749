/* Instructions that end a block: operands that are labels, barriers, members of a warp. Calls are in decode_calls.c. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/engine/engine_op.h"

static struct block *block_at(const struct decode *d, uint32_t inst)
{
	return &d->code->blocks[d->block_of[inst]];
}

static const struct block *label_block(struct decode *d, uint32_t label)
{
	return block_at(d, d->function->labels[label]);
}

/*
 * The number of the next branch backward. The patience of a loop that may wait is kept by this number; the last number
 * is shared.
 */
static uint16_t backward_number(struct program *p)
{
	return (uint16_t)(p->nbackward < UINT16_MAX ? p->nbackward++ : UINT16_MAX - 1);
}

void decode_bra(struct decode *d)
{
	static const uint8_t types[2][2] = {{PTX_untyped, PTX_pred}, {PTX_b32, PTX_b64}};
	struct exec_key key = {.op = PTX_OP_bra};
	struct control *c = decode_new_control(d);
	struct inst in = decode_no_operands();
	bool waits;

	if (operand_at(d, 0)->kind != PTX_OPERAND_LABEL) {
		decode_fail(d, "the target of a branch is a label");
		return;
	}
	c->taken = label_block(d, operand_at(d, 0)->id);
	waits = d->program->asks && c->taken <= c->self;
	key.type[0] = types[waits][d->inst->predicate != PTX_NONE];
	in.variant = waits ? backward_number(d->program) : 0;
	in.control = c;
	decode_finish_control(d, &key, &in);
}

void decode_brx(struct decode *d)
{
	const struct exec_key key = {.op = PTX_OP_brx_idx};
	struct control *c = decode_new_control(d);
	const struct ptx_symbol *s;
	struct inst in = decode_no_operands();

	if (operand_at(d, 1)->kind != PTX_OPERAND_SYMBOL) {
		decode_fail(d, "the targets of brx.idx are the name of a .branchtargets list");
		return;
	}
	s = &d->module->ptx->symbols[operand_at(d, 1)->id];
	c->table_count = s->ntargets;
	c->table = arena_array(&d->program->arena, const struct block *, s->ntargets);
	for (uint32_t i = 0; i < s->ntargets; i++)
		c->table[i] = label_block(d, s->targets[i]);
	in.control = c;
	in.a = operand_plain_source(d, 0);
	decode_finish_control(d, &key, &in);
}

/* ret, exit, trap, nanosleep. */
void decode_leave(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.control = decode_new_control(d);
	decode_finish_control(d, &key, &in);
}

/* Barrier id and number of threads; bar.red d, a {, b}, p. */
void decode_barrier(struct decode *d)
{
	struct exec_key key = exec_key_of(d->inst->opcode);
	bool votes = op_is(d->inst, OP_VOTES);
	unsigned first = votes ? 1 : 0, count = d->inst->noperands - first - (votes ? 1 : 0);
	struct inst in = decode_no_operands();

	key.mods = 0;
	in.control = decode_new_control(d);
	in.a = count ? operand_source(d, operand_at(d, first), 32) : operand_constant(d, 0, 4);
	in.b = count > 1 ? operand_source(d, operand_at(d, first + 1), 32) : operand_constant(d, 0, 4);
	if (votes) {
		in.c = operand_predicate(d, operand_at(d, first + count), &in.flags);
		in.d = operand_plain_destination(d, 0);
	}
	decode_finish_control(d, &key, &in);
}

void decode_warp_sync(struct decode *d)
{
	const struct exec_key key = {.op = PTX_OP_bar_warp_sync};
	struct inst in = decode_no_operands();

	in.control = decode_new_control(d);
	in.a = operand_source(d, operand_at(d, 0), 32);
	decode_finish_control(d, &key, &in);
}
