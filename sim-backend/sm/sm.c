/* The SM's cycle: replies come in, warps wake, the LSU makes one access, each scheduler issues one instruction. */
#include "sim-backend/sm/sm.h"

#include "common/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Life --------------------------------------------------------------------------------------------------------- */

struct sm *sm_create(struct sm_context *context, unsigned id)
{
	const struct sm_config *config = context->config;
	struct sm *sm = xcalloc(1, sizeof *sm);

	sm->context = context;
	sm->id = id;
	sm->pick = warp_scheduler_table[config->scheduler]->pick;
	for (unsigned warp = 0; warp < SM_MAX_WARPS; warp++)
		sm->scheduler_mask[warp % config->schedulers] |= (uint64_t)1 << warp;
	sm->l1 = l1_create(context->l1_config, context->l1_policy, context->l1_policy_knobs);
	sm->loads = xcalloc(config->loads_in_flight, sizeof *sm->loads);
	sm->free_loads = xcalloc(config->loads_in_flight, sizeof *sm->free_loads);
	while (sm->nfree_loads < config->loads_in_flight) {
		sm->free_loads[sm->nfree_loads] = (uint16_t)(config->loads_in_flight - 1 - sm->nfree_loads);
		sm->nfree_loads++;
	}
	sm->cursors = xcalloc(SM_MAX_WARPS, sizeof *sm->cursors);
	sm->ops = xcalloc(SM_MAX_WARPS, sizeof *sm->ops);
	sm->lsu = xcalloc(config->lsu_queue, sizeof *sm->lsu);
	return sm;
}

void sm_free(struct sm *sm)
{
	if (!sm)
		return;
	for (unsigned i = 0; i < SM_MAX_CTAS; i++)
		if (sm->ctas[i].used)
			trace_cta_release(&sm->ctas[i].trace);
	l1_free(sm->l1);
	free(sm->loads);
	free(sm->free_loads);
	free(sm->cursors);
	free(sm->ops);
	free(sm->lsu);
	free(sm->ready_at);
	free(sm);
}

void sm_kernel_begin(struct sm *sm)
{
	uint32_t registers = sm->context->kernel->nregisters;

	/* Rows in whole cache lines; pages of rows that no warp uses are never touched. */
	sm->registers = (registers / 16 + 1) * 16;
	sm->ready_at = xrealloc(sm->ready_at, sizeof *sm->ready_at * SM_MAX_WARPS * sm->registers);
	sm->ended = 0;
	for (unsigned s = 0; s < SM_MAX_SCHEDULERS; s++)
		sm->last[s] = NO_WARP;
	l1_flush(sm->l1);
}

/* --- CTAs --------------------------------------------------------------------------------------------------------- */

static unsigned free_cta_slot(const struct sm *sm)
{
	unsigned slot = 0;

	while (sm->ctas[slot].used)
		slot++;
	return slot;
}

void sm_take_cta(struct sm *sm, const struct trace_cta *trace, uint64_t cycle)
{
	uint32_t nwarps = trace->nwarps;
	unsigned slot = free_cta_slot(sm), first = slot * sm->context->warps_per_cta;
	uint64_t warps = (nwarps < 64 ? ((uint64_t)1 << nwarps) - 1 : UINT64_MAX) << first;

	sm->ctas[slot] =
	    (struct resident_cta){.trace = *trace, .warps = warps, .running = nwarps, .left = nwarps, .used = true};
	if (sm->nctas == 0)
		sm->resident_since = cycle;
	sm->age_slots[sm->nctas] = (uint8_t)slot;
	sm->age_masks[sm->nctas++] = warps;
	sm->stats.ctas++;
	sm->stats.warps += nwarps;
	sm->ended &= ~warps;
	for (unsigned w = 0; w < nwarps; w++) {
		unsigned warp = first + w;

		sm->cta_of[warp] = (uint8_t)slot;
		memset(sm->ready_at + (size_t)warp * sm->registers, 0, sizeof *sm->ready_at * sm->registers);
		trace_warp_start(&sm->cursors[warp], sm->context->kernel, &sm->ctas[slot].trace, w);
		warp_advance(sm, warp, 0, cycle);
	}
}

