/* A guard fails unless both of its structures are known to lie in different memory: not knowing is failing. */
#include "runtime/guards.h"

#include <string.h>

static uint64_t pointer_param(const struct ptx_structure *s, const void *params, size_t param_bytes)
{
	uint64_t pointer = 0;

	/* "Some pointer in these bytes" is none that could be looked up. */
	if (s->param_bytes > sizeof pointer)
		return 0;
	if (s->param_offset + sizeof pointer <= param_bytes)
		memcpy(&pointer, (const char *)params + s->param_offset, sizeof pointer);
	return pointer;
}

static void resolve_one(const struct ptx_structure *s, const struct guard_context *context, const void *params,
			size_t param_bytes, struct guard_target *target)
{
	size_t size = 0;

	*target = (struct guard_target){0, 0, 0};
	switch (s->kind) {
	case PTX_STRUCTURE_PARAM:
	case PTX_STRUCTURE_FIELD:
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
	case PTX_STRUCTURE_HEAP:
	case PTX_STRUCTURE_POINTEE:
	case PTX_STRUCTURE_UNKNOWN:
		break;
	}
}

void guard_resolve(const struct ptx_kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets)
{
	for (uint32_t i = 0; i < facts->nstructures; i++)
		resolve_one(&facts->structures[i], context, params, param_bytes, &targets[i]);
}

/* A null pointer reaches nothing that may be accessed; a pointer outside all allocations may reach anything. */
static bool is_null(const struct ptx_structure *s, const struct guard_target *t)
{
	return (s->kind == PTX_STRUCTURE_PARAM || s->kind == PTX_STRUCTURE_FIELD) &&
	       s->param_bytes <= sizeof t->pointer && t->pointer == 0;
}

static bool are_apart(const struct guard_target *a, const struct guard_target *b)
{
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
