/*
 * The calls from a kernel to one of its functions: the shortest path of calls that all hand on the structure that the
 * access touches, or the shortest of all if there is no such path. (Calls do not hand on variables.)
 */
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include "ptx-analyzer/language/module/ptx_places.h"

static bool meets(struct set_table *t, set_id a, set_id b)
{
	const struct set *s = set_get(t, a);

	for (uint32_t i = 0; i < s->count; i++)
		if (s->elems[i] >= STRUCT_ELEM(0) && set_has(t, b, s->elems[i]))
			return true;
	return false;
}

/* Calls are sorted by their callers. Gives each caller's first call; the last number is the number of all calls. */
static uint32_t *index_calls(const struct kernel *k)
{
	uint32_t *first = xcalloc(k->functions.len + 1, sizeof *first);

	for (size_t i = 0; i < k->calls.len; i++)
		first[k->calls.data[i].caller + 1] = (uint32_t)i + 1;
	for (size_t i = 1; i <= k->functions.len; i++)
		if (first[i] < first[i - 1])
			first[i] = first[i - 1];
	return first;
}

/* For each function that is found, the call by which it was, + 1. */
static void search(const struct kernel *k, const uint32_t *first, const set_id *touched, uint32_t *found)
{
	uint32_t *queue = xmalloc(k->functions.len * sizeof *queue), n = 1;

	queue[0] = 0;
	for (uint32_t at = 0; at < n; at++)
		for (uint32_t c = first[queue[at]]; c < first[queue[at] + 1]; c++) {
			const struct kernel_call *call = &k->calls.data[c];

			if (call->callee == 0 || found[call->callee] ||
			    (touched && !meets(k->owner->sets, call->passed, *touched)))
				continue;
			found[call->callee] = c + 1;
			queue[n++] = call->callee;
		}
	free(queue);
}

static uint32_t position_of(const struct kernel *k, uint32_t function)
{
	uint32_t position = 0;

	while (position < k->functions.len && k->functions.data[position] != function)
		position++;
	return position;
}

static struct call_step make_step(const struct kernel *k, const struct kernel_call *call)
{
	const struct ptx_module *m = k->owner->module;
	const struct ptx_inst *inst = &m->functions[k->functions.data[call->caller]].insts[call->inst];

	return (struct call_step){.callee = m->functions[k->functions.data[call->callee]].name,
				  .line = inst->line,
				  .from = ptx_places(m, inst, &k->owner->arena)};
}

const struct call_step *call_path(const struct kernel *k, const struct kernel_access *a, uint32_t *count)
{
	uint32_t to = position_of(k, a->function), *found, *first;
	struct call_step *steps;

	*count = 0;
	if (to == 0 || to == k->functions.len)
		return NULL;
	first = index_calls(k);
	found = xcalloc(k->functions.len, sizeof *found);
	search(k, first, &a->set, found);
	if (!found[to]) {
		memset(found, 0, k->functions.len * sizeof *found);
		search(k, first, NULL, found);
	}
	for (uint32_t at = to; at && found[at]; at = k->calls.data[found[at] - 1].caller)
		++*count;
	steps = arena_array(&k->owner->arena, struct call_step, *count);
	for (uint32_t at = to, n = *count; n--; at = k->calls.data[found[at] - 1].caller)
		steps[n] = make_step(k, &k->calls.data[found[at] - 1]);
	free(found);
	free(first);
	return steps;
}
