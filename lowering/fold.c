/*
 * Numbers that the front end has left for the assembler: an instruction whose inputs are all numbers becomes a move of
 * its result, a product that is a number becomes a part of a sum. The function's own instructions are changed in place;
 * their number and their order stay.
 */
#include "lowering/lower.h"

#include "common/xalloc.h"
#include "ptx-analyzer/flow/interval_math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct folding {
	struct ptx_module *module;
	struct ptx_function *f;
	uint32_t *ndef;            /* of each register */
	struct ptx_operand *value; /* of each register: the number that it holds; PTX_OPERAND_NONE = not known */
};

static enum ptx_type type_of(const struct ptx_inst *inst, unsigned k)
{
	return (enum ptx_type)inst->opcode->type[k];
}

static bool is_integer_type(enum ptx_type type)
{
	enum ptx_type_kind kind = ptx_type_kind(type);

	return kind == PTX_KIND_BITS || kind == PTX_KIND_SIGNED || kind == PTX_KIND_UNSIGNED;
}

/* --- Rewriting --- */

static void become(struct folding *fold, struct ptx_inst *inst, const char *op, unsigned bits, unsigned noperands)
{
	char text[32];
	const struct ptx_opcode *opcode;

	snprintf(text, sizeof text, "%s%u", op, bits);
	opcode = ptx_intern_opcode(fold->module, text);
	if (!opcode)
		BUG("no opcode '%s'", text);
	inst->opcode = opcode;
	inst->noperands = (uint16_t)noperands;
}

static struct ptx_operand number(int64_t imm)
{
	return (struct ptx_operand){.kind = PTX_OPERAND_INT, .imm = imm};
}

static void become_move(struct folding *fold, struct ptx_inst *inst, struct ptx_operand from, unsigned bits)
{
	inst->operands[1] = from;
	become(fold, inst, from.kind == PTX_OPERAND_F32 ? "mov.f" : "mov.b", bits, 2);
}

/* --- Numbers --- */

/* cvt of a float to an integer. */
static bool round_number(const struct ptx_inst *inst, double x, int64_t *to)
{
	enum ptx_type type = type_of(inst, 0);

	if (ptx_has_mod(inst->opcode, PTX_MOD_rzi))
		x = trunc(x);
	else if (ptx_has_mod(inst->opcode, PTX_MOD_rni))
		x = nearbyint(x);
	else if (ptx_has_mod(inst->opcode, PTX_MOD_rmi))
		x = floor(x);
	else if (ptx_has_mod(inst->opcode, PTX_MOD_rpi))
		x = ceil(x);
	else
		return false;
	if (!is_integer_type(type) || !(fabs(x) < 0x1p31) || (x < 0 && ptx_type_kind(type) != PTX_KIND_SIGNED))
		return false;
	*to = (int64_t)x;
	return true;
}

static bool convert_float(struct folding *fold, struct ptx_inst *inst)
{
	const struct ptx_operand *from = &inst->operands[1];
	int64_t to;
	float x;
	uint32_t bits = (uint32_t)from->imm;

	if (inst->opcode->op != PTX_OP_cvt || from->kind != PTX_OPERAND_F32 || inst->opcode->ntypes != 2)
		return false;
	memcpy(&x, &bits, sizeof x);
	if (!round_number(inst, x, &to))
		return false;
	become_move(fold, inst, number(to), ptx_type_bits(type_of(inst, 0)));
	return true;
}

/* All sources are numbers, and so is the result. */
static bool compute(struct folding *fold, struct ptx_inst *inst)
{
	struct interval in[3] = {{0, 0}, {0, 0}, {0, 0}}, out;
	unsigned bits;

	if (inst->noperands < 2 || inst->noperands > 4 || !inst->opcode->ntypes || !is_integer_type(type_of(inst, 0)) ||
	    !is_integer_type(type_of(inst, inst->opcode->ntypes - 1u)) || ptx_has_mod(inst->opcode, PTX_MOD_cc))
		return false;
	for (unsigned k = 1; k < inst->noperands; k++) {
		if (inst->operands[k].kind != PTX_OPERAND_INT)
			return false;
		in[k - 1] = (struct interval){inst->operands[k].imm, inst->operands[k].imm};
	}
	out = interval_compute(inst, in);
	if (out.low != out.high)
		return false;
	bits = ptx_type_bits((enum ptx_type)fold->f->regs[inst->operands[0].id].type);
	become_move(fold, inst, number(out.low), bits);
	return true;
}

