/*
 * Guards by byte ranges: what a launch asks where allocations do not show that a guard holds.
 *
 *   struct guard_ranges r = {.analysis = a, .facts = facts, .launch = launch};
 *   bool holds = guard_ranges_hold(&r, &context, &facts->guards[i]);   // evaluates the launch when first asked
 *   guard_ranges_release(&r);
 */
#ifndef ROMARK_PTX_GUARD_RANGES_H
#define ROMARK_PTX_GUARD_RANGES_H

#include "ptx-analyzer/ranges/ranges.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "verdict/guards.h"

struct guard_ranges {
	struct ptx_analysis *analysis;
	const struct kernel_facts *facts; /* of the analysis */
	struct range_launch launch;       /* but for its variables, which are looked up in the guards' memory */
	struct launch_ranges *evaluated;  /* NULL: nobody has asked yet */
	struct launch_ranges *scanned;    /* with numbers in memory; NULL: not asked for, or they show nothing more */
	bool has_scanned;
	struct guard_target *targets; /* while memory is looked through: where structures lie */
};

/* The best ranges of the launch, evaluated when they are first asked for; NULL for facts of another analysis. */
const struct launch_ranges *guard_ranges_best(struct guard_ranges *r, const struct guard_context *memory);
/* `ranges` is a struct guard_ranges: the type is that of a launch's question. */
bool guard_ranges_hold(void *ranges, const struct guard_context *memory, const struct guard *guard);
void guard_ranges_release(struct guard_ranges *r);

/* The ranges of a kernel of the analysis, prepared when they are first asked for; NULL for facts of another one. */
const struct kernel_ranges *ptx_kernel_ranges(struct ptx_analysis *a, const struct kernel_facts *facts);

#endif
