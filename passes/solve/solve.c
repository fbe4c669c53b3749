/*
 * Sweeps over all operations until nothing changes. A callee is evaluated at its call, so that results flow back within
 * the sweep; straight code settles in one sweep and is confirmed by the next.
 */
#include "passes/solve/solve.h"

#include "passes/solve/bits.h"

#include <string.h>

enum {
	FREE_VALUES =
	    100000, /* values of all instances beyond twice the kernel's own; after that, calls share contexts */
	MAX_CONTEXT_DEPTH = 48,
	MAX_EVAL_DEPTH = 512, /* deeper callees are evaluated in the second part of the sweep */
	MAX_CHANGES = 24,     /* after so many changes of a value its offsets become OFFSET_ANY, so that loops end */
};

#define NOT_MADE UINT32_MAX

struct value solution_value(struct solution *s, const struct instance *instance, uint32_t operand)
{
	uint32_t constant = operand & ~OPERAND_CONSTANT;

	if (operand == OPERAND_NONE)
		return (struct value){SET_EMPTY, SET_EMPTY};
	if (!(operand & OPERAND_CONSTANT))
		return instance->values[operand];
	if (s->constants[constant].set == NOT_MADE) {
		LLVMValueRef value = s->program->constants.data[constant];

		s->constants[constant] =
		    (struct value){constant_origins(&s->objects, value), constant_bits(&s->objects, value)};
	}
	return s->constants[constant];
}

set_id solution_address(struct solution *s, const struct instance *instance, uint32_t operand)
{
	return bits_reach(&s->objects, solution_value(s, instance, operand));
}

uint8_t solution_dep(const struct instance *instance, uint32_t operand)
{
	return operand & OPERAND_CONSTANT ? DEP_NONE : instance->deps[operand];
}

/* Adds `v` to a local value, and `dep` to what it depends on. Returns whether the value changed. */
static bool add_to_value(struct solution *s, struct instance *i, uint32_t local, struct value v, uint8_t dep)
{
	struct value *now, joined;

	if (local == NO_RESULT)
		return false;
	now = &i->values[local];
	joined = (struct value){origins_join(&s->sets, now->set, v.set), origins_join(&s->sets, now->beside, v.beside)};
	dep |= i->deps[local];
	if (joined.set == now->set && joined.beside == now->beside && dep == i->deps[local])
		return false;
	if (joined.set != now->set && i->changes[local]++ >= MAX_CHANGES) {
		i->changes[local] = MAX_CHANGES;
		joined.set = origins_shift(&s->sets, joined.set, OFFSET_ANY);
	}
	*now = joined;
	i->deps[local] = dep;
	s->changed = true;
	return true;
}

/* --- Calling contexts --- */

static uint32_t add_instance(struct solution *s, uint32_t function, uint32_t caller)
{
	const struct function_code *code = &s->program->functions.data[function];
	struct instance instance = {
	    .function = function,
	    .caller = caller,
	    .depth = caller == NO_INSTANCE ? 0 : s->instances.data[caller].depth + 1,
	    .values = arena_array(&s->arena, struct value, code->nvalues),
	    .deps = arena_array(&s->arena, uint8_t, code->nvalues),
	    .changes = arena_array(&s->arena, uint8_t, code->nvalues),
	    .dirty = true,
	};

	s->values += code->nvalues;
	vec_push(&s->instances, instance);
	s->changed = true;
	return (uint32_t)s->instances.len - 1;
}

static uint32_t outer_call_of(const struct solution *s, uint32_t instance, uint32_t function)
{
	while (instance != NO_INSTANCE && s->instances.data[instance].function != function)
		instance = s->instances.data[instance].caller;
	return instance;
}

