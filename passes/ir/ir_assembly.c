/*
 * Inline assembly, read by the PTX parser. The roles of an instruction's operands tell whether it can touch global
 * memory, and the contents of its registers tell through which argument. Text that is not PTX may write anything.
 */
#include "passes/ir/effects.h"

#include "common/ascii.h"
#include "common/xalloc.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/text/fragment.h"

#include <stdlib.h>
#include <string.h>

/* Contents of a register: the arguments that it was computed from, and whether any of it came from memory. */
struct content {
	uint64_t from;
	bool loaded;
	bool elsewhere; /* a name that the assembly does not declare */
	bool mixed;     /* several arguments went into it together */
};

struct assembly {
	const struct ptx_function *code;
	struct content *registers; /* the operands' first */
	unsigned nargs;
	struct call_effects *effects;
};

/* --- Constraints --- */

struct operands {
	struct content content[EFFECT_ARGS]; /* of each constraint, before the first instruction */
	unsigned count;
};

static struct operands parse_constraints(const char *text)
{
	struct operands ops = {.count = 0};
	int argument = 0;

	while (*text && ops.count < EFFECT_ARGS) {
		size_t len = strcspn(text, ",");
		bool output = *text == '=', indirect = memchr(text, '*', len) != NULL;
		unsigned long tied = ascii_is_digit(*text) ? strtoul(text, NULL, 10) : ops.count;

		/* "0": an argument that begins in the register of result 0. */
		if (tied < ops.count)
			ops.content[tied].from |= (uint64_t)1 << argument;
		if (*text != '~' && *text != '!')
			ops.content[ops.count++].from = output && !indirect ? 0 : (uint64_t)1 << argument++;
		text += len + (text[len] == ',');
	}
	return ops;
}

static uint64_t all_arguments(unsigned nargs)
{
	return nargs >= EFFECT_ARGS ? UINT64_MAX : ((uint64_t)1 << nargs) - 1;
}

static void affect(struct call_effects *e, uint64_t arguments, unsigned nargs, unsigned effect)
{
	for (unsigned i = 0; i < nargs && i < EFFECT_ARGS; i++)
		if (arguments >> i & 1)
			e->arg[i] |= (uint16_t)effect;
}

/* Memory operands ("=*m", "*m") are read and written whatever the text does. */
static void affect_memory_operands(struct call_effects *e, const struct operands *ops, const char *constraints,
				   unsigned nargs)
{
	for (unsigned i = 0; *constraints && i < ops->count; i++) {
		size_t len = strcspn(constraints, ",");

		if (memchr(constraints, '*', len))
			affect(e, ops->content[i].from, nargs, EFFECT_READ | (*constraints == '=' ? EFFECT_WRITE : 0));
		constraints += len + (constraints[len] == ',');
	}
}

/* --- Operands --- */

static void join(struct content *into, struct content other)
{
	into->from |= other.from;
	into->loaded |= other.loaded;
	into->elsewhere |= other.elsewhere;
	into->mixed |= other.mixed;
}

static struct content content_of(const struct assembly *a, const struct ptx_operand *op);

static struct content elements_of(const struct assembly *a, const struct ptx_operand *op, unsigned first)
{
	struct content all = {.from = 0};

	for (unsigned i = first; i < op->count; i++)
		join(&all, content_of(a, &op->elems[i]));
	return all;
}

static struct content content_of(const struct assembly *a, const struct ptx_operand *op)
{
	switch (op->kind) {
	case PTX_OPERAND_REG: return a->registers[op->id];
	case PTX_OPERAND_SYMBOL: return (struct content){.elsewhere = op->id == PTX_FRAGMENT_ELSEWHERE};
	case PTX_OPERAND_MEM:
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_PAIR:
	case PTX_OPERAND_TEX:
	case PTX_OPERAND_LIST: return elements_of(a, op, 0);
	default: return (struct content){.from = 0};
	}
}

static bool is_bracketed(const struct ptx_operand *op)
{
	return op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_TEX;
}

/* A variable that the assembly declares is memory of the thread or the CTA. */
static bool is_own_variable(const struct ptx_operand *address)
{
	return address->count && address->elems[0].kind == PTX_OPERAND_SYMBOL &&
	       address->elems[0].id != PTX_FRAGMENT_ELSEWHERE;
}

/* --- Effects of an instruction --- */

static bool is_unknown(const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_invalid;
}

static enum ptx_role role_of(const struct ptx_inst *inst, unsigned index)
{
	return is_unknown(inst) ? PTX_ROLE_NONE : ptx_operand_role(inst, index);
}