uint32_t sm_reap(struct sm *sm, uint64_t cycle)
{
	uint32_t kept = 0, reaped = 0;

	if (sm->finished == 0)
		return 0;
	for (uint32_t i = 0; i < sm->nctas; i++) {
		struct resident_cta *cta = &sm->ctas[sm->age_slots[i]];

		if (cta->left == 0 && cta->ended < cycle) {
			trace_cta_release(&cta->trace);
			cta->used = false;
			reaped++;
			continue;
		}
		sm->age_slots[kept] = sm->age_slots[i];
		sm->age_masks[kept++] = sm->age_masks[i];
	}
	sm->nctas = kept;
	sm->finished -= reaped;
	sm->context->finished -= reaped;
	if (reaped && kept == 0)
		sm->stats.resident_cycles += cycle - sm->resident_since;
	return reaped;
}

/* --- Issue -------------------------------------------------------------------------------------------------------- */

static void write_registers(struct sm *sm, unsigned warp, const struct trace_inst *inst, uint32_t ready)
{
	uint32_t *ready_at = sm->ready_at + (size_t)warp * sm->registers;

	for (unsigned i = 0; i < inst->ndst; i++)
		if (inst->dst[i] != TRACE_NO_REGISTER)
			ready_at[inst->dst[i]] = ready;
}

/* Classes without a latency of their own (a store whose lanes are all off, EXIT) take one cycle. */
static uint32_t latency_of(const struct sm *sm, const struct trace_inst *inst)
{
	uint32_t latency = sm->context->exec->latency[inst->cls];

	return latency ? latency : 1;
}

static void count_issue(struct sm *sm, const struct trace_op *op)
{
	uint32_t lanes = op->mask == UINT32_MAX ? TRACE_WARP_LANES : (uint32_t)__builtin_popcount(op->mask);

	sm->stats.warp_instructions++;
	sm->stats.thread_instructions += lanes;
	sm->stats.by_class[op->inst->cls]++;
	sm->stats.thread_by_class[op->inst->cls] += lanes;
}

static void issue(struct sm *sm, unsigned warp, unsigned scheduler, uint64_t cycle)
{
	const struct trace_op *op = &sm->ops[warp];
	const struct trace_inst *inst = op->inst;
	uint32_t now = sm_now(sm, cycle), earliest = now + 1, interval = sm->context->exec->interval[inst->cls];
	uint64_t keep = ~((uint64_t)1 << warp);

	count_issue(sm, op);
	sm->ready &= keep;
	sm->by_class[inst->cls] &= keep;
	sm->last[scheduler] = warp;
	if (interval > 1) {
		sm->busy_until[scheduler][inst->cls] = cycle + interval;
		sm->busy_classes[scheduler] |= 1u << inst->cls;
	}
	switch ((enum op_kind)sm->kind[warp]) {
	case OP_ALU:
		write_registers(sm, warp, inst, now + latency_of(sm, inst));
		break;
	case OP_CONTROL:
		write_registers(sm, warp, inst, now + latency_of(sm, inst));
		earliest = now + latency_of(sm, inst);
		break;
	case OP_CONST:
		write_registers(sm, warp, inst,
				now + sm->context->config->const_latency +
				    distinct_words(op->access_mask, op->address) - 1);
		break;
	case OP_FENCE:
		sm->stats.fences++;
		break;
	case OP_LSU:
		lsu_accept(sm, warp, cycle);
		sm->needs_lsu &= keep;
		sm->needs_load &= keep;
		break;
	case OP_BARRIER:
		warp_barrier(sm, warp, cycle);
		return;
	}
	warp_advance(sm, warp, earliest, cycle);
}

/* Warps whose next instruction needs a unit that is still taken by an earlier one of this scheduler. */
static uint64_t unit_blocked(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
	uint64_t blocked = 0;

	for (uint32_t busy = sm->busy_classes[scheduler]; busy; busy &= busy - 1) {
		unsigned cls = (unsigned)__builtin_ctz(busy);

		if (sm->busy_until[scheduler][cls] > cycle)
			blocked |= sm->by_class[cls];
		else
			sm->busy_classes[scheduler] &= ~(1u << cls);
	}
	return blocked;
}

