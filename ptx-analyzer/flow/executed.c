/*
 * Finds instructions that no thread executes, by following constants along the edges that they leave open. Compilers
 * without optimisation keep such code, as in `if (debug)` with a constant.
 *
 * A register has a single value for all of its definitions that may be executed. So a constant value holds wherever the
 * register has been written. A register that the text reads before it writes it counts as unknown.
 */
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/flow.h"

enum known { NOT_WRITTEN, CONSTANT, VARYING };

struct number {
	uint8_t known; /* enum known */
	uint64_t bits; /* as in the register, whose upper bits an instruction of a narrower type leaves alone */
};

struct constants {
	const struct ptx_function *f;
	struct number *regs;
	bool changed;
};

static const struct number varying = {VARYING, 0};

static uint64_t cut(uint64_t bits, unsigned width)
{
	return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

static int64_t extend(uint64_t bits, unsigned width)
{
	return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static bool is_signed(enum ptx_type type)
{
	return ptx_type_kind(type) == PTX_KIND_SIGNED;
}

/*
 * True if the type is a single number, or bits. A packed type has several numbers, which do not carry into each other.
 */
static bool is_number(enum ptx_type type)
{
	enum ptx_type_kind kind = ptx_type_kind(type);

	return ptx_type_bits(type) <= 64 && !flow_is_packed(type) &&
	       (kind == PTX_KIND_SIGNED || kind == PTX_KIND_UNSIGNED || kind == PTX_KIND_BITS || kind == PTX_KIND_PRED);
}

static struct number constant(uint64_t bits, unsigned width)
{
	return (struct number){CONSTANT, cut(bits, width)};
}

/* The operand's number. `width` is 1 for a predicate: any number but 0 makes it true. */
static struct number operand(const struct constants *r, const struct ptx_operand *o, unsigned width)
{
	struct number n;

	if (o->kind == PTX_OPERAND_INT)
		return constant(width == 1 ? o->imm != 0 : (uint64_t)o->imm, width);
	if (o->kind != PTX_OPERAND_REG || (o->flags & ~PTX_FLAG_NOT))
		return varying;
	n = r->regs[o->id];
	n.bits = cut(o->flags & PTX_FLAG_NOT ? ~n.bits : n.bits, width);
	return n;
}

/* --- Values --- */

static bool compare(enum ptx_mod how, bool is_less, bool is_equal)
{
	switch (how) {
	case PTX_MOD_eq: return is_equal;
	case PTX_MOD_ne: return !is_equal;
	case PTX_MOD_lt:
	case PTX_MOD_lo: return is_less;
	case PTX_MOD_le:
	case PTX_MOD_ls: return is_less || is_equal;
	case PTX_MOD_gt:
	case PTX_MOD_hi: return !is_less && !is_equal;
	default: return !is_less;
	}
}

static struct number compared(const struct ptx_inst *inst, uint64_t a, uint64_t b)
{
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	bool is_less = is_signed(type) ? extend(a, width) < extend(b, width) : a < b;

	return constant(compare(inst->opcode->group[PTX_GROUP_COMPARE], is_less, a == b), 1);
}

/* The bits of a number of this type, extended to 64 bits: 0xff as s8 becomes -1, as u8 it stays 255. */
static uint64_t widened(uint64_t bits, enum ptx_type type)
{
	unsigned width = ptx_type_bits(type);

	return is_signed(type) ? (uint64_t)extend(bits, width) : cut(bits, width);
}

/* A conversion keeps the number: -1 as s8 is -1 as s32. A wider register gets all bits of that number. */
static struct number converted(const struct ptx_inst *inst, uint64_t from)
{
	if (!is_number(inst->opcode->type[1]) || ptx_has_mod(inst->opcode, PTX_MOD_sat))
		return varying;
	return constant(widened(widened(from, inst->opcode->type[1]), inst->opcode->type[0]), 64);
}

static struct number computed(const struct ptx_inst *inst, uint64_t a, uint64_t b)
{
	unsigned width = ptx_type_bits(inst->opcode->type[0]);

	switch (inst->opcode->op) {
	case PTX_OP_mov: return constant(a, width);
	case PTX_OP_not: return constant(~a, width);
	case PTX_OP_and: return constant(a & b, width);
	case PTX_OP_or: return constant(a | b, width);
	case PTX_OP_xor: return constant(a ^ b, width);
	case PTX_OP_add: return ptx_has_mod(inst->opcode, PTX_MOD_sat) ? varying : constant(a + b, width);
	case PTX_OP_sub: return ptx_has_mod(inst->opcode, PTX_MOD_sat) ? varying : constant(a - b, width);
	case PTX_OP_setp: return inst->noperands == 3 ? compared(inst, a, b) : varying;
	case PTX_OP_cvt: return converted(inst, a);
	default: return varying;
	}
}

/* `and` of an unknown number and 0 is 0. */
static struct number result(const struct constants *r, const struct ptx_inst *inst)
{
	const struct ptx_operand *o = inst->operands;
	unsigned width;
	struct number a, b;

	if (inst->noperands < 2 || !inst->opcode->ntypes || !is_number(inst->opcode->type[0]) ||
	    o[0].kind != PTX_OPERAND_REG)
		return varying;
	width = inst->opcode->op == PTX_OP_cvt ? 64 : ptx_type_bits(inst->opcode->type[0]);
	a = operand(r, &o[1], width);
	b = inst->noperands > 2 ? operand(r, &o[2], width) : a;
	if (inst->opcode->op == PTX_OP_and && ((a.known == CONSTANT && !a.bits) || (b.known == CONSTANT && !b.bits)))
		return constant(0, width);
	if (a.known == NOT_WRITTEN || b.known == NOT_WRITTEN)
		return (struct number){NOT_WRITTEN, 0};
	return a.known == CONSTANT && b.known == CONSTANT ? computed(inst, a.bits, b.bits) : varying;
}

static void join(struct constants *r, uint32_t reg, struct number n)
{
	struct number *old = &r->regs[reg];

	if (n.known == NOT_WRITTEN || old->known == VARYING ||
	    (old->known == CONSTANT && n.known == CONSTANT && old->bits == n.bits))
		return;
	*old = old->known == NOT_WRITTEN ? n : varying;
	r->changed = true;
}

static void define(struct constants *r, const struct ptx_operand *o, struct number n)
{
	if (o->kind == PTX_OPERAND_REG)
		join(r, o->id, o->flags ? varying : n);
	else if (o->kind == PTX_OPERAND_VEC || o->kind == PTX_OPERAND_PAIR || o->kind == PTX_OPERAND_LIST)
		for (unsigned i = 0; i < o->count; i++)
			define(r, &o->elems[i], varying);
}

/* Whether the predicate lets threads execute the instruction: NOT_WRITTEN = not known yet, VARYING = some. */
static struct number predicate_of(const struct constants *r, const struct ptx_inst *inst)
{
	struct number n;

	if (inst->predicate == PTX_NONE)
		return constant(1, 1);
	n = r->regs[inst->predicate];
	if (n.known == CONSTANT)
		n.bits ^= inst->predicate_not;
	return n;
}

static bool is_never(struct number predicate)
{
	return predicate.known == CONSTANT && !predicate.bits;
}

static void step(struct constants *r, const struct ptx_inst *inst)
{
	struct number predicate = predicate_of(r, inst), n;

	if (predicate.known == NOT_WRITTEN || is_never(predicate))
		return;
	n = predicate.known == VARYING ? varying : result(r, inst);
	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			define(r, &inst->operands[i], n);
	}
}

/* --- Registers whose value is not known --- */

static void read_early(struct constants *r, const struct ptx_operand *o, const bool *written)
{
	if (o->kind == PTX_OPERAND_REG && !written[o->id])
		r->regs[o->id] = varying;
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT); i++)
		read_early(r, &o->elems[i], written);
}