static unsigned effect_of_role(enum ptx_role role)
{
	switch (role) {
	case PTX_ROLE_LOAD: return EFFECT_READ;
	case PTX_ROLE_STORE: return EFFECT_WRITE;
	case PTX_ROLE_ATOMIC: return EFFECT_ATOMIC;
	default: return 0;
	}
}

static bool is_private(enum ptx_space space)
{
	return space != PTX_SPACE_GENERIC && space != PTX_SPACE_GLOBAL;
}

/* The space of operand `index`, an address. */
static enum ptx_space space_of(const struct ptx_inst *inst, unsigned index)
{
	unsigned nth = 0;

	for (unsigned i = 0; i < index; i++)
		nth += effect_of_role(role_of(inst, i)) != 0;
	return ptx_address_space(inst->opcode, nth);
}

/* The effect on the memory that operand `index` points to. 0 for a value, or for an address without an access. */
static unsigned effect_of(const struct ptx_inst *inst, unsigned index)
{
	unsigned effect = effect_of_role(role_of(inst, index));

	if (is_unknown(inst))
		return is_bracketed(&inst->operands[index]) ? EFFECT_READ | EFFECT_WRITE : 0;
	if (!effect)
		return 0;
	if (inst->opcode->cls == PTX_CLASS_TEXTURE)
		return effect | EFFECT_IMAGE |
		       (inst->opcode->op == PTX_OP_tex || inst->opcode->op == PTX_OP_tld4 ? EFFECT_FETCH : 0);
	if (!is_private(space_of(inst, index)))
		return effect;
	return (effect & (EFFECT_READ | EFFECT_ATOMIC) ? EFFECT_PRIVATE_READ : 0) |
	       (effect & (EFFECT_WRITE | EFFECT_ATOMIC) ? EFFECT_PRIVATE_WRITE : 0);
}

enum { EFFECT_LOADS = EFFECT_READ | EFFECT_ATOMIC | EFFECT_PRIVATE_READ };

static bool loads(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (effect_of(inst, i) & EFFECT_LOADS)
			return true;
	return false;
}

static bool touches_memory(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (effect_of(inst, i))
			return true;
	return false;
}

static bool has_brackets(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (is_bracketed(&inst->operands[i]))
			return true;
	return false;
}

/* Writes what its operands do not name. */
static bool writes_anywhere(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (effect_of(inst, i) & (EFFECT_WRITE | EFFECT_ATOMIC) &&
		    ptx_hides_memory(inst->opcode->op, space_of(inst, i)))
			return true;
	return inst->opcode->op == PTX_OP_call;
}

/* --- Registers --- */

static bool define(struct assembly *a, const struct ptx_operand *op, struct content content)
{
	struct content *now;
	bool changed = false;

	for (unsigned i = 0; (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR) && i < op->count; i++)
		changed |= define(a, &op->elems[i], content);
	if (op->kind != PTX_OPERAND_REG)
		return changed;
	now = &a->registers[op->id];
	changed = (content.from & ~now->from) || content.loaded > now->loaded || content.elsewhere > now->elsewhere ||
		  content.mixed > now->mixed;
	join(now, content);
	return changed;
}

/* The first operand of an instruction that is not known counts as its result. */
static bool is_result(const struct ptx_inst *inst, unsigned index)
{
	enum ptx_role role = role_of(inst, index);

	return role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC || (is_unknown(inst) && index == 0);
}

/* Puts into the results of an instruction what the others hold; of a load that is memory. True if anything changed. */
static bool note_definition(struct assembly *a, const struct ptx_inst *inst)
{
	struct content content = {.loaded = loads(inst)};
	bool changed = false;

	for (unsigned i = 0; i < inst->noperands; i++)
		if (!(content.loaded && is_bracketed(&inst->operands[i])) && !(i == 0 && is_result(inst, i))) {
			struct content operand = content_of(a, &inst->operands[i]);

			content.mixed |= content.from && operand.from && (content.from | operand.from) != content.from;
			join(&content, operand);
		}
	if (inst->predicate != PTX_NONE)
		join(&content, a->registers[inst->predicate]);
	for (unsigned i = 0; i < inst->noperands; i++)
		if (is_result(inst, i))
			changed |= define(a, &inst->operands[i], content);
	return changed;
}

/* --- Effects --- */

/*
 * The effect on the arguments behind an address. An address that is not seen to come from them alone may be any, theirs
 * too.
 */
