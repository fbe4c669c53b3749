/*
 * Re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010): a line becomes "near" on a hit. The
 * variants differ in how a line enters: under SRRIP as "far"; under BRRIP as "farthest", except for one line in so
 * many; under DRRIP as under either of these, whichever's leader sets miss less.
 */
#include "sim-backend/l1/l1.h"
#include "sim-backend/l1/rrpv.h"

struct rrip_knobs {
	uint32_t bits;
	uint32_t far_one_in;
	uint32_t leaders, selector_bits;
};

#define BITS                                                                                                           \
	KNOB_UINT(struct rrip_knobs, bits, "bits", 1, 7, 3, "width of a line's re-reference prediction value",         \
		  "G-Cache: 3-bit SRRIP; the RRIP paper has 2")
#define FAR_ONE_IN                                                                                                     \
	KNOB_UINT(struct rrip_knobs, far_one_in, "lines", 1, 1024, 32, "one line in so many enters as far",            \
		  "Jaleel et al., ISCA 2010")

static const struct knob srrip_knobs[] = {BITS, KNOB_END};
static const struct knob brrip_knobs[] = {BITS, FAR_ONE_IN, KNOB_END};
static const struct knob drrip_knobs[] = {
    BITS, FAR_ONE_IN,
    KNOB_UINT(struct rrip_knobs, leaders, "sets", 1, 512, 4,
	      "sets that always do as SRRIP, and as many as BRRIP; at most half of the sets each",
	      KNOB_OPEN ": the RRIP paper has 32 of an LLC"),
    KNOB_UINT(struct rrip_knobs, selector_bits, "bits", 2, 16, 10, "width of the counter that the leaders move",
	      "Jaleel et al., ISCA 2010"),
    KNOB_END};

struct rrip_stats {
	uint64_t far, farthest; /* insertions */
};

static const struct stat_row rrip_stat_rows[] = {
    STAT_COUNT(struct rrip_stats, far, "lines", "lines that entered as far, as under SRRIP"),
    STAT_COUNT(struct rrip_stats, farthest, "lines", "lines that entered as farthest, as under BRRIP"),
    STAT_END,
};

enum leader { NO_LEADER, SRRIP_LEADER, BRRIP_LEADER };

struct rrip {
	struct rrpv rrpv;
	bool (*enters_far)(struct rrip *r, uint32_t set);
	uint32_t far_one_in, since_far; /* BRRIP: lines since one entered as far */
	uint32_t leaders, stride;
	uint32_t selector, selector_top; /* from the middle on, followers do as BRRIP */
	struct rrip_stats stats;
};

/* --- How a line enters --- */

static bool srrip_enters_far(struct rrip *r, uint32_t set)
{
	(void)r;
	(void)set;
	return true;
}

static bool brrip_enters_far(struct rrip *r, uint32_t set)
{
	(void)set;
	if (++r->since_far < r->far_one_in)
		return false;
	r->since_far = 0;
	return true;
}

/* Leader sets are spread evenly: the first set of each stretch leads for SRRIP, its middle set for BRRIP. */
static enum leader leader_of(const struct rrip *r, uint32_t set)
{
	if (set / r->stride >= r->leaders)
		return NO_LEADER;
	if (set % r->stride == 0)
		return SRRIP_LEADER;
	return set % r->stride == r->stride / 2 ? BRRIP_LEADER : NO_LEADER;
}

/* A line that comes in was missed, which counts against the policy of a leader. */
static bool drrip_enters_far(struct rrip *r, uint32_t set)
{
	enum leader leader = leader_of(r, set);

	if (leader == SRRIP_LEADER)
		r->selector += r->selector < r->selector_top;
	if (leader == BRRIP_LEADER)
		r->selector -= r->selector > 0;
	if (leader == SRRIP_LEADER || (leader == NO_LEADER && r->selector <= r->selector_top / 2))
		return true;
	return brrip_enters_far(r, set);
}

/* --- The policy --- */

