/* Video instructions: the signs of their types, and what is done with their result, go into the variant. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/exec/video.h"

/*
 * vabsdiff4 d, a, b, c: the signs of the three types go into the variant. vset4 has two types, and its comparison in
 * the place of the operation: whether its results are added up goes into the variant, too.
 */
void decode_video(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const bool compares = o->group[PTX_GROUP_COMPARE] != PTX_MOD_NONE;
	const struct exec_key key = {.op = (uint16_t)o->op,
				     .which = o->group[compares ? PTX_GROUP_COMPARE : PTX_GROUP_OPERATION],
				     .mods = ptx_has_mod(o, PTX_MOD_sat) ? M_BIT(SAT) : 0};
	struct inst in = decode_no_operands();

	in.d = operand_plain_destination(d, 0);
	in.a = operand_plain_source(d, 1);
	in.b = operand_plain_source(d, 2);
	in.c = d->inst->noperands > 3 ? operand_plain_source(d, 3) : in.a;
	if (compares && o->group[PTX_GROUP_OPERATION] == PTX_MOD_add)
		in.variant |= VIDEO_SUMS;
	for (int i = compares; i < 3; i++)
		in.variant |= (uint16_t)(is_signed_type(o->type[i - compares]) << i);
	decode_finish(d, &key, &in);
}
