/*
 * Calls: what a callee's facts mean at each call.
 *
 * A callee's roots are its parameters and what they lead to; at a call each root has a value in the caller, and the
 * callee's stores become stores of the caller.
 */
#include "ptx-analyzer/flow/flow.h"

struct call_parts call_parts(const struct ptx_inst *inst)
{
	struct call_parts p = {0};

	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *o = &inst->operands[i];

		if (o->kind == PTX_OPERAND_LIST && !p.callee) {
			p.returns = o->elems;
			p.nreturns = o->count;
		} else if (o->kind == PTX_OPERAND_LIST && !p.args) {
			p.args = o->elems;
			p.nargs = o->count;
		} else if (!p.callee) {
			p.callee = o;
		}
	}
	return p;
}

static const struct ptx_inst *call_inst(const struct flow *fl, const struct flow_call *call)
{
	return &fl->function->insts[call->inst];
}

static struct value arg_value(struct flow *fl, const struct call_parts *p, uint32_t arg, int64_t offset)
{
	struct value none = {.set = SET_EMPTY};

	if (arg >= p->nargs)
		return value_unknown(fl->owner);
	if (p->args[arg].kind == PTX_OPERAND_SYMBOL)
		return flow_load(fl, flow_operand(fl, &p->args[arg]), offset, 8, PTX_SPACE_PARAM);
	return offset == 0 || offset == OFFSET_ANY ? flow_operand(fl, &p->args[arg]) : none;
}

static void define_returns(struct flow *fl, const struct call_parts *p, struct value v)
{
	for (unsigned i = 0; i < p->nreturns; i++) {
		if (p->returns[i].kind == PTX_OPERAND_SYMBOL)
			flow_store(fl, flow_operand(fl, &p->returns[i]), OFFSET_ANY, 8, v, PTX_SPACE_PARAM);
		else
			flow_define(fl, &p->returns[i], v);
	}
}

/* --- Instantiation --- */

/* Translates the facts of a callee to a call. */
struct binding {
	const struct flow *callee;
	struct call_parts parts;
	struct value *values; /* per root of the callee, `nroots` */
	uint32_t nroots;
	uint64_t deps[DEP_PARAM_LAST + 1];
};

static struct value bind_root(struct flow *fl, const struct binding *b, uint32_t root)
{
	const struct value none = {.set = SET_EMPTY};
	const struct root r = b->callee->roots.data[root];

	switch (r.kind) {
	case ROOT_INTEGER: return value_integer(fl->owner, OFFSET_ANY);
	case ROOT_UNKNOWN: return flow_load(fl, value_unknown(fl->owner), OFFSET_ANY, 8, PTX_SPACE_GENERIC);
	case ROOT_PARAM: return arg_value(fl, &b->parts, r.index, r.offset);
	case ROOT_PARAM_ANY: return arg_value(fl, &b->parts, r.index, OFFSET_ANY);
	case ROOT_PARAM_SPACE: return r.index < b->parts.nargs ? flow_operand(fl, &b->parts.args[r.index]) : none;
	case ROOT_RETURN: return r.index < b->parts.nreturns ? flow_operand(fl, &b->parts.returns[r.index]) : none;
	case ROOT_LOCAL:
		if (r.index >= fl->owner->module->nsymbols ||
		    fl->owner->module->symbols[r.index].space != PTX_SPACE_SHARED)
			return none;
		return value_root(fl, flow_root(fl, ROOT_LOCAL, r.index, 0));
	case ROOT_DEREF: return flow_load(fl, b->values[r.index], r.offset, 8, PTX_SPACE_GENERIC);
	default: return value_root(fl, flow_root(fl, r.kind, r.index, r.offset));
	}
}

static void bind_deps(struct flow *fl, struct binding *b)
{
	for (unsigned i = 0; i <= DEP_PARAM_LAST; i++)
		b->deps[i] = i < DEP_PARAM_BIT ? (uint64_t)1 << i : 0;
	for (unsigned k = 0; k < b->parts.nargs; k++) {
		unsigned bit = DEP_PARAM_BIT + k;

		b->deps[bit < DEP_PARAM_LAST ? bit : DEP_PARAM_LAST] |= arg_value(fl, &b->parts, k, OFFSET_ANY).deps;
	}
}

static uint64_t map_deps(const struct binding *b, uint64_t deps)
{
	uint64_t mapped = 0;

	for (; deps; deps &= deps - 1)
		mapped |= b->deps[__builtin_ctzll(deps)];
	return mapped;
}

/* `s`, the caller's value of a callee's root, after the callee changed its bits as `state` says. */
static set_id in_state(struct set_table *t, set_id s, unsigned state)
{
	static const uint8_t change[] = {
	    [ELEM_PIECE] = CHANGE_NARROW, [ELEM_SCALED] = CHANGE_MULTIPLY, [ELEM_SHIFTED] = CHANGE_SHIFT};

	return state == ELEM_WHOLE ? s : set_change(t, s, change[state]);
}

