/*
 * Video instructions. The variant gets the signs of their types. For a scalar instruction the list gets the parts of
 * the operands and the second operation.
 */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/exec/video.h"

#include <string.h>

static bool compares(const struct ptx_opcode *o)
{
	return o->group[PTX_GROUP_COMPARE] != PTX_MOD_NONE;
}

/* A comparison has no type of its result, which is 0 or 1. */
static uint16_t signs_of(const struct ptx_opcode *o)
{
	uint16_t signs = 0;

	for (int i = compares(o); i < 3; i++)
		signs |= (uint16_t)(is_signed_type(o->type[i - compares(o)]) << i);
	return signs;
}

/*
 * vabsdiff4 d, a, b, c: the signs of the three types go into the variant. vset4 has its comparison in the place of the
 * operation: whether its results are added up goes into the variant, too.
 */
void decode_video(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = (uint16_t)o->op,
				     .which = o->group[compares(o) ? PTX_GROUP_COMPARE : PTX_GROUP_OPERATION],
				     .mods = ptx_has_mod(o, PTX_MOD_sat) ? M_BIT(SAT) : 0};
	struct inst in = decode_no_operands();

	in.d = operand_plain_destination(d, 0);
	in.a = operand_plain_source(d, 1);
	in.b = operand_plain_source(d, 2);
	in.c = d->inst->noperands > 3 ? operand_plain_source(d, 3) : in.a;
	in.variant = signs_of(o);
	if (compares(o) && o->group[PTX_GROUP_OPERATION] == PTX_MOD_add)
		in.variant |= VIDEO_SUMS;
	decode_finish(d, &key, &in);
}

/* %r1.h1 is a part of %r1, and *part says which; without a suffix it is the whole word. */
static struct ptx_operand whole_of(struct decode *d, const struct ptx_operand *op, uint32_t *part)
{
	static const char *const parts[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
	struct ptx_operand whole = *op;

	*part = PART_WORD;
	if (op->kind != PTX_OPERAND_REG || !(op->flags & PTX_FLAG_COMPONENT))
		return whole;
	while (*part < sizeof parts / sizeof parts[0] && strcmp(parts[*part], (const char *)op->elems) != 0)
		++*part;
	if (*part == sizeof parts / sizeof parts[0])
		decode_fail(d, "the parts of a word are .b0 to .b3, .h0 and .h1");
	whole.flags &= (uint8_t)~PTX_FLAG_COMPONENT;
	whole.elems = NULL;
	return whole;
}

/*
 * vabsdiff d, a.b1, b.h0; vabsdiff.add d, a, b, c; vabsdiff d.h1, a, b, c, where the rest of d comes from c. The key
 * holds vset's comparison, and whether vshl and vshr clamp large shift counts.
 */
void decode_scalar_video(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = (uint16_t)o->op,
				     .which = o->group[PTX_GROUP_COMPARE],
				     .mods = (ptx_has_mod(o, PTX_MOD_clamp) ? M_BIT(CLAMP) : 0) |
					     (ptx_has_mod(o, PTX_MOD_wrap) ? M_BIT(WRAP) : 0)};
	uint32_t *list = operand_list(d, SCALAR_WORDS);
	struct ptx_operand to = whole_of(d, operand_at(d, 0), &list[SCALAR_PART_D]);
	struct ptx_operand a = whole_of(d, operand_at(d, 1), &list[SCALAR_PART_A]);
	struct ptx_operand b = whole_of(d, operand_at(d, 2), &list[SCALAR_PART_B]);
	bool merges = list[SCALAR_PART_D] != PART_WORD;
	struct inst in = decode_no_operands();

	list[SCALAR_SECOND] = o->group[PTX_GROUP_OPERATION];
	list[SCALAR_SATURATES] = ptx_has_mod(o, PTX_MOD_sat);
	if (d->inst->noperands < 4 && (merges || list[SCALAR_SECOND] != PTX_MOD_NONE))
		decode_fail(d, "a second operation, and a part of the destination, need a third source");
	if (merges && list[SCALAR_SECOND] != PTX_MOD_NONE)
		decode_fail(d, "the result of a second operation is a word, not a part of one");
	if (to.kind == PTX_OPERAND_SINK)
		decode_fail(d, "a destination is a register");
	in.d = operand_destination(d, &to, 32, false);
	in.a = operand_source(d, &a, 32);
	in.b = operand_source(d, &b, 32);
	in.c = d->inst->noperands > 3 ? operand_plain_source(d, 3) : in.a;
	in.variant = signs_of(o);
	in.list = list;
	decode_finish(d, &key, &in);
}
