/* Ticks the modules that have work in a cycle, and finds the next cycle with work. */
#include "sim-backend/run/tick.h"

#include "sim-backend/run/parallel.h"

static void tick_ctas(struct machine *m, uint64_t cycle)
{
	cta_scheduler_tick(m->ctas, cycle);
}

/* Whether it had something to do by itself. */
static inline bool tick_sm(struct sm *sm, uint64_t *wake, uint64_t cycle, bool reply)
{
	if (*wake <= cycle) {
		*wake = sm_tick(sm, cycle, reply);
		return true;
	}
	if (reply)
		*wake = sm_receive(sm, cycle);
	return false;
}

uint32_t machine_tick_sms(const struct machine *m, uint32_t first, uint32_t end, uint64_t cycle)
{
	const uint64_t *replies = memsys_replies(m->memory);
	uint64_t *wake = m->wake;
	struct sm **sms = m->sms;
	uint32_t ticked = 0, step = m->reverse ? -1u : 1u;
	uint32_t i = m->reverse ? end - 1 : first;

	for (uint32_t left = end - first; left > 0; left--, i += step) {
		if (left > 2 && wake[i + 2 * step] <= cycle)
			sm_prefetch(sms[i + 2 * step], cycle);
		if (left > 1 && wake[i + step] <= cycle)
			sm_prefetch_warps(sms[i + step], cycle);
		ticked += tick_sm(sms[i], &wake[i], cycle, replies[i / 64] >> i % 64 & 1);
	}
	return ticked;
}

static void tick_sms(struct machine *m, uint64_t cycle)
{
	machine_tick_sms(m, 0, m->nsms, cycle);
}

static void tick_memory(struct machine *m, uint64_t cycle)
{
	if (m->memory_wake <= cycle)
		memsys_tick(m->memory, cycle, m->reverse);
}

uint64_t machine_next(struct machine *m, uint64_t cycle)
{
	uint64_t next = cta_scheduler_next(m->ctas, cycle);

	m->memory_wake = memsys_next_event(m->memory, cycle);
	next = m->memory_wake < next ? m->memory_wake : next;
	for (uint32_t i = 0; i < m->nsms && next > cycle + 1; i++)
		next = m->wake[i] < next ? m->wake[i] : next;
	return next;
}

uint64_t machine_tick(struct machine *m, uint64_t cycle)
{
	static void (*const modules[])(struct machine *, uint64_t) = {tick_ctas, tick_sms, tick_memory};
	enum { COUNT = sizeof modules / sizeof modules[0] };

	if (m->parallel)
		return parallel_tick(m->parallel, cycle);
	for (int i = 0; i < COUNT; i++)
		modules[m->reverse ? COUNT - 1 - i : i](m, cycle);
	return machine_next(m, cycle);
}
