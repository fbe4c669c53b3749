/*
 * Finds the protecting distance (Duong et al., MICRO 2012). Every set has a FIFO that records the line of one access in
 * so many. The place at which a line is found there tells after how many accesses it was used again. The sampler counts
 * these distances, and chooses the distance that promises most hits.
 */
#ifndef ROMARK_SIM_PDP_SAMPLER_H
#define ROMARK_SIM_PDP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct pdp_sampler_size {
	uint32_t sets, ways;
	uint32_t entries;      /* of a FIFO */
	uint32_t max_distance; /* that is counted; a multiple of `entries` */
};

struct pdp_sampler {
	struct pdp_sampler_size size;
	uint32_t step;     /* accesses of a set from one insertion to the next */
	uint32_t *tags;    /* [set][place]: rings; PDP_NO_TAG = was found, or never filled */
	uint32_t *newest;  /* [set]: place of the latest insertion */
	uint32_t *since;   /* [set]: accesses since then */
	uint16_t *counts;  /* [distance], from 1 */
	uint32_t inserted; /* all that may be counted */
	bool full;         /* a counter can count no further: none does */
};

enum { PDP_TAG_BITS = 16, PDP_COUNT_BITS = 16, PDP_NO_TAG = UINT32_MAX };

void pdp_sampler_init(struct pdp_sampler *s, const struct pdp_sampler_size *size);
void pdp_sampler_release(struct pdp_sampler *s);
void pdp_sampler_access(struct pdp_sampler *s, uint32_t set, uint64_t line);
/* The best distance from `ways` on; 0 if no line was used again within any. Restarts the counts. */
uint32_t pdp_sampler_best(struct pdp_sampler *s);
uint64_t pdp_sampler_bits(const struct pdp_sampler_size *size);

#endif
