/* The SM's cycle: replies come in, warps wake, the LSU makes one access, each scheduler issues one instruction. */
#include "sim-backend/sm/sm.h"

#include "common/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Life --- */

void sm_context_init(struct sm_context *context)
{
	const struct sm_config *config = context->config;

	context->pick = warp_scheduler_table[config->scheduler]->pick;
	context->activate = warp_scheduler_table[config->scheduler]->activate;
	for (unsigned warp = 0; warp < SM_MAX_WARPS; warp++)
		context->scheduler_mask[warp % config->schedulers] |= (uint64_t)1 << warp;
}

/* The L1 is empty between kernels, so one of another size takes its place. */
static void size_l1(struct sm *sm)
{
	const struct sm_context *context = sm->context;

	if (sm->l1 && sm->l1_bytes == context->l1_config->size_bytes)
		return;
	l1_free(sm->l1);
	sm->l1 = l1_create(context->l1_config, context->l1_policy, context->l1_policy_knobs);
	sm->l1_bytes = context->l1_config->size_bytes;
}

struct sm *sm_create(struct sm_context *context, unsigned id)
{
	const struct sm_config *config = context->config;
	struct sm *sm = xcalloc_lines(1, sizeof *sm);

	sm->context = context;
	sm->id = (uint16_t)id;
	size_l1(sm);
	sm->constants = small_cache_create(config->const_bytes, config->const_line);
	sm->instructions = small_cache_create(config->inst_cache_bytes, config->inst_line);
	sm->fetches = fetches_create(config);
	sm->loads = xcalloc(config->loads_in_flight, sizeof *sm->loads);
	sm->free_loads = xcalloc(config->loads_in_flight, sizeof *sm->free_loads);
	while (sm->nfree_loads < config->loads_in_flight) {
		sm->free_loads[sm->nfree_loads] = (uint16_t)(config->loads_in_flight - 1 - sm->nfree_loads);
		sm->nfree_loads++;
	}
	sm->cursors = xcalloc_lines(SM_MAX_WARPS, sizeof *sm->cursors);
	sm->warps = xcalloc_lines(SM_MAX_WARPS, sizeof *sm->warps);
	sm->accesses = xcalloc_lines((size_t)SM_MAX_WARPS * ACCESSES_STRIDE, sizeof *sm->accesses);
	sm->copies = xcalloc(SM_MAX_WARPS, sizeof *sm->copies);
	sm->lsu = xcalloc_lines(config->lsu_queue, sizeof *sm->lsu);
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
	code_queues_free(sm);
	small_cache_free(sm->constants);
	small_cache_free(sm->instructions);
	fetches_free(sm->fetches);
	xfree(sm->loads);
	xfree(sm->copies);
	xfree(sm->free_loads);
	xfree(sm->cursors);
	xfree(sm->warps);
	xfree(sm->accesses);
	xfree(sm->lsu);
	xfree(sm->unready);
	xfree(sm);
}

uint32_t sm_unready_size(const struct sm_context *context)
{
	uint32_t registers = context->code ? context->code->nregisters : context->kernel->nregisters;
	/*
	 * Size of a warp's list of registers that cannot be read yet. A register is in it at most twice: an instruction
	 * that writes it again issues when the earlier value can be read, and the earlier entry is removed when the
	 * list is next searched, so before a third write. A texture fetch has an entry for each of its parts. The list
	 * is a number of whole cache lines; mostly only the first is used. The number is odd, so that the first lines
	 * of all warps do not share a few sets of the cache.
	 */
	uint32_t most = 2 * registers * launch_most_parts(context->kernel);

	return ((most / 8 + 1) | 1) * 8;
}

void sm_kernel_begin(struct sm *sm)
{
	sm->unready_size = sm_unready_size(sm->context);
	xfree(sm->unready);
	sm->unready = xcalloc_lines((size_t)SM_MAX_WARPS * sm->unready_size, sizeof *sm->unready);
	sm->ended = 0;
	for (unsigned s = 0; s < SM_MAX_SCHEDULERS; s++) {
		sm->last[s] = sm->entered[s] = NO_WARP;
		sm->active[s] = sm->context->activate ? 0 : sm->context->scheduler_mask[s];
	}
	small_cache_flush(sm->constants);
	small_cache_flush(sm->instructions);
	size_l1(sm);
	l1_kernel_begin(sm->l1, sm->context->spare_shared);
}

/* --- CTAs --- */