static uint32_t choose_instance(struct solution *s, uint32_t caller, uint32_t function)
{
	uint64_t values = s->values + s->program->functions.data[function].nvalues;
	uint32_t instance = outer_call_of(s, caller, function);

	if (instance != NO_INSTANCE)
		return instance;
	if (values <= s->budget && s->instances.data[caller].depth < MAX_CONTEXT_DEPTH)
		return add_instance(s, function, caller);
	instance = map_get(&s->shared, function);
	if (instance == MAP_NONE) {
		instance = add_instance(s, function, NO_INSTANCE);
		/* At this depth the calls that it makes are shared too. */
		s->instances.data[instance].depth = MAX_CONTEXT_DEPTH;
		map_put(&s->shared, function, instance);
	}
	return instance;
}

static uint32_t callee_instance(struct solution *s, uint32_t caller, uint32_t call, uint32_t function)
{
	uint64_t key = (uint64_t)caller << 32 | call;
	uint32_t first = map_get(&s->children, key), instance;

	for (uint32_t at = first; at != MAP_NONE; at = s->calls.data[at].next)
		if (s->instances.data[s->calls.data[at].instance].function == function)
			return s->calls.data[at].instance;
	instance = choose_instance(s, caller, function);
	vec_push(&s->calls, (struct solved_call){instance, first});
	map_put(&s->children, key, (uint32_t)s->calls.len - 1);
	return instance;
}

/* --- Operations --- */

static void eval_instance(struct solution *s, uint32_t id, unsigned depth);

struct eval {
	struct solution *s;
	uint32_t instance;
	const struct op *op;
	uint32_t op_index;
	unsigned depth;
};

static struct instance *self(const struct eval *e)
{
	return &e->s->instances.data[e->instance];
}

static uint32_t operand_at(const struct eval *e, uint32_t n)
{
	return e->s->program->operands.data[e->op->first + n];
}

static struct value value_at(const struct eval *e, uint32_t n)
{
	return solution_value(e->s, self(e), operand_at(e, n));
}

static set_id origins_at(const struct eval *e, uint32_t n)
{
	return value_at(e, n).set;
}

static uint8_t dep_at(const struct eval *e, uint32_t n)
{
	return solution_dep(self(e), operand_at(e, n));
}

static set_id unknown(struct solution *s)
{
	return unknown_origins(&s->objects);
}

static struct value plain(set_id set)
{
	return (struct value){set, SET_EMPTY};
}

/* What operand `n` reaches, through which memory is accessed. An address without an origin is unknown. */
static set_id reach_at(const struct eval *e, uint32_t n)
{
	struct value address = value_at(e, n);
	set_id set;

	bits_use(&e->s->objects, address);
	set = bits_reach(&e->s->objects, address);
	if (set == SET_EMPTY && e->s->settled)
		set = unknown(e->s);
	if (origins_include(&e->s->sets, set, UNKNOWN_OBJECT))
		objects_escape(&e->s->objects, e->s->objects.parted);
	if (e->op->flags & OP_PRIVATE)
		bits_use_private(&e->s->objects, set);
	return set;
}

/* --- Moves --- */

static set_id moved_origins(const struct eval *e)
{
	set_id set = origins_shift(&e->s->sets, e->op->nset ? origins_at(e, 0) : SET_EMPTY, e->op->bytes);

	for (uint32_t i = 1; i < e->op->nset; i++)
		set = e->op->flags & OP_EITHER ? either_origins(&e->s->objects, set, origins_at(e, i))
					       : origins_join(&e->s->sets, set, origins_at(e, i));
	return e->op->bytes == OFFSET_ANY ? origins_shift(&e->s->sets, set, OFFSET_ANY) : set;
}

/* Bits of the operands, beside those whose origins are the result's. */
static set_id moved_bits(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	set_id bits = SET_EMPTY;

	for (uint32_t i = 0; i < e->op->nset + e->op->nbits; i++)
		bits = origins_join(&e->s->sets, bits,
				    i < e->op->nset && e->op->mix != MIX_PARTS ? value_at(e, i).beside
									       : bits_all(o, value_at(e, i)));
	return bits;
}

