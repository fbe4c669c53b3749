/*
 * Re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010), as l1/rrip.c has it for the L1s: a
 * line becomes "near" on a hit. The variants differ in how a line enters: under SRRIP as "far"; under BRRIP as
 * "farthest", except for one line in so many; under DRRIP as under either of these, whichever's leader sets miss less.
 * Each slice has its own leaders.
 *
 * A victim may be asked for several times, so a set ages when the line that comes has taken its place: by as much as
 * the line that left was short of the farthest value.
 */
#include "sim-backend/llc/llc_replacement.h"

#include "common/xalloc.h"

#include <string.h>

struct llc_rrip_knobs {
	uint32_t bits;
	uint32_t far_one_in;
	uint32_t leaders, selector_bits;
};

#define BITS                                                                                                           \
	KNOB_UINT(struct llc_rrip_knobs, bits, "bits", 1, 7, 2, "width of a line's re-reference prediction value",     \
		  "Jaleel et al., ISCA 2010")
#define FAR_ONE_IN                                                                                                     \
	KNOB_UINT(struct llc_rrip_knobs, far_one_in, "lines", 1, 1024, 32, "one line in so many enters as far",        \
		  "Jaleel et al., ISCA 2010")

static const struct knob srrip_knobs[] = {BITS, KNOB_END};
static const struct knob brrip_knobs[] = {BITS, FAR_ONE_IN, KNOB_END};
static const struct knob drrip_knobs[] = {
    BITS, FAR_ONE_IN,
    KNOB_UINT(struct llc_rrip_knobs, leaders, "sets", 1, 512, 4,
	      "sets of a slice that always do as SRRIP, and as many as BRRIP; at most half of the sets each",
	      KNOB_OPEN ": the RRIP paper has 32 of the whole LLC"),
    KNOB_UINT(struct llc_rrip_knobs, selector_bits, "bits", 2, 16, 10, "width of the counter that the leaders move",
	      "Jaleel et al., ISCA 2010"),
    KNOB_END};

struct llc_rrip_stats {
	uint64_t far, farthest; /* insertions */
};

static const struct stat_row rrip_stat_rows[] = {
    STAT_COUNT(struct llc_rrip_stats, far, "lines", "lines that entered as far, as under SRRIP"),
    STAT_COUNT(struct llc_rrip_stats, farthest, "lines", "lines that entered as farthest, as under BRRIP"),
    STAT_END,
};

enum rrip_leader { FOLLOWER, SRRIP_LEADER, BRRIP_LEADER };

struct llc_rrip {
	uint32_t ways;
	uint8_t farthest;
	uint8_t *values; /* by place */
	bool *is_there;  /* by place: a line is there */
	bool (*enters_far)(struct llc_rrip *r, uint32_t set);
	uint32_t far_one_in, since_far; /* BRRIP: lines since one entered as far */
	uint32_t leaders, stride;
	uint32_t selector, selector_top; /* from the middle on, followers do as BRRIP */
	struct llc_rrip_stats stats;
};

/* --- How a line enters --- */

static bool srrip_enters_far(struct llc_rrip *r, uint32_t set)
{
	(void)r, (void)set;
	return true;
}

static bool brrip_enters_far(struct llc_rrip *r, uint32_t set)
{
	(void)set;
	if (++r->since_far < r->far_one_in)
		return false;
	r->since_far = 0;
	return true;
}

/* Leader sets are spread evenly: the first set of each stretch leads for SRRIP, its middle set for BRRIP. */
static enum rrip_leader leader_of(const struct llc_rrip *r, uint32_t set)
{
	if (set / r->stride >= r->leaders)
		return FOLLOWER;
	if (set % r->stride == 0)
		return SRRIP_LEADER;
	return set % r->stride == r->stride / 2 ? BRRIP_LEADER : FOLLOWER;
}

/* A line that comes in was missed, which counts against the policy of a leader. */
static bool drrip_enters_far(struct llc_rrip *r, uint32_t set)
{
	enum rrip_leader leader = leader_of(r, set);

	if (leader == SRRIP_LEADER)
		r->selector += r->selector < r->selector_top;
	if (leader == BRRIP_LEADER)
		r->selector -= r->selector > 0;
	if (leader == SRRIP_LEADER || (leader == FOLLOWER && r->selector <= r->selector_top / 2))
		return true;
	return brrip_enters_far(r, set);
}

/* --- The policy --- */

static struct llc_rrip *create(const struct llc_replacement_geometry *geometry, const struct llc_rrip_knobs *k)
{
	struct llc_rrip *r = xcalloc(1, sizeof *r);
	size_t lines = (size_t)geometry->sets * geometry->ways;

