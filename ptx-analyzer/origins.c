/*
 * Transfer functions: what each instruction's results may be derived from.
 *
 * The rule is that a result carries the roots of all operands. The exceptions are listed with `enum transfer` below;
 * docs/soundness.md argues each of them.
 */
#include "ptx-analyzer/flow.h"

enum transfer {
	TRANSFER_MIX,     /* the default: all operands' roots, and maybe a plain integer; none for float arithmetic */
	TRANSFER_NONE,    /* a number that no address is made of: comparisons, counts, float arithmetic */
	TRANSFER_COPY,    /* one of the operands, unchanged */
	TRANSFER_SELECT,  /* one of the first two operands */
	TRANSFER_MOV,     /* a copy, or packing and unpacking of vectors */
	TRANSFER_CONVERT, /* a copy; parts of pointers when it narrows */
	TRANSFER_ADDRESS, /* cvta: a copy, and the operand is a pointer */
	TRANSFER_ADD,
	TRANSFER_SUB,
	TRANSFER_MAD,
	TRANSFER_MUL,
	TRANSFER_DIV,
	TRANSFER_AND,
	TRANSFER_SHIFT,   /* roots of the first operand; the other operands add none */
	TRANSFER_LOAD,    /* ld, ldu: every element from its own place */
	TRANSFER_STORE,   /* st */
	TRANSFER_ALLOCA,
	TRANSFER_CALL,
};

static const uint8_t transfers[PTX_OP_COUNT] = {
	[PTX_OP_setp] = TRANSFER_NONE, [PTX_OP_set] = TRANSFER_NONE, [PTX_OP_testp] = TRANSFER_NONE,
	[PTX_OP_popc] = TRANSFER_NONE, [PTX_OP_clz] = TRANSFER_NONE, [PTX_OP_bfind] = TRANSFER_NONE,
	[PTX_OP_fns] = TRANSFER_NONE, [PTX_OP_cnot] = TRANSFER_NONE, [PTX_OP_isspacep] = TRANSFER_NONE,
	[PTX_OP_istypep] = TRANSFER_NONE, [PTX_OP_getctarank] = TRANSFER_NONE, [PTX_OP_vote] = TRANSFER_NONE,
	[PTX_OP_match] = TRANSFER_NONE, [PTX_OP_activemask] = TRANSFER_NONE, [PTX_OP_elect] = TRANSFER_NONE,
	[PTX_OP_mma] = TRANSFER_NONE, [PTX_OP_wmma_mma] = TRANSFER_NONE, [PTX_OP_wgmma_mma_async] = TRANSFER_NONE,
	[PTX_OP_mov] = TRANSFER_MOV, [PTX_OP_cvt] = TRANSFER_CONVERT, [PTX_OP_cvta] = TRANSFER_ADDRESS,
	[PTX_OP_mapa] = TRANSFER_SHIFT, [PTX_OP_selp] = TRANSFER_SELECT, [PTX_OP_slct] = TRANSFER_SELECT,
	[PTX_OP_shfl] = TRANSFER_SHIFT, [PTX_OP_min] = TRANSFER_COPY, [PTX_OP_max] = TRANSFER_COPY,
	[PTX_OP_add] = TRANSFER_ADD, [PTX_OP_sub] = TRANSFER_SUB, [PTX_OP_mad] = TRANSFER_MAD,
	[PTX_OP_mul] = TRANSFER_MUL, [PTX_OP_div] = TRANSFER_DIV, [PTX_OP_and] = TRANSFER_AND, [PTX_OP_shl] = TRANSFER_SHIFT,
	[PTX_OP_shr] = TRANSFER_SHIFT, [PTX_OP_bfe] = TRANSFER_SHIFT,
	[PTX_OP_ld] = TRANSFER_LOAD, [PTX_OP_ldu] = TRANSFER_LOAD, [PTX_OP_st] = TRANSFER_STORE,
	[PTX_OP_alloca] = TRANSFER_ALLOCA, [PTX_OP_call] = TRANSFER_CALL,
};

/* --- Operands ---------------------------------------------------------------------------------------------------- */

