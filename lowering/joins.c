/*
 * Neighbouring loads from shared memory become one wide load, as ptxas makes them: the same register and offsets side
 * by side, where the alignment of the address is proven, and nothing between them writes shared memory.
 */
#include "lowering/lower.h"

#include <string.h>

enum { WIDEST = 16, DEEPEST = 8, ALL_ZERO = 16, MOST_LOADS = 256 };

/* --- Alignment: low bits of a number that are certainly zero --- */

static unsigned zeros_of(int64_t number)
{
	return number ? (unsigned)__builtin_ctzll((unsigned long long)number) : ALL_ZERO;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* ptxas lays out shared memory itself, so it knows more than the variable's alignment. */
static unsigned zeros_of_symbol(const struct selection *s, uint32_t id)
{
	const struct ptx_symbol *symbol = &s->f->module->symbols[id];

	if (symbol->space != PTX_SPACE_SHARED || s->l->shared_offset[id] == PTX_NONE)
		return zeros_of(symbol->align);
	return zeros_of(s->l->shared_offset[id]);
}

static unsigned zeros(const struct selection *s, const struct ptx_operand *op)
{
	switch (op->kind) {
	case PTX_OPERAND_INT: return zeros_of(op->imm);
	case PTX_OPERAND_SYMBOL: return least(zeros_of_symbol(s, op->id), zeros_of(op->imm));
	case PTX_OPERAND_REG: return s->facts[op->id].zeros;
	default: return 0;
	}
}

static unsigned zeros_of_result(const struct selection *s, const struct ptx_inst *inst)
{
	const struct ptx_operand *op = inst->operands;
	unsigned sum;

	switch (inst->opcode->op) {
	case PTX_OP_mov:
	case PTX_OP_cvta:
	case PTX_OP_cvt: return zeros(s, &op[1]);
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_or:
	case PTX_OP_xor:
	case PTX_OP_selp: return least(zeros(s, &op[1]), zeros(s, &op[2]));
	case PTX_OP_and: sum = zeros(s, &op[1]); return sum > zeros(s, &op[2]) ? sum : zeros(s, &op[2]);
	case PTX_OP_shl:
		if (op[2].kind != PTX_OPERAND_INT || op[2].imm < 0 || op[2].imm > 63)
			return 0;
		return least(zeros(s, &op[1]) + (unsigned)op[2].imm, ALL_ZERO);
	case PTX_OP_mul:
	case PTX_OP_mad:
		if (inst->opcode->group[PTX_GROUP_HALF] == PTX_MOD_hi)
			return 0;
		sum = least(zeros(s, &op[1]) + zeros(s, &op[2]), ALL_ZERO);
		return inst->opcode->op == PTX_OP_mul ? sum : least(sum, zeros(s, &op[3]));
	default: return 0;
	}
}

static bool note_zeros(struct selection *s, const struct ptx_operand *to, unsigned n)
{
	bool changed = false;

	if (to->kind == PTX_OPERAND_REG && s->facts[to->id].zeros > n) {
		s->facts[to->id].zeros = (uint8_t)n;
		return true;
	}
	if (to->kind == PTX_OPERAND_VEC || to->kind == PTX_OPERAND_PAIR || to->kind == PTX_OPERAND_LIST)
		for (unsigned i = 0; i < to->count; i++)
			changed |= note_zeros(s, &to->elems[i], 0);
	return changed;
}

/* Begins with all bits zero, and takes away what some instruction that writes the register may set. */
void find_zeros(struct selection *s)
{
	bool changed = true;

	for (uint32_t r = 0; r < s->f->nregs; r++)
		s->facts[r].zeros = ALL_ZERO;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < s->f->ninsts; i++) {
			const struct ptx_inst *inst = &s->f->insts[i];
			unsigned n = inst->noperands > 1 ? zeros_of_result(s, inst) : 0;

			for (unsigned k = 0; k < inst->noperands; k++) {
				enum ptx_role role = ptx_operand_role(inst, k);

				if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC ||
				    (k == 0 && inst->opcode->op == PTX_OP_call))
					changed |= note_zeros(s, &inst->operands[k], n);
			}
		}
	}
}

