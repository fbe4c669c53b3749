/* A warp between two issues: moves it to its next instruction, and finds the cycle from which this may issue. */
#include "sim-backend/sm/sm.h"

static uint64_t bit(unsigned warp)
{
	return (uint64_t)1 << warp;
}

/*
 * Puts the warp into the wheel for cycle `due` > `cycle`. A warp due later than the wheel reaches comes up early, and
 * is put in again.
 */
void wheel_put(struct sm *sm, unsigned warp, uint64_t due, uint64_t cycle)
{
	uint64_t slot = due;

	if (due - cycle >= WHEEL_SLOTS) {
		sm->far |= bit(warp);
		sm->warps[warp].far_cycle = due;
		slot = cycle + WHEEL_SLOTS - 1;
	}
	slot %= WHEEL_SLOTS;
	sm->wheel[slot] |= bit(warp);
	sm->wheel_used |= 1u << slot;
}

/* Sets one pending entry of each register. Further entries belong to texels of the same fetch that have not come. */
void registers_arrived(struct sm *sm, unsigned warp, const struct launch_inst *inst, uint32_t ready)
{
	struct unready *list = sm_unready(sm, warp);

	for (unsigned i = 0; i < inst->ndst; i++) {
		unsigned at = 0;

		while (list[at].reg != inst->operands[i] || list[at].ready != PENDING)
			at++;
		list[at].ready = ready;
	}
}

/*
 * Whether the instruction uses `reg`. Compares four operands at a time: most instructions have at most four, and no
 * branch depends on which operand matches.
 */
static bool uses(const struct launch_inst *inst, uint16_t reg)
{
	const uint16_t *r = inst->operands;

	if (!(inst->operand_set & register_bit(reg)))
		return false;
	for (unsigned i = 0; i < inst->noperands; i += 4)
		if ((r[i] == reg) | (r[i + 1] == reg) | (r[i + 2] == reg) | (r[i + 3] == reg))
			return true;
	return false;
}

/*
 * The cycle from which the last operand can be read, if it is later than `earliest`; *slot then gets the reason of the
 * wait. Removes the registers that can be read in the cycle after `now`.
 */
static uint32_t latest_operand(struct sm_warp *w, struct unready *list, const struct launch_inst *inst, uint32_t now,
			       uint32_t earliest, uint8_t *slot)
{
	uint64_t set = 0;
	uint32_t latest = earliest;
	unsigned kept = 0, count = w->nunready;

	for (unsigned i = 0; i < count; i++) {
		struct unready entry = list[i];

		if (entry.ready <= now + 1)
			continue;
		list[kept++] = entry;
		set |= register_bit(entry.reg);
		if (entry.ready > latest && uses(inst, entry.reg)) {
			latest = entry.ready;
			*slot = entry.slot;
		}
	}
	w->nunready = (uint16_t)kept;
	w->unready_set = set;
	return latest;
}

/* At a fence, or where copies are waited for. */
static bool has_to_stay(const struct sm *sm, unsigned warp, const struct launch_inst *inst)
{
	return inst->cls == TRACE_FENCE ? sm->warps[warp].outstanding > 0 : copies_coming(sm, warp, inst);
}

/* Apart from park, which is called for every instruction. */
__attribute__((noinline)) static bool stays(struct sm *sm, unsigned warp, const struct launch_inst *inst)
{
	if (!has_to_stay(sm, warp, inst))
		return false;
	sm->fenced |= bit(warp);
	sm->waits_for[warp] = inst->cls == TRACE_FENCE ? SLOT_FENCE : SLOT_MEMORY;
	return true;
}

/*
 * Puts the warp where it waits for the operands of `inst`, its next instruction. A warp that may issue in the next
 * cycle keeps the reason for which it waited.
 */
static void park(struct sm *sm, unsigned warp, struct sm_warp *w, const struct launch_inst *inst, uint32_t earliest,
		 uint64_t cycle)
{
	uint32_t now = sm_now(sm, cycle), due = earliest;

	if (inst->kind == OP_FENCE && stays(sm, warp, inst))
		return;
	if (w->unready_set & inst->operand_set)
		due = latest_operand(w, sm_unready(sm, warp), inst, now, earliest, &sm->waits_for[warp]);
	if (due == PENDING) {
		sm->on_memory |= bit(warp);
		sm->waits_since[warp] = cycle;
		if (sm->waits_for[warp] == SLOT_SHARED)
			sm->on_shared |= bit(warp);
		return;
	}
	if (due <= now)
		due = now + 1;
	wheel_put(sm, warp, sm->context->start + due, cycle);
}

static void park_again(struct sm *sm, unsigned warp, uint64_t cycle)
{
	park(sm, warp, &sm->warps[warp], &sm->context->insts[sm_next_op(sm, warp)->inst], 0, cycle);
}

void warp_recheck(struct sm *sm, unsigned warp, uint64_t cycle)
{
	if (!(sm->on_memory & bit(warp)) || (sm->fetches && sm->fetches->waiting & bit(warp)))
		return;
	sm->on_memory &= ~bit(warp);
	sm->on_shared &= ~bit(warp);
	park_again(sm, warp, cycle);
}

void warp_fetched(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle)
{
	if (!(sm->on_memory & bit(warp)))
		return;
	sm->on_memory &= ~bit(warp);
	park(sm, warp, &sm->warps[warp], &sm->context->insts[sm_next_op(sm, warp)->inst], earliest, cycle);
}