static uint64_t sreg_deps(enum ptx_sreg sreg)
{
	switch (sreg) {
	case PTX_SREG_tid_x:
	case PTX_SREG_tid_y:
	case PTX_SREG_tid_z:
		return (uint64_t)DEP_TID << (sreg - PTX_SREG_tid_x);
	case PTX_SREG_ctaid_x:
	case PTX_SREG_ctaid_y:
	case PTX_SREG_ctaid_z:
		return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_ctaid_x);
	case PTX_SREG_clusterid_x:
	case PTX_SREG_clusterid_y:
	case PTX_SREG_clusterid_z:
		return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_clusterid_x);
	case PTX_SREG_cluster_ctaid_x:
	case PTX_SREG_cluster_ctaid_y:
	case PTX_SREG_cluster_ctaid_z:
		return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_cluster_ctaid_x);
	case PTX_SREG_tid:
	case PTX_SREG_laneid:
	case PTX_SREG_warpid:
	case PTX_SREG_lanemask_eq:
	case PTX_SREG_lanemask_le:
	case PTX_SREG_lanemask_lt:
	case PTX_SREG_lanemask_ge:
	case PTX_SREG_lanemask_gt:
		return DEP_TID_ALL;
	case PTX_SREG_ctaid:
	case PTX_SREG_clusterid:
	case PTX_SREG_cluster_ctaid:
	case PTX_SREG_cluster_ctarank:
	case PTX_SREG_smid:
		return DEP_CTAID_ALL;
	case PTX_SREG_clock:
	case PTX_SREG_clock_hi:
	case PTX_SREG_clock64:
	case PTX_SREG_globaltimer:
	case PTX_SREG_globaltimer_lo:
	case PTX_SREG_globaltimer_hi:
		return DEP_TID_ALL | DEP_CTAID_ALL;
	default:
		return 0;
	}
}

static struct value add(struct flow *fl, struct value a, struct value b);

static struct value symbol_value(struct flow *fl, const struct ptx_operand *operand)
{
	const struct ptx_symbol *s = &fl->owner->module->symbols[operand->id];
	struct value v;

	switch (s->kind) {
	case PTX_SYMBOL_PARAM:
		v = value_root(fl, flow_root(fl, ROOT_PARAM_SPACE, s->param_index, 0));
		break;
	case PTX_SYMBOL_RETURN:
		v = value_root(fl, flow_root(fl, ROOT_RETURN, s->param_index, 0));
		break;
	case PTX_SYMBOL_FUNCTION:
		v = value_root(fl, flow_root(fl, ROOT_FUNCTION, s->callee, 0));
		break;
	case PTX_SYMBOL_VARIABLE:
		v = value_root(fl, flow_root(fl, s->space == PTX_SPACE_GLOBAL || s->space == PTX_SPACE_CONST
							 ? ROOT_VARIABLE
							 : ROOT_LOCAL,
					     operand->id, 0));
		break;
	default:
		return value_integer(fl->owner, OFFSET_ANY);
	}
	v.offset = operand->imm;
	return v;
}

static struct value elements_value(struct flow *fl, const struct ptx_operand *operand)
{
	struct value v = {SET_EMPTY, 0, OFFSET_ANY};

	for (unsigned i = 0; i < operand->count; i++) {
		struct value e = flow_operand(fl, &operand->elems[i]);

		v.set = set_union(fl->owner->sets, v.set, e.set);
		v.deps |= e.deps;
	}
	return v;
}

struct value flow_operand(struct flow *fl, const struct ptx_operand *operand)
{
	struct value v;

	switch (operand->kind) {
	case PTX_OPERAND_REG:
		return fl->regs[operand->id];
	case PTX_OPERAND_SYMBOL:
		return symbol_value(fl, operand);
	case PTX_OPERAND_SREG:
		v = value_integer(fl->owner, OFFSET_ANY);
		v.deps = sreg_deps(operand->id);
		fl->reads |= v.deps;
		return v;
	case PTX_OPERAND_MEM:
		v = flow_operand(fl, &operand->elems[0]);
		if (operand->count > 1)
			v = add(fl, v, flow_operand(fl, &operand->elems[1]));
		if (v.offset != OFFSET_ANY && __builtin_add_overflow(v.offset, operand->imm, &v.offset))
			v.offset = OFFSET_ANY;
		return v;
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_TEX:
	case PTX_OPERAND_LIST:
		return elements_value(fl, operand);
	case PTX_OPERAND_PAIR:
		return flow_operand(fl, &operand->elems[0]);
	default:
		return value_integer(fl->owner, operand->kind == PTX_OPERAND_INT ? operand->imm : OFFSET_ANY);
	}
}

