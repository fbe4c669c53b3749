/*
 * What each instruction becomes. Instructions are looked at from the last to the first: one that is folded into those
 * that use it, or that nobody uses, is not needed when it is reached.
 */
#include "lowering/lower.h"

static unsigned bits_of(const struct ptx_inst *inst)
{
	return inst->opcode->ntypes ? ptx_type_bits((enum ptx_type)inst->opcode->type[0]) : 0;
}

static bool is_integer(const struct ptx_inst *inst)
{
	enum ptx_type_kind kind =
	    inst->opcode->ntypes ? ptx_type_kind((enum ptx_type)inst->opcode->type[0]) : PTX_KIND_NONE;

	return kind == PTX_KIND_BITS || kind == PTX_KIND_SIGNED || kind == PTX_KIND_UNSIGNED;
}

/* The only instruction that computes the operand, if it may be folded. */
static const struct ptx_inst *source_of(const struct selection *s, const struct ptx_operand *op, bool only_use)
{
	const struct reg_fact *f;
	uint32_t root;

	if (op->kind != PTX_OPERAND_REG || s->facts[op->id].constant || s->facts[op->id].lo == LOWER_ZERO)
		return NULL;
	root = s->facts[op->id].lo / 2;
	f = &s->facts[root];
	if (f->ndef != 1 || s->facts[op->id].lo % 2 || f->lo != 2 * root || (only_use && f->uses != 1))
		return NULL;
	return s->f->insts[f->def].predicate == PTX_NONE ? &s->f->insts[f->def] : NULL;
}

/* --- Leaves --- */

static void add_constant(struct inst_plan *p, uint64_t id, unsigned words)
{
	if (p->nconstants == 4)
		return;
	p->constants[p->nconstants] = id;
	p->constant_words[p->nconstants++] = (uint8_t)words;
}

static void need(struct selection *s, uint32_t machine)
{
	if (machine != LOWER_ZERO)
		s->facts[machine / 2].needed = true;
}

static void add_leaf(struct selection *s, struct inst_plan *p, const struct ptx_operand *op)
{
	const struct reg_fact *f;

	switch (op->kind) {
	case PTX_OPERAND_REG:
		f = &s->facts[op->id];
		if (f->constant) {
			if (f->id)
				add_constant(p, f->id,
					     ptx_type_bits((enum ptx_type)s->f->regs[op->id].type) > 32 ? 2 : 1);
			break;
		}
		need(s, f->lo);
		need(s, f->hi);
		if (p->nleaves < LOWER_MAX_LEAVES)
			p->leaves[p->nleaves++] = op->id;
		break;
	case PTX_OPERAND_INT:
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64:
		if (op->imm)
			add_constant(p, (uint64_t)op->imm, 1);
		break;
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_PAIR:
	case PTX_OPERAND_LIST:
	case PTX_OPERAND_TEX:
		for (unsigned i = 0; i < op->count; i++)
			add_leaf(s, p, &op->elems[i]);
		break;
	default: break;
	}
}

/* --- Addresses --- */

static bool is_number(const struct selection *s, const struct ptx_operand *op)
{
	return op->kind == PTX_OPERAND_INT || (op->kind == PTX_OPERAND_REG && s->facts[op->id].number);
}

/* The register that is left of an address when constants that are added to it have become its offset. */
static const struct ptx_operand *fold_offset(const struct selection *s, const struct ptx_operand *base)
{
	for (unsigned depth = 0; depth < 16; depth++) {
		const struct ptx_inst *add = source_of(s, base, false);
		unsigned k = 2;

		if (!add || (add->opcode->op != PTX_OP_add && add->opcode->op != PTX_OP_sub) || !is_integer(add) ||
		    bits_of(add) < 32 || add->noperands != 3)
			break;
		if (!is_number(s, &add->operands[2]) && is_number(s, &add->operands[1]) && bits_of(add) == 32 &&
		    add->opcode->op == PTX_OP_add)
			k = 1;
		if (!is_number(s, &add->operands[k]) || add->operands[3 - k].kind != PTX_OPERAND_REG)
			break;
		if (add->operands[k].kind == PTX_OPERAND_INT &&
		    (add->operands[k].imm >= 1 << 23 || add->operands[k].imm < -(1 << 23)))
			break;
		base = &add->operands[3 - k];
	}
	return base;
}