/* Maps bits of the callee's roots to bits of the values that these roots have in the caller. */
static set_id map_beside(struct flow *fl, const struct binding *b, set_id beside)
{
	struct set_table *t = fl->owner->sets;
	set_id mapped = SET_EMPTY;

	for (uint32_t i = 0; i < set_get(t, beside)->count; i++) {
		uint32_t root = ELEM_ROOT(set_get(t, beside)->elems[i]);

		if (root < b->nroots) {
			mapped = set_union(t, mapped, set_bits(fl->owner, b->values[root].set));
			mapped = set_union(t, mapped, b->values[root].beside);
		}
	}
	return mapped;
}

static struct value map_value(struct flow *fl, const struct binding *b, struct value v)
{
	struct set_table *t = fl->owner->sets;
	const uint32_t *elems = set_get(t, v.set)->elems;
	uint32_t n = set_get(t, v.set)->count;
	struct value mapped = {.deps = map_deps(b, v.deps), .offset = OFFSET_ANY};
	int64_t at = OFFSET_ANY;

	for (uint32_t i = 0; i < n; i++) {
		struct value root = value_unknown(fl->owner);

		if (ELEM_ROOT(elems[i]) < b->nroots)
			root = b->values[ELEM_ROOT(elems[i])];
		mapped.set = set_union(t, mapped.set, in_state(t, root.set, elems[i] & ELEM_STATE));
		mapped.beside = set_union(t, mapped.beside, root.beside);
		mapped.deps |= root.deps;
		if (mapped.wide < width_at_call(v.wide, root.wide))
			mapped.wide = width_at_call(v.wide, root.wide);
		at = root.offset;
		root.bias = (int64_t)((uint64_t)value_bias(root) + (uint64_t)value_bias(v));
		root.offset = OFFSET_ANY;
		if (n == 1)
			mapped.bias = root.bias;
		else
			flow_note_drift(fl, root);
	}
	mapped.beside = set_union(t, mapped.beside, map_beside(fl, b, v.beside));
	if (v.set == fl->owner->integer)
		mapped.offset = v.offset;
	else if (n == 1 && v.offset != OFFSET_ANY && at != OFFSET_ANY &&
		 __builtin_add_overflow(v.offset, at, &mapped.offset))
		mapped.offset = OFFSET_ANY;
	return mapped;
}

static void bind(struct flow *fl, const struct flow_call *call, const struct flow *callee, struct value *values,
		 struct binding *b)
{
	b->callee = callee;
	b->parts = call_parts(call_inst(fl, call));
	b->values = values;
	b->nroots = (uint32_t)callee->roots.len;
	bind_deps(fl, b);
	for (uint32_t r = 0; r < b->nroots; r++)
		values[r] = bind_root(fl, b, r);
}

static void apply_slot(struct flow *fl, const struct binding *b, uint32_t root, int64_t offset, unsigned size,
		       struct value stored)
{
	const struct root *r = &b->callee->roots.data[root];
	bool by_register = r->kind == ROOT_RETURN && r->index < b->parts.nreturns &&
			   b->parts.returns[r->index].kind == PTX_OPERAND_REG;

	if (r->kind == ROOT_PARAM_SPACE || stored.set == SET_EMPTY)
		return;
	stored = map_value(fl, b, stored);
	if (by_register)
		flow_define(fl, &b->parts.returns[r->index], stored);
	else
		flow_store(fl, b->values[root], offset, size, stored, PTX_SPACE_GENERIC);
}

static void apply_callee(struct flow *fl, const struct flow_call *call, const struct flow *callee)
{
	struct flow_module *fm = fl->owner;
	struct binding b;

	vec_reserve(&fm->scratch, callee->roots.len);
	bind(fl, call, callee, fm->scratch.data, &b);
	for (uint32_t r = 0; r < b.nroots; r++) {
		if (callee->roots.data[r].stored)
			flow_note_stored(fl, b.values[r].set);
		apply_slot(fl, &b, r, OFFSET_ANY, 8, callee->roots.data[r].any);
	}
	for (size_t i = 0, n = callee->slots.len; i < n; i++) {
		struct slot s = callee->slots.data[i];

		if (s.root < b.nroots)
			apply_slot(fl, &b, s.root, s.index * GRAIN, GRAIN, s.value);
	}
	value_join(fl, &fl->unplaced, map_value(fl, &b, callee->unplaced));
	fl->reads |= callee->reads;
}

static void apply_unknown(struct flow *fl, const struct flow_call *call, const struct call_parts *p)
{
	for (unsigned i = 0; i < p->nargs; i++)
		flow_publish(fl, arg_value(fl, p, i, OFFSET_ANY));
	define_returns(fl, p, flow_load(fl, value_unknown(fl->owner), OFFSET_ANY, 8, PTX_SPACE_GENERIC));
	flow_record(fl, call->inst, ACCESS_LOAD | ACCESS_STORE | ACCESS_CALL, PTX_SPACE_GENERIC,
		    value_unknown(fl->owner));
}

/* Does the set hold a root of parameter `param`, in any state? */
static bool holds_param(const struct flow *fl, set_id set, uint32_t param)
{
	const struct set *s = set_get(fl->owner->sets, set);

	for (uint32_t i = 0; i < s->count; i++) {
		const struct root *r = &fl->roots.data[ELEM_ROOT(s->elems[i])];

		if ((r->kind == ROOT_PARAM || r->kind == ROOT_PARAM_ANY) && r->index == param)
			return true;
	}
	return false;
}

