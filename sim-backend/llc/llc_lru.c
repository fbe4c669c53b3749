/* Least recently used: every use stamps the line, the oldest stamp of the set leaves. */
#include "sim-backend/llc/llc_replacement.h"

#include "common/xalloc.h"

struct llc_lru {
	uint64_t clock;
	uint64_t *stamps; /* by place */
};

static void *lru_create(const struct llc_replacement_geometry *geometry, const void *knobs)
{
	struct llc_lru *lru = xcalloc(1, sizeof *lru);

	(void)knobs;
	lru->stamps = xcalloc((size_t)geometry->sets * geometry->ways, sizeof *lru->stamps);
	return lru;
}

static void lru_destroy(void *state)
{
	struct llc_lru *lru = state;

	xfree(lru->stamps);
	xfree(lru);
}

static void lru_fill(void *state, uint32_t place, const struct mem_request *request)
{
	struct llc_lru *lru = state;

	(void)request;
	lru->stamps[place] = ++lru->clock;
}

static void lru_hit(void *state, uint32_t place, const struct mem_request *request, bool waited)
{
	(void)waited;
	lru_fill(state, place, request);
}

static uint32_t lru_victim(const void *state, uint32_t first, uint64_t ways, const struct mem_request *request)
{
	const struct llc_lru *lru = state;
	const uint64_t *stamps = lru->stamps + first;
	uint32_t oldest = (uint32_t)__builtin_ctzll(ways);

	(void)request;
	for (uint64_t left = ways & (ways - 1); left; left &= left - 1) {
		uint32_t way = (uint32_t)__builtin_ctzll(left);

		oldest = stamps[way] < stamps[oldest] ? way : oldest;
	}
	return oldest;
}

const struct llc_replacement_ops llc_replace_lru = {
    .name = "lru",
    .section = "llc_lru",
    .summary = "the least recently used line leaves",
    .source = "SelRep Table I",
    .create = lru_create,
    .destroy = lru_destroy,
    .hit = lru_hit,
    .victim = lru_victim,
    .fill = lru_fill,
};
