/* What is known of registers: who writes them, which are constants, and which are others after a free move. */
#include "lowering/lower.h"

#include "common/xalloc.h"

/* --- Definitions --- */

struct definitions {
	uint32_t *count, *last; /* of each register; last may be NULL */
};

static void note_definition(const struct definitions *d, const struct ptx_operand *op, uint32_t inst)
{
	if (op->kind == PTX_OPERAND_REG) {
		d->count[op->id]++;
		if (d->last)
			d->last[op->id] = inst;
	} else if (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR || op->kind == PTX_OPERAND_LIST) {
		for (unsigned i = 0; i < op->count; i++)
			note_definition(d, &op->elems[i], inst);
	}
}

static void find_definitions(const struct ptx_function *f, const struct definitions *d)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];

		for (unsigned k = 0; k < inst->noperands; k++) {
			enum ptx_role role = ptx_operand_role(inst, k);

			if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
				note_definition(d, &inst->operands[k], i);
		}
		if (inst->opcode->op == PTX_OP_call && inst->noperands)
			note_definition(d, &inst->operands[0], i);
	}
}

uint32_t *lower_definitions(const struct ptx_function *f)
{
	struct definitions d = {.count = xcalloc(f->nregs + 1, sizeof *d.count)};

	find_definitions(f, &d);
	return d.count;
}

static void count_definitions(struct selection *s)
{
	struct definitions d = {.count = xcalloc(s->f->nregs + 1, sizeof *d.count),
				.last = xcalloc(s->f->nregs + 1, sizeof *d.last)};

	find_definitions(s->f, &d);
	for (uint32_t r = 0; r < s->f->nregs; r++) {
		s->facts[r].lo = 2 * r;
		s->facts[r].hi = ptx_type_bits((enum ptx_type)s->f->regs[r].type) > 32 ? 2 * r + 1 : LOWER_ZERO;
		s->facts[r].ndef = d.count[r];
		s->facts[r].def = d.last[r];
	}
	xfree(d.count);
	xfree(d.last);
}

/* --- Free instructions --- */

static bool is_reg(const struct ptx_inst *inst, unsigned k)
{
	return k < inst->noperands && inst->operands[k].kind == PTX_OPERAND_REG;
}

/*
 * `mov %phi, %x` at a loop's end: the value is computed in the place of %phi, if it is used for nothing else of the
 * kind.
 */
static void join_copies(struct selection *s)
{
	for (uint32_t i = 0; i < s->f->ninsts; i++) {
		const struct ptx_inst *inst = &s->f->insts[i];
		struct reg_fact *to, *from;

		if (inst->opcode->op != PTX_OP_mov || !is_reg(inst, 0) || !is_reg(inst, 1))
			continue;
		to = &s->facts[inst->operands[0].id];
		from = &s->facts[inst->operands[1].id];
		if (to->ndef < 2 || from->ndef != 1 || from->lo != 2 * inst->operands[1].id || to == from)
			continue;
		if (s->f->insts[from->def].opcode->op == PTX_OP_mov || s->f->insts[from->def].opcode->op == PTX_OP_ld)
			continue;
		from->lo = to->lo;
		from->hi = to->hi;
		s->plans[i].free = true;
	}
}

static void make_constant(struct reg_fact *to, uint64_t id)
{
	to->constant = true;
	to->id = id;
	to->lo = to->hi = LOWER_ZERO;
}

static bool take_alias(struct reg_fact *to, uint32_t lo, uint32_t hi)
{
	to->lo = lo;
	to->hi = hi;
	return true;
}

static bool copy_fact(struct reg_fact *to, const struct reg_fact *from)
{
	to->constant = from->constant;
	to->number = from->number;
	to->id = from->id;
	return take_alias(to, from->lo, from->hi);
}

static uint64_t hash_id(uint64_t kind, uint64_t a, uint64_t b)
{
	return (kind * 0x9E3779B97F4A7C15u) ^ (a * 0xC2B2AE3D27D4EB4Fu) ^ b;
}

static bool is_launch_constant(uint32_t sreg)
{
	return (sreg >= PTX_SREG_ntid_x && sreg <= PTX_SREG_ntid_z) ||
	       (sreg >= PTX_SREG_nctaid_x && sreg <= PTX_SREG_nctaid_z);
}

