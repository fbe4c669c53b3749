/*
 * Estimates how many 32-bit registers a thread of a kernel needs. PTX has any number of virtual registers, but an
 * occupancy model needs the number that a compiler would assign. The estimate is the largest number of registers live
 * at one instruction, counted in 32-bit units, predicates apart. It is at least 16 (addresses and indices that a
 * compiler adds), and at most 255 or what the kernel's own directives allow.
 */
#include "ptx-analyzer/flow/resources.h"

#include "common/integer.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_REGISTERS = 16, MOST_REGISTERS = 255 };

/* The registers of an SM since compute capability 3.0. A thread gets them in groups of eight. */
enum { SM_REGISTERS = 65536, WARP_LANES = 32, GRANULE = 8 };

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

	return bits <= 1 ? 0 : (uint32_t)divide_up(bits, 32);
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

/* Steps backward over one instruction. A register written under a predicate may keep its old value. */
static void step(struct liveness *l, const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands && inst->predicate == PTX_NONE; i++)
		visit(l, &inst->operands[i], ptx_operand_role(inst, i), true);
	for (unsigned i = 0; i < inst->noperands; i++)
		visit(l, &inst->operands[i], ptx_operand_role(inst, i), false);
	if (inst->predicate != PTX_NONE)
		add(l, inst->predicate);
}

/*
 * Computes what is live at the start of a block from what is live at its successors' starts. True when that has grown.
 */
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

static uint64_t threads_of(const uint32_t dims[3])
{
	uint64_t threads = dims[0];

	for (int i = 1; i < 3; i++)
		threads *= dims[i] ? dims[i] : 1;
	return threads;
}

/*
 * The most registers that the launch bounds leave a thread: an SM has room for as many CTAs as the kernel demands, at
 * least one. With CTAs of 1024 threads a thread gets 64 registers, or 32 if two CTAs must fit.
 */
uint32_t ptx_register_limit(const struct ptx_function *f)
{
	uint64_t threads = threads_of(f->reqntid[0] ? f->reqntid : f->maxntid);
	uint64_t warps = divide_up(threads, WARP_LANES) * (f->minnctapersm ? f->minnctapersm : 1);
	uint64_t most = MOST_REGISTERS;

	if (warps && SM_REGISTERS / (warps * WARP_LANES) / GRANULE * GRANULE < most)
		most = SM_REGISTERS / (warps * WARP_LANES) / GRANULE * GRANULE;
	if (f->maxnreg && f->maxnreg < most)
		most = f->maxnreg;
	return most > LEAST_REGISTERS ? (uint32_t)most : LEAST_REGISTERS;
}

uint32_t ptx_registers(const struct ptx_function *f)
{
	uint32_t most = ptx_register_limit(f);
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
	return l.most < LEAST_REGISTERS ? LEAST_REGISTERS : l.most > most ? most : l.most;
}
