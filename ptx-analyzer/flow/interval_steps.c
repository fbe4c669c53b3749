/* Instructions of an abstract execution: what they make of registers and of slots in frames. */
#include "ptx-analyzer/flow/interval_run.h"

/* --- Operands --- */

bool interval_is_number(const struct interval_run *r, uint32_t reg)
{
	enum ptx_type_kind kind = ptx_type_kind(r->f->regs[reg].type);
	unsigned bits = interval_register_bits(r, reg);

	return bits >= 16 && bits <= 64 && kind != PTX_KIND_FLOAT && kind != PTX_KIND_PRED;
}

struct interval *interval_of_register(const struct interval_run *r, uint32_t reg)
{
	return r->variable[reg] != PTX_NONE ? &r->now[r->variable[reg]] : &r->regs[reg];
}

/* A constant as a register of so many bits would hold it: 4294967295 of 32 bits is -1. */
static struct interval constant(int64_t number, unsigned bits)
{
	number = bits >= 64 ? number : (int64_t)((uint64_t)number << (64 - bits)) >> (64 - bits);
	return (struct interval){number, number};
}

struct interval interval_of_operand(const struct interval_run *r, const struct ptx_operand *o, unsigned bits)
{
	bool number =
	    o->kind == PTX_OPERAND_REG && !o->flags && interval_is_number(r, o->id) && !r->frame.places[o->id].kind;

	switch (o->kind) {
	case PTX_OPERAND_INT: return constant(o->imm, bits);
	case PTX_OPERAND_SREG: return interval_fit(interval_of_sreg(o->id), bits);
	case PTX_OPERAND_REG: return number ? *interval_of_register(r, o->id) : interval_full(64);
	default: return interval_full(64);
	}
}

static uint32_t slot_variable(const struct interval_run *r, const struct ptx_operand *memory, unsigned bytes)
{
	uint32_t slot = frame_slot_at(&r->frame, frame_place_of(&r->frame, memory), bytes);

	return slot == PTX_NONE ? PTX_NONE : r->nregs + slot;
}

/* The variable whose number the operand is: itself, or what it was copied from. */
static uint32_t source_of(const struct interval_run *r, const struct ptx_operand *o)
{
	if (o->kind != PTX_OPERAND_REG || o->flags)
		return PTX_NONE;
	return r->variable[o->id] != PTX_NONE ? r->variable[o->id] : r->source[o->id];
}

void interval_forget_copies(struct interval_run *r)
{
	while (r->copies.len)
		r->source[vec_pop(&r->copies)] = PTX_NONE;
}

/* `variable` has changed: registers that were copied from it are no copies any more. */
static void forget_copies(struct interval_run *r, uint32_t variable)
{
	for (size_t i = 0; i < r->copies.len; i++)
		if (r->source[r->copies.data[i]] == variable)
			r->source[r->copies.data[i]] = PTX_NONE;
}

/* --- Instructions --- */

static void note_written(struct interval_run *r, uint32_t reg, struct interval v)
{
	struct interval *all = &r->written[reg];

	*all = all->low > all->high ? v : interval_hull(*all, v);
}

static void define_register(struct interval_run *r, uint32_t reg, struct interval v, bool certainly)
{
	struct interval *to;

	if (!interval_is_number(r, reg))
		return;
	v = r->frame.places[reg].kind ? v : interval_fit(v, interval_register_bits(r, reg));
	to = interval_of_register(r, reg);
	if (r->variable[reg] != PTX_NONE) {
		forget_copies(r, r->variable[reg]);
		r->source[reg] = PTX_NONE;
		if (!certainly)
			v = interval_hull(v, *to);
	} else if (to->low != v.low || to->high != v.high) {
		r->changed = true;
	}
	*to = v;
	note_written(r, reg, v);
}

static void define_unknown(struct interval_run *r, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_REG)
		define_register(r, o->id, interval_full(64), false);
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT); i++)
		define_unknown(r, &o->elems[i]);
}

