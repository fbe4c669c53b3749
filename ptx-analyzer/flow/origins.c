/*
 * Transfer functions: what each instruction's results may be derived from.
 *
 * The rule is that a result carries the roots of all operands. The exceptions are listed with `enum transfer` below;
 * docs/soundness.md argues each of them.
 */
#include "ptx-analyzer/flow/flow.h"

#include "common/integer.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "verdict/pointer_tags.h"

enum transfer {
	TRANSFER_MIX,     /* the default: all operands' roots, and maybe a plain integer; none for float arithmetic */
	TRANSFER_NONE,    /* a number that no address is made of: comparisons, counts, float arithmetic */
	TRANSFER_COPY,    /* one of the operands */
	TRANSFER_SELECT,  /* one of the first two operands, unchanged */
	TRANSFER_MOV,     /* a copy, or packing and unpacking of vectors */
	TRANSFER_CONVERT, /* a copy; parts of pointers when it narrows */
	TRANSFER_ADDRESS, /* cvta: a copy, and the operand is a pointer */
	TRANSFER_INTEGER, /* see flow_arithmetic.c */
	TRANSFER_LOAD,    /* ld, ldu: every element from its own place */
	TRANSFER_STORE,   /* st */
	TRANSFER_ALLOCA,
	TRANSFER_GRID,   /* griddepcontrol */
	TRANSFER_TENSOR, /* what goes into tensor memory or comes out of it, or is made of shared memory */
	TRANSFER_CALL,
};

/* clang-format off */
static const uint8_t transfers[PTX_OP_COUNT] = {
	[PTX_OP_setp] = TRANSFER_NONE, [PTX_OP_set] = TRANSFER_NONE, [PTX_OP_testp] = TRANSFER_NONE,
	[PTX_OP_popc] = TRANSFER_NONE, [PTX_OP_clz] = TRANSFER_NONE, [PTX_OP_bfind] = TRANSFER_NONE,
	[PTX_OP_fns] = TRANSFER_NONE, [PTX_OP_cnot] = TRANSFER_NONE, [PTX_OP_isspacep] = TRANSFER_NONE,
	[PTX_OP_istypep] = TRANSFER_NONE, [PTX_OP_getctarank] = TRANSFER_NONE, [PTX_OP_vote] = TRANSFER_NONE,
	[PTX_OP_match] = TRANSFER_NONE, [PTX_OP_activemask] = TRANSFER_NONE, [PTX_OP_elect] = TRANSFER_NONE,
	[PTX_OP_mma] = TRANSFER_NONE, [PTX_OP_wmma_mma] = TRANSFER_NONE,
	[PTX_OP_wgmma_mma_async] = TRANSFER_TENSOR, [PTX_OP_tcgen05_ld] = TRANSFER_TENSOR,
	[PTX_OP_tcgen05_ld_red] = TRANSFER_TENSOR, [PTX_OP_tcgen05_st] = TRANSFER_TENSOR, [PTX_OP_mov] = TRANSFER_MOV,
	[PTX_OP_cvt] = TRANSFER_CONVERT,
	[PTX_OP_cvta] = TRANSFER_ADDRESS, [PTX_OP_mapa] = TRANSFER_INTEGER, [PTX_OP_selp] = TRANSFER_SELECT,
	[PTX_OP_slct] = TRANSFER_SELECT, [PTX_OP_shfl] = TRANSFER_INTEGER, [PTX_OP_min] = TRANSFER_COPY,
	[PTX_OP_max] = TRANSFER_COPY, [PTX_OP_add] = TRANSFER_INTEGER, [PTX_OP_sub] = TRANSFER_INTEGER,
	[PTX_OP_mad] = TRANSFER_INTEGER, [PTX_OP_mul] = TRANSFER_INTEGER, [PTX_OP_div] = TRANSFER_INTEGER,
	[PTX_OP_and] = TRANSFER_INTEGER, [PTX_OP_shl] = TRANSFER_INTEGER, [PTX_OP_shr] = TRANSFER_INTEGER,
	[PTX_OP_bfe] = TRANSFER_INTEGER, [PTX_OP_ld] = TRANSFER_LOAD, [PTX_OP_ldu] = TRANSFER_LOAD,
	[PTX_OP_st] = TRANSFER_STORE, [PTX_OP_alloca] = TRANSFER_ALLOCA, [PTX_OP_call] = TRANSFER_CALL,
	[PTX_OP_griddepcontrol] = TRANSFER_GRID,
};
/* clang-format on */

