/*
 * Values: the plain form, in which a destination comes first and up to four sources follow, and the forms whose
 * operands are predicates or pairs.
 */
#include "runtime/cpu/decode/decode.h"

void decode_plain(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	const struct exec_row *row = decode_find(d, &key);
	struct inst in = decode_no_operands();
	uint32_t *sources[] = {&in.a, &in.b, &in.c, &in.e};
	unsigned nsources = 0;

	for (unsigned i = 0; row && i < d->inst->noperands; i++)
		if (ptx_operand_role(d->inst, i) == PTX_ROLE_DST)
			in.d = operand_plain_destination(d, i);
		else if (nsources == 4)
			decode_fail(d, "this number of operands is not supported by the CPU device");
		else
			*sources[nsources++] = operand_plain_source(d, i);
	decode_finish_row(d, row, &in);
}

/* Hints, fences: operands do not matter. */
void decode_bare(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	decode_finish(d, &key, &in);
}

/* The opcode is the same with two and with three operands, but the exec rows differ. */
void decode_extreme(struct decode *d)
{
	if (d->inst->noperands > 3)
		decode_fail(d, "the form with three sources is not supported by the CPU device");
	else
		decode_plain(d);
}

/* --- Predicates --- */

/* The value of "true" in the destination type of set. */
static int64_t true_value(enum ptx_type type)
{
	switch (type) {
	case PTX_f32: return 0x3f800000;
	case PTX_f16: return 0x3c00;
	case PTX_bf16: return 0x3f80;
	case PTX_f16x2: return 0x3c003c00;
	case PTX_bf16x2: return 0x3f803f80;
	default: return UINT32_MAX;
	}
}

void decode_comparison(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	struct exec_key key = exec_key_of(o);
	bool is_setp = o->op == PTX_OP_setp, pairs = key.type[0] == PTX_f16x2 || key.type[0] == PTX_bf16x2;
	struct inst in = decode_no_operands();

	in.a = operand_plain_source(d, 1);
	in.b = operand_plain_source(d, 2);
	if (d->inst->noperands > 3)
		in.c = operand_predicate(d, operand_at(d, 3), &in.flags);
	if (is_setp)
		operand_pair_destination(d, 0, 1, &in);
	else
		in.d = operand_plain_destination(d, 0);
	in.variant = o->group[PTX_GROUP_OPERATION];
	in.imm = true_value((enum ptx_type)o->type[0]);
	if (is_setp && (in.c != OPERAND_NONE || in.e != OPERAND_NONE || in.d == OPERAND_NONE || pairs))
		key.mods |= M_BIT(COMBINED);
	if (pairs) {
		uint32_t *list = operand_list(d, 2);

		list[0] = key.which;
		list[1] = key.type[0] == PTX_bf16x2;
		in.list = list;
		key.which = PTX_MOD_NONE;
		key.mods &= ~M_BIT(FTZ);
	}
	decode_finish(d, &key, &in);
}

void decode_select(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_plain_source(d, 1);
	in.b = operand_plain_source(d, 2);
	in.c = operand_predicate(d, operand_at(d, 3), &in.flags);
	in.d = operand_plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

void decode_lop3(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();
	uint32_t *list = operand_list(d, 2);

	for (unsigned i = 1; i <= 4; i++)
		*(uint32_t *[]){&in.a, &in.b, &in.c, &in.e}[i - 1] = operand_source(d, operand_at(d, i), 32);
	if (key.which == PTX_MOD_NONE) {
		in.d = operand_plain_destination(d, 0);
	} else {
		struct inst pair = decode_no_operands();

		operand_pair_destination(d, 0, 32, &pair);
		in.d = pair.d;
		list[0] = pair.e;
		list[1] = operand_predicate(d, operand_at(d, 5), &in.flags);
		in.list = list;
	}
	decode_finish(d, &key, &in);
}

/* shfl, match, elect: d|p, then values. */
void decode_pair(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	struct inst in = decode_no_operands();
	uint32_t *sources[] = {&in.a, &in.b, &in.c};

	for (unsigned i = 1; i < d->inst->noperands && i <= 3; i++)
		*sources[i - 1] = operand_plain_source(d, i);
	if (d->inst->noperands > 4)
		in.imm = operand_plain_source(d, 4); /* the members of shfl.sync, for checks */
	operand_pair_destination(d, 0, 32, &in);
	decode_finish(d, &key, &in);
}

void decode_vote(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_predicate(d, operand_at(d, 1), &in.flags);
	if (d->inst->noperands > 2)
		in.b = operand_source(d, operand_at(d, 2), 32);
	in.d = operand_plain_destination(d, 0);
	decode_finish(d, &key, &in);
}