static void note_written(const struct ptx_operand *o, bool *written)
{
	if (o->kind == PTX_OPERAND_REG)
		written[o->id] = true;
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT); i++)
		note_written(&o->elems[i], written);
}

static void find_varying(struct constants *r)
{
	bool *written = xcalloc(r->f->nregs + 1, sizeof *written);

	for (uint32_t i = 0; i < r->f->nparams; i++) {
		const struct ptx_symbol *s = &r->f->module->symbols[r->f->params[i]];

		if (s->space == PTX_SPACE_REG)
			r->regs[s->reg] = varying;
	}
	for (uint32_t i = 0; i < r->f->ninsts; i++) {
		const struct ptx_inst *inst = &r->f->insts[i];

		if (inst->predicate != PTX_NONE && !written[inst->predicate])
			r->regs[inst->predicate] = varying;
		for (unsigned o = 0; o < inst->noperands; o++)
			if (ptx_operand_role(inst, o) != PTX_ROLE_DST)
				read_early(r, &inst->operands[o], written);
		for (unsigned o = 0; o < inst->noperands; o++)
			if (ptx_operand_role(inst, o) == PTX_ROLE_DST)
				note_written(&inst->operands[o], written);
	}
	free(written);
}

/* --- Blocks --- */

/* Follows the block's last instruction to what may be executed next. */
static void leave(struct constants *r, const struct ptx_block *b, bool *reached)
{
	const struct ptx_inst *last = &r->f->insts[b->first + b->count - 1];
	struct number predicate = predicate_of(r, last);
	enum ptx_op op = last->opcode->op;
	bool branches = op == PTX_OP_bra && last->predicate != PTX_NONE && b->nsucc == 2;
	bool leaves = op == PTX_OP_ret || op == PTX_OP_exit || op == PTX_OP_trap;

	if (predicate.known == NOT_WRITTEN || (leaves && predicate.known == CONSTANT && predicate.bits))
		return;
	for (uint32_t i = 0; i < b->nsucc; i++) {
		bool open = !branches || predicate.known != CONSTANT || (i == 0) == (predicate.bits != 0);

		if (!open || reached[b->succ[i]])
			continue;
		reached[b->succ[i]] = r->changed = true;
	}
}