/* Shared memory takes addresses that are multiples of an element's size: [R0.X4+16]. */
static const struct ptx_operand *fold_scale(const struct selection *s, const struct ptx_operand *base)
{
	const struct ptx_inst *from = source_of(s, base, false);

	if (!from || from->opcode->op != PTX_OP_shl || bits_of(from) != 32 || from->noperands != 3 ||
	    from->operands[2].kind != PTX_OPERAND_INT || from->operands[2].imm < 2 || from->operands[2].imm > 4 ||
	    from->operands[1].kind != PTX_OPERAND_REG)
		return base;
	return &from->operands[1];
}

static void add_address(struct selection *s, struct inst_plan *p, const struct ptx_operand *mem, bool shared)
{
	for (unsigned i = 0; i < mem->count; i++) {
		const struct ptx_operand *base = &mem->elems[i];

		if (base->kind != PTX_OPERAND_REG)
			continue;
		base = fold_offset(s, base);
		if (shared)
			base = fold_scale(s, base);
		if (base->kind == PTX_OPERAND_REG && s->facts[base->id].constant &&
		    ptx_type_bits((enum ptx_type)s->f->regs[base->id].type) <= 32)
			continue; /* an absolute address in shared or local memory */
		add_leaf(s, p, base);
	}
}

/* --- Patterns: each fills the plan and is true if it fits --- */

static void add_others(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst, unsigned but)
{
	for (unsigned k = 1; k < inst->noperands; k++)
		if (k != but)
			add_leaf(s, p, &inst->operands[k]);
}

static bool is_product(const struct ptx_inst *inst, enum ptx_mod half, unsigned bits)
{
	return inst->opcode->op == PTX_OP_mul && inst->opcode->group[PTX_GROUP_HALF] == half && is_integer(inst) &&
	       bits_of(inst) == bits && inst->noperands == 3;
}

static bool is_fixed_shift(const struct ptx_inst *inst, unsigned bits)
{
	return inst->opcode->op == PTX_OP_shl && bits_of(inst) == bits && inst->noperands == 3 &&
	       inst->operands[2].kind == PTX_OPERAND_INT;
}

static bool is_sum(const struct ptx_inst *inst, unsigned bits)
{
	return (inst->opcode->op == PTX_OP_add || inst->opcode->op == PTX_OP_sub) && is_integer(inst) &&
	       bits_of(inst) == bits && inst->noperands == 3 && !ptx_has_mod(inst->opcode, PTX_MOD_cc);
}

/* A factor of a sum in 32 bits: IMAD, LEA, IADD3. */
static bool sum32(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	if (!is_sum(inst, 32))
		return false;
	for (unsigned k = 1; k < 3; k++) {
		const struct ptx_inst *from = source_of(s, &inst->operands[k], true);

		if (!from)
			continue;
		if (is_product(from, PTX_MOD_lo, 32) && (k == 1 || inst->opcode->op == PTX_OP_add))
			p->sequence = "IMAD";
		else if (is_fixed_shift(from, 32))
			p->sequence = "LEA";
		else if (is_sum(from, 32))
			p->sequence = "IADD3";
		else
			continue;
		if (is_fixed_shift(from, 32))
			add_leaf(s, p, &from->operands[1]);
		else
			add_others(s, p, from, 0);
		add_others(s, p, inst, k);
		return true;
	}
	return false;
}

static bool is_sign_extension(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;

	return o->op == PTX_OP_cvt && o->ntypes == 2 && o->type[1] == PTX_s32 && bits_of(inst) == 64 &&
	       is_integer(inst);
}