void flow_define(struct flow *fl, const struct ptx_operand *operand, struct value v)
{
	struct value flag = value_integer(fl->owner, OFFSET_ANY);

	switch (operand->kind) {
	case PTX_OPERAND_REG:
		value_join(fl, &fl->regs[operand->id], v);
		break;
	case PTX_OPERAND_PAIR:
		flag.deps = v.deps;
		flow_define(fl, &operand->elems[0], v);
		flow_define(fl, &operand->elems[1], flag);
		break;
	case PTX_OPERAND_VEC:
		v.offset = OFFSET_ANY;
		for (unsigned i = 0; i < operand->count; i++)
			flow_define(fl, &operand->elems[i], v);
		break;
	default:
		break;
	}
}

/* --- Arithmetic -------------------------------------------------------------------------------------------------- */

static bool is_float(const struct ptx_inst *inst, unsigned type)
{
	return type < inst->opcode->ntypes && ptx_type_kind(inst->opcode->type[type]) == PTX_KIND_FLOAT;
}

static unsigned type_bits(const struct ptx_inst *inst)
{
	return inst->opcode->ntypes ? ptx_type_bits(inst->opcode->type[0]) : 64;
}

/* Every possible root is a pointer for certain: what is added is an offset. */
static bool must_point(const struct flow *fl, set_id s)
{
	const struct set *v = set_get(fl->owner->sets, s);

	for (uint32_t i = 0; i < v->count; i++)
		if ((v->elems[i] & ELEM_STATE) != ELEM_WHOLE || !fl->roots.data[ELEM_ROOT(v->elems[i])].definite)
			return false;
	return v->count > 0;
}

/* Only what came from outside as data: integers, and values read from memory or parameters. */
static bool is_offset(const struct flow *fl, set_id s)
{
	const struct set *v = set_get(fl->owner->sets, s);

	for (uint32_t i = 0; i < v->count; i++)
		if (fl->roots.data[ELEM_ROOT(v->elems[i])].definite)
			return false;
	return true;
}

static struct value mix(struct flow *fl, struct value a, struct value b)
{
	struct set_table *t = fl->owner->sets;

	a.set = set_union(t, set_union(t, a.set, b.set), fl->owner->integer);
	a.deps |= b.deps;
	a.offset = OFFSET_ANY;
	return a;
}

/* Roots of a sum or difference; an integer only when both may be. */
static set_id sum_roots(struct flow *fl, set_id a, set_id b)
{
	struct set_table *t = fl->owner->sets;
	uint32_t few[32], *elems = few, n = 0;
	const struct set *v;
	set_id both = set_union(t, a, b), result;

	if (must_point(fl, a) && is_offset(fl, b))
		return a;
	if (must_point(fl, b) && is_offset(fl, a))
		return b;
	fl->ambiguous |= a != fl->owner->integer && b != fl->owner->integer;
	if (!set_has(t, both, ELEM_INTEGER) || (set_has(t, a, ELEM_INTEGER) && set_has(t, b, ELEM_INTEGER)))
		return both;
	v = set_get(t, both);
	if (v->count > 32)
		elems = xmalloc(v->count * sizeof *elems);
	for (uint32_t i = 0; i < v->count; i++)
		if (v->elems[i] != ELEM_INTEGER)
			elems[n++] = v->elems[i];
	result = set_of(t, elems, n);
	if (elems != few)
		free(elems);
	return result;
}

static struct value add(struct flow *fl, struct value a, struct value b)
{
	struct value v = {SET_EMPTY, a.deps | b.deps, OFFSET_ANY};

