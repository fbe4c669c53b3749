/* The guard of a launch: the analyser's guards first, then what a kernel that waits for others may read. */
#include "runtime/device/launch_guard.h"

#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "runtime/device/regions.h"
#include "verdict/guard_scan.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Allocations as their own allocators divide them --- */

struct divided {
	const struct guard_context *memory;
	const struct launch_params *launch;
	bool (*only_device_writes)(void *device, uint64_t base, size_t size); /* NULL: it need not be so */
};

static bool find_region(void *divided, uint64_t address, uint64_t *base, size_t *size)
{
	const struct divided *d = divided;

	if (!d->memory->find(d->memory->device, address, base, size))
		return false;
	regions_narrow(d->launch->regions, d->launch->regions_seen, address, base, size);
	return true;
}

static bool find_variable(void *divided, uint32_t symbol, uint64_t *address, size_t *size)
{
	const struct guard_context *memory = ((const struct divided *)divided)->memory;

	return memory->variable(memory->device, symbol, address, size);
}

static const void *view_memory(void *divided, uint64_t address, size_t size)
{
	const struct guard_context *memory = ((const struct divided *)divided)->memory;

	return memory->view(memory->device, address, size);
}

/* Numbers may lie in several regions. A kernel that waits for others may find other numbers there later. */
static bool scan_memory(void *divided, const struct guard_scan *scan, struct guard_scanned *found)
{
	const struct divided *d = divided;

	if (d->only_device_writes && !d->only_device_writes(d->memory->device, scan->address, guard_scan_size(scan)))
		return false;
	return guard_scan(d->memory, scan, found);
}

/* --- The question --- */

static bool host_stays_out(const struct guard_target *t, const struct launch_guard *g)
{
	return t->size && g->only_device_writes(g->memory->device, t->base, t->size);
}

/*
 * True if all marked data is in memory that the host cannot reach. Such data stays unchanged while the kernel runs:
 * kernels and copies run one after another.
 */
static bool reads_device_memory_only(const struct launch_guard *g, const struct guard_target *targets)
{
	for (uint32_t i = 0; i < g->facts->nstructures; i++)
		if (g->facts->structures[i].loads_marked && !host_stays_out(&targets[i], g))
			return false;
	return true;
}

static void describe_overlap(const struct launch_guard *g, const struct guard *failed,
			     const struct guard_target *targets, struct strbuf *why)
{
	const struct structure *s = g->facts->structures;
	uint64_t pointer = targets[failed->reads].pointer;
	const struct region *region = regions_find(g->launch->regions, pointer);
	const char *name = g->name ? g->name(g->memory->device, pointer) : NULL;

	if (region && targets[failed->reads].base == region->address && targets[failed->reads].size == region->size)
		name = region->name;
	strbuf_addc(why, '\'');
	structure_show(why, s[failed->reads].id);
	strbuf_adds(why, "' is read and '");
	structure_show(why, s[failed->writes].id);
	strbuf_adds(why, "' is written, ");
	if (name)
		strbuf_addf(why, "both in %s", name);
	else
		strbuf_adds(why, "which may share memory");
}

struct ranges_ask {
	const struct launch_ranges_ask *ranges;
	const struct guard_context *memory;
};

static bool ranges_apart(void *data, const struct guard *guard)
{
	const struct ranges_ask *ask = data;

	return ask->ranges->apart(ask->ranges->data, ask->memory, guard);
}

static bool evaluate(const struct launch_guard *g, const struct guard_context *context, struct guard_target *targets,
		     struct strbuf *why)
{
	struct ranges_ask ask = {g->ranges, context};
	int failed;

	guard_resolve(g->facts, context, g->launch->params, g->launch->param_bytes, targets);
	failed = guard_check(g->facts, targets, g->ranges ? ranges_apart : NULL, &ask);
	if (failed < 0 && (!g->only_device_writes || reads_device_memory_only(g, targets)))
		return true;
	strbuf_addf(why, "kernel '%s' runs without its read-only marks: ", short_title(g->kernel).text);
	if (failed >= 0)
		describe_overlap(g, &g->facts->guards[failed], targets, why);
	else
		strbuf_adds(why, "it synchronises with others and reads memory that the host can write");
	return false;
}

static bool evaluate_alone(const struct launch_guard *g, const struct guard_context *context, struct strbuf *why)
{
	struct guard_target *own = g->targets ? NULL : xcalloc(g->facts->nstructures + 1, sizeof *own);
	bool holds = evaluate(g, context, g->targets ? g->targets : own, why);

	free(own);
	return holds;
}

/*
 * Fills in the caller's targets. Resolving is enough for them: callers need nothing of what guard_check finds about
 * pointers in memory.
 */
static bool answer_again(const struct launch_guard *g, const struct guard_context *context,
			 const struct guard_answer *answer, struct strbuf *why)
{
	if (g->targets)
		guard_resolve(g->facts, context, g->launch->params, g->launch->param_bytes, g->targets);
	if (!answer->holds)
		strbuf_adds(why, answer->why);
	return answer->holds;
}

bool launch_guard_holds(const struct launch_guard *g, struct strbuf *why)
{
	struct divided divided = {g->memory, g->launch, g->only_device_writes};
	const struct guard_context context = {&divided, find_region, find_variable,
					      g->memory->view ? view_memory : NULL, scan_memory};
	const struct guard_question question = {g->launch, &context, g->epoch, g->informs};
	const struct guard_answer *answer;
	bool holds;

	if (!g->memo)
		return evaluate_alone(g, &context, why);
	answer = guard_memo_find(g->memo, &question);
	if (answer)
		return answer_again(g, &context, answer, why);
	holds = evaluate_alone(g, guard_memo_open(g->memo, &question), why);
	guard_memo_close(g->memo, holds, why->data);
	return holds;
}

bool launch_guard_ask(const struct launch_guard *g, bool quiet, bool *told)
{
	struct strbuf why = STRBUF_INIT;
	bool holds = launch_guard_holds(g, &why);

	if (!holds && !quiet && !*told)
		fprintf(stderr, "romark: %s\n", why.data);
	*told = *told || !holds;
	strbuf_release(&why);
	return holds;
}
