/*
 * Constants and instructions that an SM fetches: its port for constants is a unit that an access holds for a time for
 * each distinct word, and a line that a cache does not have comes later.
 */
#include "sim-backend/sm/sm.h"

/* Parameters lie in a space of their own, each launch's apart. */
uint64_t const_line(const struct sm *sm, uint64_t offset, bool parameter, uint32_t base)
{
	return (offset | (parameter ? (uint64_t)base << 32 | UINT64_C(1) << 63 : 0)) / sm->context->config->const_line;
}

/* Cycles of a miss. */
static uint32_t miss_of(const struct sm *sm, uint32_t cycles)
{
	return sm->fetches ? SMALL_CACHE_COMING : cycles;
}

/* The latest of the access's lines; SMALL_CACHE_LATER if some are fetched, which the warp then waits for. */
static uint64_t lines_there(struct sm *sm, unsigned warp, const struct warp_op *op, uint64_t cycle)
{
	struct sm_warp *w = &sm->warps[warp];
	const packed_access *lines = sm_accesses(sm, warp) + w->access;
	unsigned count = op->count >> CONST_LINES_SHIFT;
	uint64_t latest = cycle;
	uint32_t wait = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t there =
		    small_cache_ask(sm->constants, lines[i], cycle, miss_of(sm, sm->context->config->const_miss),
				    &sm->context->stats.const_misses);

		if (there == SMALL_CACHE_LATER) {
			if (latest != SMALL_CACHE_LATER)
				wait = fetch_constants(sm, warp, op->inst, op->count & CONST_WORDS);
			fetch_constant(sm, wait, lines[i]);
		}
		latest = there > latest ? there : latest;
	}
	w->access = (uint16_t)(w->access + count);
	return latest;
}

uint32_t const_port(struct sm *sm, unsigned words, uint64_t there)
{
	const struct sm_config *config = sm->context->config;
	double start = (double)there;

	if (config->const_interval == 0)
		return sm_now(sm, there) + config->const_latency + words - 1;
	if (sm->const_free > start)
		start = sm->const_free;
	sm->const_free = start + config->const_interval * words;
	return sm_now(sm, (uint64_t)(start + config->const_interval * (words - 1))) + config->const_latency;
}

uint32_t const_ready(struct sm *sm, unsigned warp, const struct warp_op *op, uint64_t cycle)
{
	uint64_t there = op->count >> CONST_LINES_SHIFT ? lines_there(sm, warp, op, cycle) : cycle;

	return there == SMALL_CACHE_LATER ? PENDING : const_port(sm, op->count & CONST_WORDS, there);
}

uint32_t fetch_instructions(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle)
{
	const struct sm_config *config = sm->context->config;
	const struct sm_warp *w = &sm->warps[warp];
	uint64_t latest = cycle, before = UINT64_MAX;

	for (unsigned i = 0; i < w->nops; i++) {
		uint64_t line = (uint64_t)w->ops[i].inst * config->inst_bytes / config->inst_line, there;

		if (line == before)
			continue;
		before = line;
		there = small_cache_ask(sm->instructions, line, cycle, miss_of(sm, config->inst_miss),
					&sm->context->stats.inst_misses);
		if (there == SMALL_CACHE_LATER)
			fetch_instruction(sm, warp, line);
		latest = there > latest ? there : latest;
	}
	if (latest == SMALL_CACHE_LATER) {
		sm->waits_for[warp] = SLOT_DEPENDENCY;
		fetch_holds(sm, warp, earliest);
		return PENDING;
	}
	if (latest == cycle || sm_now(sm, latest) <= earliest)
		return earliest;
	sm->waits_for[warp] = SLOT_DEPENDENCY;
	return sm_now(sm, latest);
}