static struct value all_sources(struct flow *fl, const struct ptx_inst *inst, unsigned last)
{
	struct value v = {.offset = OFFSET_ANY};
	set_id beside = SET_EMPTY;
	uint64_t deps = 0;

	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_SRC || role == PTX_ROLE_DSTSRC) {
			struct value source = flow_operand(fl, &inst->operands[i]);

			deps |= source.deps;
			if (i > last)
				continue;
			beside = set_union(fl->owner->sets, beside, source.beside);
			value_gather(fl, &v, source);
		}
	}
	v = value_unplaced(v);
	v.beside = beside;
	v.deps = deps;
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

/* True if the value is an unchanged pointer from the launch. */
static bool is_as_given(const struct flow *fl, struct value v)
{
	const struct set *s = set_get(fl->owner->sets, v.set);

	return s->count == 1 && fl->roots.data[ELEM_ROOT(s->elems[0])].kind == ROOT_PARAM &&
	       (s->elems[0] & ELEM_STATE) == ELEM_WHOLE && v.offset == 0 && v.beside == SET_EMPTY;
}

/*
 * Does the instruction compare a kernel's parameter with null or with another parameter, both unchanged? The result is
 * one bit, so it does not carry a pointer's bits.
 */
static bool compares_as_given(struct flow *fl, const struct ptx_inst *inst)
{
	unsigned params = 0, nulls = 0;

	if (!fl->function->is_kernel || inst->opcode->op != PTX_OP_setp || inst->noperands != 3)
		return false;
	for (unsigned i = 1; i <= 2; i++) {
		struct value v = flow_operand(fl, &inst->operands[i]);

		params += is_as_given(fl, v);
		nulls += v.set == fl->owner->integer && v.offset == 0 && v.beside == SET_EMPTY;
	}
	return params > 0 && params + nulls == 2;
}

/*
 * The result is computed from the operands and copies none of their bits, so it cannot be an address without further
 * values.
 */
static void step_none(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = value_integer(fl->owner, OFFSET_ANY), sources = all_sources(fl, inst, UINT32_MAX);

	v.deps = sources.deps;
	if (!compares_as_given(fl, inst))
		v.beside = value_bits(fl->owner, sources);
	define_all(fl, inst, v);
}

/*
 * The result is one of the first two operands. If these are at constant distances, its distance may be either. The
 * choice tells something of the values that the condition was computed from.
 */
static void step_select(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = {.offset = OFFSET_ANY};

	for (unsigned i = 1; i <= 2; i++)
		value_gather(fl, &v, flow_operand(fl, &inst->operands[i]));
	for (unsigned i = 3; i < inst->noperands; i++) {
		struct value condition = flow_operand(fl, &inst->operands[i]);

		v.deps |= condition.deps;
		v.beside = set_union(fl->owner->sets, v.beside, value_bits(fl->owner, condition));
	}
	define_all(fl, inst, v);
}

/*
 * An `or` of a local address and bits below the alignment of its variable. Compilers add this way where these bits of
 * the address are zero. So the sum is known: its upper bits are the variable's.
 */
static bool step_local_or(struct flow *fl, const struct ptx_inst *inst)
{
	struct value a = flow_operand(fl, &inst->operands[1]), b = flow_operand(fl, &inst->operands[2]);
	struct value place = a.set == fl->owner->integer ? b : a, number = a.set == fl->owner->integer ? a : b;
	const struct set *s = set_get(fl->owner->sets, place.set);
	int64_t align, low;

	if (s->count != 1 || number.set != fl->owner->integer || place.offset == OFFSET_ANY)
		return false;
	align = flow_local_align(fl, ELEM_ROOT(s->elems[0]));
	if (number.offset < 0 || number.offset >= align)
		return false;
	low = place.offset & (align - 1);
	place.offset += (low | number.offset) - low;
	place.deps |= number.deps;
	place.beside = set_union(fl->owner->sets, place.beside, number.beside);
	flow_define(fl, &inst->operands[0], place);
	return true;
}

static bool may_be_pointer(const struct flow *fl, const struct root *r)
{
	if (r->kind == ROOT_PARAM)
		return fl->owner->module->symbols[fl->function->params[r->index]].size >= 8;
	return r->kind != ROOT_INTEGER && r->kind != ROOT_FUNCTION;
}