static unsigned free_cta_slot(const struct sm *sm)
{
	unsigned slot = 0;

	while (sm->ctas[slot].used)
		slot++;
	return slot;
}

/* The kernel's cycle from which the `w`-th warp of a CTA that is placed now may issue; 0: from the next cycle on. */
static uint32_t first_issue(const struct sm *sm, unsigned w, uint64_t cycle)
{
	const struct cta_config *config = sm->context->cta;

	if (config->start_cycles == 0 && config->warp_cycles == 0)
		return 0;
	return sm_now(sm, cycle) + 1 + config->start_cycles + (uint32_t)(config->warp_cycles * w);
}

void sm_take_cta(struct sm *sm, const struct trace_cta *trace, uint64_t cycle)
{
	uint32_t nwarps = trace->nwarps;
	unsigned slot = free_cta_slot(sm);
	unsigned first = sm->context->launches ? sm_free_warps(sm, nwarps) : slot * sm->context->warps_per_cta;
	uint64_t warps = (nwarps < 64 ? ((uint64_t)1 << nwarps) - 1 : UINT64_MAX) << first;

	sm->ctas[slot] = (struct resident_cta){.trace = *trace,
					       .first_inst = sm->context->first_inst,
					       .launch = sm->context->launch,
					       .kernel = sm->context->kernel,
					       .code = sm->context->code,
					       .local = sm->context->local,
					       .warps = warps,
					       .running = nwarps,
					       .left = nwarps,
					       .used = true};
	if (sm->nctas == 0)
		sm->resident_since = cycle;
	sm->age_slots[sm->nctas] = (uint8_t)slot;
	sm->age_masks[sm->nctas++] = warps;
	sm->context->stats.ctas++;
	sm->context->stats.warps += nwarps;
	sm->ended &= ~warps;
	sm->running |= warps;
	sm->fresh = sm->fresh_cycle == cycle ? sm->fresh | warps : warps;
	sm->fresh_cycle = cycle;
	for (unsigned w = 0; w < nwarps; w++) {
		unsigned warp = first + w;

		memset(&sm->warps[warp], 0, offsetof(struct sm_warp, ops));
		sm->at[warp] = 0;
		sm->copies[warp] = (struct copy_groups){0};
		sm->warps[warp].cta = (uint8_t)slot;
		sm->waits_for[warp] = SLOT_NO_WARP;
		trace_warp_start(&sm->cursors[warp], sm->context->kernel, &sm->ctas[slot].trace, w);
		warp_advance(sm, warp, first_issue(sm, w, cycle), cycle);
	}
	wake_no_later(&sm->context->wake[sm->id], cycle + 1);
}

static void leave_launch(struct resident_launch *launch, const struct resident_cta *cta)
{
	launch->running--;
	launch->end = cta->ended + 1 > launch->end ? cta->ended + 1 : launch->end;
	launch->warp_instructions += cta->warp_instructions;
	launch->thread_instructions += cta->thread_instructions;
}

uint32_t sm_reap(struct sm *sm, uint64_t cycle)
{
	uint32_t kept = 0, reaped = 0;

	if (sm->finished == 0)
		return 0;
	for (uint32_t i = 0; i < sm->nctas; i++) {
		struct resident_cta *cta = &sm->ctas[sm->age_slots[i]];

		if (cta->left == 0 && cta->ended + sm->context->cta->end_cycles < cycle) {
			trace_cta_release(&cta->trace);
			cta->used = false;
			if (sm->context->launches)
				leave_launch(&sm->context->launches[cta->launch], cta);
			reaped++;
			continue;
		}
		sm->age_slots[kept] = sm->age_slots[i];
		sm->age_masks[kept++] = sm->age_masks[i];
	}
	sm->nctas = (uint8_t)kept;
	sm->finished -= reaped;
	sm->context->finished -= reaped;
	if (reaped && kept == 0)
		sm->context->stats.resident_cycles += cycle - sm->resident_since;
	return reaped;
}

uint64_t sm_next_reap(const struct sm *sm)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = 0; sm->finished && i < sm->nctas; i++) {
		const struct resident_cta *cta = &sm->ctas[sm->age_slots[i]];
		uint64_t due = cta->ended + sm->context->cta->end_cycles + 1;

		if (cta->left == 0 && due < next)
			next = due;
	}
	return next;
}

/* --- Issue --- */

static void count_issue(struct sm *sm, const struct warp_op *op, const struct launch_inst *inst)
{
	if (launch_inst_is_part(inst)) {
		sm->context->stats.texture_parts++;
		return;
	}
	sm->context->stats.by_class[inst->cls]++;
	sm->context->stats.thread_by_class[inst->cls] += op->lanes;
}

