/*
 * Rounds over all operations until nothing changes. A callee is evaluated at its call, so its results are there in the
 * same round. Straight code is done after a round, and a second round confirms it.
 */
#include "passes/solve/eval.h"

#include "passes/solve/pointer_bits.h"

#include <string.h>

enum {
	FREE_VALUES =
	    100000,       /* values of all instances beyond twice the kernel's own; after that, calls share contexts */
	MAX_CHANGES = 24, /* after so many changes of a value its offsets become OFFSET_ANY, so that loops end */
};

#define NOT_MADE UINT32_MAX

struct ir_value solution_value(struct solution *s, const struct instance *instance, uint32_t operand)
{
	uint32_t constant = operand & ~OPERAND_CONSTANT;

	if (operand == OPERAND_NONE)
		return (struct ir_value){SET_EMPTY, SET_EMPTY};
	if (!(operand & OPERAND_CONSTANT))
		return instance->values[operand];
	if (s->constants[constant].set == NOT_MADE) {
		LLVMValueRef value = s->program->constants.data[constant];

		s->constants[constant] =
		    (struct ir_value){constant_origins(&s->objects, value), constant_bits(&s->objects, value)};
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

bool add_to_value(struct solution *s, struct instance *i, uint32_t local, struct ir_value v, uint8_t dep)
{
	struct ir_value *now, joined;

	if (local == NO_RESULT)
		return false;
	now = &i->values[local];
	joined =
	    (struct ir_value){origins_join(&s->sets, now->set, v.set), origins_join(&s->sets, now->beside, v.beside)};
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

/* --- Operations --- */

static struct ir_value plain(set_id set)
{
	return (struct ir_value){set, SET_EMPTY};
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

	add_to_value(e->s, self(e), e->op->result, (struct ir_value){set, set}, DEP_NONE);
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
	case OP_KEEP: return eval_keep(e);
	case OP_CALL: return eval_call(e);
	case OP_RETURN: return eval_return(e);
	case OP_READ: return eval_read(e);
	case OP_UNKNOWN_WRITE:
	case OP_GRID_WAIT:
	case OP_LISTEN: return;
	}
}

void eval_instance(struct solution *s, uint32_t id, unsigned depth)
{
	const struct function_code *code = &s->program->functions.data[s->instances.data[id].function];

	s->instances.data[id].running = true;
	s->instances.data[id].dirty = false;
	s->instances.data[id].round = s->round;
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
			return unknown_origins(&s->objects);
		return origins_single(&s->sets, object_param(&s->objects, param, false, true), 0);
	case LLVMStructTypeKind:
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind: return unknown_origins(&s->objects);
	default: return SET_EMPTY;
	}
}

/* Repeats rounds until nothing changes. */
static void settle(struct solution *s)
{
	do {
		s->changed = s->objects.changed = false;
		s->round++;
		for (uint32_t i = 0; i < s->instances.len; i++)
			if (s->instances.data[i].dirty || s->instances.data[i].round != s->round)
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
	/* Values that still have no origin may be any address. */
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