/*
 * A sum of a pointer and a number is usual. But a value that is joined bit by bit with a pointer is its other half or a
 * mask, and counts as a pointer too.
 */
static void note_joined(struct flow *fl, enum ptx_op op, set_id set)
{
	const struct set *v = set_get(fl->owner->sets, set);
	set_id pointers = SET_EMPTY;

	if (op != PTX_OP_or && op != PTX_OP_xor && op != PTX_OP_lop3 && op != PTX_OP_bfi)
		return;
	for (uint32_t i = 0; i < v->count; i++) {
		if (may_be_pointer(fl, &fl->roots.data[ELEM_ROOT(v->elems[i])]))
			pointers = set_union(fl->owner->sets, pointers,
					     set_single(fl->owner->sets, v->elems[i] & ~ELEM_STATE));
		v = set_get(fl->owner->sets, set);
	}
	if (set_get(fl->owner->sets, pointers)->count > 1)
		flow_note_kin(fl, pointers);
}

/* An `or` with bits below the alignment of allocations stays in its allocation. */
static bool sets_low_bits(struct flow *fl, const struct ptx_inst *inst)
{
	for (unsigned i = 1; inst->opcode->op == PTX_OP_or && i <= 2; i++) {
		struct value v = flow_operand(fl, &inst->operands[i]);

		if (v.set == fl->owner->integer && v.offset >= 0 && v.offset < GUARD_ALIGN)
			return true;
	}
	return false;
}

/* Different parameters that a launch looks up as words. */
static unsigned words_of_params(const struct flow *fl, set_id s)
{
	const struct set *v = set_get(fl->owner->sets, s);
	unsigned n = 0;

	for (uint32_t i = 0; i < v->count; i++) {
		const struct root *r = &fl->roots.data[ELEM_ROOT(v->elems[i])];

		n += r->kind == ROOT_PARAM && (v->elems[i] & ELEM_STATE) == ELEM_WHOLE && may_be_pointer(fl, r);
	}
	return n;
}

/*
 * True if the result may be an address, made with a parameter's bits, that this parameter does not name. A sum hides no
 * parameter: a launch treats each of its parameters as a pointer, and runs without marks unless it knows them all. The
 * `xor` of two addresses is no address, but the `xor` of three may be. The `or` of two may be one if masks have left
 * parts of each. The complement of an address is no address.
 */
static bool hides_params(struct flow *fl, const struct ptx_inst *inst, unsigned words)
{
	unsigned rooted = 0;

	if (inst->opcode->op == PTX_OP_not)
		return false;
	for (unsigned i = 0; i < inst->noperands; i++) {
		struct value v = flow_operand(fl, &inst->operands[i]);

		if (ptx_operand_role(inst, i) != PTX_ROLE_SRC)
			continue;
		if (inst->opcode->op == PTX_OP_xor && v.set == fl->owner->integer && v.offset == -1)
			return false;
		rooted += v.set != fl->owner->integer;
	}
	if (inst->opcode->op == PTX_OP_or && words > 1)
		return true;
	return rooted < 2 || (inst->opcode->op == PTX_OP_xor && words > 2);
}

/* The complement of a pointer has its distance with the other sign. */
static void lose_bias(struct flow *fl, const struct ptx_inst *inst, struct value *v)
{
	for (unsigned i = 0; i < inst->noperands; i++) {
		struct value source;

		if (ptx_operand_role(inst, i) != PTX_ROLE_SRC)
			continue;
		source = value_unplaced(flow_operand(fl, &inst->operands[i]));
		flow_note_drift(fl, source);
		source.bias = (int64_t)(0 - (uint64_t)source.bias);
		if (inst->opcode->op == PTX_OP_not || inst->opcode->op == PTX_OP_xor)
			flow_note_drift(fl, source);
	}
	v->bias = 0;
}

/* An unsigned remainder is less than its divisor. */
static struct value bound_remainder(struct flow *fl, const struct ptx_inst *inst, struct value v)
{
	struct value divisor = flow_operand(fl, &inst->operands[2]);

	if (ptx_type_kind(inst->opcode->type[0]) != PTX_KIND_UNSIGNED || divisor.set != fl->owner->integer ||
	    divisor.offset <= 1 || divisor.offset > INT16_MAX)
		return v;
	return range_number(v, divisor.offset - 1);
}

