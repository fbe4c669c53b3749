/*
 * Integer arithmetic on pointers. A sum keeps its base. A multiple or a part of a pointer is an address again only when
 * the operation is undone. Bit operations keep all roots.
 */
#include "ptx-analyzer/flow/flow.h"

#include "verdict/pointer_tags.h"

bool flow_is_float(const struct ptx_inst *inst, unsigned type)
{
	return type < inst->opcode->ntypes && ptx_type_kind(inst->opcode->type[type]) == PTX_KIND_FLOAT;
}

unsigned flow_type_bits(const struct ptx_inst *inst)
{
	return inst->opcode->ntypes ? ptx_type_bits(inst->opcode->type[0]) : 64;
}

/* True if every possible root is certainly a pointer. Then a number that is added to it is an offset. */
static bool must_point(const struct flow *fl, set_id s)
{
	const struct set *v = set_get(fl->owner->sets, s);

	for (uint32_t i = 0; i < v->count; i++)
		if ((v->elems[i] & ELEM_STATE) != ELEM_WHOLE || !fl->roots.data[ELEM_ROOT(v->elems[i])].definite)
			return false;
	return v->count > 0;
}

/* True if no root is certainly a pointer: the value holds integers, and values from memory or parameters. */
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
	a.beside = set_union(t, a.beside, b.beside);
	a.deps |= b.deps;
	a.offset = OFFSET_ANY;
	a.bias = 0;
	return object_none(steps_none(range_none(a)));
}

/* The bias of a quotient. It is lost if the divisor does not divide it: 8 / 4 is 2, 9 / 4 is lost. */
static int64_t quotient_bias(struct flow *fl, struct value v, int64_t divisor)
{
	if (divisor > 0 && value_bias(v) % divisor == 0)
		return value_bias(v) / divisor;
	flow_note_drift(fl, v);
	return 0;
}

/* `offset` is added to a pointer: its roots are kept in `beside`, and with them whether each is a whole word. */
static void keep_beside(const struct flow *fl, struct value *v, set_id offset)
{
	v->beside = set_union(fl->owner->sets, v->beside, set_roots(fl->owner, offset));
}

/* Compilers put the base of an address first. */
static void note_operand(struct flow *fl, set_id s, bool first)
{
	const struct set *v = set_get(fl->owner->sets, s);

	for (uint32_t i = 0; i < v->count; i++) {
		struct root *r = &fl->roots.data[ELEM_ROOT(v->elems[i])];

		if (r->kind == ROOT_PARAM && (v->elems[i] & ELEM_STATE) == ELEM_WHOLE) {
			r->first |= first;
			r->second |= !first;
		}
	}
}

/* Roots of a sum or difference. The result may be an integer only when both operands may be. */
static void sum_roots(struct flow *fl, set_id a, set_id b, struct value *v)
{
	struct set_table *t = fl->owner->sets;

	v->set = set_union(t, a, b);
	if (must_point(fl, a) && is_offset(fl, b)) {
		v->set = a;
		keep_beside(fl, v, b);
		return;
	}
	if (must_point(fl, b) && is_offset(fl, a)) {
		v->set = b;
		keep_beside(fl, v, a);
		return;
	}
	if (a != fl->owner->integer && b != fl->owner->integer) {
		fl->ambiguous = true;
		note_operand(fl, a, true);
		note_operand(fl, b, false);
	}
	if (!set_has(t, a, ELEM_INTEGER) || !set_has(t, b, ELEM_INTEGER))
		v->set = set_roots(fl->owner, v->set);
}

struct value flow_add(struct flow *fl, struct value a, struct value b)
{
	struct value v = {.deps = a.deps | b.deps,
			  .offset = OFFSET_ANY,
			  .bias = (int64_t)((uint64_t)value_bias(a) + (uint64_t)value_bias(b)),
			  .beside = set_union(fl->owner->sets, a.beside, b.beside)};

