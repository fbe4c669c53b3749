/*
 * Loops of one block whose trips are counted. ptxas unrolls them by four, and adds copies for the rest of the trips.
 * The four are one region: the loop's branch and comparison stand in the last copy, and so do steps of addresses, whose
 * offsets grow instead. What a copy computes for itself has registers of its own, so that all copies load at once.
 */
#include "lowering/lower.h"
#include "ptx-analyzer/language/module/ptx_private.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 192 };

/* The branch at the end of a loop that is one block and has only arithmetic and memory accesses, or NULL. */
static const struct machine_inst *loop_branch(const struct selection *s, const struct lower_block *b)
{
	const struct ptx_inst *last = b->count ? &s->f->insts[b->first + b->count - 1] : NULL;
	const struct machine_inst *branch;

	if (!last || last->opcode->op != PTX_OP_bra || last->predicate == PTX_NONE ||
	    last->operands[0].kind != PTX_OPERAND_LABEL || s->f->labels[last->operands[0].id] != b->first ||
	    !b->code.len || b->code.len > MOST_INSTRUCTIONS)
		return NULL;
	branch = &vec_last(&b->code);
	for (size_t i = 0; i + 1 < b->code.len; i++)
		if (b->code.data[i].pipe == MACHINE_BRANCH || b->code.data[i].pipe == MACHINE_SYNC)
			return NULL;
	return branch->op == MACHINE_BRA && branch->nsrc == 1 ? branch : NULL;
}

/* Clang and nvcc say so of loops that they have unrolled themselves, and of the rest of their trips. */
static bool is_left_alone(const struct selection *s, const struct lower_block *b)
{
	const struct ptx_private *p = s->f->module->private_;

	for (uint32_t i = 0; i < s->f->ndecorations; i++) {
		const struct ptx_decoration *d = &s->f->decorations[i];

		if (d->inst == b->first && d->kind == DECOR_PRAGMA && !strcmp(p->strings[d->id], "nounroll"))
			return true;
	}
	return false;
}

/* --- How many copies --- */

/*
 * The most instructions that a loop of so many trips has when it is unrolled whole, and that copies have otherwise: of
 * the assembler of CUDA 13, by loops of 2 to 1,000 trips and 1 to 191 instructions; sm_75 and sm_90 are alike.
 */
static const struct {
	uint32_t trips, instructions;
} whole[] = {{4, 384}, {6, 420}, {8, 440}, {12, 528}, {16, 592}, {32, 768}, {64, 960}, {UINT32_MAX, 1280}};
enum { MOST_IN_COPIES = 330, MOST_COUNTED = 44, USUAL_COPIES = 4, REST_COPIES = 3 };

/* Loops with more accesses of memory outside the SM, or with so many atomics, are left alone; likewise measured. */
enum { MOST_ACCESSES = 15, MOST_ATOMICS = 3 };

/* By the same measurements, in thirds of an instruction: additions of 64 bits are two, and shared memory costs less. */
static uint32_t weight_of(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;

	if (o->cls == PTX_CLASS_MOVE)
		return 0;
	if (o->cls == PTX_CLASS_LOAD && o->space == PTX_SPACE_SHARED)
		return 1;
	return o->cls == PTX_CLASS_INT && o->ntypes && ptx_type_bits((enum ptx_type)o->type[0]) == 64 &&
		       o->group[PTX_GROUP_HALF] == PTX_MOD_NONE
		   ? 6
		   : 3;
}

/*
 * Instructions of a turn, without the loop's counter, comparison and branch, and a step of an address: of the PTX, or
 * of the code that is made of it where that is more.
 */
static uint32_t size_of(const struct selection *s, const struct lower_block *b)
{
	uint32_t ptx = 0, code = 0, more;

	for (uint32_t i = 0; i < b->count; i++)
		ptx += weight_of(&s->f->insts[b->first + i]);
	for (size_t i = 0; i < b->code.len; i++)
		code += b->code.data[i].op == MACHINE_LDS ? b->code.data[i].naccess : 3;
	more = ptx > code ? ptx : code;
	return more > 15 ? more / 3 - 5 : 1;
}

