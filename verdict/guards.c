/* A guard fails unless both of its structures are known to lie in different memory: not knowing is failing. */
#include "verdict/guards.h"

#include <string.h>

static uint64_t pointer_param(const struct structure *s, const void *params, size_t param_bytes)
{
	uint64_t pointer = 0;

	if (s->param_offset + sizeof pointer <= param_bytes)
		memcpy(&pointer, (const char *)params + s->param_offset, sizeof pointer);
	return pointer;
}

static void resolve_any_field(const struct structure *s, const void *params, size_t param_bytes,
			      struct guard_target *target)
{
	if (s->is_image || s->param_offset + s->param_bytes > param_bytes)
		return;
	target->pointers = (const unsigned char *)params + s->param_offset;
	target->pointer_bytes = s->param_bytes;
}

static void resolve_one(const struct structure *s, const struct guard_context *context, const void *params,
			size_t param_bytes, struct guard_target *target)
{
	size_t size = 0;

	*target = (struct guard_target){.context = context};
	switch (s->kind) {
	case STRUCTURE_PARAM:
	case STRUCTURE_FIELD:
		if (s->param_bytes > sizeof target->pointer) {
			resolve_any_field(s, params, param_bytes, target);
			break;
		}
		target->pointer = pointer_param(s, params, param_bytes);
		if (target->pointer && context->find(context->device, target->pointer, &target->base, &size))
			target->size = size;
		break;
	case STRUCTURE_VARIABLE:
		if (context->variable(context->device, s->symbol, &target->pointer, &size)) {
			target->base = target->pointer;
			target->size = size;
		}
		break;
	case STRUCTURE_POINTEE:
	case STRUCTURE_HEAP:
	case STRUCTURE_UNKNOWN: break;
	}
}

void guard_resolve(const struct kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets)
{
	for (uint32_t i = 0; i < facts->nstructures; i++)
		resolve_one(&facts->structures[i], context, params, param_bytes, &targets[i]);
}

/* More bytes of pointers than this are not looked through at a launch. */
enum { MANY_POINTER_BYTES = 256 << 10 };

/* The pointers that "*p2" stands for are in the allocation of p2. */
static void look_at_pointers(const struct guard_target *holder, struct guard_target *target)
{
	const struct guard_context *context = target->context;

	target->looked = true;
	if (!context->view || !holder->size || holder->size > MANY_POINTER_BYTES)
		return;
	target->pointers = context->view(context->device, holder->base, holder->size);
	target->pointer_bytes = holder->size;
}

/* A null pointer reaches nothing that may be accessed; a pointer outside all allocations may reach anything. */
static bool is_null(const struct structure *s, const struct guard_target *t)
{
	return (s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_FIELD) && s->param_bytes <= sizeof t->pointer &&
	       t->pointer == 0;
}

/* Does none of the pointers lead into the memory of `b`? Bytes that lead elsewhere are other pointers, or numbers. */
static bool all_apart(const struct guard_target *a, const struct guard_target *b)
{
	for (size_t i = 0; b->size && i + sizeof(uint64_t) <= a->pointer_bytes; i++) {
		uint64_t pointer;

		memcpy(&pointer, a->pointers + i, sizeof pointer);
		if (pointer - b->base < b->size)
			return false;
	}
	return b->size > 0;
}

static bool are_apart(const struct guard_target *a, const struct guard_target *b)
{
	if (a->pointers)
		return all_apart(a, b);
	if (b->pointers)
		return all_apart(b, a);
	return a->size && b->size && (a->base + a->size <= b->base || b->base + b->size <= a->base);
}

static bool is_pointee(const struct kernel_facts *facts, uint32_t structure)
{
	return facts->structures[structure].kind == STRUCTURE_POINTEE;
}

static struct guard_target *looked_at(const struct kernel_facts *facts, struct guard_target *targets,
				      uint32_t structure)
{
	struct guard_target *target = &targets[structure];

	/* Handles in memory are no pointers: what they stand for is not known. */
	if (is_pointee(facts, structure) && !facts->structures[structure].is_image && !target->looked)
		look_at_pointers(&targets[facts->structures[structure].holder], target);
	return target;
}

static bool holds(const struct kernel_facts *facts, struct guard_target *targets, const struct guard *guard)
{
	if (is_null(&facts->structures[guard->reads], &targets[guard->reads]) ||
	    is_null(&facts->structures[guard->writes], &targets[guard->writes]))
		return true;
	return are_apart(looked_at(facts, targets, guard->reads), looked_at(facts, targets, guard->writes));
}

int guard_check(const struct kernel_facts *facts, struct guard_target *targets)
{
	for (int memory = 0; memory <= 1; memory++)
		for (uint32_t i = 0; i < facts->nguards; i++) {
			const struct guard *guard = &facts->guards[i];
			bool needs = is_pointee(facts, guard->reads) || is_pointee(facts, guard->writes);

			if (needs == memory && !holds(facts, targets, guard))
				return (int)i;
		}
	return -1;
}