/* Of an instruction that computes a place: places as distances from the variable's start, and numbers. */
static struct interval distance(const struct interval_run *r, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_SYMBOL)
		return (struct interval){o->imm, o->imm};
	if (o->kind == PTX_OPERAND_REG && !o->flags && r->frame.places[o->id].kind)
		return *interval_of_register(r, o->id);
	return interval_of_operand(r, o, 64);
}

static struct interval loaded(const struct interval_run *r, const struct ptx_inst *inst, uint32_t variable)
{
	enum ptx_type type = inst->opcode->type[0];

	if (ptx_type_kind(type) == PTX_KIND_FLOAT)
		return interval_full(64);
	return variable == PTX_NONE ? interval_of_type(type) : interval_as(r->now[variable], type);
}

static bool is_simple(const struct interval_run *r, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = inst->operands;

	return inst->noperands >= 2 && to->kind == PTX_OPERAND_REG && !to->flags && interval_is_number(r, to->id) &&
	       ptx_operand_role(inst, 0) == PTX_ROLE_DST && inst->opcode->ntypes && inst->opcode->vec <= 1 &&
	       ptx_type_kind(inst->opcode->type[0]) != PTX_KIND_FLOAT &&
	       ptx_type_kind(inst->opcode->type[0]) != PTX_KIND_PRED;
}

/* Bits of the number that the instruction leaves in its register. */
static unsigned result_bits(const struct ptx_inst *inst)
{
	unsigned bits = ptx_type_bits(inst->opcode->type[0]);

	return ptx_has_mod(inst->opcode, PTX_MOD_wide) ? 2 * bits : bits;
}

static struct interval computed(const struct interval_run *r, const struct ptx_inst *inst)
{
	struct interval sources[3] = {interval_full(64), interval_full(64), interval_full(64)}, v;
	unsigned bits = result_bits(inst), width = interval_register_bits(r, inst->operands[0].id);
	bool place = r->frame.places[inst->operands[0].id].kind;

	for (unsigned i = 1; i < inst->noperands && i <= 3; i++)
		sources[i - 1] = place ? distance(r, &inst->operands[i])
				       : interval_of_operand(r, &inst->operands[i],
							     i == 3 ? bits : ptx_type_bits(inst->opcode->type[0]));
	if (place && inst->opcode->op == PTX_OP_cvta)
		return sources[0];
	v = interval_compute(inst, sources);
	if (place || inst->opcode->op == PTX_OP_cvt)
		return v;
	return bits == width ? interval_fit(v, bits) : interval_full(width);
}

static void copy_source(struct interval_run *r, const struct ptx_inst *inst, uint32_t variable)
{
	uint32_t to = inst->operands[0].id;
	bool same = result_bits(inst) == interval_register_bits(r, to) && inst->predicate == PTX_NONE;

	r->source[to] = same ? variable : PTX_NONE;
	if (r->source[to] != PTX_NONE)
		vec_push(&r->copies, to);
}

static void execute_load(struct interval_run *r, const struct ptx_inst *inst)
{
	uint32_t variable = slot_variable(r, &inst->operands[1], ptx_access_bytes(inst));

	define_register(r, inst->operands[0].id, loaded(r, inst, variable), inst->predicate == PTX_NONE);
	copy_source(r, inst, variable);
}

static void lose_slots(struct interval_run *r, uint32_t symbol, struct interval bytes)
{
	for (uint32_t i = 0; i < r->frame.slots.len; i++) {
		const struct frame_slot *s = &r->frame.slots.data[i];

		if (s->symbol != symbol || s->offset > bytes.high || s->offset + s->size - 1 < bytes.low)
			continue;
		r->now[r->nregs + i] = interval_full(s->size * 8);
		forget_copies(r, r->nregs + i);
	}
}

static void lose_escaped(struct interval_run *r)
{
	for (size_t i = 0; i < r->frame.escaped.len; i++)
		lose_slots(r, r->frame.escaped.data[i], interval_full(64));
}

/*
 * Bytes that an access through a moved place may touch; all, where that is not known. It stays in its variable, unless
 * other addresses may have gone into what moved it.
 */