static void take_unit(struct sm *sm, unsigned warp, unsigned scheduler, const struct launch_inst *inst, uint64_t cycle)
{
	sm->by_unit[inst->unit] &= ~((uint64_t)1 << warp);
	sm->busy_until[scheduler][inst->unit] = cycle + inst->interval;
	sm->busy_units[scheduler] |= 1u << inst->unit;
}

static void issue(struct sm *sm, unsigned warp, unsigned scheduler, uint64_t cycle)
{
	const struct warp_op *op = sm_next_op(sm, warp);
	const struct launch_inst *inst = &sm->context->insts[op->inst];
	uint32_t now = sm_now(sm, cycle), earliest = now + 1;
	uint64_t keep = ~((uint64_t)1 << warp);
	enum sm_op kind = (enum sm_op)op->kind;

	count_issue(sm, op, inst);
	sm->ready &= keep;
	sm->last[scheduler] = (uint8_t)warp;
	if (inst->interval > 1)
		take_unit(sm, warp, scheduler, inst, cycle);
	switch (kind) {
	case OP_ALU: registers_written(sm, warp, inst, now + inst->latency, SLOT_DEPENDENCY); break;
	case OP_CONTROL:
		registers_written(sm, warp, inst, now + inst->latency, SLOT_DEPENDENCY);
		earliest = now + inst->latency;
		sm->waits_for[warp] = SLOT_DEPENDENCY;
		break;
	case OP_STALL:
		registers_written(sm, warp, inst, now + inst->latency, SLOT_DEPENDENCY);
		earliest = now + inst->stall;
		break;
	case OP_CONST: registers_written(sm, warp, inst, const_ready(sm, warp, op, cycle), SLOT_DEPENDENCY); break;
	case OP_BARRIER: break;
	case OP_COPY_COMMIT: copies_commit(sm, warp); break;
	case OP_FENCE:
		if (inst->cls == TRACE_FENCE)
			sm->context->stats.fences++;
		else if (inst->barrier_warps)
			copies_commit(sm, warp);
		break;
	case OP_ARRIVE: warp_barrier(sm, warp, inst, cycle); break;
	default:
		lsu_accept(sm, warp, cycle);
		earliest = now + inst->stall;
		sm->needs_lsu &= keep;
		sm->needs_load &= keep;
	}
	sm->at[warp]++;
	if (kind == OP_BARRIER)
		warp_barrier(sm, warp, inst, cycle);
	else
		warp_advance(sm, warp, earliest, cycle);
}

/* The warps of a scheduler whose next instruction needs a unit that an earlier instruction still holds. */
static uint64_t unit_blocked(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
	uint64_t blocked = 0;

	for (uint32_t busy = sm->busy_units[scheduler]; busy; busy &= busy - 1) {
		unsigned unit = (unsigned)__builtin_ctz(busy);

		if (sm->busy_until[scheduler][unit] > cycle)
			blocked |= sm->by_unit[unit];
		else
			sm->busy_units[scheduler] &= ~(1u << unit);
	}
	return blocked;
}

static void schedule(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
	uint64_t ready = sm->ready & sm->active[scheduler], candidates = ready;
	struct warp_ages ages = {sm->nctas, sm->age_masks};

	if (!ready)
		return;
	if (sm->charged[scheduler] != cycle)
		slots_until_ready(sm, scheduler, (unsigned)__builtin_ctzll(ready), cycle);
	sm->charged[scheduler] = cycle + 1;
	if (sm->busy_units[scheduler])
		candidates &= ~unit_blocked(sm, scheduler, cycle);
	if (!candidates)
		sm->context->stats.unit_stalls++;
	if (sm->lsu_count == sm->context->config->lsu_queue) {
		sm->context->stats.lsu_stalls += candidates && !(candidates & ~sm->needs_lsu);
		candidates &= ~sm->needs_lsu;
	}
	if (sm->nfree_loads == 0) {
		sm->context->stats.load_table_stalls += candidates && !(candidates & ~sm->needs_load);
		candidates &= ~sm->needs_load;
	}
	if (candidates)
		issue(sm, sm->context->pick(candidates, sm->last[scheduler], ages), scheduler, cycle);
}

/* --- The cycle --- */

