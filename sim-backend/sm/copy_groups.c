/* Groups of a warp's asynchronous copies, and waiting for the older of them. */
#include "sim-backend/sm/sm.h"

uint8_t copy_begins(struct sm *sm, unsigned warp)
{
	struct copy_groups *g = &sm->copies[warp];

	g->coming[g->open]++;
	return g->open;
}

void copies_commit(struct sm *sm, unsigned warp)
{
	struct copy_groups *g = &sm->copies[warp];

	g->open = (uint8_t)((g->open + 1) % COPY_GROUPS);
}

/*
 * Some copies on their way are neither in the open group, unless it is committed first, nor in the latest groups that
 * may be.
 */
bool copies_coming(const struct sm *sm, unsigned warp, const struct launch_inst *inst)
{
	const struct copy_groups *g = &sm->copies[warp];
	unsigned coming = 0;

	for (unsigned age = inst->barrier_warps ? 0 : 1 + inst->barrier; age < COPY_GROUPS; age++)
		coming += g->coming[(g->open + COPY_GROUPS - age) % COPY_GROUPS];
	return coming > 0;
}

void copy_arrived(struct sm *sm, unsigned warp, uint8_t group, uint64_t cycle)
{
	const struct launch_inst *inst;

	sm->copies[warp].coming[group]--;
	if (!(sm->fenced >> warp & 1))
		return;
	inst = &sm->context->insts[sm_next_op(sm, warp)->inst];
	if (inst->kind == OP_FENCE && inst->cls == TRACE_ASYNC_COPY && !copies_coming(sm, warp, inst))
		warp_unfence(sm, warp, cycle);
}