/* --- Simpler forms --- */

static bool is_number(const struct ptx_operand *op, int64_t imm)
{
	return op->kind == PTX_OPERAND_INT && op->imm == imm;
}

static bool is_low_product(const struct ptx_inst *inst, enum ptx_op op, unsigned noperands)
{
	return inst->opcode->op == op && inst->noperands == noperands && is_integer_type(type_of(inst, 0)) &&
	       inst->opcode->group[PTX_GROUP_HALF] == PTX_MOD_lo && !ptx_has_mod(inst->opcode, PTX_MOD_cc) &&
	       !ptx_has_mod(inst->opcode, PTX_MOD_sat);
}

/* a * b + c of two numbers is a sum. */
static bool simplify_mad(struct folding *fold, struct ptx_inst *inst)
{
	struct ptx_operand *op = inst->operands;
	unsigned bits;

	if (!is_low_product(inst, PTX_OP_mad, 4) || op[1].kind != PTX_OPERAND_INT || op[2].kind != PTX_OPERAND_INT)
		return false;
	bits = ptx_type_bits(type_of(inst, 0));
	op[2] = number((int64_t)((uint64_t)op[1].imm * (uint64_t)op[2].imm));
	op[1] = op[3];
	if (op[2].imm)
		become(fold, inst, "add.s", bits, 3);
	else
		become_move(fold, inst, op[1], bits);
	return true;
}

/* Nothing is added, shifted or multiplied. */
static bool is_identity(const struct ptx_inst *inst)
{
	const struct ptx_operand *second = &inst->operands[2];

	if (inst->noperands != 3 || inst->operands[1].kind != PTX_OPERAND_REG || !inst->opcode->ntypes ||
	    !is_integer_type(type_of(inst, 0)) || ptx_has_mod(inst->opcode, PTX_MOD_cc))
		return false;
	switch (inst->opcode->op) {
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_shl:
	case PTX_OP_shr:
	case PTX_OP_or:
	case PTX_OP_xor: return is_number(second, 0);
	case PTX_OP_mul: return is_low_product(inst, PTX_OP_mul, 3) && is_number(second, 1);
	default: return false;
	}
}

static bool simplify(struct folding *fold, struct ptx_inst *inst)
{
	if (!is_identity(inst))
		return simplify_mad(fold, inst);
	become_move(fold, inst, inst->operands[1],
		    ptx_type_bits((enum ptx_type)fold->f->regs[inst->operands[0].id].type));
	return true;
}

/* --- In the order of the text --- */

/* Operands that are registers with a known number become that number, where an instruction computes with integers. */
static void put_numbers(struct folding *fold, struct ptx_inst *inst)
{
	if (inst->opcode->cls != PTX_CLASS_INT && inst->opcode->cls != PTX_CLASS_CONVERT)
		return;
	for (unsigned k = 1; k < inst->noperands; k++) {
		struct ptx_operand *op = &inst->operands[k];

		if (op->kind == PTX_OPERAND_REG && !op->flags && fold->value[op->id].kind != PTX_OPERAND_NONE &&
		    ptx_type_bits((enum ptx_type)fold->f->regs[op->id].type) <= 32)
			*op = fold->value[op->id];
	}
}

static void note_number(struct folding *fold, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];

	if (inst->opcode->op == PTX_OP_mov && inst->noperands == 2 && fold->ndef[to->id] == 1 &&
	    (from->kind == PTX_OPERAND_INT || from->kind == PTX_OPERAND_F32))
		fold->value[to->id] = *from;
}

static void fold_inst(struct folding *fold, struct ptx_inst *inst)
{
	if (inst->predicate != PTX_NONE || inst->noperands < 2 || inst->operands[0].kind != PTX_OPERAND_REG ||
	    ptx_operand_role(inst, 0) != PTX_ROLE_DST || inst->operands[0].flags)
		return;
	put_numbers(fold, inst);
	if (!convert_float(fold, inst) && !compute(fold, inst))
		simplify(fold, inst);
	note_number(fold, inst);
}

void fold_numbers(struct ptx_module *m, struct ptx_function *f)
{
	struct folding fold = {
	    .module = m, .f = f, .ndef = lower_definitions(f), .value = xcalloc(f->nregs + 1, sizeof *fold.value)};

	for (uint32_t i = 0; i < f->ninsts; i++)
		fold_inst(&fold, &f->insts[i]);
	xfree(fold.ndef);
	xfree(fold.value);
}
