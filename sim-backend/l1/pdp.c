/*
 * Protecting distances (Duong et al., MICRO 2012): after each use a line is protected for a number of accesses to its
 * set, the distance. A new line replaces an unprotected line. When all lines are protected, the L1 does not keep the
 * new line. SPDP has a fixed distance; PDP finds the distance.
 */
#include "sim-backend/l1/l1.h"
#include "sim-backend/l1/pdp_sampler.h"

#include "common/diag.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

#define PAPER "Duong et al., MICRO 2012"

struct pdp_knobs {
	uint32_t distance; /* SPDP's */
	uint32_t bits;     /* of a line's protection */
	uint32_t max_distance, fifo, period;
};

#define MAX_DISTANCE                                                                                                   \
	KNOB_UINT(struct pdp_knobs, max_distance, "accesses", 32, 4096, 256, "largest distance; a multiple of fifo",   \
		  PAPER)
#define BITS(n)                                                                                                        \
	KNOB_UINT(struct pdp_knobs, bits, "bits", 1, 12, n,                                                            \
		  "width of a line's protection; it is counted in units of max_distance / 2^bits accesses", PAPER)
#define SAMPLING                                                                                                       \
	KNOB_UINT(struct pdp_knobs, fifo, "entries", 1, 4096, 32, "FIFO of each set for the sampling of distances",    \
		  "G-Cache section 5"),                                                                                \
	    KNOB_UINT(struct pdp_knobs, period, "accesses", 1, 1 << 30, 4096,                                          \
		      "from one computation of the distance to the next, of an L1",                                    \
		      KNOB_OPEN ": 16 per line of 32 KB, as there are for the LLC of the PDP paper")

static const struct knob pdp3_knobs[] = {BITS(3), MAX_DISTANCE, SAMPLING, KNOB_END};
static const struct knob pdp8_knobs[] = {BITS(8), MAX_DISTANCE, SAMPLING, KNOB_END};
static const struct knob spdp_knobs[] = {KNOB_UINT(struct pdp_knobs, distance, "accesses", 1, 4096, 16,
						   "the protecting distance", "G-Cache Table 3: 4 to 68, by program"),
					 KNOB_END};

struct pdp_stats {
	uint64_t bypasses, computations, distance;
};

static const struct stat_row pdp_stat_rows[] = {
    STAT_COUNT(struct pdp_stats, bypasses, "lines", "lines that were not kept, since all of their set were protected"),
    STAT_COUNT(struct pdp_stats, computations, "computations", "how often the distance was computed"),
    STAT_LEVEL(struct pdp_stats, distance, "accesses", "the protecting distance now, the largest of all L1s"),
    STAT_END,
};

struct pdp {
	uint32_t ways, lines;
	uint32_t unit;       /* accesses to a set by which the protection is counted */
	uint32_t most;       /* units of protection that a line can have */
	uint32_t protection; /* of a line that was just used, in units */
	uint16_t *left;      /* [set][way]: protection, in units */
	uint16_t *passed;    /* [set]: accesses since the latest unit was over */
	uint64_t *line_of;   /* [set][way], for the sampler; NULL: the distance is fixed */
	struct pdp_sampler sampler;
	uint32_t period, accesses;
	struct pdp_stats stats;
};

static void protect_for(struct pdp *p, uint32_t distance)
{
	uint32_t units = (uint32_t)divide_up(distance, p->unit);

	p->protection = units < p->most ? units : p->most;
	p->stats.distance = distance;
}

static struct pdp *create(const struct l1_geometry *geometry, uint32_t unit, uint32_t most)
{
	struct pdp *p = xcalloc(1, sizeof *p);

	p->ways = geometry->ways;
	p->lines = geometry->sets * geometry->ways;
	p->unit = unit;
	p->most = most;
	p->left = xcalloc(p->lines, sizeof *p->left);
	p->passed = xcalloc(geometry->sets, sizeof *p->passed);
	return p;
}

static void *spdp_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct pdp_knobs *k = knobs;
	struct pdp *p = create(geometry, 1, k->distance);

	protect_for(p, k->distance);
	return p;
}

static uint32_t unit_of(const struct pdp_knobs *k)
{
	uint32_t unit = k->max_distance >> k->bits;

	return unit ? unit : 1;
}

/* Until the first computation it protects for as many accesses as there are ways. */
static void *pdp_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct pdp_knobs *k = knobs;
	struct pdp *p = create(geometry, unit_of(k), (1u << k->bits) - 1);

	p->line_of = xcalloc(p->lines, sizeof *p->line_of);
	p->period = k->period;
	pdp_sampler_init(&p->sampler,
			 &(struct pdp_sampler_size){geometry->sets, geometry->ways, k->fifo, k->max_distance});
	protect_for(p, geometry->ways);
	return p;
}

static void pdp_destroy(void *state)
{
	struct pdp *p = state;

	if (p->line_of)
		pdp_sampler_release(&p->sampler);
	xfree(p->line_of);
	xfree(p->left);
	xfree(p->passed);
	xfree(p);
}

/* --- Accesses --- */