static void affect_address(struct assembly *a, const struct ptx_operand *address, unsigned effect)
{
	struct content content = content_of(a, effect & EFFECT_IMAGE && address->count ? &address->elems[0] : address);
	bool elsewhere = content.loaded || content.elsewhere || !content.from;
	struct call_effects *e = a->effects;

	if (effect & EFFECT_IMAGE)
		affect(e, elements_of(a, address, 1).from, a->nargs, EFFECT_PLACE);
	if (!content.from) {
		content.from = all_arguments(a->nargs);
		effect &= ~(unsigned)(EFFECT_IMAGE | EFFECT_FETCH);
	}
	affect(e, content.from, a->nargs, effect);
	e->mixes |= content.mixed && effect & (EFFECT_WRITE | EFFECT_ATOMIC);
	e->unknown_write |= elsewhere && (effect & (EFFECT_WRITE | EFFECT_ATOMIC));
	e->unknown_result |= elsewhere && (effect & EFFECT_LOADS);
}

static void apply_address(struct assembly *a, const struct ptx_operand *address, unsigned effect)
{
	struct call_effects *e = a->effects;

	if (is_own_variable(address) && !(effect & EFFECT_IMAGE))
		e->unknown_result |= (effect & EFFECT_LOADS) != 0;
	else
		affect_address(a, address, effect);
	/* The analysis does not follow values out of an image. */
	e->unknown_result |= (effect & EFFECT_IMAGE) != 0;
	e->loads |= (effect & EFFECT_LOADS) && !(effect & EFFECT_IMAGE);
	if (effect & EFFECT_LOADS)
		e->dep |= DEP_MEMORY;
}

static void note_special_register(struct call_effects *e, enum ptx_sreg sreg)
{
	static const struct {
		const char *prefix;
		enum dep dep;
	} rows[] = {{"%tid", DEP_THREAD},   {"%lane", DEP_THREAD},        {"%warpid", DEP_THREAD},
		    {"%clock", DEP_THREAD}, {"%globaltimer", DEP_THREAD}, {"%ctaid", DEP_CTA},
		    {"%smid", DEP_CTA},     {"%cluster", DEP_CTA}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strncmp(ptx_sreg_name(sreg), rows[i].prefix, strlen(rows[i].prefix)) == 0)
			e->dep |= rows[i].dep;
}

/* A value beside an address may be what is stored there. */
static void apply_value(struct assembly *a, const struct ptx_operand *op, bool beside_address)
{
	struct content content = content_of(a, op);

	if (op->kind == PTX_OPERAND_SREG) {
		note_special_register(a->effects, (enum ptx_sreg)op->id);
		a->effects->workspace |= op->id == PTX_SREG_envreg1 || op->id == PTX_SREG_envreg2;
	}
	affect(a->effects, content.from, a->nargs, EFFECT_RESULT | (beside_address ? EFFECT_ESCAPE : 0));
	a->effects->unknown_result |= content.elsewhere;
}

static bool is_elsewhere(const struct ptx_operand *op)
{
	for (unsigned i = 0; (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR) && i < op->count; i++)
		if (is_elsewhere(&op->elems[i]))
			return true;
	return op->kind == PTX_OPERAND_SYMBOL && op->id == PTX_FRAGMENT_ELSEWHERE;
}

/*
 * Assembly may leave bits for other assembly without an operand: in the carry flag, and in a register that the other
 * one declares.
 */
static void note_state(struct call_effects *e, const struct ptx_inst *inst)
{
	enum ptx_op op = inst->opcode->op;

	e->leaves_state |= is_unknown(inst) || ptx_has_mod(inst->opcode, PTX_MOD_cc);
	e->takes_state |= is_unknown(inst) || op == PTX_OP_addc || op == PTX_OP_subc || op == PTX_OP_madc;
	for (unsigned i = 0; i < inst->noperands; i++)
		if (is_elsewhere(&inst->operands[i])) {
			e->leaves_state |= is_result(inst, i);
			e->takes_state |= !is_result(inst, i) || role_of(inst, i) == PTX_ROLE_DSTSRC;
		}
}

/* Whether an instruction reads or writes tensor memory, or shared memory through a descriptor. */
static bool moves_matrices(enum ptx_op op)
{
	return op == PTX_OP_wgmma_mma_async || op == PTX_OP_tcgen05_ld || op == PTX_OP_tcgen05_ld_red ||
	       op == PTX_OP_tcgen05_st || op == PTX_OP_tcgen05_cp || op == PTX_OP_tcgen05_shift ||
	       op == PTX_OP_tcgen05_mma;
}

static void note_matrices(struct assembly *a, const struct ptx_inst *inst)
{
	if (!moves_matrices(inst->opcode->op))
		return;
	a->effects->matrices = a->effects->unknown_result = true;
	a->effects->dep |= DEP_MEMORY;
	for (unsigned i = 0; i < inst->noperands; i++)
		affect(a->effects, content_of(a, &inst->operands[i]).from, a->nargs, EFFECT_RESULT | EFFECT_ESCAPE);
}