/* mov %r, what is no register. */
static bool free_constant(const struct selection *s, struct reg_fact *to, const struct ptx_operand *from)
{
	switch (from->kind) {
	case PTX_OPERAND_INT:
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64:
		make_constant(to, (uint64_t)from->imm);
		to->number = true;
		return true;
	case PTX_OPERAND_SYMBOL:
		make_constant(to, hash_id(1, from->id, (uint64_t)from->imm));
		to->number = true;
		return true;
	case PTX_OPERAND_SREG:
		if (!is_launch_constant(from->id) || s->l->generation >= MACHINE_HOPPER)
			return false;
		make_constant(to, hash_id(2, from->id, 0));
		return true;
	default: return false;
	}
}

/* mov.b64 %rd, {%a, %b}, and its reverse. */
static bool free_halves(struct selection *s, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];

	if (ptx_type_bits((enum ptx_type)inst->opcode->type[0]) != 64)
		return to->kind == PTX_OPERAND_VEC;
	if (to->kind == PTX_OPERAND_REG && from->kind == PTX_OPERAND_VEC && from->count == 2) {
		uint32_t half[2];

		for (unsigned k = 0; k < 2; k++)
			half[k] = from->elems[k].kind == PTX_OPERAND_REG ? s->facts[from->elems[k].id].lo : LOWER_ZERO;
		return s->facts[to->id].ndef == 1 && take_alias(&s->facts[to->id], half[0], half[1]);
	}
	if (to->kind != PTX_OPERAND_VEC || from->kind != PTX_OPERAND_REG || to->count != 2)
		return false;
	for (unsigned k = 0; k < 2; k++)
		if (to->elems[k].kind == PTX_OPERAND_REG && s->facts[to->elems[k].id].ndef == 1)
			take_alias(&s->facts[to->elems[k].id], k ? s->facts[from->id].hi : s->facts[from->id].lo,
				   LOWER_ZERO);
	return true;
}

/* Between integers: to fewer bits, or to more of an unsigned number. */
static bool free_conversion(struct selection *s, const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	struct reg_fact *to = &s->facts[inst->operands[0].id];
	const struct reg_fact *from = &s->facts[inst->operands[1].id];
	enum ptx_type a = (enum ptx_type)o->type[0], b = (enum ptx_type)o->type[o->ntypes - 1];

	if (ptx_type_kind(a) == PTX_KIND_FLOAT || ptx_type_kind(b) == PTX_KIND_FLOAT || ptx_has_mod(o, PTX_MOD_sat))
		return false;
	if (ptx_type_bits(a) > ptx_type_bits(b) && ptx_type_kind(b) == PTX_KIND_SIGNED)
		return false;
	copy_fact(to, from);
	if (ptx_type_bits(b) <= 32 || ptx_type_bits(a) <= 32)
		to->hi = LOWER_ZERO;
	return true;
}

/* Moves of the upper half by 32 bits. */
static bool free_shift(struct selection *s, const struct ptx_inst *inst)
{
	struct reg_fact *to = &s->facts[inst->operands[0].id];
	const struct reg_fact *from = &s->facts[inst->operands[1].id];

	if (ptx_type_bits((enum ptx_type)inst->opcode->type[0]) != 64 || inst->operands[2].kind != PTX_OPERAND_INT ||
	    inst->operands[2].imm != 32 || from->constant)
		return false;
	if (inst->opcode->op == PTX_OP_shl)
		return take_alias(to, LOWER_ZERO, from->lo);
	return ptx_type_kind((enum ptx_type)inst->opcode->type[0]) != PTX_KIND_SIGNED &&
	       take_alias(to, from->hi, LOWER_ZERO);
}

/* ld.param of a kernel: an operand from the constant bank. Hopper's assembler loads it. */
static bool free_parameter(struct selection *s, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *at = &inst->operands[1];

	if (inst->opcode->space != PTX_SPACE_PARAM)
		return false;
	if (!s->f->is_kernel)
		return true;
	if (at->kind != PTX_OPERAND_MEM || at->count != 1 || at->elems[0].kind != PTX_OPERAND_SYMBOL ||
	    s->l->generation >= MACHINE_HOPPER)
		return false;
	for (unsigned k = 0; k < (to->kind == PTX_OPERAND_VEC ? to->count : 1); k++) {
		const struct ptx_operand *reg = to->kind == PTX_OPERAND_VEC ? &to->elems[k] : to;

		if (reg->kind == PTX_OPERAND_REG && s->facts[reg->id].ndef == 1)
			make_constant(&s->facts[reg->id], hash_id(3, at->elems[0].id, (uint64_t)at->imm + 64 * k));
		else if (reg->kind == PTX_OPERAND_REG)
			return false;
	}
	return true;
}