static struct value moved_value(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct value result = {moved_origins(e), SET_EMPTY};

	switch ((enum op_mix)e->op->mix) {
	case MIX_SUM: result.beside = bits_of_sum(o, value_at(e, 0), value_at(e, 1), e->op->flags & OP_PARTS); break;
	case MIX_DIFFERENCE:
		if (bits_are_of_one_object(o, value_at(e, 0), value_at(e, 1)))
			return (struct value){SET_EMPTY, bits_of_numbers(o, value_at(e, 0), value_at(e, 1))};
		result.beside = bits_of_difference(o, value_at(e, 0), value_at(e, 1));
		break;
	case MIX_JOIN: result.beside = bits_of_join(o, value_at(e, 0), value_at(e, 1)); break;
	case MIX_COMPARE:
		result.beside = bits_are_of_one_object(o, value_at(e, 0), value_at(e, 1))
				    ? bits_of_numbers(o, value_at(e, 0), value_at(e, 1))
				    : moved_bits(e);
		if (e->op->flags & OP_POINTER)
			result.beside = bits_of_compared(o, result.beside);
		break;
	case MIX_ROUND: result.beside = origins_join(o->sets, moved_bits(e), bits_of_rounding(o)); break;
	case MIX_COPY:
	case MIX_PARTS: result.beside = moved_bits(e); break;
	}
	return result;
}

static void eval_move(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct value v = moved_value(e);
	uint8_t dep = e->op->dep;

	for (uint32_t i = 0; i < e->op->count; i++) {
		dep |= dep_at(e, i);
		if (e->op->flags & OP_POINTER && e->op->mix != MIX_COMPARE)
			bits_take_words(o, origins_at(e, i));
	}
	if (e->op->dep & (DEP_MEMORY | DEP_UNKNOWN))
		v.beside = origins_join(o->sets, v.beside, o->published);
	if (e->op->flags & OP_PIECE)
		v.set = origins_join(o->sets, v.set, part_origins(o));
	if (e->op->flags & OP_WHOLE)
		v.set = whole_origins(o, v.set);
	if (e->op->recoding & OP_RECODED)
		v.set = recoded_origins(o, v.set, e->op->recoding);
	/* A number made an address there. */
	if (e->op->flags & OP_PRIVATE && e->s->settled && !has_private(o, v.set))
		v.set = origins_join(o->sets, v.set, private_origins(o));
	add_to_value(e->s, self(e), e->op->result, v, dep);
}

/* --- Memory --- */

/* The bytes at `offset` that the operation reads or writes. */
static struct span span_at(const struct eval *e, int64_t offset)
{
	return (struct span){
	    .offset = offset,
	    .bytes = e->op->bytes,
	    .is_pointer = e->op->flags & OP_POINTER,
	    .is_number = e->op->flags & OP_NUMBER,
	    .has_parts = e->op->flags & OP_PARTS,
	    .is_packed = e->op->flags & OP_PACKED,
	};
}

static void eval_load(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct origin_set pointer = *origins_get(&e->s->sets, reach_at(e, 0));
	struct value v = {SET_EMPTY, bits_looked_up(o, value_at(e, 0).beside)};
	uint8_t dep = dep_at(e, 0);

	for (uint32_t i = 0; i < pointer.count; i++) {
		struct value found =
		    object_content(o, pointer.origins[i].object, span_at(e, pointer.origins[i].offset), &dep);

		v = (struct value){origins_join(o->sets, v.set, found.set),
				   origins_join(o->sets, v.beside, found.beside)};
	}
	if (pointer.count == 0)
		dep |= DEP_MEMORY;
	add_to_value(e->s, self(e), e->op->result, v, dep);
}

/* The value can be found by whoever reads memory. */
static void let_go(const struct eval *e, struct value v)
{
	objects_escape(&e->s->objects, v.set);
	objects_escape(&e->s->objects, v.beside);
	objects_publish(&e->s->objects, v.beside);
}

/*
 * Stores `value` in every object that the address may point to. What is stored in memory that is not private escapes.
 */