	if (a.set == SET_EMPTY || b.set == SET_EMPTY)
		return v;
	if (b.set == fl->owner->integer && a.set != b.set)
		v.set = a.set;
	else if (a.set == fl->owner->integer)
		v.set = b.set;
	else
		sum_roots(fl, a.set, b.set, &v);
	if (a.offset != OFFSET_ANY && b.offset != OFFSET_ANY &&
	    (a.set == fl->owner->integer || b.set == fl->owner->integer) &&
	    __builtin_add_overflow(a.offset, b.offset, &v.offset))
		v.offset = OFFSET_ANY;
	v = a.span || b.span ? range_sum(fl, a, b, v) : v;
	return object_sum(fl, a, b, steps_sum(fl, a, b, v));
}

/*
 * Notes that both operands of a difference are pointers, or neither is: only a pointer or a part of one is subtracted
 * from a pointer or a part, and a number minus something is a number.
 */
static void note_difference(struct flow *fl, set_id a, set_id b)
{
	if (a != fl->owner->integer && b != fl->owner->integer && a != SET_EMPTY && b != SET_EMPTY)
		flow_note_kin(fl, set_union(fl->owner->sets, a, b));
}

static struct value subtract(struct flow *fl, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);

	note_difference(fl, a.set, b.set);
	if (a.set == SET_EMPTY || b.set == SET_EMPTY) {
		v.set = SET_EMPTY;
	} else if (b.set == fl->owner->integer) {
		v.set = a.set;
	} else if (must_point(fl, a.set) && is_offset(fl, b.set)) {
		v.set = a.set;
		keep_beside(fl, &v, b.set);
	} else {
		v.set = set_union(fl->owner->sets, v.set, flow_recode(fl, b.set, true));
	}
	if (b.set == fl->owner->integer)
		v.bias = (int64_t)((uint64_t)value_bias(a) - (uint64_t)value_bias(b));
	else if (a.set != fl->owner->integer)
		v.bias = value_bias(a);
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

/* `factor` = OFFSET_ANY: a number that is not known and may be 1. */
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

static int64_t scaled_bias(struct value v, int64_t factor)
{
	return (int64_t)((uint64_t)value_bias(v) * (uint64_t)factor);
}

static struct value multiply(struct flow *fl, const struct ptx_inst *inst, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);
	bool first = constant(fl, a) != OFFSET_ANY;
	int64_t factor = constant(fl, first ? a : b);
	struct value number = first ? b : a;

	if (ptx_has_mod(inst->opcode, PTX_MOD_hi))
		v.set = shifted_right(fl->owner->sets, v.set, OFFSET_ANY);
	else
		v.set = multiplied(fl->owner->sets, v.set, factor);
	if (factor != OFFSET_ANY && !ptx_has_mod(inst->opcode, PTX_MOD_hi)) {
		v.bias = scaled_bias(number, factor);
	} else {
		flow_note_drift(fl, a);
		flow_note_drift(fl, b);
	}
	if (factor != 0 && factor != 1)
		v.set = flow_recode(fl, v.set, false);
	if (ptx_has_mod(inst->opcode, PTX_MOD_hi))
		return v;
	if (a.span || b.span)
		v = range_product(fl, a.span ? a : b, factor, v);
	return steps_product(fl, number, factor, ptx_has_mod(inst->opcode, PTX_MOD_wide) || number.small, v);
}

static struct value divide(struct flow *fl, struct value a, struct value b)
{
	struct value v = mix(fl, a, b);
	int64_t divisor = constant(fl, b);

	v.bias = quotient_bias(fl, a, divisor);
	flow_note_drift(fl, b);
	v.set = shifted_right(fl->owner->sets, v.set, divisor > 1 ? 1 : OFFSET_ANY);
	v.set = flow_recode(fl, v.set, false);
	return v;
}

/* Whether a mask clears only bits that a launch ignores when it looks up a word's allocation. */
static bool is_tag_mask(int64_t mask)
{
	return ((uint64_t)mask | guard_ignored_bits) == UINT64_MAX;
}

/* A mask of high bits aligns a pointer, one of low bits leaves a part of it. */
static struct value mask(struct flow *fl, struct value a, struct value b)
{
	bool first = constant(fl, a) != OFFSET_ANY;
	struct value pointer = first ? b : a, v = mix(fl, a, b);
	int64_t bits = constant(fl, first ? a : b);

