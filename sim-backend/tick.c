/* Ticks the modules that have something to do in a cycle, and finds the next cycle in which one has. */
#include "sim-backend/tick.h"

static void tick_ctas(struct machine *m, uint64_t cycle)
{
	cta_scheduler_tick(m->ctas, cycle);
}

static void tick_sm(struct machine *m, uint32_t i, uint64_t cycle, bool reply)
{
	uint64_t *wake = &m->context->wake[i];

	if (*wake <= cycle)
		*wake = sm_tick(m->sms[i], cycle, reply);
	else if (reply)
		*wake = sm_receive(m->sms[i], cycle);
}

static void tick_sms(struct machine *m, uint64_t cycle)
{
	const uint64_t *replies = memsys_replies(m->memory);
	uint32_t count = m->nsms, last = count - 1;

	for (uint32_t n = 0; n < count; n++) {
		uint32_t i = m->reverse ? last - n : n, next = m->reverse ? i - 1 : i + 1;

		if (n < last && m->context->wake[next] <= cycle)
			sm_prefetch(m->sms[next], cycle);
		tick_sm(m, i, cycle, replies[i / 64] >> i % 64 & 1);
	}
}

static void tick_memory(struct machine *m, uint64_t cycle)
{
	if (m->memory_wake <= cycle)
		memsys_tick(m->memory, cycle, m->reverse);
}

uint64_t machine_tick(struct machine *m, uint64_t cycle)
{
	static void (*const modules[])(struct machine *, uint64_t) = {tick_ctas, tick_sms, tick_memory};
	enum { COUNT = sizeof modules / sizeof modules[0] };
	uint64_t next;

	for (int i = 0; i < COUNT; i++)
		modules[m->reverse ? COUNT - 1 - i : i](m, cycle);
	m->memory_wake = memsys_next_event(m->memory, cycle);
	next = cta_scheduler_next(m->ctas, cycle);
	next = m->memory_wake < next ? m->memory_wake : next;
	for (uint32_t i = 0; i < m->nsms && next > cycle + 1; i++)
		next = m->context->wake[i] < next ? m->context->wake[i] : next;
	return next;
}
