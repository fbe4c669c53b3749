/*
 * How many 32-bit registers a thread of a kernel needs: PTX has as many virtual registers as it likes, an occupancy
 * model needs what a compiler would assign. Estimated as the largest number of registers live at one instruction,
 * counted in 32-bit units, predicates apart, at least 16 (addresses and indices that a compiler adds) and at most
 * 255.
 */
#include "ptx-analyzer/flow/resources.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_REGISTERS = 16, MOST_REGISTERS = 255 };

struct liveness {
	const struct ptx_function *f;
	size_t words; /* of a set of registers */
	uint64_t *in; /* per block */
	uint64_t *now;
	uint32_t units, most;
};

static uint32_t units_of(const struct ptx_function *f, uint32_t reg)
{
	unsigned bits = ptx_type_bits(f->regs[reg].type);

	return bits <= 1 ? 0 : (bits + 31) / 32;
}

static void add(struct liveness *l, uint32_t reg)
{
	if (l->now[reg / 64] >> reg % 64 & 1)
		return;
	l->now[reg / 64] |= UINT64_C(1) << reg % 64;
	l->units += units_of(l->f, reg);
	if (l->units > l->most)
		l->most = l->units;
}

static void drop(struct liveness *l, uint32_t reg)
{
	if (!(l->now[reg / 64] >> reg % 64 & 1))
		return;
	l->now[reg / 64] &= ~(UINT64_C(1) << reg % 64);
	l->units -= units_of(l->f, reg);
}

static void visit(struct liveness *l, const struct ptx_operand *op, enum ptx_role role, bool definitions)
{
	bool written = role == PTX_ROLE_DST;

	switch (op->kind) {
	case PTX_OPERAND_REG:
		if (written && definitions)
			drop(l, op->id);
		else if (!written && !definitions)
			add(l, op->id);
		break;
	case PTX_OPERAND_MEM:
	case PTX_OPERAND_TEX:
		role = PTX_ROLE_SRC;
		/* fall through */
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_PAIR:
	case PTX_OPERAND_LIST:
		for (unsigned i = 0; i < op->count; i++)
			visit(l, &op->elems[i], role, definitions);
		break;
	default: break;
	}
}

/* Backward over one instruction. What is written under a guard may keep its old value. */
static void step(struct liveness *l, const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands && inst->guard == PTX_NONE; i++)
		visit(l, &inst->operands[i], ptx_operand_role(inst, i), true);
	for (unsigned i = 0; i < inst->noperands; i++)
		visit(l, &inst->operands[i], ptx_operand_role(inst, i), false);
	if (inst->guard != PTX_NONE)
		add(l, inst->guard);
}

/* Live at the start of a block from what is live at its successors'. True when that has grown. */
static bool update(struct liveness *l, uint32_t block)
{
	const struct ptx_block *b = &l->f->blocks[block];
	uint64_t *in = l->in + block * l->words;
	bool changed;

	memset(l->now, 0, l->words * sizeof *l->now);
	l->units = 0;
	for (uint32_t s = 0; s < b->nsucc; s++)
		for (size_t k = 0; k < l->words; k++) {
			uint64_t fresh = l->in[b->succ[s] * l->words + k] & ~l->now[k];

			for (; fresh; fresh &= fresh - 1)
				add(l, (uint32_t)(k * 64) + (uint32_t)__builtin_ctzll(fresh));
		}
	for (uint32_t i = b->count; i-- > 0;)
		step(l, &l->f->insts[b->first + i]);
	changed = memcmp(in, l->now, l->words * sizeof *in) != 0;
	memcpy(in, l->now, l->words * sizeof *in);
	return changed;
}

uint32_t ptx_registers(const struct ptx_function *f)
{
	struct liveness l = {.f = f, .words = f->nregs / 64 + 1};
	bool changed = true;

	l.in = xcalloc(f->nblocks * l.words + 1, sizeof *l.in);
	l.now = xcalloc(l.words, sizeof *l.now);
	while (changed) {
		changed = false;
		for (uint32_t b = f->nblocks; b-- > 0;)
			changed |= update(&l, b);
	}
	free(l.in);
	free(l.now);
	return l.most < LEAST_REGISTERS ? LEAST_REGISTERS : l.most > MOST_REGISTERS ? MOST_REGISTERS : l.most;
}
