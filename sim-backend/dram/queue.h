/*
 * The transactions that a channel's scheduler chooses from, in order of age: entry 0 is the oldest. Sets of entries are
 * masks, bit i for entry i.
 */
#ifndef ROMARK_SIM_DRAM_QUEUE_H
#define ROMARK_SIM_DRAM_QUEUE_H

#include "sim-backend/dram/request.h"

enum { DRAM_MAX_QUEUE = 64, DRAM_MAX_BANKS = 64 };

struct dram_entry {
	struct dram_request request;
	bool opened; /* its row had to be opened for it */
	uint64_t arrival;
};

struct dram_queue {
	struct dram_entry entries[DRAM_MAX_QUEUE];
	unsigned count, capacity;
	uint64_t hits;           /* entries whose row is open */
	uint64_t oldest_of_bank; /* entries that are the oldest for their bank */
	uint8_t in_bank[DRAM_MAX_BANKS], hits_in_bank[DRAM_MAX_BANKS];
};

/* Entries whose row is not open. */
static inline uint64_t dram_queue_misses(const struct dram_queue *q)
{
	return q->count ? ~q->hits & UINT64_MAX >> (64 - q->count) : 0;
}

#endif