	if (a.set == SET_EMPTY || b.set == SET_EMPTY)
		return v;
	if (b.set == fl->owner->integer && a.set != b.set)
		v.set = a.set;
	else if (a.set == fl->owner->integer)
		v.set = b.set;
	else
		v.set = sum_roots(fl, a.set, b.set);
	if (a.offset != OFFSET_ANY && b.offset != OFFSET_ANY &&
	    (a.set == fl->owner->integer || b.set == fl->owner->integer) &&
	    __builtin_add_overflow(a.offset, b.offset, &v.offset))
		v.offset = OFFSET_ANY;
	return v;
}

static struct value subtract(struct flow *fl, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);

	if (a.set == SET_EMPTY || b.set == SET_EMPTY)
		v.set = SET_EMPTY;
	else if (b.set == fl->owner->integer || (must_point(fl, a.set) && is_offset(fl, b.set)))
		v.set = a.set;
	if (b.set == fl->owner->integer && a.offset != OFFSET_ANY && b.offset != OFFSET_ANY &&
	    __builtin_sub_overflow(a.offset, b.offset, &v.offset))
		v.offset = OFFSET_ANY;
	return v;
}

/* The number that a value certainly is, or OFFSET_ANY. */
static int64_t constant(const struct flow *fl, struct value v)
{
	return v.set == fl->owner->integer ? v.offset : OFFSET_ANY;
}

/* `factor` = OFFSET_ANY: some number, which may be 1. */
static set_id multiplied(struct set_table *t, set_id s, int64_t factor)
{
	if (factor == OFFSET_ANY)
		return set_union(t, s, set_change(t, s, CHANGE_MULTIPLY));
	if (factor == 0 || factor == 1 || factor == -1)
		return s;
	return set_change(t, s, factor > UINT32_MAX || factor < INT32_MIN ? CHANGE_ASSEMBLE : CHANGE_MULTIPLY);
}

static set_id shifted_right(struct set_table *t, set_id s, int64_t amount)
{
	set_id shifted = set_change(t, s, CHANGE_SHIFT);

	return amount == OFFSET_ANY || amount <= 0 ? set_union(t, s, shifted) : shifted;
}

static struct value multiply(struct flow *fl, const struct ptx_inst *inst, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);
	int64_t factor = constant(fl, a) != OFFSET_ANY ? constant(fl, a) : constant(fl, b);

	if (ptx_has_mod(inst->opcode, PTX_MOD_hi))
		v.set = shifted_right(fl->owner->sets, v.set, OFFSET_ANY);
	else
		v.set = multiplied(fl->owner->sets, v.set, factor);
	return v;
}

static struct value divide(struct flow *fl, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);
	int64_t divisor = constant(fl, b);

	v.set = shifted_right(fl->owner->sets, v.set, divisor > 1 ? 1 : OFFSET_ANY);
	return v;
}

/* A mask of high bits aligns a pointer, one of low bits leaves a part of it. */
static struct value mask(struct flow *fl, struct value a, struct value b)
{
	bool first = constant(fl, a) != OFFSET_ANY;
	struct value pointer = first ? b : a, v = mix(fl, a, b);
	int64_t bits = constant(fl, first ? a : b);

	if (bits == OFFSET_ANY)
		return v;
	if (bits >= 0 && bits <= UINT32_MAX)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	else if (bits < 0)
		v.set = pointer.set;
	return v;
}

/* The shift amount holds no bits of the result. */
static struct value shift(struct flow *fl, const struct ptx_inst *inst, struct value a, struct value amount)
{
	struct set_table *t = fl->owner->sets;
	struct value v = mix(fl, a, a);
	int64_t bits = constant(fl, amount);

	v.deps |= amount.deps;
	switch (inst->opcode->op) {
	case PTX_OP_shl:
		if (bits == OFFSET_ANY || bits >= 32)
			v.set = type_bits(inst) == 64 ? set_change(t, v.set, CHANGE_ASSEMBLE) : v.set;
		else
			v.set = multiplied(t, v.set, (int64_t)1 << (bits & 31));
		break;
	case PTX_OP_shr:
		v.set = shifted_right(t, v.set, bits);
		break;
	case PTX_OP_bfe:
		v.set = shifted_right(t, v.set, OFFSET_ANY);
		break;
	default:
		break;
	}
	return v;
}

