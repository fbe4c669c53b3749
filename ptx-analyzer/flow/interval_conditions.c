/*
 * Conditions of an abstract execution: the comparison behind a predicate, and what is left of numbers where it holds.
 */
#include "ptx-analyzer/flow/interval_run.h"

/* --- Conditions --- */

/* Is the register written between the instruction and the end of its block? */
static bool is_written_after(const struct interval_run *r, const struct ptx_block *b, uint32_t inst, uint32_t reg)
{
	for (uint32_t i = inst + 1; i < b->first + b->count; i++)
		for (unsigned o = 0; o < r->f->insts[i].noperands; o++) {
			const struct ptx_operand *to = &r->f->insts[i].operands[o];
			enum ptx_role role = ptx_operand_role(&r->f->insts[i], o);

			if (role != PTX_ROLE_DST && role != PTX_ROLE_DSTSRC)
				continue;
			if (to->kind != PTX_OPERAND_REG || to->id == reg)
				return true;
		}
	return false;
}

static enum ptx_mod opposite(enum ptx_mod how)
{
	switch (how) {
	case PTX_MOD_eq: return PTX_MOD_ne;
	case PTX_MOD_ne: return PTX_MOD_eq;
	case PTX_MOD_lt:
	case PTX_MOD_lo: return PTX_MOD_ge;
	case PTX_MOD_le:
	case PTX_MOD_ls: return PTX_MOD_gt;
	case PTX_MOD_gt:
	case PTX_MOD_hi: return PTX_MOD_le;
	case PTX_MOD_ge:
	case PTX_MOD_hs: return PTX_MOD_lt;
	default: return PTX_MOD_COUNT;
	}
}

const struct interval_condition interval_unconditional = {.how = PTX_MOD_COUNT};

static struct interval_condition comparison(const struct interval_run *r, const struct ptx_block *b, uint32_t inst,
					    bool negated)
{
	const struct ptx_inst *setp = &r->f->insts[inst];
	const struct ptx_operand *o = setp->operands;
	struct interval_condition c = {
	    setp->opcode->group[PTX_GROUP_COMPARE], setp->opcode->type[0], &o[1], &o[2], false, false};

	for (unsigned n = 1; n <= 2; n++)
		if (o[n].kind == PTX_OPERAND_REG && is_written_after(r, b, inst, o[n].id))
			return interval_unconditional;
	c.how = negated ? opposite(c.how) : c.how;
	return c;
}

static uint32_t last_definition(const struct interval_run *r, const struct ptx_block *b, uint32_t predicate)
{
	for (uint32_t i = b->first + b->count; i-- > b->first;) {
		const struct ptx_inst *inst = &r->f->insts[i];

		if (inst->noperands && inst->operands[0].kind == PTX_OPERAND_REG && inst->operands[0].id == predicate &&
		    ptx_operand_role(inst, 0) == PTX_ROLE_DST)
			return i;
	}
	return PTX_NONE;
}

/* Compilers copy predicates, and turn them round, where they do not optimise. */
struct interval_condition interval_find_condition(const struct interval_run *r, const struct ptx_block *b,
						  uint32_t predicate, bool negated)
{
	for (unsigned steps = 0; steps < b->count; steps++) {
		uint32_t at = last_definition(r, b, predicate);
		const struct ptx_inst *inst = &r->f->insts[at == PTX_NONE ? 0 : at];
		const struct ptx_operand *from = &inst->operands[1];

		if (at == PTX_NONE || inst->predicate != PTX_NONE || is_written_after(r, b, at, predicate))
			return interval_unconditional;
		if (inst->opcode->op == PTX_OP_setp && inst->noperands == 3)
			return comparison(r, b, at, negated);
		if (inst->opcode->op != PTX_OP_not && inst->opcode->op != PTX_OP_mov)
			return interval_unconditional;
		negated ^= inst->opcode->op == PTX_OP_not;
		if (from->kind == PTX_OPERAND_INT)
			return (struct interval_condition){
			    .how = PTX_MOD_COUNT, .constant = true, .value = (from->imm != 0) != negated};
		if (from->kind != PTX_OPERAND_REG || from->flags)
			return interval_unconditional;
		predicate = from->id;
	}
	return interval_unconditional;
}

/* What a number may be of which `how` is true, compared with one of `other`. */
static struct interval allowed(enum ptx_mod how, struct interval other)
{
	struct interval v = interval_full(64);