/* The same in 64 bits: IMAD.WIDE, LEA with LEA.HI.X, additions that take a sign-extended or a third number. */
static bool sum64(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	if (!is_sum(inst, 64))
		return false;
	for (unsigned k = 1; k < 3; k++) {
		const struct ptx_inst *from = source_of(s, &inst->operands[k], false);
		const struct ptx_inst *inner;

		if (!from || (inst->opcode->op == PTX_OP_sub && k == 2))
			continue;
		if (is_product(from, PTX_MOD_wide, 32)) {
			p->sequence = "IMAD.WIDE";
			add_others(s, p, from, 0);
		} else if (is_fixed_shift(from, 64)) {
			p->sequence = "LEA*2";
			inner = source_of(s, &from->operands[1], false);
			add_leaf(s, p, inner && is_sign_extension(inner) ? &inner->operands[1] : &from->operands[1]);
		} else if (is_sign_extension(from)) {
			p->sequence = "IADD3*2";
			add_leaf(s, p, &from->operands[1]);
		} else if (is_sum(from, 64) && source_of(s, &inst->operands[k], true) &&
			   inst->operands[3 - k].kind == PTX_OPERAND_REG) {
			p->sequence = "IADD3*2";
			add_others(s, p, from, 0);
		} else {
			continue;
		}
		add_others(s, p, inst, k);
		return true;
	}
	return false;
}

static bool is_logic(const struct ptx_inst *inst, unsigned bits)
{
	enum ptx_op op = inst->opcode->op;

	return (op == PTX_OP_and || op == PTX_OP_or || op == PTX_OP_xor || op == PTX_OP_not) && is_integer(inst) &&
	       bits_of(inst) == bits;
}

/* Operations on bits whose operands are such: as long as three numbers go in, one LOP3. */
static bool logic(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	const struct ptx_operand *in[3];
	unsigned n = 0, bits = bits_of(inst), folded = 0;

	if ((bits != 32 && bits != 64) || !is_logic(inst, bits))
		return false;
	for (unsigned k = 1; k < inst->noperands && n < 3; k++)
		in[n++] = &inst->operands[k];
	for (unsigned i = 0; i < n; i++) {
		const struct ptx_inst *from = source_of(s, in[i], true);

		if (!from || !is_logic(from, bits) || n + from->noperands - 2 > 3 || folded == 8)
			continue;
		in[i] = &from->operands[1];
		if (from->noperands == 3)
			in[n++] = &from->operands[2];
		folded++;
		i--;
	}
	if (!folded)
		return false;
	p->sequence = bits == 32 ? "LOP3" : "LOP3*2";
	for (unsigned i = 0; i < n; i++)
		add_leaf(s, p, in[i]);
	return true;
}

/* and.pred of a comparison that nobody else uses: the comparison takes the other predicate along. */
static bool combined(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	enum ptx_op op = inst->opcode->op;

	if ((op != PTX_OP_and && op != PTX_OP_or && op != PTX_OP_xor) || inst->opcode->type[0] != PTX_pred)
		return false;
	for (unsigned k = 1; k < 3; k++) {
		const struct ptx_inst *from = source_of(s, &inst->operands[k], true);

		if (!from || from->opcode->op != PTX_OP_setp || from->noperands != 3)
			continue;
		p->sequence = rule_sequence(from, s->l->generation);
		add_others(s, p, from, 0);
		add_others(s, p, inst, k);
		return true;
	}
	return false;
}

static bool is_plain_float(const struct ptx_inst *inst, enum ptx_op op)
{
	const struct ptx_opcode *o = inst->opcode;

	return o->op == op && inst->noperands == 3 && o->group[PTX_GROUP_ROUND] == PTX_MOD_NONE &&
	       (o->type[0] == PTX_f32 || o->type[0] == PTX_f64) && !ptx_has_mod(o, PTX_MOD_sat);
}