	if (bits != OFFSET_ANY && bits >= 0 && bits <= UINT32_MAX)
		v.set = set_change(fl->owner->sets, v.set, CHANGE_NARROW);
	else if (bits != OFFSET_ANY && bits < 0)
		v.set = pointer.set;
	if (bits != OFFSET_ANY) {
		v.bias = value_bias(pointer);
	} else {
		flow_note_drift(fl, a);
		flow_note_drift(fl, b);
	}
	if (bits == OFFSET_ANY || !is_tag_mask(bits))
		v.set = flow_recode(fl, v.set, false);
	return bits > 0 && bits <= INT16_MAX ? range_number(v, bits) : v;
}

/*
 * The amount is not a base of the result, since none of its bits are copied. But the result depends on it. The same is
 * true of the length of a field, and of the lanes that a shuffle stays in.
 */
static struct value shift(struct flow *fl, const struct ptx_inst *inst, struct value a, struct value amount)
{
	struct set_table *t = fl->owner->sets;
	struct value v = mix(fl, a, a);
	int64_t bits = constant(fl, amount);

	for (unsigned i = 3; i < inst->noperands; i++)
		amount = mix(fl, amount, flow_operand(fl, &inst->operands[i]));
	v.deps |= amount.deps;
	v.beside = set_union(t, v.beside, value_bits(fl->owner, amount));
	switch (inst->opcode->op) {
	case PTX_OP_shl:
		if (bits == OFFSET_ANY || bits >= 32)
			v.set = flow_type_bits(inst) == 64 ? flow_assemble(fl, v.set, CHANGE_ASSEMBLE) : v.set;
		else
			v.set = multiplied(t, v.set, (int64_t)1 << (bits & 31));
		if (bits != OFFSET_ANY)
			v.bias = scaled_bias(a, (int64_t)(UINT64_C(1) << (bits & 63)));
		else
			flow_note_drift(fl, a);
		break;
	case PTX_OP_shr:
		v.set = shifted_right(t, v.set, bits);
		v.bias = quotient_bias(fl, a, bits >= 0 && bits < 63 ? (int64_t)1 << bits : 0);
		break;
	case PTX_OP_bfe:
		v.set = shifted_right(t, v.set, OFFSET_ANY);
		flow_note_drift(fl, a);
		break;
	default: v.bias = value_bias(a); return v;
	}
	v.set = flow_recode(fl, v.set, false);
	if (inst->opcode->op != PTX_OP_shl || bits < 0 || bits >= 32)
		return v;
	if (a.span)
		v = range_product(fl, a, (int64_t)1 << bits, v);
	return steps_product(fl, a, (int64_t)1 << bits, a.small, v);
}

/* Sums of few bits wrap where the sum of two constants would not. */
static bool has_narrow_lanes(const struct ptx_inst *inst)
{
	return flow_is_packed(inst->opcode->type[0]) || flow_type_bits(inst) < 32;
}

bool flow_integer(struct flow *fl, const struct ptx_inst *inst)
{
	struct value a, b, v;

	if (flow_is_float(inst, 0) || inst->noperands < 3)
		return false;
	a = flow_operand(fl, &inst->operands[1]);
	b = flow_operand(fl, &inst->operands[2]);
	switch (inst->opcode->op) {
	case PTX_OP_add: v = flow_add(fl, a, b); break;
	case PTX_OP_sub: v = subtract(fl, a, b); break;
	case PTX_OP_mul: v = multiply(fl, inst, a, b); break;
	case PTX_OP_mad: v = flow_add(fl, flow_operand(fl, &inst->operands[3]), multiply(fl, inst, a, b)); break;
	case PTX_OP_div: v = divide(fl, a, b); break;
	case PTX_OP_and: v = mask(fl, a, b); break;
	default: v = shift(fl, inst, a, b); break;
	}
	if (has_narrow_lanes(inst))
		v = value_unplaced(v);
	flow_define(fl, &inst->operands[0], v);
	return true;
}
