/*
 * How large numbers get that are added to pointers. A null pointer and a number are an address if the number is large
 * enough: a page's number times the size of a page, a word of 64 bits times the size of an element. A number of 32 bits
 * times the size of an element is not: no device has memory below 2^40.
 */
#include "ptx-analyzer/flow/flow.h"

/* Whether the value is a number of the launch: made of parameters and of what differs from thread to thread. */
static bool is_of_launch(const struct flow *fl, struct value v)
{
	const struct set *s = set_get(fl->owner->sets, set_union(fl->owner->sets, v.set, v.beside));

	for (uint32_t i = 0; i < s->count; i++) {
		unsigned kind = fl->roots.data[ELEM_ROOT(s->elems[i])].kind;

		if (kind != ROOT_INTEGER && !(kind == ROOT_PARAM && fl->function->is_kernel))
			return false;
	}
	return true;
}

static bool is_number(const struct flow *fl, struct value v)
{
	return v.set == fl->owner->integer && v.offset != OFFSET_ANY;
}

/* `wide` of a product with `factor`. */
static uint8_t times(uint8_t wide, int64_t factor)
{
	uint64_t size = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;

	for (; size > 1 && wide < WIDE_ANY; size = size / 2 + size % 2)
		wide++;
	return wide;
}

/*
 * The width of a product. Numbers of a launch are small enough that a product of two is no wider than the wider factor.
 */
static uint8_t of_product(const struct flow *fl, struct value a, struct value b)
{
	if (is_number(fl, a))
		return times(b.wide, a.offset);
	if (is_number(fl, b))
		return times(a.wide, b.offset);
	if (is_of_launch(fl, a) && is_of_launch(fl, b))
		return a.wide > b.wide ? a.wide : b.wide;
	return WIDE_ANY;
}

static uint8_t of_shift(const struct flow *fl, struct value a, struct value amount)
{
	if (!is_number(fl, amount) || amount.offset < 0 || amount.offset >= 32)
		return WIDE_ANY;
	return times(a.wide, (int64_t)1 << amount.offset);
}

/* The largest `wide` of the operands from `first` on. */
static uint8_t of_sources(struct flow *fl, const struct ptx_inst *inst, unsigned first)
{
	uint8_t wide = 0;

	for (unsigned i = first; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);
		struct value v;

		if (role != PTX_ROLE_SRC && role != PTX_ROLE_DSTSRC)
			continue;
		v = flow_operand(fl, &inst->operands[i]);
		wide = v.wide > wide ? v.wide : wide;
	}
	return wide;
}

/* Added to itself a number doubles; other sums count as no larger than what is added. */
static uint8_t of_sum(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *a = &inst->operands[1], *b = &inst->operands[2];
	uint8_t wide = of_sources(fl, inst, 1);

	return a->kind == PTX_OPERAND_REG && b->kind == PTX_OPERAND_REG && a->id == b->id ? times(wide, 2) : wide;
}

/* Integers of 64 bits, or of 32 whose product has 64. */
static bool is_wide(const struct ptx_inst *inst)
{
	return flow_type_bits(inst) >= 64 || ptx_has_mod(inst->opcode, PTX_MOD_wide);
}

/* A number below 0 without its sign is a large one. */
static uint8_t of_signed(const struct ptx_inst *inst, uint8_t wide)
{
	return ptx_type_kind(inst->opcode->type[0]) == PTX_KIND_SIGNED ? wide : WIDE_ANY;
}

uint8_t width_of_result(struct flow *fl, const struct ptx_inst *inst)
{
	uint8_t product, rest;

	switch (inst->opcode->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu:
	case PTX_OP_call: return WIDE_KEPT;
	case PTX_OP_setp:
	case PTX_OP_testp:
	case PTX_OP_popc:
	case PTX_OP_clz:
	case PTX_OP_bfind:
	case PTX_OP_match: return 0;
	default: break;
	}
	if (!is_wide(inst))
		return 0;
	switch (inst->opcode->op) {
	case PTX_OP_cvt: return flow_is_float(inst, 0) || flow_is_float(inst, 1) ? WIDE_ANY : of_sources(fl, inst, 1);
	case PTX_OP_mul:
	case PTX_OP_mad:
		if (ptx_has_mod(inst->opcode, PTX_MOD_hi) || flow_is_float(inst, 0))
			return WIDE_ANY;
		product = of_product(fl, flow_operand(fl, &inst->operands[1]), flow_operand(fl, &inst->operands[2]));
		rest = of_sources(fl, inst, 3);
		return product > rest ? product : rest;
	case PTX_OP_shl:
		return of_shift(fl, flow_operand(fl, &inst->operands[1]), flow_operand(fl, &inst->operands[2]));
	case PTX_OP_shr:
	case PTX_OP_div:
	case PTX_OP_rem: return of_signed(inst, of_sources(fl, inst, 1));
	case PTX_OP_add: return of_sum(fl, inst);
	case PTX_OP_mov:
	case PTX_OP_cvta:
	case PTX_OP_selp:
	case PTX_OP_slct:
	case PTX_OP_min:
	case PTX_OP_max:
	case PTX_OP_sub:
	case PTX_OP_neg:
	case PTX_OP_abs:
	case PTX_OP_not:
	case PTX_OP_and:
	case PTX_OP_or:
	case PTX_OP_xor: return of_sources(fl, inst, 1);
	default: return WIDE_ANY;
	}
}