/* A product and a sum without a rounding modifier: the assembler may make them one, and does. */
static bool contracted(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	if (!is_plain_float(inst, PTX_OP_add) && !is_plain_float(inst, PTX_OP_sub))
		return false;
	for (unsigned k = 1; k < 3; k++) {
		const struct ptx_inst *from = source_of(s, &inst->operands[k], true);

		if (!from || !is_plain_float(from, PTX_OP_mul) || from->opcode->type[0] != inst->opcode->type[0])
			continue;
		p->sequence = inst->opcode->type[0] == PTX_f64 ? "DFMA" : "FFMA";
		add_others(s, p, from, 0);
		add_others(s, p, inst, k);
		return true;
	}
	return false;
}

/* A product by a power of two. */
static bool shifted(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	int64_t k = inst->noperands == 3 ? inst->operands[2].imm : 0;

	if (!is_product(inst, PTX_MOD_lo, 32) || inst->operands[2].kind != PTX_OPERAND_INT || k <= 0 || k & (k - 1))
		return false;
	p->sequence = "SHF";
	add_leaf(s, p, &inst->operands[1]);
	return true;
}

/* Hopper loads the sizes of grid and block, and has the place in the grid in a uniform register. */
static const char *special_sequence(uint32_t sreg, enum machine_generation g)
{
	if (sreg == PTX_SREG_clock || sreg == PTX_SREG_clock64)
		return "CS2R";
	if (g < MACHINE_HOPPER)
		return "S2R";
	if ((sreg >= PTX_SREG_ntid_x && sreg <= PTX_SREG_ntid_z) ||
	    (sreg >= PTX_SREG_nctaid_x && sreg <= PTX_SREG_nctaid_z))
		return "LDC";
	return sreg >= PTX_SREG_ctaid_x && sreg <= PTX_SREG_ctaid_z ? "S2UR" : "S2R";
}

static bool special(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	if (inst->opcode->op != PTX_OP_mov || inst->operands[1].kind != PTX_OPERAND_SREG)
		return false;
	p->sequence = special_sequence(inst->operands[1].id, s->l->generation);
	return true;
}

/* A jump to what comes next anyway. */
static bool no_jump(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = inst->noperands ? &inst->operands[0] : NULL;

	if (inst->opcode->op != PTX_OP_bra || inst->predicate != PTX_NONE || to->kind != PTX_OPERAND_LABEL)
		return false;
	if (s->f->labels[to->id] != (uint32_t)(inst - s->f->insts) + 1)
		return false;
	p->sequence = "-";
	return true;
}

typedef bool pattern(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst);
static pattern *const patterns[] = {sum32, sum64, logic, combined, contracted, shifted, special, no_jump};

/* --- One instruction --- */

/* Of PTX that no row knows: by its class. */
static const char *usual_sequence(const struct ptx_inst *inst)
{
	static const char *const by_class[] = {
	    [PTX_CLASS_INT] = "IADD3",   [PTX_CLASS_FP32] = "FFMA",     [PTX_CLASS_FP64] = "DFMA",
	    [PTX_CLASS_FP16] = "HFMA2",  [PTX_CLASS_SFU] = "MUFU",      [PTX_CLASS_TENSOR] = "HMMA",
	    [PTX_CLASS_MOVE] = "MOV",    [PTX_CLASS_CONVERT] = "F2F",   [PTX_CLASS_LOAD] = "LD",
	    [PTX_CLASS_STORE] = "ST",    [PTX_CLASS_ATOMIC] = "ATOM",   [PTX_CLASS_ASYNC] = "UBLKCP",
	    [PTX_CLASS_TEXTURE] = "TEX", [PTX_CLASS_BARRIER] = "SYNCS", [PTX_CLASS_FENCE] = "MEMBAR",
	    [PTX_CLASS_BRANCH] = "BRA",  [PTX_CLASS_CALL] = "CALL",     [PTX_CLASS_RETURN] = "RET",
	    [PTX_CLASS_EXIT] = "EXIT",   [PTX_CLASS_WARP] = "SHFL",     [PTX_CLASS_OTHER] = "NOP",
	};

	return by_class[inst->opcode->cls];
}