static struct value all_sources(struct flow *fl, const struct ptx_inst *inst, unsigned last)
{
	struct value v = {SET_EMPTY, 0, OFFSET_ANY};

	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_SRC || role == PTX_ROLE_DSTSRC) {
			struct value source = flow_operand(fl, &inst->operands[i]);

			v.deps |= source.deps;
			if (i <= last)
				v.set = set_union(fl->owner->sets, v.set, source.set);
		}
	}
	return v;
}

static void define_all(struct flow *fl, const struct ptx_inst *inst, struct value v)
{
	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			flow_define(fl, &inst->operands[i], v);
	}
}

static void step_none(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = value_integer(fl->owner, OFFSET_ANY);

	v.deps = all_sources(fl, inst, 0).deps;
	define_all(fl, inst, v);
}

/* COPY and SELECT: the operands that may be the result are 1 to `last`. */
static void step_copy(struct flow *fl, const struct ptx_inst *inst, unsigned last)
{
	define_all(fl, inst, all_sources(fl, inst, last));
}

static void step_mix(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = all_sources(fl, inst, UINT32_MAX);

	v.set = set_union(fl->owner->sets, v.set, fl->owner->integer);
	if (inst->opcode->op == PTX_OP_bfi && type_bits(inst) == 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_ASSEMBLE);
	define_all(fl, inst, v);
}

static void step_mov(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];
	struct value v = flow_operand(fl, from);
	unsigned bits = type_bits(inst);

	if (to->kind == PTX_OPERAND_VEC && to->count && bits / to->count < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	else if (from->kind == PTX_OPERAND_VEC && bits >= 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_ASSEMBLE);
	flow_define(fl, to, v);
}