static void store_value(const struct eval *e, struct value value, uint8_t dep)
{
	struct origin_set pointer = *origins_get(&e->s->sets, reach_at(e, 0));
	bool leaves = pointer.count == 0, is_number = value.set == SET_EMPTY && value.beside == SET_EMPTY;

	for (uint32_t i = 0; i < pointer.count; i++) {
		struct origin to = pointer.origins[i];
		bool is_open = object_is_open(&e->s->objects.all.data[to.object]);

		leaves |= is_open;
		if (!is_number || !is_open)
			object_store(&e->s->objects, to.object, (struct cell){span_at(e, to.offset), value, dep});
	}
	if (leaves)
		let_go(e, value);
}

static void eval_store(const struct eval *e)
{
	struct value v = value_at(e, 1);

	if (e->op->flags & OP_WHOLE)
		v.set = whole_origins(&e->s->objects, v.set);
	store_value(e, v, dep_at(e, 1));
}

/* What is written where the operation does not say with what: anything that has been let go. */
static struct value unseen_value(const struct eval *e)
{
	return (struct value){unknown(e->s), e->s->objects.published};
}

static void eval_atomic(const struct eval *e)
{
	for (uint32_t i = 1; i < e->op->count; i++)
		store_value(e, value_at(e, i), DEP_MEMORY);
	/* Inline assembly does not say which operand is stored. */
	if (e->op->count == 1)
		store_value(e, unseen_value(e), DEP_MEMORY);
	eval_load(e);
}

static void eval_write(const struct eval *e)
{
	if (!(e->op->flags & OP_FILL))
		store_value(e, unseen_value(e), DEP_MEMORY);
	else
		store_value(e, (struct value){SET_EMPTY, bits_all(&e->s->objects, value_at(e, 1))}, dep_at(e, 1));
}

static void eval_copy(const struct eval *e)
{
	struct origin_set to = *origins_get(&e->s->sets, reach_at(e, 0));
	struct origin_set from = *origins_get(&e->s->sets, reach_at(e, 1));
	struct objects *objects = &e->s->objects;

	for (uint32_t i = 0; i < from.count; i++) {
		struct origin source = from.origins[i];
		bool leaves = to.count == 0;
		uint8_t dep = DEP_NONE;

		for (uint32_t j = 0; j < to.count; j++) {
			leaves |= object_is_open(&objects->all.data[to.origins[j].object]);
			object_copy(objects, to.origins[j].object,
				    (struct copied){to.origins[j].offset, e->op->bytes, source.offset, source.object,
						    e->op->flags & OP_PACKED});
		}
		if (leaves)
			let_go(e, object_content(objects, source.object, span_at(e, source.offset), &dep));
	}
}

/* --- Calls --- */

static void eval_escape(const struct eval *e, uint32_t n)
{
	let_go(e, value_at(e, n));
	objects_escape(&e->s->objects, e->s->objects.parted);
}

/* An address from anywhere, or a number that was made of anything that others may find. */
static void eval_opaque(const struct eval *e)
{
	add_to_value(e->s, self(e), e->op->result, unseen_value(e), DEP_UNKNOWN);
}

static void pass_argument(const struct eval *e, struct instance *callee, uint32_t n)
{
	struct solution *s = e->s;
	struct value v = value_at(e, n + 1);

	v.set = either_origins(&s->objects, callee->values[n].set, v.set);
	callee->dirty |= add_to_value(s, callee, n, v, dep_at(e, n + 1));
}

static void call_function(const struct eval *e, uint32_t function)
{
	struct solution *s = e->s;
	uint32_t id = callee_instance(s, e->instance, e->op_index, function);
	uint32_t nargs = s->program->functions.data[function].nargs;
	struct instance *callee = &s->instances.data[id];

	for (uint32_t i = 0; i < nargs && i + 1 < e->op->count; i++)
		pass_argument(e, callee, i);
	/* A variadic callee reads these arguments through memory. */
	for (uint32_t i = nargs + 1; i < e->op->count; i++)
		eval_escape(e, i);
	if ((callee->dirty || callee->sweep != s->sweep) && !callee->running && e->depth < MAX_EVAL_DEPTH)
		eval_instance(s, id, e->depth + 1);
	callee = &s->instances.data[id];
	add_to_value(s, self(e), e->op->result, callee->result, callee->result_dep);
}

