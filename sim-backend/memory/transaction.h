/*
 * A transaction is a request on its way through the memory system and back. All live in one pool; networks and slices
 * pass indices around. A transaction is one cache line.
 */
#ifndef ROMARK_SIM_TRANSACTION_H
#define ROMARK_SIM_TRANSACTION_H

#include "sim-backend/map/address_map.h"
#include "sim-backend/memory/memsys.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum reply_source { REPLY_FROM_LLC, REPLY_FROM_MEMORY, REPLY_FROM_FAR_LLC };

struct transaction {
	struct mem_request request;
	struct map_place place;
	uint8_t flits;      /* of its packet in the network it is in */
	uint8_t group;      /* group that it goes to in that network */
	uint8_t cluster;    /* of its SM, within that chip */
	uint8_t from, home; /* chips: of its SM, of the line's memory */
	uint8_t to;         /* chip in whose LLC it is looked up */
	bool bypass;        /* see struct llc_route */
	uint8_t source;     /* of its reply's data: enum reply_source */
	uint32_t next;      /* free list, or the next request that waits for the same fill */
	/* Low bits of the SMs' cycles, for the stages of its round trip. */
	uint32_t entered; /* began to leave its source, in its way's first network: from the SM, or from the slice */
	uint32_t stamp;   /* leaves its slice's pipeline; then: its reply was sent */
	bool for_slice;   /* not an SM's request: a slice of another chip asks a slice here */
};

_Static_assert(sizeof(struct transaction) <= 64, "a transaction is one cache line");

enum { NO_TRANSACTION = UINT32_MAX };

/*
 * The pool grows to the most transactions ever in flight. Indices stay valid; pointers only until the next
 * transaction_new.
 */
struct transaction_pool {
	struct transaction *items;
	uint32_t size, free, used;
};

static inline uint32_t transaction_new(struct transaction_pool *pool)
{
	uint32_t index = pool->free;

	if (index == NO_TRANSACTION) {
		uint32_t size = pool->size ? pool->size * 2 : 1024;

		pool->items = xrealloc(pool->items, size * sizeof *pool->items);
		for (uint32_t i = pool->size; i < size; i++)
			pool->items[i].next = i + 1 < size ? i + 1 : NO_TRANSACTION;
		index = pool->size;
		pool->size = size;
	}
	pool->free = pool->items[index].next;
	pool->used++;
	return index;
}

static inline void transaction_free(struct transaction_pool *pool, uint32_t index)
{
	pool->items[index].next = pool->free;
	pool->free = index;
	pool->used--;
}

#endif
