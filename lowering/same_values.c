/*
 * Values that are computed twice: an instruction like one that dominates it becomes a move of the earlier result. Only
 * registers that are written once take part, so that the earlier result is what the later one would be.
 */
#include "lowering/lower.h"

#include "common/xalloc.h"

struct search {
	struct selection *selection;
	struct ptx_function *f;
	uint32_t *ndef;  /* of each register */
	uint32_t *same;  /* of each register: the one that holds the same and is used in its place */
	uint32_t *idom;  /* of each block: its immediate dominator */
	uint32_t *order; /* of each place in reverse post-order: the block */
	uint32_t *slots; /* a hash table of instructions; PTX_NONE = free */
	uint32_t nslots; /* a power of two */
	VEC(uint32_t) divisions;
};

/* --- Dominators --- */

static uint32_t nearest_common(const struct search *s, uint32_t a, uint32_t b)
{
	const struct ptx_block *blocks = s->f->blocks;

	while (a != b) {
		while (blocks[a].rpo > blocks[b].rpo)
			a = s->idom[a];
		while (blocks[b].rpo > blocks[a].rpo)
			b = s->idom[b];
	}
	return a;
}

static uint32_t dominator_of(const struct search *s, const struct ptx_block *b)
{
	uint32_t found = PTX_NONE;

	for (uint32_t i = 0; i < b->npred; i++) {
		uint32_t p = b->pred[i];

		if (!s->f->blocks[p].reachable || s->idom[p] == PTX_NONE)
			continue;
		found = found == PTX_NONE ? p : nearest_common(s, found, p);
	}
	return found;
}

static void find_dominators(struct search *s)
{
	bool changed = true;

	for (uint32_t b = 0; b < s->f->nblocks; b++) {
		s->idom[b] = PTX_NONE;
		if (s->f->blocks[b].reachable)
			s->order[s->f->blocks[b].rpo] = b;
	}
	s->idom[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t k = 0; k < s->f->nblocks; k++) {
			uint32_t b = s->order[k], d = b == PTX_NONE || b == 0 ? 0 : dominator_of(s, &s->f->blocks[b]);

			if (b == PTX_NONE || b == 0 || d == s->idom[b])
				continue;
			s->idom[b] = d;
			changed = true;
		}
	}
}

static bool dominates(const struct search *s, uint32_t a, uint32_t b)
{
	while (s->f->blocks[b].rpo > s->f->blocks[a].rpo)
		b = s->idom[b];
	return a == b;
}

/* --- Instructions that are alike --- */

static bool is_fixed_sreg(uint32_t sreg)
{
	return (sreg >= PTX_SREG_tid_x && sreg <= PTX_SREG_tid_z) ||
	       (sreg >= PTX_SREG_ntid_x && sreg <= PTX_SREG_ntid_z) ||
	       (sreg >= PTX_SREG_ctaid_x && sreg <= PTX_SREG_ctaid_z) ||
	       (sreg >= PTX_SREG_nctaid_x && sreg <= PTX_SREG_nctaid_z) || sreg == PTX_SREG_laneid;
}

static bool is_fixed_source(const struct search *s, const struct ptx_operand *op)
{
	switch (op->kind) {
	case PTX_OPERAND_REG: return s->ndef[op->id] == 1 && !(op->flags & PTX_FLAG_COMPONENT);
	case PTX_OPERAND_SREG: return is_fixed_sreg(op->id);
	case PTX_OPERAND_INT:
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64:
	case PTX_OPERAND_SYMBOL: return true;
	case PTX_OPERAND_MEM:
		for (unsigned i = 0; i < op->count; i++)
			if (!is_fixed_source(s, &op->elems[i]))
				return false;
		return true;
	default: return false;
	}
}

static bool is_value(const struct search *s, const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	bool param = o->op == PTX_OP_ld && o->space == PTX_SPACE_PARAM && s->f->is_kernel;

	if (o->cls != PTX_CLASS_INT && o->cls != PTX_CLASS_FP32 && o->cls != PTX_CLASS_FP64 &&
	    o->cls != PTX_CLASS_FP16 && o->cls != PTX_CLASS_SFU && o->cls != PTX_CLASS_MOVE &&
	    o->cls != PTX_CLASS_CONVERT && !param)
		return false;
	if (inst->predicate != PTX_NONE || inst->noperands < 2 || inst->operands[0].kind != PTX_OPERAND_REG ||
	    ptx_operand_role(inst, 0) != PTX_ROLE_DST || s->ndef[inst->operands[0].id] != 1 ||
	    ptx_has_mod(o, PTX_MOD_cc) || o->op == PTX_OP_addc || o->op == PTX_OP_subc || o->op == PTX_OP_madc)
		return false;
	for (unsigned k = 1; k < inst->noperands; k++)
		if (!is_fixed_source(s, &inst->operands[k]))
			return false;
	return true;
}

static bool alike_operands(const struct ptx_operand *a, const struct ptx_operand *b)
{
	if (a->kind != b->kind || a->flags != b->flags || a->count != b->count || a->id != b->id || a->imm != b->imm)
		return false;
	for (unsigned i = 0; a->kind == PTX_OPERAND_MEM && i < a->count; i++)
		if (!alike_operands(&a->elems[i], &b->elems[i]))
			return false;
	return true;
}

static bool alike(const struct ptx_inst *a, const struct ptx_inst *b)
{
	if (a->opcode != b->opcode || a->noperands != b->noperands)
		return false;
	for (unsigned k = 1; k < a->noperands; k++)
		if (!alike_operands(&a->operands[k], &b->operands[k]))
			return false;
	return true;
}