/*
 * Calls every function of the call's type whose address is taken. If there is none, or other modules are linked in, the
 * callee may also be code that cannot be seen.
 */
static void call_any(const struct eval *e)
{
	const struct ir *p = e->s->program;
	LLVMTypeRef type = LLVMGetCalledFunctionType(e->op->inst);
	bool found = false;

	for (uint32_t f = 0; f < p->functions.len; f++) {
		const struct function_code *code = &p->functions.data[f];

		if (!code->address_taken || !code->has_body || code->is_kernel ||
		    LLVMGlobalGetValueType(code->value) != type)
			continue;
		call_function(e, f);
		found = true;
	}
	if (found && !p->relocatable)
		return;
	for (uint32_t i = 1; i < e->op->count; i++)
		eval_escape(e, i);
	eval_opaque(e);
}

static void eval_call(const struct eval *e)
{
	struct origin_set callee = *origins_get(&e->s->sets, address_origins(&e->s->objects, origins_at(e, 0)));
	bool known = callee.count > 0;

	for (uint32_t i = 0; i < callee.count; i++) {
		const struct object *object = &e->s->objects.all.data[callee.origins[i].object];
		uint32_t function = object->param;

		if (object->kind != OBJECT_FUNCTION || !e->s->program->functions.data[function].has_body)
			known = false;
		else
			call_function(e, function);
	}
	if (!known)
		call_any(e);
}

static void eval_fresh(const struct eval *e, enum object_kind kind)
{
	uint32_t object = object_private(&e->s->objects, kind, e->instance, e->op_index, e->op->bytes);

	add_to_value(e->s, self(e), e->op->result, plain(origins_single(&e->s->sets, object, 0)),
		     kind == OBJECT_HEAP ? DEP_THREAD : DEP_NONE);
}

/* One half of an address or all of it. */
static void eval_workspace(const struct eval *e)
{
	set_id set = origins_single(&e->s->sets, object_workspace(&e->s->objects), OFFSET_ANY);

	add_to_value(e->s, self(e), e->op->result, (struct value){set, set}, DEP_NONE);
}

static void eval_return(const struct eval *e)
{
	struct instance *i = self(e);
	struct value v = value_at(e, 0);
	uint8_t dep = i->result_dep | dep_at(e, 0);

	v = (struct value){either_origins(&e->s->objects, i->result.set, v.set),
			   origins_join(&e->s->sets, i->result.beside, v.beside)};
	e->s->changed |= v.set != i->result.set || v.beside != i->result.beside || dep != i->result_dep;
	i->result = v;
	i->result_dep = dep;
}

static void eval_op(const struct eval *e)
{
	switch ((enum op_kind)e->op->kind) {
	case OP_MOVE: return eval_move(e);
	case OP_ALLOCA: return eval_fresh(e, OBJECT_LOCAL);
	case OP_MALLOC: return eval_fresh(e, OBJECT_HEAP);
	case OP_NULL:
		add_to_value(e->s, self(e), e->op->result, plain(origins_single(&e->s->sets, NULL_OBJECT, 0)),
			     DEP_NONE);
		return;
	case OP_OPAQUE: return eval_opaque(e);
	case OP_WORKSPACE: return eval_workspace(e);
	case OP_LOAD: return eval_load(e);
	case OP_STORE: return eval_store(e);
	case OP_ATOMIC: return eval_atomic(e);
	case OP_WRITE: return eval_write(e);
	case OP_COPY: return eval_copy(e);
	case OP_ESCAPE: return eval_escape(e, 0);
	case OP_CALL: return eval_call(e);
	case OP_RETURN: return eval_return(e);
	case OP_READ: reach_at(e, 0); return;
	case OP_UNKNOWN_WRITE:
	case OP_GRID_WAIT:
	case OP_LISTEN: return;
	}
}