static void step_mix(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = all_sources(fl, inst, UINT32_MAX);

	if (inst->opcode->op == PTX_OP_or && step_local_or(fl, inst))
		return;
	lose_bias(fl, inst, &v);
	v.set = set_union(fl->owner->sets, v.set, fl->owner->integer);
	if (flow_type_bits(inst) == 64)
		note_joined(fl, inst->opcode->op, v.set);
	if (inst->opcode->op == PTX_OP_bfi && flow_type_bits(inst) == 64)
		v.set = flow_assemble(fl, v.set, CHANGE_ASSEMBLE);
	if (inst->opcode->op == PTX_OP_rem)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	if (!sets_low_bits(fl, inst))
		v.set = flow_recode(fl, v.set, hides_params(fl, inst, words_of_params(fl, v.set)));
	define_all(fl, inst, inst->opcode->op == PTX_OP_rem ? bound_remainder(fl, inst, v) : v);
}

/* mov.v2 and mov.v4: each element by itself, all read before the first is written. */
static void step_mov_vector(struct flow *fl, const struct ptx_inst *inst)
{
	enum { MOST = 8 };
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];
	struct value values[MOST];
	unsigned n = to->count < MOST ? to->count : MOST;

	for (unsigned i = 0; i < n; i++)
		values[i] = flow_operand(fl, from->kind == PTX_OPERAND_VEC && i < from->count ? &from->elems[i] : from);
	for (unsigned i = 0; i < n; i++)
		flow_define(fl, &to->elems[i], values[i]);
}

static void step_mov(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];
	struct value v = flow_operand(fl, from);
	unsigned bits = flow_type_bits(inst);

	if (to->kind == PTX_OPERAND_VEC && to->count && bits / to->count < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	else if (from->kind == PTX_OPERAND_VEC && bits >= 64)
		v.set = flow_assemble(fl, v.set, CHANGE_ASSEMBLE);
	flow_define(fl, to, v);
}