/* --- Loads that may be joined --- */

struct shared_load {
	uint32_t row, base; /* register, or PTX_NONE */
	uint32_t symbol;    /* of an absolute address, or PTX_NONE */
	int64_t offset;
	unsigned bytes, zeros;
	bool taken;
};

/* Follows constants that are added, so that %r5 + 4 and %r6 = %r5 + 8 are seen side by side. */
static void find_base(const struct selection *s, const struct ptx_operand *mem, struct shared_load *load)
{
	const struct ptx_operand *base = &mem->elems[0];

	load->offset = mem->imm;
	for (unsigned depth = 0; depth < DEEPEST && base->kind == PTX_OPERAND_REG; depth++) {
		const struct reg_fact *f = &s->facts[base->id];
		const struct ptx_inst *add = f->ndef == 1 ? &s->f->insts[f->def] : NULL;

		if (!add || add->predicate != PTX_NONE)
			break;
		if (add->opcode->op == PTX_OP_mov && add->operands[1].kind == PTX_OPERAND_SYMBOL) {
			base = &add->operands[1];
		} else if (add->opcode->op == PTX_OP_add && add->noperands == 3 &&
			   add->operands[1].kind == PTX_OPERAND_REG && add->operands[2].kind == PTX_OPERAND_INT &&
			   add->operands[2].imm < 1 << 24 && add->operands[2].imm > -(1 << 24)) {
			load->offset += add->operands[2].imm;
			base = &add->operands[1];
		} else {
			break;
		}
	}
	load->base = base->kind == PTX_OPERAND_REG ? base->id : PTX_NONE;
	load->symbol = base->kind == PTX_OPERAND_SYMBOL ? base->id : PTX_NONE;
	load->offset += base->kind == PTX_OPERAND_SYMBOL ? base->imm : 0;
	load->zeros = base->kind == PTX_OPERAND_SYMBOL ? zeros_of_symbol(s, base->id) : zeros(s, base);
}

static bool is_plain_load(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	uint16_t order = o->group[PTX_GROUP_ORDER];

	return o->op == PTX_OP_ld && o->space == PTX_SPACE_SHARED && o->vec <= 1 && inst->predicate == PTX_NONE &&
	       (order == PTX_MOD_NONE || order == PTX_MOD_weak) && inst->operands[1].kind == PTX_OPERAND_MEM &&
	       inst->operands[1].count == 1 && (ptx_access_bytes(inst) == 4 || ptx_access_bytes(inst) == 8);
}

/* --- Joining --- */

static struct machine_inst *machine_of(struct lower_block *b, uint32_t row)
{
	for (size_t i = 0; i < b->code.len; i++)
		if (b->code.data[i].naccess && b->code.data[i].access[0] == row)
			return &b->code.data[i];
	return NULL;
}

static bool has(const uint16_t *list, unsigned n, uint16_t reg)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == reg)
			return true;
	return false;
}

/* May the later load be made where the earlier one is? Nobody between them uses its results or changes its address. */
static bool can_move(const struct machine_inst *to, const struct machine_inst *from)
{
	for (const struct machine_inst *in = to; in < from; in++) {
		for (unsigned k = 0; k < from->ndst; k++)
			if (has(in->src, in->nsrc, from->dst[k]) || has(in->dst, in->ndst, from->dst[k]))
				return false;
		for (unsigned k = 0; k < from->nsrc && in != to; k++)
			if (has(to->src, to->nsrc, from->src[k]) && has(in->dst, in->ndst, from->src[k]))
				return false;
	}
	return true;
}

static void remove_inst(struct lower_block *b, struct machine_inst *in)
{
	size_t behind = (size_t)(b->code.data + b->code.len - in) - 1;

	memmove(in, in + 1, behind * sizeof *in);
	b->code.len--;
}