static void pass(struct pdp *p, uint32_t set)
{
	uint16_t *left = p->left + (size_t)set * p->ways;

	if (++p->passed[set] < p->unit)
		return;
	p->passed[set] = 0;
	for (uint32_t way = 0; way < p->ways; way++)
		left[way] -= left[way] > 0;
}

static void sample(struct pdp *p, uint32_t set, uint64_t line)
{
	uint32_t best;

	if (!p->line_of)
		return;
	pdp_sampler_access(&p->sampler, set, line);
	if (++p->accesses < p->period)
		return;
	p->accesses = 0;
	p->stats.computations++;
	best = pdp_sampler_best(&p->sampler);
	if (best)
		protect_for(p, best);
}

static void pdp_hit(void *state, uint32_t set, uint32_t way)
{
	struct pdp *p = state;
	size_t at = (size_t)set * p->ways + way;

	p->left[at] = (uint16_t)p->protection;
	pass(p, set);
	sample(p, set, p->line_of ? p->line_of[at] : 0);
}

/* The first unprotected way, or L1_NO_WAY. */
static uint32_t unprotected_way(const struct pdp *p, const struct l1_incoming *incoming)
{
	const uint16_t *left = p->left + (size_t)incoming->set * p->ways;

	for (uint32_t way = 0; way < p->ways; way++)
		if (!left[way] && !l1_is_locked(incoming, way))
			return way;
	return L1_NO_WAY;
}

static bool pdp_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct pdp *p = state;

	*way = incoming->free_way != L1_NO_WAY ? incoming->free_way : unprotected_way(p, incoming);
	if (*way != L1_NO_WAY) {
		size_t at = (size_t)incoming->set * p->ways + *way;

		p->left[at] = (uint16_t)p->protection;
		if (p->line_of)
			p->line_of[at] = incoming->line;
	}
	p->stats.bypasses += *way == L1_NO_WAY;
	pass(p, incoming->set);
	sample(p, incoming->set, incoming->line);
	return *way != L1_NO_WAY;
}

static void pdp_drop(void *state, uint32_t set, uint32_t way)
{
	struct pdp *p = state;

	p->left[(size_t)set * p->ways + way] = 0;
}

static void pdp_flush(void *state)
{
	struct pdp *p = state;

	memset(p->left, 0, p->lines * sizeof *p->left);
}

static const void *pdp_statistics(const void *state)
{
	const struct pdp *p = state;

	return &p->stats;
}

/* --- Storage, what does not fit --- */

static uint64_t spdp_bits(const struct l1_config *config, const void *knobs)
{
	const struct pdp_knobs *k = knobs;

	return (uint64_t)l1_sets(config) * config->ways * l1_bits_for(k->distance + 1);
}

/*
 * Bits: the lines' protection, the sets' counts up to a unit, the sampler, the distance, and the count of accesses up
 * to the next choice of it.
 */
static uint64_t pdp_bits(const struct l1_config *config, const void *knobs)
{
	const struct pdp_knobs *k = knobs;
	struct pdp_sampler_size size = {l1_sets(config), config->ways, k->fifo, k->max_distance};
	uint64_t set = config->ways * k->bits + l1_bits_for(unit_of(k));

	return size.sets * set + pdp_sampler_bits(&size) + k->bits + l1_bits_for(k->period);
}

static int pdp_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs,
		     struct diag *d)
{
	const struct pdp_knobs *k = knobs;

	if (k->max_distance % k->fifo)
		return diag_file(d, NULL, "%s.max_distance is %u; it must be a multiple of %s.fifo (%u)", policy->name,
				 k->max_distance, policy->name, k->fifo);
	if (k->max_distance < config->ways)
		return diag_file(d, NULL, "%s.max_distance is %u; it must be l1.ways at least (%u)", policy->name,
				 k->max_distance, config->ways);
	return 0;
}

#define PDP_OPS                                                                                                        \
	.source = PAPER, .knobs_size = sizeof(struct pdp_knobs), .stats = pdp_stat_rows,                               \
	.stats_size = sizeof(struct pdp_stats), .destroy = pdp_destroy, .hit = pdp_hit, .fill = pdp_fill,              \
	.bypasses = true, .drop = pdp_drop, .flush = pdp_flush, .statistics = pdp_statistics

const struct l1_policy_ops l1_pdp3 = {
    .name = "pdp3",
    .summary = "protecting distance, found at run time; 3 bits per line",
    .knobs = pdp3_knobs,
    .check = pdp_check,
    .storage_bits = pdp_bits,
    .create = pdp_create,
    PDP_OPS,
};

const struct l1_policy_ops l1_pdp8 = {
    .name = "pdp8",
    .summary = "protecting distance, found at run time; 8 bits per line",
    .knobs = pdp8_knobs,
    .check = pdp_check,
    .storage_bits = pdp_bits,
    .create = pdp_create,
    PDP_OPS,
};

const struct l1_policy_ops l1_spdp = {
    .name = "spdp",
    .summary = "protecting distance, fixed; for the best one a study tries several",
    .knobs = spdp_knobs,
    .storage_bits = spdp_bits,
    .create = spdp_create,
    PDP_OPS,
};