static void eval_instance(struct solution *s, uint32_t id, unsigned depth)
{
	const struct function_code *code = &s->program->functions.data[s->instances.data[id].function];

	s->instances.data[id].running = true;
	s->instances.data[id].dirty = false;
	s->instances.data[id].sweep = s->sweep;
	for (uint32_t i = 0; i < code->nops; i++) {
		struct eval e = {s, id, &s->program->ops.data[code->first_op + i], code->first_op + i, depth};

		eval_op(&e);
	}
	s->instances.data[id].running = false;
}

/* --- A kernel --- */

static bool has_attribute(LLVMValueRef function, uint32_t param, const char *name, LLVMAttributeRef *found)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	*found = LLVMGetEnumAttributeAtIndex(function, param + 1, kind);
	return *found != NULL;
}

static set_id parameter_origins(struct solution *s, LLVMValueRef function, uint32_t param)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, param));
	LLVMAttributeRef attribute;
	uint32_t object;

	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		if (has_attribute(function, param, "byval", &attribute))
			object = object_byval(&s->objects, param, LLVMGetTypeAttributeValue(attribute));
		else if (LLVMGetPointerAddressSpace(type) != AS_GENERIC &&
			 LLVMGetPointerAddressSpace(type) != AS_GLOBAL)
			object = object_private(&s->objects, OBJECT_SHARED, 0, 0, INT32_MAX);
		else
			object = object_param(&s->objects, param, has_attribute(function, param, "noalias", &attribute),
					      false);
		return origins_single(&s->sets, object, 0);
	case LLVMDoubleTypeKind: return origins_single(&s->sets, object_param(&s->objects, param, false, true), 0);
	case LLVMHalfTypeKind:
	case LLVMFloatTypeKind: return part_origins(&s->objects);
	case LLVMIntegerTypeKind:
		if (LLVMGetIntTypeWidth(type) < 64)
			return part_origins(&s->objects);
		if (LLVMGetIntTypeWidth(type) > 64)
			return unknown(s);
		return origins_single(&s->sets, object_param(&s->objects, param, false, true), 0);
	case LLVMStructTypeKind:
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind: return unknown(s);
	default: return SET_EMPTY;
	}
}

/* Sweeps until nothing changes. */
static void settle(struct solution *s)
{
	do {
		s->changed = s->objects.changed = false;
		s->sweep++;
		for (uint32_t i = 0; i < s->instances.len; i++)
			if (s->instances.data[i].dirty || s->instances.data[i].sweep != s->sweep)
				eval_instance(s, i, 0);
		objects_close_escapes(&s->objects);
	} while (s->changed || s->objects.changed);
}

void solve_kernel(struct solution *s, const struct ir *program, uint32_t kernel)
{
	const struct function_code *code = &program->functions.data[kernel];

	*s = (struct solution){.program = program, .kernel = kernel, .arena = ARENA_INIT};
	s->budget = FREE_VALUES + 2 * (uint64_t)code->nvalues;
	sets_init(&s->sets);
	objects_init(&s->objects, program, &s->sets);
	s->constants = arena_alloc(&s->arena, program->constants.len * sizeof *s->constants);
	memset(s->constants, 0xff, program->constants.len * sizeof *s->constants);
	add_instance(s, kernel, NO_INSTANCE);
	for (uint32_t i = 0; i < code->nargs; i++)
		add_to_value(s, &s->instances.data[0], i, plain(parameter_origins(s, code->value, i)), DEP_NONE);
	settle(s);
	/* What no origin has reached by now is an address from anywhere. */
	s->settled = true;
	settle(s);
}

void solution_release(struct solution *s)
{
	objects_release(&s->objects);
	sets_release(&s->sets);
	arena_release(&s->arena);
	vec_release(&s->instances);
	vec_release(&s->calls);
	map_release(&s->children);
	map_release(&s->shared);
}