/* Joins `n` loads, which are side by side by their offsets, at the place of the one that comes first. */
static bool join(struct lower_block *b, struct shared_load *const *loads, unsigned n)
{
	struct machine_inst *parts[WIDEST / 4], *first = NULL, joined;

	for (unsigned i = 0; i < n; i++) {
		parts[i] = machine_of(b, loads[i]->row);
		if (!parts[i] || parts[i]->op != MACHINE_LDS || parts[i]->naccess != 1)
			return false;
		first = !first || parts[i] < first ? parts[i] : first;
	}
	joined = *first;
	joined.ndst = joined.naccess = 0;
	joined.bytes = 0;
	for (unsigned i = 0; i < n; i++) {
		if (parts[i] != first && !can_move(first, parts[i]))
			return false;
		for (unsigned k = 0; k < parts[i]->ndst && joined.ndst < MACHINE_MAX_DESTINATIONS; k++)
			joined.dst[joined.ndst++] = parts[i]->dst[k];
		joined.access[joined.naccess++] = loads[i]->row;
		joined.bytes += loads[i]->bytes;
	}
	*first = joined;
	for (unsigned i = 0; i < n; i++) {
		struct machine_inst *in = loads[i]->row == joined.row ? NULL : machine_of(b, loads[i]->row);

		if (in && in->naccess == 1)
			remove_inst(b, in);
		loads[i]->taken = true;
	}
	return true;
}

static struct shared_load *find_load(struct shared_load *loads, unsigned n, const struct shared_load *like,
				     int64_t offset)
{
	for (unsigned i = 0; i < n; i++)
		if (!loads[i].taken && loads[i].base == like->base && loads[i].symbol == like->symbol &&
		    loads[i].bytes == like->bytes && loads[i].offset == offset)
			return &loads[i];
	return NULL;
}

/* The widest first: 16 bytes, then 8. */
static void join_group(struct lower_block *b, struct shared_load *loads, unsigned n)
{
	for (unsigned width = WIDEST; width >= 8; width /= 2)
		for (unsigned i = 0; i < n; i++) {
			struct shared_load *side[WIDEST / 4];
			unsigned parts = width / loads[i].bytes, found = 0;

			if (loads[i].taken || parts < 2 || 1u << least(loads[i].zeros, 4) < width ||
			    loads[i].offset % (int64_t)width)
				continue;
			while (found < parts &&
			       (side[found] = find_load(loads, n, &loads[i], loads[i].offset + found * loads[i].bytes)))
				found++;
			if (found == parts)
				join(b, side, parts);
		}
}

/* What ends a group: a write to shared memory, a barrier, a call, or an unknown address. */
static bool separates(const struct ptx_inst *inst)
{
	switch (inst->opcode->cls) {
	case PTX_CLASS_STORE:
	case PTX_CLASS_ATOMIC:
		return inst->opcode->space == PTX_SPACE_SHARED || inst->opcode->space == PTX_SPACE_GENERIC;
	case PTX_CLASS_BARRIER:
	case PTX_CLASS_FENCE:
	case PTX_CLASS_ASYNC:
	case PTX_CLASS_TENSOR:
	case PTX_CLASS_CALL:
	case PTX_CLASS_WARP: return true;
	default: return false;
	}
}

void join_loads(struct selection *s, struct lower_block *b)
{
	struct shared_load loads[MOST_LOADS];
	unsigned n = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		const struct ptx_inst *inst = &s->f->insts[b->first + i];

		if (separates(inst) || n == MOST_LOADS) {
			join_group(b, loads, n);
			n = 0;
		}
		if (!is_plain_load(inst) || n == MOST_LOADS)
			continue;
		loads[n] = (struct shared_load){.row = b->rows[i], .bytes = ptx_access_bytes(inst)};
		find_base(s, &inst->operands[1], &loads[n++]);
	}
	join_group(b, loads, n);
}
