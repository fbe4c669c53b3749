/* A warp between two issues: its next instruction is decoded, and the cycle found from which it may issue. */
#include "sim-backend/sm/sm.h"

static uint64_t bit(unsigned warp)
{
	return (uint64_t)1 << warp;
}

/* Into the wheel at `due` > `cycle`; a far one comes round earlier and is put in again. */
void wheel_put(struct sm *sm, unsigned warp, uint64_t due, uint64_t cycle)
{
	uint64_t slot = due;

	if (due - cycle >= WHEEL_SLOTS) {
		sm->far |= bit(warp);
		sm->far_cycle[warp] = due;
		slot = cycle + WHEEL_SLOTS - 1;
	}
	slot %= WHEEL_SLOTS;
	sm->wheel[slot] |= bit(warp);
	sm->wheel_used |= (uint64_t)1 << slot;
}

static const uint32_t *registers_of(const struct sm *sm, unsigned warp)
{
	return sm->ready_at + (size_t)warp * sm->registers;
}

/* Cycle of the kernel from which the scoreboard lets `inst` issue, PENDING when a load decides it. */
static uint32_t hazard(const uint32_t *ready_at, const struct trace_inst *inst)
{
	uint32_t latest = 0;

	for (unsigned i = 0; i < inst->nsrc; i++)
		if (inst->src[i] != TRACE_NO_REGISTER && ready_at[inst->src[i]] > latest)
			latest = ready_at[inst->src[i]];
	for (unsigned i = 0; i < inst->ndst; i++)
		if (inst->dst[i] != TRACE_NO_REGISTER && ready_at[inst->dst[i]] > latest)
			latest = ready_at[inst->dst[i]];
	return latest;
}

/* Puts the warp where it waits for its next instruction's operands. */
static void park(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle)
{
	uint32_t due;

	if (sm->kind[warp] == OP_FENCE && sm->outstanding[warp]) {
		sm->fenced |= bit(warp);
		return;
	}
	due = hazard(registers_of(sm, warp), sm->ops[warp].inst);
	if (due == PENDING) {
		sm->on_memory |= bit(warp);
		return;
	}
	if (due < earliest)
		due = earliest;
	if (due <= sm_now(sm, cycle))
		due = sm_now(sm, cycle) + 1;
	wheel_put(sm, warp, sm->context->start + due, cycle);
}

void warp_recheck(struct sm *sm, unsigned warp, uint64_t cycle)
{
	if (!(sm->on_memory & bit(warp)))
		return;
	sm->on_memory &= ~bit(warp);
	park(sm, warp, 0, cycle);
}

static enum op_kind kind_of(const struct trace_op *op)
{
	switch (op->inst->cls) {
	case TRACE_BARRIER:
		/* A barrier object in memory (mbarrier) is an access; nobody waits for other warps there. */
		if (op->inst->flags & TRACE_HAS_ACCESS)
			break;
		return OP_BARRIER;
	case TRACE_FENCE:
		return OP_FENCE;
	case TRACE_BRANCH:
	case TRACE_CALL:
		return OP_CONTROL;
	default:
		break;
	}
	if (!op->access_mask)
		return OP_ALU;
	switch (op->space) {
	case TRACE_GLOBAL:
	case TRACE_LOCAL:
	case TRACE_SHARED:
		return OP_LSU;
	case TRACE_CONST:
	case TRACE_PARAM:
		return OP_CONST;
	default:
		return OP_ALU;
	}
}

static bool takes_load_entry(const struct trace_op *op)
{
	if (op->inst->cls == TRACE_STORE || op->space == TRACE_SHARED)
		return false;
	return op->inst->cls != TRACE_ATOMIC || !(op->inst->flags & TRACE_NO_RETURN);
}

static struct resident_cta *cta_of(struct sm *sm, unsigned warp)
{
	return &sm->ctas[sm->cta_of[warp]];
}

static void release_barrier(struct sm *sm, struct resident_cta *cta, uint64_t cycle)
{
	uint64_t waiting = cta->warps & sm->at_barrier;

	sm->at_barrier &= ~waiting;
	cta->arrived = 0;
	for (; waiting; waiting &= waiting - 1)
		warp_advance(sm, (unsigned)__builtin_ctzll(waiting),
			     sm_now(sm, cycle) + sm->context->config->barrier_latency, cycle);
}

/* Ends count as arrivals: those who wait go on when nobody is left who could still come. */
static void check_barrier(struct sm *sm, struct resident_cta *cta, uint64_t cycle)
{
	if (cta->arrived && cta->arrived == cta->running)
		release_barrier(sm, cta, cycle);
}

void warp_barrier(struct sm *sm, unsigned warp, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);

	sm->at_barrier |= bit(warp);
	cta->arrived++;
	sm->stats.barriers++;
	check_barrier(sm, cta, cycle);
}

static void retire(struct sm *sm, unsigned warp, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);

	if (--cta->left > 0)
		return;
	cta->ended = cycle;
	sm->finished++;
	sm->context->finished++;
}

static void end_warp(struct sm *sm, unsigned warp, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);

	sm->damaged |= sm->cursors[warp].bad;
	sm->ended |= bit(warp);
	cta->running--;
	if (sm->outstanding[warp] == 0)
		retire(sm, warp, cycle);
	check_barrier(sm, cta, cycle);
}

void warp_answered(struct sm *sm, unsigned warp, uint64_t cycle)
{
	if (--sm->outstanding[warp] > 0)
		return;
	if (sm->ended & bit(warp)) {
		retire(sm, warp, cycle);
	} else if (sm->fenced & bit(warp)) {
		sm->fenced &= ~bit(warp);
		park(sm, warp, 0, cycle);
	}
}

void warp_advance(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle)
{
	struct trace_op *op = &sm->ops[warp];
	uint64_t mask = bit(warp);

	if (!trace_warp_next(&sm->cursors[warp], op)) {
		end_warp(sm, warp, cycle);
		return;
	}
	sm->by_class[op->inst->cls] |= mask;
	sm->kind[warp] = (uint8_t)kind_of(op);
	if (sm->kind[warp] == OP_LSU) {
		sm->needs_lsu |= mask;
		if (takes_load_entry(op))
			sm->needs_load |= mask;
	}
	park(sm, warp, earliest, cycle);
}