static void step_block(struct constants *r, const struct ptx_block *b, bool *reached)
{
	for (uint32_t j = b->first; j < b->first + b->count; j++)
		step(r, &r->f->insts[j]);
	if (b->count)
		leave(r, b, reached);
}

/* Opens predicates that no instruction writes on any path: they may be true or false. Returns true if there was one. */
static bool open_predicates(struct constants *r, const struct ptx_block *b)
{
	bool some = false;

	for (uint32_t j = b->first; j < b->first + b->count; j++) {
		const struct ptx_inst *inst = &r->f->insts[j];

		if (predicate_of(r, inst).known != NOT_WRITTEN)
			continue;
		r->regs[inst->predicate] = varying;
		some = true;
	}
	return some;
}

static bool *find_reached(struct constants *r)
{
	bool *reached = xcalloc(r->f->nblocks + 1, sizeof *reached);

	reached[0] = r->changed = true;
	while (r->changed) {
		r->changed = false;
		for (uint32_t i = 0; i < r->f->nblocks; i++)
			if (reached[i])
				step_block(r, &r->f->blocks[i], reached);
		for (uint32_t i = 0; i < r->f->nblocks && !r->changed; i++)
			if (reached[i])
				r->changed = open_predicates(r, &r->f->blocks[i]);
	}
	return reached;
}

static bool *list_dead(struct flow_module *fm, struct constants *r, const bool *reached)
{
	bool *dead = arena_array(&fm->arena, bool, r->f->ninsts), some = false;

	for (uint32_t i = 0; i < r->f->nblocks; i++)
		for (uint32_t j = r->f->blocks[i].first; j < r->f->blocks[i].first + r->f->blocks[i].count; j++) {
			dead[j] = !reached[i] || is_never(predicate_of(r, &r->f->insts[j]));
			some |= dead[j];
		}
	return some ? dead : NULL;
}

/* Is it worth a look: does a predicate seem constant on the way down the text? */
static bool looks_dead(struct constants *r)
{
	bool some = false;

	for (uint32_t i = 0; i < r->f->ninsts && !some; i++) {
		some = r->f->insts[i].predicate != PTX_NONE && predicate_of(r, &r->f->insts[i]).known == CONSTANT;
		step(r, &r->f->insts[i]);
	}
	return some;
}

bool *flow_find_dead(struct flow_module *fm, uint32_t function)
{
	struct ptx_function *f = &fm->module->functions[function];
	struct constants r = {.f = f, .regs = xcalloc(f->nregs + 1, sizeof *r.regs)};
	bool *dead = NULL, *reached;

	if (f->ninsts && looks_dead(&r) && ptx_build_cfg(f, NULL) == 0) {
		memset(r.regs, 0, f->nregs * sizeof *r.regs);
		find_varying(&r);
		reached = find_reached(&r);
		dead = list_dead(fm, &r, reached);
		free(reached);
	}
	free(r.regs);
	return dead;
}
