/* The prediction that encoder and decoder both make, so that only what differs from it is written. */
#ifndef ROMARK_TRACE_PREDICT_H
#define ROMARK_TRACE_PREDICT_H

#include "trace/trace.h"

#include <string.h>

static inline void predictor_init(struct trace_predictor *p)
{
	memset(p, 0, sizeof *p);
	p->block = UINT32_MAX;
	p->mask = UINT32_MAX;
}

/* The successor of the current block last time; at first the next one in the table. */
static inline uint32_t predicted_block(const struct trace_predictor *p)
{
	return p->block + 1 + (uint32_t)p->blocks[p->block % TRACE_BLOCK_SLOTS].jump;
}

static inline uint32_t predicted_mask(const struct trace_predictor *p, uint32_t block)
{
	return p->blocks[block % TRACE_BLOCK_SLOTS].mask;
}

static inline void learn_block(struct trace_predictor *p, uint32_t block, uint32_t mask)
{
	p->blocks[p->block % TRACE_BLOCK_SLOTS].jump = (int32_t)(block - p->block - 1);
	p->blocks[block % TRACE_BLOCK_SLOTS].mask = mask;
	p->block = block;
	p->mask = mask;
}

/*
 * The slot of the next memory instruction. An instruction that takes over a slot starts from the last access to the
 * space that it names, because unrolled code walks through neighbouring addresses.
 */
static inline struct trace_access_slot *predicted_access(struct trace_predictor *p, unsigned named_space)
{
	uint32_t owner = p->access + 1;
	struct trace_access_slot *slot = &p->accesses[p->access % TRACE_ACCESS_SLOTS];
	unsigned space = named_space ? named_space : TRACE_GLOBAL;

	if (slot->owner == owner)
		return slot;
	if (p->last[space])
		*slot = p->accesses[p->last[space] - 1];
	else
		memset(slot, 0, sizeof *slot);
	slot->owner = owner;
	slot->space = (uint8_t)space;
	slot->step = 0;
	slot->seen = 0;
	return slot;
}

static inline uint64_t predicted_base(const struct trace_access_slot *slot)
{
	return slot->base + (uint64_t)(int64_t)slot->step;
}

/* Updates the slot's base and step after an access; its mask and pattern are set already. */
static inline void learn_access(struct trace_predictor *p, struct trace_access_slot *slot, uint64_t base)
{
	int64_t step = (int64_t)(base - slot->base);

	slot->step = slot->seen && step == (int32_t)step ? (int32_t)step : 0;
	slot->base = base;
	slot->seen = 1;
	p->last[slot->space] = (uint8_t)(1 + (slot - p->accesses));
}

#endif
