/* Guards by byte ranges: a kernel is prepared once, a launch evaluated when its first guard fails. */
#include "ptx-analyzer/readonly/guard_ranges.h"

#include "common/xalloc.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include <stdlib.h>

static struct kernel *kernel_of(const struct ptx_analysis *a, const struct kernel_facts *facts)
{
	for (size_t i = 0; i < a->nkernels; i++)
		if (&a->kernels[i].facts == facts)
			return &a->kernels[i];
	return NULL;
}

const struct kernel_ranges *ptx_kernel_ranges(struct ptx_analysis *a, const struct kernel_facts *facts)
{
	struct kernel *k = kernel_of(a, facts);

	if (k && !k->ranges)
		k->ranges = ptx_ranges_prepare(&a->module->functions[facts->function]);
	return k ? k->ranges : NULL;
}

static bool find_variable(void *memory, uint32_t symbol, uint64_t *address)
{
	const struct guard_context *context = memory;
	size_t size;

	return context->variable && context->variable(context->device, symbol, address, &size);
}

/* From the launch's numbers alone. */
static const struct launch_ranges *without_memory(struct guard_ranges *r, const struct guard_context *memory)
{
	const struct kernel_ranges *prepared = ptx_kernel_ranges(r->analysis, r->facts);

	r->launch.variable = find_variable;
	r->launch.data = (void *)(uintptr_t)memory;
	if (prepared && !r->evaluated)
		r->evaluated = ptx_ranges_evaluate(prepared, &r->launch);
	return r->evaluated;
}

/* The structure is in one allocation, which a pointer of the launch leads to, and which has none of the bytes. */
static bool is_elsewhere(const struct structure *s, const struct guard_target *t, const struct byte_range *bytes)
{
	return s->kind != STRUCTURE_POINTEE && !s->is_image && t->size && !t->pointers &&
	       (t->base > bytes->last || t->base + (t->size - 1) < bytes->first);
}

/* A write stays in the allocations that its pointers lead to, as guards assume it. */
static bool stays_out(void *ranges, uint32_t function, uint32_t inst, const struct byte_range *bytes)
{
	const struct guard_ranges *r = ranges;
	const struct kernel *k = kernel_of(r->analysis, r->facts);
	bool found = false;

	for (size_t i = 0; i < k->naccesses; i++) {
		const struct access *a = &k->accesses[i];

		if (a->function != function || a->inst != inst || !(a->is_store || a->is_atomic))
			continue;
		for (uint32_t j = 0; j < a->nstructures; j++)
			if (!is_elsewhere(&r->facts->structures[a->structures[j]], &r->targets[a->structures[j]],
					  bytes))
				return false;
		found = a->nstructures > 0;
	}
	return found;
}

static const struct launch_ranges *with_memory(struct guard_ranges *r, const struct guard_context *memory)
{
	const struct range_writers writers = {stays_out, r};

	if (r->evaluated && !r->has_scanned) {
		r->targets = xcalloc(r->facts->nstructures + 1, sizeof *r->targets);
		guard_resolve(r->facts, memory, r->launch.params, r->launch.param_bytes, r->targets);
		r->scanned = ptx_ranges_scan(ptx_kernel_ranges(r->analysis, r->facts), &r->launch, r->evaluated, memory,
					     &writers);
		free(r->targets);
		r->targets = NULL;
	}
	r->has_scanned = true;
	return r->scanned;
}

const struct launch_ranges *guard_ranges_best(struct guard_ranges *r, const struct guard_context *memory)
{
	const struct launch_ranges *evaluated = without_memory(r, memory), *scanned = with_memory(r, memory);

	return scanned ? scanned : evaluated;
}

static bool show_apart(const struct guard_ranges *r, const struct launch_ranges *l, const struct guard *guard)
{
	const struct kernel *k = kernel_of(r->analysis, r->facts);

	return l && ptx_ranges_apart(l, r->facts, k->accesses, k->naccesses, guard);
}

/* Memory is only looked through where the launch's numbers do not show it. */
bool guard_ranges_hold(void *ranges, const struct guard_context *memory, const struct guard *guard)
{
	struct guard_ranges *r = ranges;

	return show_apart(r, without_memory(r, memory), guard) || show_apart(r, with_memory(r, memory), guard);
}

void guard_ranges_release(struct guard_ranges *r)
{
	ptx_ranges_release(r->evaluated);
	ptx_ranges_release(r->scanned);
	r->evaluated = r->scanned = NULL;
	r->has_scanned = false;
}