static void apply(struct assembly *a, const struct ptx_inst *inst)
{
	const struct ptx_opcode *opcode = inst->opcode;
	bool touches = touches_memory(inst);
	struct call_effects *e = a->effects;

	e->waits_for_grid |= opcode->op == PTX_OP_griddepcontrol && ptx_has_mod(opcode, PTX_MOD_wait);
	e->listens |= ptx_listens(opcode);
	note_state(e, inst);
	note_matrices(a, inst);
	if (writes_anywhere(inst)) {
		e->unknown_write = e->unknown_result = true;
		affect(e, all_arguments(a->nargs), a->nargs, EFFECT_RESULT | EFFECT_ESCAPE);
		return;
	}
	e->unknown_result |= opcode->op == PTX_OP_alloca;
	for (unsigned i = 0; i < inst->noperands; i++) {
		unsigned effect = effect_of(inst, i);

		if (effect)
			apply_address(a, &inst->operands[i], effect);
		else if (!is_bracketed(&inst->operands[i]))
			apply_value(a, &inst->operands[i], touches);
	}
}

/* Global memory is loaded, in a spelling that can carry the mark. */
static bool is_markable(const struct ptx_opcode *opcode)
{
	return opcode->op == PTX_OP_ld && opcode->space == PTX_SPACE_GLOBAL && !ptx_mark_obstacle(opcode);
}

/* Notes whether the assembly's only access is a load, and whether that promises unchanging memory or can be marked. */
static void note_lone_load(struct assembly *a)
{
	unsigned accesses = 0;
	bool promised = false, markable = false;

	for (uint32_t i = 0; i < a->code->ninsts; i++) {
		accesses += has_brackets(&a->code->insts[i]);
		promised |= ptx_is_promised(a->code->insts[i].opcode);
		markable |= is_markable(a->code->insts[i].opcode);
	}
	a->effects->lone_load = accesses == 1 && markable && !promised;
	for (unsigned i = 0; accesses == 1 && promised && i < EFFECT_ARGS; i++)
		a->effects->arg[i] |= a->effects->arg[i] & EFFECT_READ ? EFFECT_PROMISED : 0;
}

static void apply_all(struct assembly *a, const struct operands *ops)
{
	bool changed;

	a->registers = xcalloc(a->code->nregs + 1, sizeof *a->registers);
	memcpy(a->registers, ops->content, ops->count * sizeof *a->registers);
	/* Once more while it brings anything: the text may loop. */
	do {
		changed = false;
		for (uint32_t i = 0; i < a->code->ninsts; i++)
			changed |= note_definition(a, &a->code->insts[i]);
	} while (changed);
	for (uint32_t i = 0; i < a->code->ninsts; i++)
		apply(a, &a->code->insts[i]);
	note_lone_load(a);
	free(a->registers);
}

/* Text that is not PTX may do anything. */
static void apply_anything(struct call_effects *e, unsigned nargs)
{
	e->unknown_write = e->unknown_result = e->loads = e->listens = e->leaves_state = e->takes_state = true;
	e->dep |= DEP_MEMORY;
	affect(e, all_arguments(nargs), nargs, EFFECT_READ | EFFECT_WRITE | EFFECT_RESULT | EFFECT_ESCAPE);
}

/*
 * What stands outside of braces is declared for all of the function's assembly. A predicate that the parser does not
 * find is other assembly's.
 */
static void note_shared_names(struct call_effects *e, const char *text)
{
	unsigned depth = 0;

	for (; *text; text++) {
		depth += *text == '{';
		depth -= *text == '}' && depth;
		e->leaves_state |= !depth && strncmp(text, ".reg", 4) == 0;
		e->takes_state |= *text == '@';
	}
}

struct call_effects effects_of_assembly(const char *text, const char *constraints, unsigned nargs)
{
	struct call_effects e = {.dep = DEP_NONE};
	struct operands ops = parse_constraints(constraints);
	struct assembly a = {.nargs = nargs, .effects = &e};
	struct ptx_module *m = NULL;

	if (text[strspn(text, " \t\r\n;")]) {
		m = ptx_parse_fragment(text, strlen(text), ops.count, NULL);
		if (m)
			a.code = &m->functions[0];
		if (m)
			apply_all(&a, &ops);
		else
			apply_anything(&e, nargs);
		note_shared_names(&e, text);
		ptx_module_free(m);
	}
	affect_memory_operands(&e, &ops, constraints, nargs);
	return e;
}