	r->ways = geometry->ways;
	r->farthest = (uint8_t)((1u << k->bits) - 1);
	r->values = xcalloc(lines, sizeof *r->values);
	r->is_there = xcalloc(lines, sizeof *r->is_there);
	return r;
}

static void *srrip_create(const struct llc_replacement_geometry *geometry, const void *knobs)
{
	struct llc_rrip *r = create(geometry, knobs);

	r->enters_far = srrip_enters_far;
	return r;
}

static void *brrip_create(const struct llc_replacement_geometry *geometry, const void *knobs)
{
	const struct llc_rrip_knobs *k = knobs;
	struct llc_rrip *r = create(geometry, k);

	r->enters_far = brrip_enters_far;
	r->far_one_in = k->far_one_in;
	return r;
}

/* The selector starts below its middle: as SRRIP. */
static void *drrip_create(const struct llc_replacement_geometry *geometry, const void *knobs)
{
	const struct llc_rrip_knobs *k = knobs;
	struct llc_rrip *r = brrip_create(geometry, k);
	uint32_t most = geometry->sets / 2;

	r->enters_far = drrip_enters_far;
	r->leaders = k->leaders < most ? k->leaders : most;
	r->stride = r->leaders ? geometry->sets / r->leaders : 1;
	r->selector_top = (1u << k->selector_bits) - 1;
	r->selector = r->selector_top / 2;
	return r;
}

static void rrip_destroy(void *state)
{
	struct llc_rrip *r = state;

	xfree(r->values);
	xfree(r->is_there);
	xfree(r);
}

/* A request that waited for the line is of the miss that brought it in. */
static void rrip_hit(void *state, uint32_t place, const struct mem_request *request, bool waited)
{
	struct llc_rrip *r = state;

	(void)request;
	if (!waited)
		r->values[place] = 0;
}

/* The first of the farthest. */
static uint32_t rrip_victim(const void *state, uint32_t first, uint64_t ways, const struct mem_request *request)
{
	const struct llc_rrip *r = state;
	const uint8_t *values = r->values + first;
	uint32_t victim = (uint32_t)__builtin_ctzll(ways);

	(void)request;
	for (uint64_t left = ways & (ways - 1); left; left &= left - 1) {
		uint32_t way = (uint32_t)__builtin_ctzll(left);

		victim = values[way] > values[victim] ? way : victim;
	}
	return victim;
}

static void age(const struct llc_rrip *r, uint32_t first, uint8_t by)
{
	for (uint32_t place = first; place < first + r->ways; place++) {
		unsigned aged = r->values[place] + by;

		r->values[place] = aged < r->farthest ? (uint8_t)aged : r->farthest;
	}
}

static void rrip_fill(void *state, uint32_t place, const struct mem_request *request)
{
	struct llc_rrip *r = state;
	uint32_t set = place / r->ways;
	bool far = r->enters_far(r, set);

	(void)request;
	if (r->is_there[place] && r->values[place] < r->farthest)
		age(r, set * r->ways, r->farthest - r->values[place]);
	r->is_there[place] = true;
	r->values[place] = (uint8_t)(r->farthest - far);
	r->stats.far += far;
	r->stats.farthest += !far;
}

static void rrip_drop(void *state, uint32_t place)
{
	struct llc_rrip *r = state;

	r->is_there[place] = false;
}

static const void *rrip_statistics(const void *state)
{
	const struct llc_rrip *r = state;

	return &r->stats;
}

#define RRIP(variant, text)                                                                                            \
	const struct llc_replacement_ops llc_replace_##variant = {                                                     \
	    .name = #variant,                                                                                          \
	    .section = "llc_" #variant,                                                                                \
	    .summary = text,                                                                                           \
	    .source = "Jaleel et al., ISCA 2010",                                                                      \
	    .knobs = variant##_knobs,                                                                                  \
	    .knobs_size = sizeof(struct llc_rrip_knobs),                                                               \
	    .stats = rrip_stat_rows,                                                                                   \
	    .create = variant##_create,                                                                                \
	    .destroy = rrip_destroy,                                                                                   \
	    .hit = rrip_hit,                                                                                           \
	    .victim = rrip_victim,                                                                                     \
	    .fill = rrip_fill,                                                                                         \
	    .drop = rrip_drop,                                                                                         \
	    .statistics = rrip_statistics,                                                                             \
	}

RRIP(srrip, "re-reference interval prediction: lines enter as far");
RRIP(brrip, "re-reference interval prediction: most lines enter as farthest, against thrashing");
RRIP(drrip, "re-reference interval prediction: as srrip or brrip, whichever's leader sets miss less");
