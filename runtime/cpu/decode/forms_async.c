/* Decoding of asynchronous copies, which have two addresses, and of mbarriers. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/engine/engine_op.h"

/* The list of a copy, as enum copy_list numbers it. */
static uint32_t *destination_list(struct decode *d, const struct address *to)
{
	uint32_t *list = arena_array(&d->program->arena, uint32_t, COPY_WORDS);

	if (to->kind == ADDRESS_FRAME)
		decode_fail(d, "copies into local memory are not supported");
	list[COPY_TO] = to->a;
	list[COPY_TO_KIND] = to->kind;
	list[COPY_TO_LOW] = (uint32_t)to->imm;
	list[COPY_TO_HIGH] = (uint32_t)((uint64_t)to->imm >> 32);
	list[COPY_TO_SPACE] = to->space;
	return list;
}

/* cp.async [shared], [global], size {, bytes to read | predicate} {, policy} */
void decode_async_copy(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = PTX_OP_cp_async};
	const struct ptx_operand *ops = d->inst->operands, *size = &ops[2];
	const struct address to = operand_address(d, &ops[0], (enum ptx_space)o->space);
	const struct address from = operand_address(d, &ops[1], (enum ptx_space)o->space2);
	unsigned extra = d->inst->noperands - 3;
	struct inst in = decode_no_operands();

	if (size->kind != PTX_OPERAND_INT || (size->imm != 4 && size->imm != 8 && size->imm != 16)) {
		decode_fail(d, "the size of cp.async is 4, 8 or 16");
		return;
	}
	if (ptx_has_mod(o, PTX_MOD_L2_cache_hint) && extra)
		extra--;
	if (extra) {
		const struct ptx_operand *op = &ops[3];
		bool is_predicate = op->kind == PTX_OPERAND_REG && d->function->regs[op->id].type == PTX_pred;

		if (is_predicate)
			in.c = operand_predicate(d, op, &in.flags);
		else
			in.b = operand_source(d, op, 32);
	}
	inst_set_address(&in, &from);
	in.bytes = (uint8_t)size->imm;
	in.list = destination_list(d, &to);
	decode_finish(d, &key, &in);
}

/* cp.async.bulk [shared], [global], size, [mbarrier]; cp.async.bulk [global], [shared], size */
void decode_bulk_copy(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = PTX_OP_cp_async_bulk};
	const struct ptx_operand *ops = d->inst->operands;
	const struct address to = operand_address(d, &ops[0], (enum ptx_space)o->space);
	const struct address from = operand_address(d, &ops[1], (enum ptx_space)o->space2);
	struct inst in = decode_no_operands();
	uint32_t *list = destination_list(d, &to);

	if (ptx_has_mod(o, PTX_MOD_multicast_cluster) || ptx_has_mod(o, PTX_MOD_cp_mask) ||
	    ptx_has_mod(o, PTX_MOD_ignore_oob)) {
		decode_fail(d, "this form is not supported by the CPU device");
		return;
	}
	inst_set_address(&in, &from);
	in.b = operand_source(d, &ops[2], 32);
	if (d->inst->noperands > 3 && ops[3].kind == PTX_OPERAND_MEM) {
		struct address barrier = operand_address(d, &ops[3], PTX_SPACE_SHARED);

		in.c = barrier.kind == ADDRESS_CONSTANT ? operand_constant(d, 0, 8)
							: operand_source(d, &ops[3].elems[0], 64);
		list[COPY_BARRIER_OFFSET] = (uint32_t)barrier.imm;
	}
	in.list = list;
	decode_finish(d, &key, &in);
}

/* op {state,} [barrier] {, count or state}; the waits end a block. */
void decode_mbarrier(struct decode *d)
{
	struct exec_key key = exec_key_of(d->inst->opcode);
	bool waits = op_is(d->inst, OP_ASKS_AGAIN);
	struct inst in = decode_no_operands();
	unsigned at = 0;

	key.type[0] = PTX_untyped;
	key.mods &= M_BIT(PARITY) | M_BIT(EXPECT_TX) | M_BIT(NOCOMPLETE) | M_BIT(NOINC);
	if (d->inst->operands[at].kind != PTX_OPERAND_MEM)
		in.d = operand_destination(d, &d->inst->operands[at++], waits ? 1 : 64, false);
	const struct address a = operand_address(d, &d->inst->operands[at], (enum ptx_space)d->inst->opcode->space);

	inst_set_address(&in, &a);
	if (at + 1 < d->inst->noperands)
		in.b = operand_source(d, &d->inst->operands[at + 1], waits && !(key.mods & M_BIT(PARITY)) ? 64 : 32);
	if (!waits) {
		decode_finish(d, &key, &in);
		return;
	}
	in.control = decode_new_control(d);
	decode_finish_control(d, &key, &in);
}
