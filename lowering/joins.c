/*
 * Neighbouring loads from shared memory become one wide load, and stores one store, as ptxas makes them: the same
 * register and offsets side by side, where the alignment of the address is proven, and nothing between them writes
 * shared memory, or reads it between stores.
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

/* --- Accesses that may be joined --- */

struct shared_access {
	uint32_t row, base; /* register, or PTX_NONE */
	uint32_t symbol;    /* of an absolute address, or PTX_NONE */
	int64_t offset;
	unsigned bytes, zeros;
	bool taken;
};

/* Follows constants that are added, so that %r5 + 4 and %r6 = %r5 + 8 are seen side by side. */
static void find_base(const struct selection *s, const struct ptx_operand *mem, struct shared_access *load)
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

static bool is_plain(const struct ptx_inst *inst, enum ptx_op op, const struct ptx_operand *mem)
{
	const struct ptx_opcode *o = inst->opcode;
	uint16_t order = o->group[PTX_GROUP_ORDER];

	return o->op == op && o->space == PTX_SPACE_SHARED && o->vec <= 1 && inst->predicate == PTX_NONE &&
	       (order == PTX_MOD_NONE || order == PTX_MOD_weak) && mem->kind == PTX_OPERAND_MEM && mem->count == 1 &&
	       (ptx_access_bytes(inst) == 4 || ptx_access_bytes(inst) == 8);
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

/* May the earlier store be made where the later one is? Nobody between them changes what it reads. */
static bool can_sink(const struct machine_inst *from, const struct machine_inst *to)
{
	for (const struct machine_inst *in = from + 1; in < to; in++)
		for (unsigned k = 0; k < from->nsrc; k++)
			if (has(in->dst, in->ndst, from->src[k]))
				return false;
	return true;
}

static void add_registers(uint16_t *to, uint8_t *n, unsigned most, const uint16_t *from, unsigned count)
{
	for (unsigned i = 0; i < count && *n < most; i++)
		if (!has(to, *n, from[i]))
			to[(*n)++] = from[i];
}

/*
 * Joins `n` accesses, which are side by side by their offsets: loads at the place of the one that comes first, stores
 * at that of the last.
 */
static bool join(struct lower_block *b, struct shared_access *const *accesses, unsigned n, enum machine_op op)
{
	struct machine_inst *parts[WIDEST / 4], *place = NULL, joined;

	for (unsigned i = 0; i < n; i++) {
		parts[i] = machine_of(b, accesses[i]->row);
		if (!parts[i] || parts[i]->op != op || parts[i]->naccess != 1)
			return false;
		place = !place || (op == MACHINE_LDS ? parts[i] < place : parts[i] > place) ? parts[i] : place;
	}
	joined = *place;
	joined.naccess = 0;
	joined.bytes = 0;
	joined.ndst = 0;
	for (unsigned i = 0; i < n; i++) {
		if (parts[i] != place && !(op == MACHINE_LDS ? can_move(place, parts[i]) : can_sink(parts[i], place)))
			return false;
		add_registers(joined.dst, &joined.ndst, MACHINE_MAX_DESTINATIONS, parts[i]->dst, parts[i]->ndst);
		if (op == MACHINE_STS)
			add_registers(joined.src, &joined.nsrc, MACHINE_MAX_SOURCES, parts[i]->src, parts[i]->nsrc);
		joined.access[joined.naccess++] = accesses[i]->row;
		joined.bytes += accesses[i]->bytes;
	}
	*place = joined;
	for (unsigned i = 0; i < n; i++) {
		struct machine_inst *in = accesses[i]->row == joined.row ? NULL : machine_of(b, accesses[i]->row);

		if (in && in->naccess == 1)
			remove_inst(b, in);
		accesses[i]->taken = true;
	}
	return true;
}

static struct shared_access *find_beside(struct shared_access *loads, unsigned n, const struct shared_access *like,
					 int64_t offset)
{
	for (unsigned i = 0; i < n; i++)
		if (!loads[i].taken && loads[i].base == like->base && loads[i].symbol == like->symbol &&
		    loads[i].bytes == like->bytes && loads[i].offset == offset)
			return &loads[i];
	return NULL;
}

struct group {
	struct shared_access of[MOST_LOADS];
	unsigned n;
};

/* The widest first: 16 bytes, then 8. Empties the group. */
static void join_group(struct lower_block *b, struct group *g, enum machine_op op)
{
	for (unsigned width = WIDEST; width >= 8; width /= 2)
		for (unsigned i = 0; i < g->n; i++) {
			const struct shared_access *at = &g->of[i];
			struct shared_access *side[WIDEST / 4];
			unsigned parts = width / at->bytes, found = 0;

			if (at->taken || parts < 2 || 1u << least(at->zeros, 4) < width || at->offset % (int64_t)width)
				continue;
			while (found < parts &&
			       (side[found] = find_beside(g->of, g->n, at, at->offset + found * at->bytes)))
				found++;
			if (found == parts)
				join(b, side, parts, op);
		}
	g->n = 0;
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

static void note(const struct selection *s, struct group *g, const struct ptx_inst *inst, const struct ptx_operand *mem,
		 uint32_t row)
{
	g->of[g->n] = (struct shared_access){.row = row, .bytes = ptx_access_bytes(inst)};
	find_base(s, mem, &g->of[g->n++]);
}

static bool may_read_shared(const struct ptx_inst *inst)
{
	return inst->opcode->cls == PTX_CLASS_LOAD &&
	       (inst->opcode->space == PTX_SPACE_SHARED || inst->opcode->space == PTX_SPACE_GENERIC);
}

void join_accesses(struct selection *s, struct lower_block *b)
{
	struct group loads = {.n = 0}, stores = {.n = 0};

	for (uint32_t i = 0; i < b->count; i++) {
		const struct ptx_inst *inst = &s->f->insts[b->first + i];
		bool loaded = inst->noperands > 1 && is_plain(inst, PTX_OP_ld, &inst->operands[1]);
		bool stored = inst->noperands > 1 && is_plain(inst, PTX_OP_st, &inst->operands[0]);

		if (separates(inst) || loads.n == MOST_LOADS)
			join_group(b, &loads, MACHINE_LDS);
		if ((separates(inst) && !stored) || may_read_shared(inst) || stores.n == MOST_LOADS)
			join_group(b, &stores, MACHINE_STS);
		if (loaded)
			note(s, &loads, inst, &inst->operands[1], b->rows[i]);
		else if (stored)
			note(s, &stores, inst, &inst->operands[0], b->rows[i]);
	}
	join_group(b, &loads, MACHINE_LDS);
	join_group(b, &stores, MACHINE_STS);
}