static uint32_t hash_of(const struct ptx_inst *inst)
{
	uint64_t h = (uintptr_t)inst->opcode;

	for (unsigned k = 1; k < inst->noperands; k++) {
		const struct ptx_operand *op = &inst->operands[k];
		const struct ptx_operand *at = op->kind == PTX_OPERAND_MEM && op->count ? &op->elems[0] : op;

		h = (h ^ at->id ^ (uint64_t)op->imm << 20) * 0x9E3779B97F4A7C15u;
		h ^= h >> 29;
	}
	return (uint32_t)h;
}

/* An earlier instruction like this one that dominates it, or PTX_NONE; then this one is added. */
static uint32_t find_or_add(struct search *s, uint32_t i)
{
	const struct ptx_inst *inst = &s->f->insts[i];
	uint32_t at = hash_of(inst) & (s->nslots - 1);

	for (; s->slots[at] != PTX_NONE; at = (at + 1) & (s->nslots - 1)) {
		uint32_t k = s->slots[at];

		if (alike(&s->f->insts[k], inst) && (s->f->insts[k].block != inst->block || k < i) &&
		    dominates(s, s->f->insts[k].block, inst->block))
			return k;
	}
	s->slots[at] = i;
	return PTX_NONE;
}

/* --- The walk --- */

static void put_same(const struct search *s, struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_REG)
		op->id = s->same[op->id];
	for (unsigned i = 0; op->kind == PTX_OPERAND_MEM && i < op->count; i++)
		put_same(s, &op->elems[i]);
}

static const char *move_of(enum ptx_type type)
{
	switch (ptx_type_bits(type)) {
	case 16: return "mov.b16";
	case 32: return "mov.b32";
	case 64: return "mov.b64";
	default: return type == PTX_pred ? "mov.pred" : NULL;
	}
}

static bool is_division(const struct ptx_inst *inst)
{
	return (inst->opcode->op == PTX_OP_div || inst->opcode->op == PTX_OP_rem) && inst->noperands == 3 &&
	       inst->opcode->cls == PTX_CLASS_INT && ptx_type_bits((enum ptx_type)inst->opcode->type[0]) == 32;
}

/* Divisions by a divisor that an earlier one has: its reciprocal is there already. */
static void find_divisor(struct search *s, uint32_t i)
{
	const struct ptx_inst *inst = &s->f->insts[i];

	if (!is_division(inst) || inst->predicate != PTX_NONE || !is_fixed_source(s, &inst->operands[2]))
		return;
	for (size_t k = 0; k < s->divisions.len; k++) {
		const struct ptx_inst *earlier = &s->f->insts[s->divisions.data[k]];

		if (earlier->opcode->type[0] == inst->opcode->type[0] &&
		    alike_operands(&earlier->operands[2], &inst->operands[2]) &&
		    dominates(s, earlier->block, inst->block)) {
			s->selection->plans[i].like = 1 + s->divisions.data[k];
			return;
		}
	}
	vec_push(&s->divisions, i);
}

static void visit(struct search *s, uint32_t i)
{
	struct ptx_inst *inst = &s->f->insts[i];
	const char *move;
	uint32_t found, reg;

	for (unsigned k = 0; k < inst->noperands; k++)
		if (ptx_operand_role(inst, k) != PTX_ROLE_DST)
			put_same(s, &inst->operands[k]);
	if (!is_value(s, inst))
		return;
	reg = inst->operands[0].id;
	move = move_of((enum ptx_type)s->f->regs[reg].type);
	found = move ? find_or_add(s, i) : PTX_NONE;
	if (found == PTX_NONE)
		find_divisor(s, i);
	if (found == PTX_NONE || s->f->regs[s->f->insts[found].operands[0].id].type != s->f->regs[reg].type)
		return;
	inst->opcode = ptx_intern_opcode(s->f->module, move);
	inst->noperands = 2;
	inst->operands[1] = s->f->insts[found].operands[0];
	s->same[reg] = inst->operands[1].id;
}

void join_values(struct selection *selection, struct ptx_function *f)
{
	struct search s = {.selection = selection, .f = f, .ndef = lower_definitions(f), .nslots = 16};

	while (s.nslots < 2 * f->ninsts)
		s.nslots *= 2;
	s.same = xcalloc(f->nregs + 1, sizeof *s.same);
	s.idom = xcalloc(f->nblocks + 1, sizeof *s.idom);
	s.order = xmalloc((f->nblocks + 1) * sizeof *s.order);
	s.slots = xmalloc(s.nslots * sizeof *s.slots);
	for (uint32_t r = 0; r < f->nregs; r++)
		s.same[r] = r;
	for (uint32_t b = 0; b <= f->nblocks; b++)
		s.order[b] = PTX_NONE;
	for (uint32_t i = 0; i < s.nslots; i++)
		s.slots[i] = PTX_NONE;
	find_dominators(&s);
	for (uint32_t k = 0; k < f->nblocks; k++)
		for (uint32_t i = 0; s.order[k] != PTX_NONE && i < f->blocks[s.order[k]].count; i++)
			visit(&s, f->blocks[s.order[k]].first + i);
	vec_release(&s.divisions);
	xfree(s.ndef);
	xfree(s.same);
	xfree(s.idom);
	xfree(s.order);
	xfree(s.slots);
}
