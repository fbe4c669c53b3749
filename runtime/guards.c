/* A guard fails unless both of its structures are known to lie in different memory: not knowing is failing. */
#include "runtime/guards.h"

#include <string.h>

static uint64_t pointer_param(const struct ptx_structure *s, const void *params, size_t param_bytes)
{
	uint64_t pointer = 0;

	if (s->param_offset + sizeof pointer <= param_bytes)
		memcpy(&pointer, (const char *)params + s->param_offset, sizeof pointer);
	return pointer;
}

/* More bytes of pointers than this are not looked through at a launch. */
enum { MANY_POINTER_BYTES = 256 << 10 };

/* The pointers that "*p2" stands for are in the allocation of p2. */
static void resolve_pointee(const struct guard_target *holder, const struct guard_context *context,
			    struct guard_target *target)
{
	if (!context->view || !holder->size || holder->size > MANY_POINTER_BYTES)
		return;
	target->pointers = context->view(context->device, holder->base, holder->size);
	target->pointer_bytes = holder->size;
}

static void resolve_any_field(const struct ptx_structure *s, const void *params, size_t param_bytes,
			      struct guard_target *target)
{
	if (s->param_offset + s->param_bytes > param_bytes)
		return;
	target->pointers = (const unsigned char *)params + s->param_offset;
	target->pointer_bytes = s->param_bytes;
}

static void resolve_one(const struct ptx_structure *s, const struct guard_context *context, const void *params,
			size_t param_bytes, struct guard_target *target)
{
	size_t size = 0;

	*target = (struct guard_target){.context = context};
	switch (s->kind) {
	case PTX_STRUCTURE_PARAM:
	case PTX_STRUCTURE_FIELD:
		if (s->param_bytes > sizeof target->pointer) {
			resolve_any_field(s, params, param_bytes, target);
			break;
		}
		target->pointer = pointer_param(s, params, param_bytes);
		if (target->pointer && context->find(context->device, target->pointer, &target->base, &size))
			target->size = size;
		break;
	case PTX_STRUCTURE_VARIABLE:
		if (context->variable(context->device, s->symbol, &target->pointer, &size)) {
			target->base = target->pointer;
			target->size = size;
		}
		break;
	case PTX_STRUCTURE_POINTEE:
	case PTX_STRUCTURE_HEAP:
	case PTX_STRUCTURE_UNKNOWN:
		break;
	}
}

void guard_resolve(const struct ptx_kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets)
{
	for (uint32_t i = 0; i < facts->nstructures; i++)
		resolve_one(&facts->structures[i], context, params, param_bytes, &targets[i]);
	for (uint32_t i = 0; i < facts->nstructures; i++)
		if (facts->structures[i].kind == PTX_STRUCTURE_POINTEE)
			resolve_pointee(&targets[facts->structures[i].holder], context, &targets[i]);
}

/* A null pointer reaches nothing that may be accessed; a pointer outside all allocations may reach anything. */
static bool is_null(const struct ptx_structure *s, const struct guard_target *t)
{
	return (s->kind == PTX_STRUCTURE_PARAM || s->kind == PTX_STRUCTURE_FIELD) &&
	       s->param_bytes <= sizeof t->pointer && t->pointer == 0;
}

/* Does none of the pointers lead into the allocation of `b`? What leads into no allocation is a number. */
static bool all_apart(const struct guard_target *a, const struct guard_target *b)
{
	for (size_t i = 0; b->size && i + sizeof(uint64_t) <= a->pointer_bytes; i++) {
		uint64_t pointer, base;
		size_t size;

		memcpy(&pointer, a->pointers + i, sizeof pointer);
		if (a->context->find(a->context->device, pointer, &base, &size) && base < b->base + b->size &&
		    b->base < base + size)
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

int guard_check(const struct ptx_kernel_facts *facts, const struct guard_target *targets)
{
	for (uint32_t i = 0; i < facts->nguards; i++) {
		uint32_t reads = facts->guards[i].reads, writes = facts->guards[i].writes;

		if (is_null(&facts->structures[reads], &targets[reads]) ||
		    is_null(&facts->structures[writes], &targets[writes]))
			continue;
		if (!are_apart(&targets[reads], &targets[writes]))
			return (int)i;
	}
	return -1;
}