/* Memory of the function that ends with it, and that no other has the address of. */
static bool is_own_frame(const struct flow *fl, const struct root *r)
{
	return r->kind == ROOT_PARAM_SPACE || (r->kind == ROOT_LOCAL && !r->escaped &&
					       (r->index >= fl->owner->module->nsymbols ||
						fl->owner->module->symbols[r->index].space != PTX_SPACE_SHARED));
}

/* The function leaves what its parameter leads to as it is, and keeps no copy of the address behind its end. */
static bool keeps_param(const struct flow *fl, uint32_t param)
{
	if (holds_param(fl, fl->published.set, param) || holds_param(fl, fl->unplaced.set, param) ||
	    holds_param(fl, fl->carry.beside, param))
		return false;
	for (size_t i = 0; i < fl->roots.len; i++) {
		const struct root *r = &fl->roots.data[i];

		if ((r->kind == ROOT_PARAM || r->kind == ROOT_PARAM_ANY) && r->index == param && r->stored)
			return false;
		if (!is_own_frame(fl, r) &&
		    (holds_param(fl, r->all.set, param) || holds_param(fl, r->all.beside, param)))
			return false;
	}
	for (size_t i = 0; i < fl->accesses.len; i++)
		if ((fl->accesses.data[i].flags & ~ACCESS_LOAD) && holds_param(fl, fl->accesses.data[i].beside, param))
			return false;
	return true;
}

bool flow_call_keeps(void *flow, uint32_t inst, unsigned argument)
{
	const struct flow *fl = flow;

	for (size_t i = 0; i < fl->calls.len; i++) {
		const struct flow_call *call = &fl->calls.data[i];

		if (call->inst != inst)
			continue;
		for (uint32_t c = 0; c < call->ncallees; c++) {
			const struct flow *callee = &fl->owner->flows[call->callees[c]];

			if (callee->group == fl->group || !keeps_param(callee, argument))
				return false;
		}
		return call->ncallees && !call->unknown;
	}
	return false;
}

void flow_call(struct flow *fl, struct flow_call *call)
{
	struct call_parts p = call_parts(call_inst(fl, call));
	struct value result = value_integer(fl->owner, OFFSET_ANY);

	for (uint32_t i = 0; i < call->ncallees; i++)
		apply_callee(fl, call, &fl->owner->flows[call->callees[i]]);
	if (call->unknown)
		apply_unknown(fl, call, &p);
	if (call->ncallees || call->unknown)
		return;
	if (call->frees && p.nargs)
		flow_record(fl, call->inst, ACCESS_STORE | ACCESS_CALL, PTX_SPACE_GENERIC,
			    arg_value(fl, &p, 0, OFFSET_ANY));
	result.deps = DEP_MEMORY;
	if (call->heap) {
		result = value_root(fl, flow_root(fl, ROOT_HEAP, 0, 0));
		result.offset = OFFSET_ANY;
	}
	define_returns(fl, &p, result);
}

/* Whether the value has no roots, or is the null pointer, so that no binding is needed. */
static bool is_nothing(const struct flow_module *fm, struct value v)
{
	return v.set == SET_EMPTY || (v.set == fm->integer && v.offset == 0);
}

static uint32_t keep_bindings(struct flow *fl, const struct binding *b, struct flow_binding *kept)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < b->nroots; r++)
		if (!root_is_fixed(&b->callee->roots.data[r]) && !is_nothing(fl->owner, b->values[r])) {
			flow_note_drift(fl, b->values[r]);
			kept[n++] = (struct flow_binding){r, b->values[r].set, b->values[r].beside};
		}
	return n;
}

void flow_keep_bindings(struct flow *fl)
{
	struct flow_module *fm = fl->owner;
	struct binding b = {.nroots = 0};

	for (size_t c = 0; c < fl->calls.len; c++) {
		struct flow_call *call = &fl->calls.data[c];

		call->bindings = arena_array(&fm->arena, struct flow_binding *, call->ncallees);
		call->nbindings = arena_array(&fm->arena, uint32_t, call->ncallees);
		for (uint32_t i = 0; i < call->ncallees; i++) {
			const struct flow *callee = &fm->flows[call->callees[i]];

			vec_reserve(&fm->scratch, callee->roots.len);
			bind(fl, call, callee, fm->scratch.data, &b);
			call->bindings[i] = arena_array(&fm->arena, struct flow_binding, b.nroots);
			call->nbindings[i] = keep_bindings(fl, &b, call->bindings[i]);
		}
		if (!call->ncallees)
			continue;
		call->ndeps = b.parts.nargs;
		if (call->ndeps > DEP_PARAM_LAST - DEP_PARAM_BIT + 1)
			call->ndeps = DEP_PARAM_LAST - DEP_PARAM_BIT + 1;
		call->deps = arena_memdup(&fm->arena, &b.deps[DEP_PARAM_BIT], call->ndeps * sizeof *b.deps);
	}
}