static void wake_warps(struct sm *sm, uint64_t cycle)
{
	unsigned slot = cycle % WHEEL_SLOTS;
	uint64_t due = sm->wheel[slot];

	if (!due)
		return;
	sm->wheel[slot] = 0;
	sm->wheel_used &= ~(1u << slot);
	for (uint64_t far = due & sm->far; far; far &= far - 1) {
		unsigned warp = (unsigned)__builtin_ctzll(far);

		sm->far &= ~((uint64_t)1 << warp);
		if (sm->warps[warp].far_cycle > cycle) {
			due &= ~((uint64_t)1 << warp);
			wheel_put(sm, warp, sm->warps[warp].far_cycle, cycle);
		}
	}
	sm->ready |= due;
}

/* The next cycle in which this SM has something to do by itself. */
static uint64_t next_cycle(const struct sm *sm, uint64_t cycle)
{
	unsigned next = (unsigned)((cycle + 1) % WHEEL_SLOTS);
	uint32_t used = sm->wheel_used;

	if (sm->ready || sm->lsu_count || (sm->fetches && sm->fetches->unsent.len))
		return cycle + 1;
	if (!used)
		return UINT64_MAX;
	used = next ? used >> next | used << (WHEEL_SLOTS - next) : used;
	return cycle + 1 + (uint64_t)__builtin_ctz(used);
}

/* Decides by the state after the earlier cycles. Warps that are placed in this cycle count from the next cycle on. */
static void activate(struct sm *sm, uint64_t cycle)
{
	uint64_t able = sm->running & ~(sm->at_barrier | sm->fenced | (sm->on_memory & ~sm->on_shared));

	if (sm->fresh_cycle == cycle)
		able &= ~sm->fresh;
	for (unsigned s = 0; s < sm->context->config->schedulers; s++)
		sm->active[s] = sm->context->activate(sm->active[s], able & sm->context->scheduler_mask[s],
						      sm->context->config->active_warps, &sm->entered[s]);
}

uint64_t sm_receive(struct sm *sm, uint64_t cycle)
{
	if (sm->context->activate)
		activate(sm, cycle);
	lsu_receive(sm, cycle);
	return next_cycle(sm, cycle);
}

uint64_t sm_tick(struct sm *sm, uint64_t cycle, bool reply)
{
	if (sm->context->activate)
		activate(sm, cycle);
	if (reply)
		lsu_receive(sm, cycle);
	wake_warps(sm, cycle);
	if ((!sm->fetches || !fetches_send(sm, cycle)) && sm->lsu_count)
		lsu_tick(sm, cycle);
	for (unsigned s = 0; s < sm->context->config->schedulers; s++)
		schedule(sm, s, cycle);
	return next_cycle(sm, cycle);
}

/* --- Ahead of a tick --- */

void sm_prefetch(const struct sm *sm, uint64_t cycle)
{
	const char *hot = (const char *)sm;

	__builtin_prefetch(hot);
	__builtin_prefetch(hot + 64);
	__builtin_prefetch(hot + 128);
	__builtin_prefetch(sm->at);
	__builtin_prefetch(&sm->wheel[cycle % WHEEL_SLOTS]);
}

/* Of a scheduler's warps that can issue: the warp that issued last, else the first. */
void sm_prefetch_warps(const struct sm *sm, uint64_t cycle)
{
	uint64_t ready = sm->ready | sm->wheel[cycle % WHEEL_SLOTS];

	for (unsigned s = 0; s < sm->context->config->schedulers; s++) {
		uint64_t able = ready & sm->active[s];
		unsigned last = sm->last[s] % SM_MAX_WARPS;

		if (able)
			sm_prefetch_warp(sm, able >> last & 1 ? last : (unsigned)__builtin_ctzll(able));
	}
	if (sm->lsu_count)
		__builtin_prefetch(&sm->lsu[sm->lsu_head]);
}

uint64_t sm_bytes_left(const struct sm *sm)
{
	uint64_t sum = 0;

	for (uint64_t left = sm->running; left; left &= left - 1) {
		const struct trace_warp_cursor *c = &sm->cursors[__builtin_ctzll(left)];

		sum += (uint64_t)(c->end - c->at);
	}
	return sum;
}

static void dump_warps(const struct sm *sm, uint64_t warps, const char *what, FILE *out)
{
	if (!warps)
		return;
	fprintf(out, "SM %u: %d warps %s; first: ", sm->id, __builtin_popcountll(warps), what);
	fprintf(out, "warp %d at instruction %" PRIu32 "\n", __builtin_ctzll(warps),
		sm_next_op(sm, (unsigned)__builtin_ctzll(warps))->inst);
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