static const char *plain_sequence(const struct selection *s, const struct ptx_inst *inst)
{
	enum machine_op op = memory_op(inst->opcode);
	const char *sequence;

	if (op == MACHINE_LDC && inst->opcode->space == PTX_SPACE_PARAM && s->l->generation >= MACHINE_HOPPER &&
	    bits_of(inst) <= 32)
		return "ULDC";
	if (op != MACHINE_OP_COUNT)
		return machine_op_name(op);
	if (inst->opcode->op == PTX_OP_ret && !s->f->is_kernel)
		return "RET";
	sequence = rule_sequence(inst, s->l->generation);
	return sequence ? sequence : usual_sequence(inst);
}

static bool has_effect(const struct ptx_inst *inst)
{
	switch (inst->opcode->cls) {
	case PTX_CLASS_INT:
	case PTX_CLASS_FP32:
	case PTX_CLASS_FP64:
	case PTX_CLASS_FP16:
	case PTX_CLASS_SFU:
	case PTX_CLASS_MOVE:
	case PTX_CLASS_CONVERT: return false;
	case PTX_CLASS_LOAD: return inst->opcode->space != PTX_SPACE_PARAM;
	default: return true;
	}
}

static bool is_needed(const struct selection *s, const struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_REG) {
		uint32_t lo = s->facts[op->id].lo, hi = s->facts[op->id].hi;

		return (lo != LOWER_ZERO && s->facts[lo / 2].needed) || (hi != LOWER_ZERO && s->facts[hi / 2].needed);
	}
	if (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR)
		for (unsigned i = 0; i < op->count; i++)
			if (is_needed(s, &op->elems[i]))
				return true;
	return false;
}

static bool wants(const struct selection *s, const struct ptx_inst *inst)
{
	if (has_effect(inst))
		return true;
	for (unsigned k = 0; k < inst->noperands; k++) {
		enum ptx_role role = ptx_operand_role(inst, k);

		if ((role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC) && is_needed(s, &inst->operands[k]))
			return true;
	}
	return false;
}

static void plan_plain(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	p->sequence = plain_sequence(s, inst);
	for (unsigned k = 0; k < inst->noperands; k++) {
		const struct ptx_operand *op = &inst->operands[k];

		if (op->kind == PTX_OPERAND_MEM)
			add_address(s, p, op, inst->opcode->space == PTX_SPACE_SHARED);
		else if (ptx_operand_role(inst, k) != PTX_ROLE_DST)
			add_leaf(s, p, op);
	}
}

static void plan_inst(struct selection *s, struct inst_plan *p, const struct ptx_inst *inst)
{
	bool found = false;

	for (unsigned i = 0; i < sizeof patterns / sizeof patterns[0] && !found; i++)
		found = inst->noperands > 1 || patterns[i] == no_jump ? patterns[i](s, p, inst) : false;
	if (!found)
		plan_plain(s, p, inst);
	if (inst->predicate != PTX_NONE)
		add_leaf(s, p, &(struct ptx_operand){.kind = PTX_OPERAND_REG, .id = inst->predicate});
}

/* What free instructions with an effect read, such as arguments of calls. */
static void need_all(struct selection *s, const struct ptx_inst *inst)
{
	struct inst_plan scratch = {.free = true};

	for (unsigned k = 0; k < inst->noperands; k++)
		if (ptx_operand_role(inst, k) != PTX_ROLE_DST)
			add_leaf(s, &scratch, &inst->operands[k]);
}

/* A register that several instructions write, or one that is read before it is written in the text. */
static void need_loop_values(struct selection *s)
{
	for (uint32_t r = 0; r < s->f->nregs; r++)
		if (s->facts[r].ndef > 1 && s->facts[r].uses)
			s->facts[r].needed = true;
}

void select_code(struct selection *s)
{
	need_loop_values(s);
	for (uint32_t i = s->f->ninsts; i--;) {
		const struct ptx_inst *inst = &s->f->insts[i];
		struct inst_plan *p = &s->plans[i];

		if (p->free) {
			if (inst->opcode->op == PTX_OP_st)
				need_all(s, inst);
		} else if (wants(s, inst)) {
			plan_inst(s, p, inst);
		} else {
			p->free = true;
		}
	}
}