static bool takes_load_entry(enum sm_op kind)
{
	return kind == OP_LOAD || kind == OP_BYPASS || kind == OP_ATOMIC;
}

static struct resident_cta *cta_of(struct sm *sm, unsigned warp)
{
	return &sm->ctas[sm->warps[warp].cta];
}

static void open_barrier(struct sm *sm, struct resident_cta *cta, struct cta_barrier *b, uint64_t cycle)
{
	uint64_t waiting = b->waiting;
	unsigned warp;

	BITS_FOR_EACH(warp, waiting, 0)
		sm_prefetch_warp(sm, warp);
	sm->at_barrier &= ~waiting;
	cta->arrived -= b->arrived;
	*b = (struct cta_barrier){0};
	for (; waiting; waiting &= waiting - 1)
		warp_advance(sm, (unsigned)__builtin_ctzll(waiting),
			     sm_now(sm, cycle) + sm->context->config->barrier_latency, cycle);
}

/*
 * Opens the barrier when all its warps have arrived. At a barrier for all warps a warp that has ended counts as
 * arrived.
 */
static void check_barrier(struct sm *sm, struct resident_cta *cta, struct cta_barrier *b, uint64_t cycle)
{
	if (b->arrived && b->arrived >= (b->expected ? b->expected : cta->running))
		open_barrier(sm, cta, b, cycle);
}

/*
 * When all running warps wait, no warp is left to arrive: then all barriers open. Only this opens barriers whose number
 * is not known.
 */
static void check_all_wait(struct sm *sm, struct resident_cta *cta, uint64_t cycle)
{
	if (cta->warps & sm->running & ~sm->at_barrier)
		return;
	for (unsigned i = 0; i <= TRACE_BARRIERS; i++)
		if (cta->barriers[i].waiting)
			open_barrier(sm, cta, &cta->barriers[i], cycle);
}

static void check_barriers(struct sm *sm, struct resident_cta *cta, uint64_t cycle)
{
	for (unsigned i = 0; i <= TRACE_BARRIERS && cta->arrived; i++)
		check_barrier(sm, cta, &cta->barriers[i], cycle);
	if (cta->arrived)
		check_all_wait(sm, cta, cycle);
}

void warp_barrier(struct sm *sm, unsigned warp, const struct launch_inst *inst, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);
	struct cta_barrier *b = &cta->barriers[inst->barrier];

	sm->context->stats.barriers++;
	if (inst->kind == OP_ARRIVE && inst->barrier == TRACE_BARRIERS)
		return;
	b->expected = inst->barrier_warps;
	b->arrived++;
	cta->arrived++;
	if (inst->kind == OP_BARRIER) {
		b->waiting |= bit(warp);
		sm->at_barrier |= bit(warp);
		sm->waits_for[warp] = SLOT_BARRIER;
	}
	check_barrier(sm, cta, b, cycle);
	if (inst->kind == OP_BARRIER && sm->at_barrier & bit(warp))
		check_all_wait(sm, cta, cycle);
}

static void leave_cta(struct sm *sm, unsigned warp, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);

	if (--cta->left > 0)
		return;
	cta->ended = cycle;
	sm->finished++;
	sm->context->finished++;
}

/* Apart from warp_advance, which is called for every instruction and would save more registers. */
__attribute__((noinline)) static void end_warp(struct sm *sm, unsigned warp, uint64_t cycle)
{
	struct resident_cta *cta = cta_of(sm, warp);

	sm->damaged |= sm->cursors[warp].bad;
	sm->ended |= bit(warp);
	sm->running &= ~bit(warp);
	slots_until_end(sm, warp, cycle);
	cta->running--;
	if (sm->warps[warp].outstanding == 0)
		leave_cta(sm, warp, cycle);
	if (cta->arrived)
		check_barriers(sm, cta, cycle);
}

void warp_unfence(struct sm *sm, unsigned warp, uint64_t cycle)
{
	sm->fenced &= ~bit(warp);
	park_again(sm, warp, cycle);
}

void warp_answered(struct sm *sm, unsigned warp, uint64_t cycle)
{
	if (--sm->warps[warp].outstanding > 0)
		return;
	if (sm->ended & bit(warp)) {
		leave_cta(sm, warp, cycle);
	} else if (sm->fenced & bit(warp)) {
		warp_unfence(sm, warp, cycle);
	}
}

void warp_advance(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle)
{
	struct sm_warp *w = &sm->warps[warp];
	const struct launch_inst *inst;
	const struct warp_op *op;
	enum sm_op kind;
	unsigned left;

	if (sm->at[warp] == w->nops) {
		if (!warp_decode(sm, warp)) {
			end_warp(sm, warp, cycle);
			return;
		}
		if (sm->instructions)
			earliest = fetch_instructions(sm, warp, earliest, cycle);
	}
	op = sm_next_op(sm, warp);
	kind = (enum sm_op)op->kind;
	inst = &sm->context->insts[op->inst];
	if (inst->interval > 1)
		sm->by_unit[inst->unit] |= bit(warp);
	if (kind >= OP_SHARED) {
		sm->needs_lsu |= bit(warp);
		__builtin_prefetch(sm_accesses(sm, warp) + w->access);
	}
	if (takes_load_entry(kind))
		sm->needs_load |= bit(warp);
	left = w->nops - sm->at[warp];
	if (left <= DECODE_STEPS)
		warp_prefetch_decode(sm, warp, left);
	else
		__builtin_prefetch((const char *)op + 64);
	park(sm, warp, w, inst, earliest, cycle);
}