static struct rrip *rrip_create(const struct l1_geometry *geometry, const struct rrip_knobs *k)
{
	struct rrip *r = xcalloc(1, sizeof *r);

	rrpv_init(&r->rrpv, geometry, k->bits);
	return r;
}

static void *srrip_create(const struct l1_geometry *geometry, const void *knobs)
{
	struct rrip *r = rrip_create(geometry, knobs);

	r->enters_far = srrip_enters_far;
	return r;
}

static void *brrip_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct rrip_knobs *k = knobs;
	struct rrip *r = rrip_create(geometry, k);

	r->enters_far = brrip_enters_far;
	r->far_one_in = k->far_one_in;
	return r;
}

/* The selector starts below its middle: as SRRIP. */
static void *drrip_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct rrip_knobs *k = knobs;
	struct rrip *r = brrip_create(geometry, k);
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
	struct rrip *r = state;

	xfree(r->rrpv.values);
	xfree(r);
}

static void rrip_hit(void *state, uint32_t set, uint32_t way)
{
	struct rrip *r = state;

	rrpv_set(&r->rrpv, set)[way] = 0;
}

static bool rrip_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct rrip *r = state;
	bool far = r->enters_far(r, incoming->set);

	*way = rrpv_victim(&r->rrpv, incoming);
	rrpv_set(&r->rrpv, incoming->set)[*way] = (uint8_t)(r->rrpv.farthest - far);
	r->stats.far += far;
	r->stats.farthest += !far;
	return true;
}

static void rrip_drop(void *state, uint32_t set, uint32_t way)
{
	struct rrip *r = state;

	rrpv_set(&r->rrpv, set)[way] = r->rrpv.farthest;
}

static void rrip_flush(void *state)
{
	struct rrip *r = state;

	rrpv_forget(&r->rrpv);
}

static const void *rrip_statistics(const void *state)
{
	const struct rrip *r = state;

	return &r->stats;
}

/* --- Storage --- */

static uint64_t srrip_bits(const struct l1_config *config, const void *knobs)
{
	const struct rrip_knobs *k = knobs;

	return (uint64_t)l1_sets(config) * config->ways * k->bits;
}

/* The bits of SRRIP, and the counter that picks one line in so many. */
static uint64_t brrip_bits(const struct l1_config *config, const void *knobs)
{
	const struct rrip_knobs *k = knobs;

	return srrip_bits(config, knobs) + l1_bits_for(k->far_one_in);
}

static uint64_t drrip_bits(const struct l1_config *config, const void *knobs)
{
	const struct rrip_knobs *k = knobs;

	return brrip_bits(config, knobs) + k->selector_bits;
}

#define RRIP_OPS                                                                                                       \
	.source = "Jaleel et al., ISCA 2010", .knobs_size = sizeof(struct rrip_knobs), .stats = rrip_stat_rows,        \
	.stats_size = sizeof(struct rrip_stats), .destroy = rrip_destroy, .hit = rrip_hit, .fill = rrip_fill,          \
	.drop = rrip_drop, .flush = rrip_flush, .statistics = rrip_statistics

const struct l1_policy_ops l1_srrip = {
    .name = "srrip",
    .summary = "re-reference interval prediction: lines enter as far",
    .knobs = srrip_knobs,
    .storage_bits = srrip_bits,
    .create = srrip_create,
    RRIP_OPS,
};

const struct l1_policy_ops l1_brrip = {
    .name = "brrip",
    .summary = "re-reference interval prediction: most lines enter as farthest, against thrashing",
    .knobs = brrip_knobs,
    .storage_bits = brrip_bits,
    .create = brrip_create,
    RRIP_OPS,
};

const struct l1_policy_ops l1_drrip = {
    .name = "drrip",
    .summary = "re-reference interval prediction: as SRRIP or BRRIP, whichever misses less in leader sets",
    .knobs = drrip_knobs,
    .storage_bits = drrip_bits,
    .create = drrip_create,
    RRIP_OPS,
};