static void schedule(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
	uint64_t ready = sm->ready & sm->scheduler_mask[scheduler], candidates = ready;
	struct warp_ages ages = {sm->nctas, sm->age_masks};

	if (!ready)
		return;
	if (sm->busy_classes[scheduler])
		candidates &= ~unit_blocked(sm, scheduler, cycle);
	if (!candidates)
		sm->stats.unit_stalls++;
	if (sm->lsu_count == sm->context->config->lsu_queue) {
		sm->stats.lsu_stalls += candidates && !(candidates & ~sm->needs_lsu);
		candidates &= ~sm->needs_lsu;
	}
	if (sm->nfree_loads == 0) {
		sm->stats.load_table_stalls += candidates && !(candidates & ~sm->needs_load);
		candidates &= ~sm->needs_load;
	}
	if (candidates)
		issue(sm, sm->pick(candidates, sm->last[scheduler], ages), scheduler, cycle);
}

/* --- The cycle ---------------------------------------------------------------------------------------------------- */

static void wake(struct sm *sm, uint64_t cycle)
{
	unsigned slot = cycle % WHEEL_SLOTS;
	uint64_t due = sm->wheel[slot];

	if (!due)
		return;
	sm->wheel[slot] = 0;
	sm->wheel_used &= ~((uint64_t)1 << slot);
	for (uint64_t far = due & sm->far; far; far &= far - 1) {
		unsigned warp = (unsigned)__builtin_ctzll(far);

		sm->far &= ~((uint64_t)1 << warp);
		if (sm->far_cycle[warp] > cycle) {
			due &= ~((uint64_t)1 << warp);
			wheel_put(sm, warp, sm->far_cycle[warp], cycle);
		}
	}
	sm->ready |= due;
}

/* The next cycle in which this SM has something to do by itself. */
static uint64_t next_cycle(const struct sm *sm, uint64_t cycle)
{
	unsigned next = (unsigned)((cycle + 1) % WHEEL_SLOTS);
	uint64_t used = sm->wheel_used;

	if (sm->ready || sm->lsu_count)
		return cycle + 1;
	if (!used)
		return UINT64_MAX;
	used = next ? used >> next | used << (WHEEL_SLOTS - next) : used;
	return cycle + 1 + (uint64_t)__builtin_ctzll(used);
}

uint64_t sm_receive(struct sm *sm, uint64_t cycle)
{
	lsu_receive(sm, cycle);
	return next_cycle(sm, cycle);
}

uint64_t sm_tick(struct sm *sm, uint64_t cycle)
{
	if (sm->expected)
		lsu_receive(sm, cycle);
	wake(sm, cycle);
	if (sm->lsu_count)
		lsu_tick(sm, cycle);
	for (unsigned s = 0; s < sm->context->config->schedulers; s++)
		schedule(sm, s, cycle);
	return next_cycle(sm, cycle);
}

static void dump_warps(const struct sm *sm, uint64_t warps, const char *what, FILE *out)
{
	if (!warps)
		return;
	fprintf(out, "SM %u: %d warps %s; first: ", sm->id, __builtin_popcountll(warps), what);
	fprintf(out, "warp %d at instruction %" PRIu32 "\n", __builtin_ctzll(warps),
		sm->ops[__builtin_ctzll(warps)].inst_index);
}

void sm_dump(const struct sm *sm, FILE *out)
{
	dump_warps(sm, sm->ready, "ready to issue", out);
	dump_warps(sm, sm->on_memory, "wait for a load", out);
	dump_warps(sm, sm->fenced, "wait at a fence for their memory accesses", out);
	dump_warps(sm, sm->at_barrier, "wait at a barrier", out);
	if (sm->lsu_count || sm->expected)
		fprintf(out, "SM %u: %u instructions in the LSU's queue, %u MSHRs in use, %u replies expected\n",
			sm->id, sm->lsu_count, l1_mshrs_in_use(sm->l1), sm->expected);
}
