/*
 * The transactions that a channel's scheduler chooses from, in order of age: entry 0 is the oldest. Sets of entries are
 * masks, bit i for entry i.
 */
#ifndef ROMARK_SIM_DRAM_QUEUE_H
#define ROMARK_SIM_DRAM_QUEUE_H

#include "sim-backend/dram/request.h"

#include <string.h>

enum { DRAM_MAX_QUEUE = 64, DRAM_MAX_BANKS = 64 };

struct dram_entry {
	struct dram_request request;
	bool opened;  /* its row had to be opened for it */
	uint8_t sent; /* bursts; only with dram.interleave */
	uint64_t arrival;
};

struct dram_queue {
	struct dram_entry entries[DRAM_MAX_QUEUE];
	unsigned count, capacity;
	uint64_t hits;           /* entries whose row is open */
	uint64_t oldest_of_bank; /* entries that are the oldest for their bank */
	uint64_t overdue; /* entries that have waited longer than dram.age_cap; set before a scheduler is called */
	uint8_t in_bank[DRAM_MAX_BANKS], hits_in_bank[DRAM_MAX_BANKS];
};

/* Entries whose row is not open. */
static inline uint64_t dram_queue_misses(const struct dram_queue *q)
{
	return q->count ? ~q->hits & UINT64_MAX >> (64 - q->count) : 0;
}

/* `row` is open in the request's bank. */
static inline void dram_queue_add(struct dram_queue *q, const struct dram_request *request, uint32_t row,
				  uint64_t clock)
{
	uint64_t bit = UINT64_C(1) << q->count;

	q->entries[q->count++] = (struct dram_entry){.request = *request, .arrival = clock};
	if (!q->in_bank[request->bank]++)
		q->oldest_of_bank |= bit;
	if (request->row == row) {
		q->hits |= bit;
		q->hits_in_bank[request->bank]++;
	}
}

static inline bool dram_queue_has_line(const struct dram_queue *q, const struct dram_request *request)
{
	for (unsigned i = 0; q->in_bank[request->bank] && i < q->count; i++)
		if (q->entries[i].request.line == request->line)
			return true;
	return false;
}

/* Removes the entry's bit; the bits of younger entries move up. */
static inline uint64_t dram_queue_without(uint64_t entries, unsigned index)
{
	uint64_t older = (UINT64_C(1) << index) - 1;

	return (entries & older) | (entries >> 1 & ~older);
}

/* Removes a hit; the younger entries move up. */
static inline void dram_queue_remove(struct dram_queue *q, unsigned index)
{
	unsigned bank = q->entries[index].request.bank;
	bool oldest = q->oldest_of_bank >> index & 1;

	q->hits_in_bank[bank]--;
	q->in_bank[bank]--;
	q->hits = dram_queue_without(q->hits, index);
	q->oldest_of_bank = dram_queue_without(q->oldest_of_bank, index);
	q->count--;
	memmove(&q->entries[index], &q->entries[index + 1], (q->count - index) * sizeof q->entries[0]);
	if (!oldest || !q->in_bank[bank])
		return;
	while (q->entries[index].request.bank != bank)
		index++;
	q->oldest_of_bank |= UINT64_C(1) << index;
}

/* A bank's row has changed: finds its hits anew. */
static inline void dram_queue_mark_hits(struct dram_queue *q, unsigned bank, uint32_t row)
{
	q->hits_in_bank[bank] = 0;
	for (unsigned i = 0; i < q->count; i++) {
		uint64_t bit = UINT64_C(1) << i;

		if (q->entries[i].request.bank != bank)
			continue;
		if (q->entries[i].request.row == row) {
			q->hits |= bit;
			q->hits_in_bank[bank]++;
		} else {
			q->hits &= ~bit;
		}
	}
}

#endif