static void step_convert(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = flow_operand(fl, &inst->operands[1]);

	if (flow_is_float(inst, 0) || flow_is_float(inst, 1)) {
		step_none(fl, inst);
		return;
	}
	if (flow_type_bits(inst) < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	v = range_convert(v, ptx_type_bits(inst->opcode->type[1]), flow_type_bits(inst));
	flow_define(fl, &inst->operands[0],
		    steps_convert(v, ptx_type_bits(inst->opcode->type[1]), flow_type_bits(inst)));
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

/* --- Memory --- */

static uint16_t step_of(struct value address)
{
	if (address.offset != OFFSET_ANY)
		return 0;
	return address.step > 1 && !address.counts ? address.step : 1;
}

void flow_record(struct flow *fl, uint32_t inst, unsigned flags, enum ptx_space space, struct value address)
{
	set_id targets, beside;
	const struct set *v;

	if (space != PTX_SPACE_GENERIC && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST)
		return;
	targets = address.set == SET_EMPTY ? fl->owner->unknown : flow_targets(fl, address, space);
	beside = value_beside(fl->owner, address);
	v = set_get(fl->owner->sets, targets);
	if (v->count == 1 && (v->elems[0] & ELEM_LOCAL) && beside == SET_EMPTY)
		return;
	vec_push(&fl->accesses,
		 (struct flow_access){.inst = inst,
				      .flags = (uint8_t)flags,
				      .space = (uint8_t)space,
				      .set = targets,
				      .beside = beside,
				      .deps = address.deps,
				      .bias = value_bias(address),
				      .wide = address.wide,
				      .step = step_of(address),
				      .at = address.offset == OFFSET_ANY ? address.rest : address.offset});
}

static uint32_t index_of(const struct flow *fl, const struct ptx_inst *inst)
{
	return (uint32_t)(inst - fl->function->insts);
}

static void step_load(struct flow *fl, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0];
	struct value address = flow_operand(fl, &inst->operands[1]);
	unsigned bytes = (unsigned)divide_up(flow_type_bits(inst), 8);
	enum ptx_space space = inst->opcode->space;

	flow_record(fl, index_of(fl, inst), ACCESS_LOAD,
		    space == PTX_SPACE_GENERIC && flow_is_asked_global(fl, inst) ? PTX_SPACE_GLOBAL : space, address);
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
	unsigned bytes = (unsigned)divide_up(flow_type_bits(inst), 8);
	enum ptx_space space = inst->opcode->space;

	flow_record(fl, index_of(fl, inst), ACCESS_STORE, space, address);
	for (unsigned i = 0; i < (from->kind == PTX_OPERAND_VEC ? from->count : 1u); i++) {
		struct value v = flow_operand(fl, from->kind == PTX_OPERAND_VEC ? &from->elems[i] : from);

		v.beside = set_union(fl->owner->sets, v.beside, fl->guard);
		if (bytes != 8)
			v = value_unplaced(v);
		if (bytes >= 8)
			v.set = set_change(fl->owner->sets, v.set, CHANGE_SPILL);
		flow_store(fl, address, (int64_t)i * bytes, bytes, v, space);
	}
}

static unsigned role_flags(enum ptx_role role)
{
	switch (role) {
	case PTX_ROLE_LOAD: return ACCESS_LOAD;
	case PTX_ROLE_STORE: return ACCESS_STORE;
	case PTX_ROLE_ATOMIC: return ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC;
	default: return 0;
	}
}

/* What memory in `space` may hold, whoever stored it there: bits of any pointer of this function, and of others. */
static struct value held_anywhere(struct flow *fl, const struct ptx_inst *inst, enum ptx_space space)
{
	unsigned bytes = (unsigned)divide_up(flow_type_bits(inst), 8);
	struct value sources = all_sources(fl, inst, UINT32_MAX);
	struct value v = flow_load(fl, value_unknown(fl->owner), OFFSET_ANY, bytes, space);

	v = value_unplaced(v);
	v.set = set_union(fl->owner->sets, v.set, fl->owner->integer);
	v.beside = set_union(fl->owner->sets, v.beside, value_bits(fl->owner, sources));
	v.deps |= sources.deps;
	return v;
}

/*
 * Tensor memory counts as shared memory at a place that is not known. So do matrices that a descriptor names. Products
 * of matrices are numbers, which may have bits of a pointer.
 */
static void step_tensor(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = value_integer(fl->owner, OFFSET_ANY), held;

	if (inst->opcode->op == PTX_OP_tcgen05_st) {
		flow_store(fl, value_unknown(fl->owner), OFFSET_ANY, 8, all_sources(fl, inst, UINT32_MAX),
			   PTX_SPACE_SHARED);
		return;
	}
	held = held_anywhere(fl, inst, PTX_SPACE_SHARED);
	if (inst->opcode->op == PTX_OP_wgmma_mma_async) {
		v.beside = value_bits(fl->owner, held);
		v.deps = held.deps;
		held = v;
	}
	define_all(fl, inst, held);
}

/*
 * A texture or surface counts as the memory that its handle or reference points to. What it holds may have been stored
 * through any other name: a value from it may be any pointer, or a part of one.
 */
static void step_image(struct flow *fl, const struct ptx_inst *inst)
{
	bool loads = false;

	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *op = &inst->operands[i];
		unsigned flags = role_flags(ptx_operand_role(inst, i));
		struct value image;

		if (!flags || op->kind != PTX_OPERAND_TEX)
			continue;
		image = flow_operand(fl, &op->elems[0]);
		image.deps |= flow_operand(fl, op).deps;
		flow_record(fl, index_of(fl, inst), flags, PTX_SPACE_GLOBAL, image);
		loads |= (flags & ACCESS_LOAD) != 0;
		if (flags & ACCESS_STORE)
			flow_store(fl, image, OFFSET_ANY, 8, all_sources(fl, inst, UINT32_MAX), PTX_SPACE_GLOBAL);
	}
	if (loads)
		define_all(fl, inst, held_anywhere(fl, inst, PTX_SPACE_GLOBAL));
}

/*
 * Any other instruction with addresses: all that it loads, and all its sources, flow into all that it stores and
 * defines.
 */