static struct interval touched(const struct interval_run *r, const struct ptx_operand *memory, struct frame_place place,
			       unsigned bytes)
{
	struct interval v = *interval_of_register(r, memory->elems[0].id);

	struct frame_object object;

	if (__builtin_add_overflow(v.low, place.offset, &v.low) ||
	    __builtin_add_overflow(v.high, place.offset + bytes - 1, &v.high))
		v = interval_full(64);
	if (frame_is_escaped(&r->frame, place.symbol) ||
	    !frame_object_at(&r->frame.objects, place.symbol, place.from, v.low >= place.from, &object))
		return v;
	v.low = v.low < object.begin ? object.begin : v.low;
	v.high = v.high >= object.end ? object.end - 1 : v.high;
	return v;
}

/* Whatever is written where `memory` says, but for a slot that the instruction writes as a whole. */
static void store_somewhere(struct interval_run *r, const struct ptx_inst *inst, const struct ptx_operand *memory)
{
	struct frame_place place = frame_place_of(&r->frame, memory);
	enum ptx_space space = inst->opcode->space;
	unsigned bytes =
	    inst->opcode->op == PTX_OP_st || inst->opcode->op == PTX_OP_atom || inst->opcode->op == PTX_OP_red
		? ptx_access_bytes(inst)
		: UINT16_MAX;

	if (place.kind == PLACE_MOVED)
		lose_slots(r, place.symbol, touched(r, memory, place, bytes));
	else if (place.kind == PLACE_EXACT)
		lose_slots(r, place.symbol, (struct interval){place.offset, place.offset + bytes - 1});
	else if (space == PTX_SPACE_LOCAL)
		for (size_t i = 0; i < r->frame.slots.len; i++)
			lose_slots(r, r->frame.slots.data[i].symbol, interval_full(64));
	else if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_SHARED && space != PTX_SPACE_PARAM)
		lose_escaped(r);
}

static void execute_store(struct interval_run *r, const struct ptx_inst *inst)
{
	uint32_t variable = slot_variable(r, &inst->operands[0], ptx_access_bytes(inst));
	struct interval v;

	if (variable == PTX_NONE) {
		store_somewhere(r, inst, &inst->operands[0]);
		return;
	}
	v = interval_fit(interval_of_operand(r, &inst->operands[1], ptx_access_bytes(inst) * 8),
			 ptx_access_bytes(inst) * 8);
	if (ptx_type_kind(inst->opcode->type[0]) == PTX_KIND_FLOAT)
		v = interval_full(ptx_access_bytes(inst) * 8);
	r->now[variable] = inst->predicate == PTX_NONE ? v : interval_hull(v, r->now[variable]);
	forget_copies(r, variable);
	if (inst->operands[1].kind == PTX_OPERAND_REG && inst->predicate == PTX_NONE)
		copy_source(
		    r,
		    &(struct ptx_inst){.opcode = inst->opcode, .operands = &inst->operands[1], .predicate = PTX_NONE},
		    variable);
}

void interval_step(struct interval_run *r, const struct ptx_inst *inst)
{
	enum ptx_op op = inst->opcode->op;
	const struct ptx_operand *to = inst->operands;

	if (op == PTX_OP_st && inst->opcode->vec <= 1 && inst->noperands == 2) {
		execute_store(r, inst);
		return;
	}
	if (op == PTX_OP_call)
		lose_escaped(r);
	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_STORE || role == PTX_ROLE_ATOMIC)
			store_somewhere(r, inst, &inst->operands[i]);
	}
	if (is_simple(r, inst) && op == PTX_OP_ld) {
		execute_load(r, inst);
	} else if (is_simple(r, inst)) {
		define_register(r, to->id, computed(r, inst), inst->predicate == PTX_NONE);
		if (op == PTX_OP_mov)
			copy_source(r, inst, source_of(r, &inst->operands[1]));
	} else {
		for (unsigned i = 0; i < inst->noperands; i++) {
			enum ptx_role role = ptx_operand_role(inst, i);

			if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
				define_unknown(r, &inst->operands[i]);
		}
	}
}
