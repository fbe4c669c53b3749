/* Least recently used: every touch stamps the line, the oldest stamp of the set leaves. */
#include "sim-backend/l1/l1.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct lru {
	uint32_t ways, lines;
	uint64_t clock;
	uint64_t *stamps; /* [set][way], 0 = never touched */
};

static void *lru_create(const struct l1_geometry *geometry, const void *knobs)
{
	struct lru *lru = xcalloc(1, sizeof *lru);

	(void)knobs;
	lru->ways = geometry->ways;
	lru->lines = geometry->sets * geometry->ways;
	lru->stamps = xcalloc(lru->lines, sizeof *lru->stamps);
	return lru;
}

static void lru_destroy(void *state)
{
	struct lru *lru = state;

	xfree(lru->stamps);
	xfree(lru);
}

static void lru_hit(void *state, uint32_t set, uint32_t way)
{
	struct lru *lru = state;

	lru->stamps[set * lru->ways + way] = ++lru->clock;
}

static uint32_t oldest_way(const struct lru *lru, const struct l1_incoming *incoming)
{
	const uint64_t *stamps = lru->stamps + (size_t)incoming->set * lru->ways;
	uint64_t least = UINT64_MAX;
	uint32_t oldest = 0;

	for (uint32_t w = 0; w < lru->ways; w++)
		if (stamps[w] < least && !l1_is_locked(incoming, w)) {
			least = stamps[w];
			oldest = w;
		}
	return oldest;
}

static bool lru_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	*way = incoming->free_way != L1_NO_WAY ? incoming->free_way : oldest_way(state, incoming);
	lru_hit(state, incoming->set, *way);
	return true;
}

static void lru_drop(void *state, uint32_t set, uint32_t way)
{
	struct lru *lru = state;

	lru->stamps[set * lru->ways + way] = 0;
}

static void lru_flush(void *state)
{
	struct lru *lru = state;

	memset(lru->stamps, 0, lru->lines * sizeof *lru->stamps);
}

/* A line's place in the order of its set. */
static uint64_t lru_bits(const struct l1_config *config, const void *knobs)
{
	(void)knobs;
	return (uint64_t)l1_sets(config) * config->ways * l1_bits_for(config->ways);
}

const struct l1_policy_ops l1_lru = {
    .name = "lru",
    .summary = "least recently used line leaves",
    .source = "SelRep Table I",
    .storage_bits = lru_bits,
    .create = lru_create,
    .destroy = lru_destroy,
    .hit = lru_hit,
    .fill = lru_fill,
    .drop = lru_drop,
    .flush = lru_flush,
};