/* A predicate combined with a constant one. */
static bool free_predicate(struct selection *s, const struct ptx_inst *inst)
{
	for (unsigned k = 1; k < 3; k++)
		if (is_reg(inst, k) && is_reg(inst, 3 - k) && s->facts[inst->operands[k].id].number)
			return copy_fact(&s->facts[inst->operands[0].id], &s->facts[inst->operands[3 - k].id]);
	return false;
}

static bool is_free(struct selection *s, const struct ptx_inst *inst)
{
	struct reg_fact *to = is_reg(inst, 0) ? &s->facts[inst->operands[0].id] : NULL;
	enum ptx_op op = inst->opcode->op;
	bool once = to && to->ndef == 1;

	if (op == PTX_OP_st && inst->opcode->space == PTX_SPACE_PARAM)
		return true;
	if (inst->predicate != PTX_NONE || inst->noperands < 2)
		return false;
	if (op == PTX_OP_ld)
		return free_parameter(s, inst);
	if (op == PTX_OP_mov &&
	    (inst->operands[0].kind == PTX_OPERAND_VEC || inst->operands[1].kind == PTX_OPERAND_VEC))
		return free_halves(s, inst);
	if (!once)
		return false;
	if (op == PTX_OP_mov && inst->operands[1].kind != PTX_OPERAND_REG)
		return free_constant(s, to, &inst->operands[1]);
	if (!is_reg(inst, 1))
		return false;
	if ((op == PTX_OP_xor || op == PTX_OP_and || op == PTX_OP_or) && inst->opcode->type[0] == PTX_pred)
		return free_predicate(s, inst);
	if (op == PTX_OP_cvt)
		return free_conversion(s, inst);
	if (op == PTX_OP_shr || op == PTX_OP_shl)
		return inst->noperands > 2 && free_shift(s, inst);
	if (op == PTX_OP_cvta && inst->opcode->space != PTX_SPACE_GLOBAL && inst->opcode->space != PTX_SPACE_CONST &&
	    inst->opcode->space != PTX_SPACE_PARAM && !ptx_has_mod(inst->opcode, PTX_MOD_to))
		return false;
	if (op == PTX_OP_mov || op == PTX_OP_cvta ||
	    (op == PTX_OP_not && s->f->regs[inst->operands[0].id].type == PTX_pred) ||
	    ((op == PTX_OP_neg || op == PTX_OP_abs) &&
	     ptx_type_kind((enum ptx_type)inst->opcode->type[0]) == PTX_KIND_FLOAT))
		return copy_fact(to, &s->facts[inst->operands[1].id]);
	return false;
}

/* --- Uses --- */

static void count_use(struct selection *s, const struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_REG) {
		uint32_t lo = s->facts[op->id].lo, hi = s->facts[op->id].hi;

		if (lo != LOWER_ZERO)
			s->facts[lo / 2].uses++;
		if (hi != LOWER_ZERO && (lo == LOWER_ZERO || hi / 2 != lo / 2))
			s->facts[hi / 2].uses++;
	} else if (op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_TEX ||
		   op->kind == PTX_OPERAND_PAIR || op->kind == PTX_OPERAND_LIST) {
		for (unsigned i = 0; i < op->count; i++)
			count_use(s, &op->elems[i]);
	}
}

static void count_uses(struct selection *s)
{
	for (uint32_t i = 0; i < s->f->ninsts; i++) {
		const struct ptx_inst *inst = &s->f->insts[i];

		if (s->plans[i].free && inst->opcode->op != PTX_OP_st)
			continue;
		for (unsigned k = 0; k < inst->noperands; k++)
			if (ptx_operand_role(inst, k) != PTX_ROLE_DST)
				count_use(s, &inst->operands[k]);
		if (inst->predicate != PTX_NONE)
			count_use(s, &(struct ptx_operand){.kind = PTX_OPERAND_REG, .id = inst->predicate});
	}
}

void find_facts(struct selection *s)
{
	count_definitions(s);
	join_copies(s);
	for (uint32_t i = 0; i < s->f->ninsts; i++)
		s->plans[i].free |= is_free(s, &s->f->insts[i]);
	count_uses(s);
}
