/* The three kinds, each doing as a policy of the tree does: shared, and twice lru. */
#include <romark/policy_l1.h>
#include <romark/policy_llc.h>
#include <romark/policy_replacement.h>
#include <stdlib.h>

struct same_knobs {
	bool reverse;
	uint32_t depth;
	double factor;
	uint32_t order;
};

static const struct romark_knob knobs[] = {
    ROMARK_KNOB_UINT(struct same_knobs, depth, "lines", 1, 8, 2, "a number"),
    ROMARK_KNOB_REAL(struct same_knobs, factor, "", 0, 1, 0.5, "a share"),
    ROMARK_KNOB_BOOL(struct same_knobs, reverse, false, "a switch"),
    ROMARK_KNOB_CHOICE(struct same_knobs, order, "up|down", 1, "a choice"),
    ROMARK_KNOB_END,
};

struct counts {
	uint64_t fills, depth;
};

static const struct romark_stat stats[] = {
    ROMARK_STAT_COUNT(struct counts, fills, "lines", "lines that came in"),
    ROMARK_STAT_LEVEL(struct counts, depth, "", "the knob"),
    ROMARK_STAT_END,
};

/* --- LLC --- */

static void *llc_create(const struct romark_llc_geometry *geometry, const void *values)
{
	(void)values;
	if (romark_llc_fit(geometry, 0) != 1 || romark_llc_fit(geometry, 3) != 2 ||
	    romark_llc_fit(geometry, UINT32_MAX) > romark_llc_most_copies(geometry))
		abort();
	return NULL;
}

static struct romark_llc_route route(const void *state, const struct romark_llc_request *request)
{
	(void)state;
	return romark_llc_home(request);
}

ROMARK_LLC_POLICY = {ROMARK_LLC_HEAD, .name = "same_llc", .summary = "as shared", .create = llc_create, .route = route};

/* --- Lines --- */

struct lru {
	struct counts counts;
	uint32_t ways;
	uint64_t clock, stamps[];
};

static struct lru *lru_create(uint32_t sets, uint32_t ways, const struct same_knobs *k)
{
	struct lru *l = calloc(1, sizeof *l + sizeof *l->stamps * sets * ways);

	l->ways = ways;
	l->counts.depth = k->order == 1 && k->factor == 0.5 && !k->reverse ? k->depth : 0;
	return l;
}

static void use(struct lru *l, uint32_t set, uint32_t way)
{
	l->stamps[set * l->ways + way] = ++l->clock;
}

static const void *statistics(const void *state)
{
	return &((const struct lru *)state)->counts;
}

static void *l1_create(const struct romark_l1_geometry *g, const void *values)
{
	return lru_create(g->sets, g->ways, values);
}

static void l1_hit(void *state, uint32_t set, uint32_t way)
{
	use(state, set, way);
}

static bool l1_fill(void *state, const struct romark_l1_incoming *incoming, uint32_t *way)
{
	struct lru *l = state;
	const uint64_t *stamps = l->stamps + incoming->set * l->ways;

	*way = incoming->free_way;
	for (uint32_t w = 0; w < l->ways && incoming->free_way == ROMARK_L1_NO_WAY; w++)
		if (!romark_l1_is_locked(incoming, w) && (*way == ROMARK_L1_NO_WAY || stamps[w] < stamps[*way]))
			*way = w;
	use(l, incoming->set, *way);
	l->counts.fills++;
	return true;
}

ROMARK_L1_POLICY = {ROMARK_L1_HEAD,
		    .name = "same_l1",
		    .summary = "as lru",
		    .knobs = knobs,
		    .knobs_size = sizeof(struct same_knobs),
		    .stats = stats,
		    .stats_size = sizeof(struct counts),
		    .create = l1_create,
		    .fill = l1_fill,
		    .destroy = free,
		    .hit = l1_hit,
		    .statistics = statistics};

static void *llc_lru_create(const struct romark_replacement_geometry *g, const void *values)
{
	return lru_create(g->sets, g->ways, values);
}

static uint32_t victim(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access)
{
	const struct lru *l = state;
	uint32_t best = romark_lowest_way(ways);

	(void)access;
	for (uint64_t left = ways; left; left = romark_next_ways(left)) {
		uint32_t way = romark_lowest_way(left);

		if (l->stamps[set * l->ways + way] < l->stamps[set * l->ways + best])
			best = way;
	}
	return best;
}

static void hit(void *state, uint32_t set, uint32_t way, const struct romark_access *access)
{
	(void)access;
	use(state, set, way);
}

static void fill(void *state, uint32_t set, uint32_t way, const struct romark_access *access)
{
	hit(state, set, way, access);
	((struct lru *)state)->counts.fills++;
}

ROMARK_REPLACEMENT_POLICY = {ROMARK_REPLACEMENT_HEAD,
			     .name = "same_replacement",
			     .summary = "as lru",
			     .knobs = knobs,
			     .knobs_size = sizeof(struct same_knobs),
			     .stats = stats,
			     .stats_size = sizeof(struct counts),
			     .create = llc_lru_create,
			     .victim = victim,
			     .destroy = free,
			     .hit = hit,
			     .fill = fill,
			     .statistics = statistics};