static void step_convert(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = flow_operand(fl, &inst->operands[1]);

	if (is_float(inst, 0) || is_float(inst, 1)) {
		step_none(fl, inst);
		return;
	}
	if (type_bits(inst) < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	flow_define(fl, &inst->operands[0], v);
}

static void step_address(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = flow_operand(fl, &inst->operands[1]);
	const struct set *roots = set_get(fl->owner->sets, v.set);
	struct root *root = &fl->roots.data[roots->count == 1 ? ELEM_ROOT(roots->elems[0]) : 0];

	if (root->kind == ROOT_PARAM && (roots->elems[0] & ELEM_STATE) == ELEM_WHOLE)
		root->definite = true;
	flow_define(fl, &inst->operands[0], v);
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

void flow_record(struct flow *fl, uint32_t inst, unsigned flags, enum ptx_space space, struct value address)
{
	set_id targets;
	const struct set *v;

	if (space != PTX_SPACE_GENERIC && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST)
		return;
	targets = address.set == SET_EMPTY ? fl->owner->unknown : flow_targets(fl, address, space);
	v = set_get(fl->owner->sets, targets);
	if (v->count == 1 && (v->elems[0] & ELEM_LOCAL))
		return;
	vec_push(&fl->accesses, (struct flow_access){inst, (uint8_t)flags, (uint8_t)space, targets, address.deps});
}

static uint32_t index_of(const struct flow *fl, const struct ptx_inst *inst)
{
	return (uint32_t)(inst - fl->function->insts);
}

static void step_load(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0];
	struct value address = flow_operand(fl, &inst->operands[1]);
	unsigned bytes = (type_bits(inst) + 7) / 8;
	enum ptx_space space = inst->opcode->space;

	flow_record(fl, index_of(fl, inst), ACCESS_LOAD, space, address);
	if (to->kind != PTX_OPERAND_VEC) {
		flow_define(fl, to, flow_load(fl, address, 0, bytes, space));
		return;
	}
	for (unsigned i = 0; i < to->count; i++)
		flow_define(fl, &to->elems[i], flow_load(fl, address, (int64_t)i * bytes, bytes, space));
}

static void step_store(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *from = &inst->operands[1];
	struct value address = flow_operand(fl, &inst->operands[0]);
	unsigned bytes = (type_bits(inst) + 7) / 8;
	enum ptx_space space = inst->opcode->space;

	flow_record(fl, index_of(fl, inst), ACCESS_STORE, space, address);
	for (unsigned i = 0; i < (from->kind == PTX_OPERAND_VEC ? from->count : 1u); i++) {
		struct value v = flow_operand(fl, from->kind == PTX_OPERAND_VEC ? &from->elems[i] : from);

		if (bytes != 8)
			v.offset = OFFSET_ANY;
		if (bytes >= 8)
			v.set = set_change(fl->owner->sets, v.set, CHANGE_SPILL);
		flow_store(fl, address, (int64_t)i * bytes, bytes, v, space);
	}
}

/*
 * Instructions that reach memory which their operand does not name: a tensor, which only its map knows, and
 * multicast memory, which other addresses reach as well.
 */
static bool hides_memory(enum ptx_op op, enum ptx_space space)
{
	switch (op) {
	case PTX_OP_cp_async_bulk_tensor:
	case PTX_OP_cp_reduce_async_bulk_tensor:
	case PTX_OP_multimem_ld_reduce:
	case PTX_OP_multimem_st:
	case PTX_OP_multimem_red:
	case PTX_OP_multimem_cp_async_bulk:
	case PTX_OP_multimem_cp_reduce_async_bulk:
		return space != PTX_SPACE_SHARED;
	default:
		return false;
	}
}

static unsigned role_flags(enum ptx_role role)
{
	switch (role) {
	case PTX_ROLE_LOAD:
		return ACCESS_LOAD;
	case PTX_ROLE_STORE:
		return ACCESS_STORE;
	case PTX_ROLE_ATOMIC:
		return ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC;
	default:
		return 0;
	}
}

/* The space of the n-th address: as written for the first two, and a barrier in shared memory after that. */
static enum ptx_space address_space(const struct ptx_opcode *opcode, unsigned nth)
{
	if (opcode->cls == PTX_CLASS_BARRIER || nth > 1)
		return PTX_SPACE_SHARED;
	return nth == 1 && opcode->space2 != PTX_SPACE_GENERIC ? opcode->space2 : opcode->space;
}

/* Any instruction with addresses: all that is loaded, and all sources, go to all that is stored and defined. */
static void step_memory(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = all_sources(fl, inst, UINT32_MAX);
	struct value addresses[4];
	unsigned flags[4], n = 0;
	enum ptx_space spaces[4];

	if (inst->opcode->cls == PTX_CLASS_TEXTURE) {
		step_none(fl, inst);
		return;
	}
	v.set = set_union(fl->owner->sets, v.set, fl->owner->integer);
	for (unsigned i = 0; i < inst->noperands && n < 4; i++) {
		flags[n] = role_flags(ptx_operand_role(inst, i));
		if (!flags[n])
			continue;
		spaces[n] = address_space(inst->opcode, n);
		addresses[n] = flow_operand(fl, &inst->operands[i]);
		if (hides_memory(inst->opcode->op, spaces[n])) {
			flags[n] |= ACCESS_HIDDEN;
			spaces[n] = PTX_SPACE_GLOBAL;
			addresses[n] = value_unknown(fl->owner);
		}
		flow_record(fl, index_of(fl, inst), flags[n], spaces[n], addresses[n]);
		n++;
	}
	for (unsigned i = 0; i < n; i++)
		if (flags[i] & ACCESS_LOAD) {
			struct value loaded = flow_load(fl, addresses[i], OFFSET_ANY, 8, spaces[i]);

			v.set = set_union(fl->owner->sets, v.set, loaded.set);
			v.deps |= loaded.deps | DEP_MEMORY;
		}
	for (unsigned i = 0; i < n; i++)
		if (flags[i] & ACCESS_STORE)
			flow_store(fl, addresses[i], OFFSET_ANY, 8, v, spaces[i]);
	if (type_bits(inst) < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	define_all(fl, inst, v);
}

static bool has_address(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (role_flags(ptx_operand_role(inst, i)))
			return true;
	return false;
}

/* --- The function ------------------------------------------------------------------------------------------------ */

static void step_default(struct flow *fl, const struct ptx_inst *inst)
{
	if (has_address(inst))
		step_memory(fl, inst);
	else if (is_float(inst, 0))
		step_none(fl, inst);
	else
		step_mix(fl, inst);
}

static void step_alloca(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = value_root(fl, flow_root(fl, ROOT_LOCAL, PTX_NONE - 1 - index_of(fl, inst), 0));

	flow_define(fl, &inst->operands[0], v);
}

/* Integer instructions with two or three sources; false for their float forms. */
static bool step_integer(struct flow *fl, const struct ptx_inst *inst, enum transfer transfer)
{
	struct value a, b, v;

	if (is_float(inst, 0) || inst->noperands < 3)
		return false;
	a = flow_operand(fl, &inst->operands[1]);
	b = flow_operand(fl, &inst->operands[2]);
	switch (transfer) {
	case TRANSFER_ADD:
		v = add(fl, a, b);
		break;
	case TRANSFER_SUB:
		v = subtract(fl, a, b);
		break;
	case TRANSFER_MUL:
		v = multiply(fl, inst, a, b);
		break;
	case TRANSFER_MAD:
		v = add(fl, multiply(fl, inst, a, b), flow_operand(fl, &inst->operands[3]));
		break;
	case TRANSFER_DIV:
		v = divide(fl, a, b);
		break;
	case TRANSFER_AND:
		v = mask(fl, a, b);
		break;
	default:
		v = shift(fl, inst, a, b);
		break;
	}
	flow_define(fl, &inst->operands[0], v);
	return true;
}

static void step(struct flow *fl, const struct ptx_inst *inst, uint32_t *ncalls)
{
	enum transfer transfer = transfers[inst->opcode->op];

	switch (transfer) {
	case TRANSFER_NONE:
		step_none(fl, inst);
		break;
	case TRANSFER_COPY:
		if (is_float(inst, 0))
			step_none(fl, inst);
		else
			step_copy(fl, inst, 3);
		break;
	case TRANSFER_SELECT:
		step_copy(fl, inst, 2);
		break;
	case TRANSFER_MOV:
		step_mov(fl, inst);
		break;
	case TRANSFER_CONVERT:
		step_convert(fl, inst);
		break;
	case TRANSFER_ADDRESS:
		step_address(fl, inst);
		break;
	case TRANSFER_LOAD:
		step_load(fl, inst);
		break;
	case TRANSFER_STORE:
		step_store(fl, inst);
		break;
	case TRANSFER_ALLOCA:
		step_alloca(fl, inst);
		break;
	case TRANSFER_CALL:
		flow_call(fl, &fl->calls.data[(*ncalls)++]);
		break;
	default:
		if (transfer == TRANSFER_MIX || !step_integer(fl, inst, transfer))
			step_default(fl, inst);
		break;
	}
}

static void run_to_fixpoint(struct flow *fl)
{
	do {
		uint32_t ncalls = 0;

		fl->changed = false;
		fl->accesses.len = 0;
		for (uint32_t i = 0; i < fl->function->ninsts; i++)
			step(fl, &fl->function->insts[i], &ncalls);
		flow_close_escapes(fl);
	} while (fl->changed);
}

/*
 * A parameter that is the only possible base of some address is a pointer. Knowing that, sums with it lose what
 * was an offset, so the facts are worth computing again. True if there is something new to know.
 */
static bool find_pointers(struct flow *fl)
{
	bool found = false;

	for (size_t i = 0; i < fl->accesses.len; i++) {
		const struct set *v = set_get(fl->owner->sets, fl->accesses.data[i].set);
		struct root *root = &fl->roots.data[v->count == 1 ? ELEM_ROOT(v->elems[0]) : 0];

		if (root->kind != ROOT_PARAM || root->definite)
			continue;
		found = root->definite = true;
	}
	return found && fl->ambiguous;
}

static void forget(struct flow *fl)
{
	const struct value none = {SET_EMPTY, 0, 0};

	memset(fl->regs, 0, fl->function->nregs * sizeof *fl->regs);
	for (size_t i = 0; i < fl->roots.len; i++) {
		fl->roots.data[i].any = fl->roots.data[i].all = none;
		fl->roots.data[i].nslots = 0;
	}
	fl->slots.len = 0;
	if (fl->slot_cap)
		memset(fl->slot_index, 0, fl->slot_cap * sizeof *fl->slot_index);
	fl->published = fl->wild = none;
	fl->ambiguous = false;
}

void flow_function(struct flow *fl)
{
	run_to_fixpoint(fl);
	if (find_pointers(fl)) {
		forget(fl);
		run_to_fixpoint(fl);
	}
}