	switch (how) {
	case PTX_MOD_eq: return other;
	case PTX_MOD_lt:
	case PTX_MOD_lo: v.high = other.high > INT64_MIN ? other.high - 1 : other.high; break;
	case PTX_MOD_le:
	case PTX_MOD_ls: v.high = other.high; break;
	case PTX_MOD_gt:
	case PTX_MOD_hi: v.low = other.low < INT64_MAX ? other.low + 1 : other.low; break;
	case PTX_MOD_ge:
	case PTX_MOD_hs: v.low = other.low; break;
	default: break;
	}
	return v;
}

static enum ptx_mod mirrored(enum ptx_mod how)
{
	switch (how) {
	case PTX_MOD_lt:
	case PTX_MOD_lo: return PTX_MOD_gt;
	case PTX_MOD_le:
	case PTX_MOD_ls: return PTX_MOD_ge;
	case PTX_MOD_gt:
	case PTX_MOD_hi: return PTX_MOD_lt;
	case PTX_MOD_ge:
	case PTX_MOD_hs: return PTX_MOD_le;
	default: return how;
	}
}

/* An end of the interval that is certainly not the number moves by one. */
static struct interval without(struct interval v, struct interval other)
{
	if (other.low != other.high)
		return v;
	v.low += v.low == other.low && v.low < INT64_MAX;
	v.high -= v.high == other.low && v.high > INT64_MIN;
	return v;
}

/*
 * Narrows the number at `v` by the comparison with `other`, both as their registers hold them. Without a sign a number
 * that is less than one that has no sign bit has none either.
 */
static struct interval narrowed(struct interval v, enum ptx_mod how, enum ptx_type type, struct interval other)
{
	bool unsign = ptx_type_kind(type) != PTX_KIND_SIGNED;

	if (how == PTX_MOD_ne)
		return without(v, other);
	if (how == PTX_MOD_eq)
		return interval_meet(v, other);
	if (!unsign || (v.low >= 0 && other.low >= 0))
		return interval_meet(v, allowed(how, other));
	if (other.low >= 0 && (how == PTX_MOD_lt || how == PTX_MOD_lo || how == PTX_MOD_le || how == PTX_MOD_ls))
		return interval_meet(interval_meet(v, allowed(how, other)), (struct interval){0, INT64_MAX});
	return v;
}

static bool is_comparable(const struct interval_run *r, const struct interval_condition *c, const struct ptx_operand *o)
{
	return o->kind == PTX_OPERAND_REG && !o->flags && interval_is_number(r, o->id) &&
	       !r->frame.places[o->id].kind && interval_register_bits(r, o->id) == ptx_type_bits(c->type);
}

static struct interval compared(const struct interval_run *r, const struct interval_condition *c,
				const struct ptx_operand *o)
{
	unsigned bits = ptx_type_bits(c->type);

	return o->kind != PTX_OPERAND_REG || is_comparable(r, c, o) ? interval_of_operand(r, o, bits)
								    : interval_full(bits);
}

static void narrow_operand(const struct interval_run *r, const struct ptx_operand *o, enum ptx_mod how,
			   enum ptx_type type, struct interval other, struct interval *state)
{
	uint32_t own = r->variable[o->id], source = r->source[o->id];

	if (own != PTX_NONE)
		state[own] = narrowed(state[own], how, type, other);
	if (source != PTX_NONE)
		state[source] = narrowed(state[source], how, type, other);
}

/* `state` where the condition holds, or does not. False if that cannot be, since a number would be left with nothing.
 */
bool interval_assume(const struct interval_run *r, const struct interval_condition *c, bool holds,
		     struct interval *state)
{
	enum ptx_mod how = holds ? c->how : opposite(c->how);
	struct interval left, right;
	enum ptx_type_kind kind = c->left ? ptx_type_kind(c->type) : PTX_KIND_FLOAT;

	if (c->constant)
		return c->value == holds;
	if (how == PTX_MOD_COUNT || kind == PTX_KIND_FLOAT || kind == PTX_KIND_PRED)
		return true;
	left = compared(r, c, c->left);
	right = compared(r, c, c->right);
	if (is_comparable(r, c, c->left))
		narrow_operand(r, c->left, how, c->type, right, state);
	if (is_comparable(r, c, c->right))
		narrow_operand(r, c->right, mirrored(how), c->type, left, state);
	for (uint32_t i = 0; i < r->nvars; i++)
		if (state[i].low > state[i].high)
			return false;
	return true;
}