static void step_memory(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = all_sources(fl, inst, UINT32_MAX);
	struct value addresses[4];
	unsigned flags[4], n = 0;
	enum ptx_space spaces[4];

	if (inst->opcode->cls == PTX_CLASS_TEXTURE) {
		step_image(fl, inst);
		return;
	}
	v.set = set_union(fl->owner->sets, v.set, fl->owner->integer);
	for (unsigned i = 0; i < inst->noperands && n < 4; i++) {
		flags[n] = role_flags(ptx_operand_role(inst, i));
		if (!flags[n])
			continue;
		spaces[n] = ptx_address_space(inst->opcode, n);
		addresses[n] = flow_operand(fl, &inst->operands[i]);
		if (ptx_hides_memory(inst->opcode->op, spaces[n])) {
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
			v.beside = set_union(fl->owner->sets, v.beside, loaded.beside);
			v.deps |= loaded.deps | DEP_MEMORY;
		}
	for (unsigned i = 0; i < n; i++)
		if (flags[i] & ACCESS_STORE)
			flow_store(fl, addresses[i], OFFSET_ANY, 8, v, spaces[i]);
	if (flow_type_bits(inst) < 64)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	define_all(fl, inst, v);
}

/*
 * With programmatic dependent launch the kernel before may still write until the wait. So the wait counts as a store to
 * any memory.
 */
static void step_grid_dependency(struct flow *fl, const struct ptx_inst *inst)
{
	if (ptx_has_mod(inst->opcode, PTX_MOD_wait))
		flow_record(fl, index_of(fl, inst), ACCESS_STORE | ACCESS_DEPENDENCY, PTX_SPACE_GLOBAL,
			    value_unknown(fl->owner));
}

static bool has_address(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (role_flags(ptx_operand_role(inst, i)))
			return true;
	return false;
}

/* --- The function --- */

static void step_default(struct flow *fl, const struct ptx_inst *inst)
{
	if (has_address(inst))
		step_memory(fl, inst);
	else if (flow_is_float(inst, 0))
		step_none(fl, inst);
	else
		step_mix(fl, inst);
}

static void step_alloca(struct flow *fl, const struct ptx_inst *inst)
{
	struct value v = value_root(fl, flow_root(fl, ROOT_LOCAL, PTX_NONE - 1 - index_of(fl, inst), 0));

	flow_define(fl, &inst->operands[0], v);
}

static bool takes_carry(enum ptx_op op)
{
	return op == PTX_OP_addc || op == PTX_OP_subc || op == PTX_OP_madc;
}

/*
 * A carry may go from any instruction that leaves one to any that takes one. So the carry has a single value in a
 * function.
 */
static void step_carry(struct flow *fl, const struct ptx_inst *inst)
{
	struct value sources;

	if (takes_carry(inst->opcode->op))
		flow_define(fl, &inst->operands[0], fl->carry);
	if (!ptx_has_mod(inst->opcode, PTX_MOD_cc))
		return;
	sources = all_sources(fl, inst, UINT32_MAX);
	if (takes_carry(inst->opcode->op)) {
		sources.beside = set_union(fl->owner->sets, sources.beside, fl->carry.beside);
		sources.deps |= fl->carry.deps;
	}
	value_join(fl, &fl->carry,
		   (struct value){.set = fl->owner->integer,
				  .beside = value_bits(fl->owner, sources),
				  .deps = sources.deps,
				  .offset = OFFSET_ANY});
}

void flow_step(struct flow *fl, const struct ptx_inst *inst, uint32_t *ncalls)
{
	enum transfer transfer = transfers[inst->opcode->op];

	fl->wide = width_of_result(fl, inst);
	fl->guard = inst->predicate == PTX_NONE ? SET_EMPTY : value_bits(fl->owner, fl->regs[inst->predicate]);
	switch (transfer) {
	case TRANSFER_NONE: step_none(fl, inst); break;
	case TRANSFER_COPY:
		if (flow_is_float(inst, 0))
			step_none(fl, inst);
		else
			define_all(fl, inst, all_sources(fl, inst, 3));
		break;
	case TRANSFER_SELECT: step_select(fl, inst); break;
	case TRANSFER_MOV:
		if (inst->opcode->vec > 1 && inst->operands[0].kind == PTX_OPERAND_VEC)
			step_mov_vector(fl, inst);
		else
			step_mov(fl, inst);
		break;
	case TRANSFER_CONVERT: step_convert(fl, inst); break;
	case TRANSFER_ADDRESS: step_address(fl, inst); break;
	case TRANSFER_LOAD: step_load(fl, inst); break;
	case TRANSFER_STORE: step_store(fl, inst); break;
	case TRANSFER_ALLOCA: step_alloca(fl, inst); break;
	case TRANSFER_GRID: step_grid_dependency(fl, inst); break;
	case TRANSFER_TENSOR: step_tensor(fl, inst); break;
	case TRANSFER_CALL: flow_call(fl, &fl->calls.data[(*ncalls)++]); break;
	case TRANSFER_INTEGER:
		if (!flow_integer(fl, inst))
			step_default(fl, inst);
		break;
	default: step_default(fl, inst); break;
	}
	step_carry(fl, inst);
}
