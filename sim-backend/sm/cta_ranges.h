/*
 * A launch's CTAs dealt out to chips: a contiguous range for each, or chunks in turn. The trace gives CTAs in launch
 * order. CTAs that come before a chip's own stay encoded in memory until their chips have room. So a large part of a
 * launch may be in memory.
 *
 *   cta_ranges_begin(&r, source, total);
 *   struct trace_cta *cta = cta_ranges_front(&r, chip, &failure);   // NULL: the chip's CTAs are used up, or failure
 *   if (cta) { sm_take_cta(sm, cta, cycle); cta_ranges_pop(&r, chip); }
 */
#ifndef ROMARK_SIM_CTA_RANGES_H
#define ROMARK_SIM_CTA_RANGES_H

#include "common/vec.h"
#include "sim-backend/sm/cta_source.h"

struct cta_range {
	VEC(struct trace_cta) ctas; /* read; from `next` on not placed */
	size_t next;
};

struct cta_ranges {
	uint32_t chips;
	struct cta_range *ranges;
	struct cta_source *source;
	uint32_t chunk; /* CTAs that a chip takes in turn with the others; 0: a range of total / chips for each */
	uint64_t total, read;
	bool ended; /* all of the launch was read */
};

void cta_ranges_init(struct cta_ranges *r, uint32_t chips, uint32_t chunk);
void cta_ranges_release(struct cta_ranges *r);
void cta_ranges_begin(struct cta_ranges *r, struct cta_source *source, uint64_t total);
/* The chip's next CTA. */
struct trace_cta *cta_ranges_front(struct cta_ranges *r, uint32_t chip, struct diag *failure);
/* The SM that took it owns it now. */
void cta_ranges_pop(struct cta_ranges *r, uint32_t chip);
/* All was read and placed. */
bool cta_ranges_over(const struct cta_ranges *r);

#endif