static bool is_too_busy(const struct selection *s, const struct lower_block *b)
{
	uint32_t accesses = 0, atomics = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		const struct ptx_inst *inst = &s->f->insts[b->first + i];

		if (inst->opcode->cls == PTX_CLASS_WARP)
			return true;
		accesses += inst->opcode->cls == PTX_CLASS_LOAD && inst->opcode->space != PTX_SPACE_SHARED;
		atomics += inst->opcode->cls == PTX_CLASS_ATOMIC;
	}
	return accesses > MOST_ACCESSES || atomics > MOST_ATOMICS;
}

static uint32_t most_whole(uint32_t trips)
{
	unsigned i = 0;

	while (trips > whole[i].trips)
		i++;
	return whole[i].instructions;
}

/* Copies of a loop with so many trips (0 = not known); 1 = it is not unrolled. */
static uint32_t copies_of(const struct selection *s, const struct lower_block *b, uint32_t trips)
{
	uint32_t size = size_of(s, b), copies = MOST_IN_COPIES / size;

	if (!trips)
		return size <= MOST_COUNTED && !is_too_busy(s, b) ? USUAL_COPIES : 1;
	if (trips <= MACHINE_MAX_PARTS && (uint64_t)trips * size <= most_whole(trips))
		return trips;
	copies = copies < MACHINE_MAX_PARTS ? copies : MACHINE_MAX_PARTS;
	while (copies > 1 && trips % copies)
		copies--;
	return copies >= USUAL_COPIES ? copies : 1;
}

/* --- Instructions of the loop --- */

/* A number that is added to what a register holds: the loop's counter, or an address that moves on. */
static bool is_step(const struct selection *s, const struct machine_inst *in)
{
	if ((in->op != MACHINE_IADD3 && in->op != MACHINE_IMAD) || in->ndst != 1 || !in->nsrc)
		return false;
	for (unsigned i = 0; i < in->nsrc; i++)
		if ((in->src[i] - s->base) / 2 != (in->dst[0] - s->base) / 2)
			return false;
	return true;
}

static bool reads(const struct machine_inst *in, uint16_t reg)
{
	for (unsigned i = 0; i < in->nsrc; i++)
		if (in->src[i] == reg)
			return true;
	return false;
}

static bool writes(const struct machine_inst *in, uint16_t reg)
{
	for (unsigned i = 0; i < in->ndst; i++)
		if (in->dst[i] == reg)
			return true;
	return false;
}

/* The comparison that only the branch reads. */
static bool is_test(const struct lower_block *b, const struct machine_inst *in, uint16_t predicate)
{
	unsigned readers = 0;

	if (in->op != MACHINE_ISETP || !in->ndst || in->dst[0] != predicate)
		return false;
	for (size_t i = 0; i < b->code.len; i++)
		readers += reads(&b->code.data[i], predicate);
	return readers == 1;
}

/*
 * Instructions of a turn that offsets of addresses can stand for in another turn: steps, and what is computed of them
 * in 32 bits by shifts and sums, as long as only accesses and the comparison read it in the end.
 */
struct offsets {
	const struct selection *s;
	const struct lower_block *b;
	uint16_t predicate;
	bool hidden[MOST_INSTRUCTIONS];
};

static bool is_shift_or_sum(const struct machine_inst *in)
{
	bool one = in->nsrc == 1; /* the other operands are numbers */

	if (in->ndst != 1 || in->flags & MACHINE_PREDICATED)
		return false;
	return in->op == MACHINE_IADD3 || in->op == MACHINE_LEA ||
	       ((in->op == MACHINE_SHF || in->op == MACHINE_IMAD || in->op == MACHINE_MOV) && one);
}

/* Are all sources the same in each turn, or moved by steps alone? */
static bool moves_by_steps(const struct offsets *o, const struct machine_inst *in)
{
	for (size_t i = 0; i < o->b->code.len; i++)
		for (unsigned k = 0; k < in->nsrc; k++)
			if (writes(&o->b->code.data[i], in->src[k]) && !o->hidden[i])
				return false;
	return true;
}

static bool is_read_by_others(const struct offsets *o, const struct machine_inst *in)
{
	for (size_t i = 0; i < o->b->code.len; i++) {
		const struct machine_inst *reader = &o->b->code.data[i];

		if (reads(reader, in->dst[0]) && !o->hidden[i] && !reader->naccess &&
		    !is_test(o->b, reader, o->predicate))
			return true;
	}
	return false;
}

