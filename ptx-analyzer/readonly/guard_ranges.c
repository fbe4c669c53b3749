/* Guards by byte ranges: a kernel is prepared once, a launch evaluated when its first guard fails. */
#include "ptx-analyzer/readonly/guard_ranges.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

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

static const struct launch_ranges *with_memory(struct guard_ranges *r, const struct guard_context *memory)
{
	if (r->evaluated && !r->has_scanned)
		r->scanned =
		    ptx_ranges_scan(ptx_kernel_ranges(r->analysis, r->facts), &r->launch, r->evaluated, memory);
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