static void find_offsets(struct offsets *o)
{
	bool changed = true;

	for (size_t i = 0; i < o->b->code.len; i++)
		o->hidden[i] = is_step(o->s, &o->b->code.data[i]) || is_shift_or_sum(&o->b->code.data[i]);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < o->b->code.len; i++) {
			const struct machine_inst *in = &o->b->code.data[i];

			if (!o->hidden[i] || (moves_by_steps(o, in) && !is_read_by_others(o, in)))
				continue;
			o->hidden[i] = false;
			changed = true;
		}
	}
}

/* Is the register written in each turn before it is read? Then it is a copy's own. */
static bool is_own(const struct lower_block *b, uint16_t reg)
{
	for (size_t i = 0; i < b->code.len; i++) {
		const struct machine_inst *in = &b->code.data[i];

		if (reads(in, reg))
			return false;
		if (writes(in, reg))
			return !(in->flags & MACHINE_PREDICATED);
	}
	return false;
}

struct renaming {
	uint16_t from[MOST_INSTRUCTIONS * 2], to[MOST_INSTRUCTIONS * 2];
	unsigned n;
};

static uint16_t renamed(const struct renaming *r, uint16_t reg)
{
	for (unsigned i = r->n; i--;)
		if (r->from[i] == reg)
			return r->to[i];
	return reg;
}

static void rename_results(struct lower *l, const struct offsets *o, struct renaming *r)
{
	const struct lower_block *b = o->b;

	r->n = 0;
	for (size_t i = 0; i < b->code.len; i++)
		for (unsigned k = 0; !o->hidden[i] && k < b->code.data[i].ndst && r->n < MOST_INSTRUCTIONS * 2; k++) {
			uint16_t reg = b->code.data[i].dst[k];

			if (!is_own(b, reg) || renamed(r, reg) != reg)
				continue;
			r->from[r->n] = reg;
			r->to[r->n++] = (uint16_t)(l->nregisters++ % TRACE_NO_REGISTER);
		}
}

static void copy_inst(struct lower_region *region, const struct machine_inst *from, const struct renaming *r)
{
	struct machine_inst in = *from;

	for (unsigned i = 0; i < in.nsrc; i++)
		in.src[i] = renamed(r, in.src[i]);
	for (unsigned i = 0; i < in.ndst; i++)
		in.dst[i] = renamed(r, in.dst[i]);
	if (in.flags & MACHINE_PREDICATED)
		in.guard = renamed(r, in.guard);
	in.part = (uint8_t)(region->nparts - 1);
	vec_push(&region->code, in);
}

/* Steps stand in the last copy, and what is computed of them in the first. */
static bool is_in_copy(const struct offsets *o, size_t i, bool first, bool ends)
{
	const struct machine_inst *in = &o->b->code.data[i];

	if (is_test(o->b, in, o->predicate))
		return ends;
	if (o->hidden[i])
		return is_step(o->s, in) ? ends : first;
	return true;
}

/* `is_whole`: the loop has no turns but these copies, and needs neither its comparison nor its branch. */
static void unroll(const struct selection *s, struct lower_block *b, uint16_t predicate, uint32_t copies, bool is_whole)
{
	struct lower_region *region = lower_add_region(s->l);
	struct offsets o = {.s = s, .b = b, .predicate = predicate};
	struct renaming r;

	find_offsets(&o);
	for (unsigned copy = 0; copy < copies; copy++) {
		bool ends = copy == copies - 1 && !is_whole;

		r.n = 0;
		if (copy != copies - 1)
			rename_results(s->l, &o, &r);
		lower_add_part(region, s->l, b, false);
		for (size_t i = 0; i + !ends < b->code.len; i++)
			if (is_in_copy(&o, i, copy == 0, ends))
				copy_inst(region, &b->code.data[i], &r);
	}
	b->region = region;
	b->unrolled = true;
	b->whole = is_whole;
}

void unroll_loops(struct selection *s, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++) {
		struct lower_block *b = &s->l->blocks[i];
		const struct machine_inst *branch = loop_branch(s, b);
		uint32_t trips, copies;

		if (!branch || is_left_alone(s, b) || !is_counted(s, b))
			continue;
		trips = count_trips(s, b);
		copies = copies_of(s, b, trips);
		if (copies < 2)
			continue;
		b->rest = trips ? 0 : REST_COPIES;
		unroll(s, b, branch->src[0], copies, trips == copies);
	}
}
