/*
 * G-Cache (adaptive bypass): the LLC remembers which L1s have had a line (llc/tags.h). A reply that says "you had it"
 * shows contention, and turns the bypass switch of its set on. While it is on and all lines of the set are hot, what
 * comes in is not kept, and the lines cool down. Otherwise the lines are replaced as under SRRIP.
 */
#include "sim-backend/l1/l1.h"
#include "sim-backend/l1/rrpv.h"
#include "sim-backend/memsys.h"

#include "common/diag.h"

#define PAPER "G-Cache section 4.2"
#define OPEN "not confirmed against the paper"

struct gcache_knobs {
	uint32_t bits, hot, hot_for_victims, age_every, off_period, victim_sms;
};

static const struct knob gcache_knobs[] = {
    KNOB_UINT(struct gcache_knobs, bits, "bits", 1, 7, 3, "width of a line's re-reference prediction value",
	      "G-Cache section 5.1: below 8"),
    KNOB_UINT(struct gcache_knobs, hot, "", 0, 128, 3, "a line with a smaller value is hot (TH_hot)",
	      "follows from G-Cache's Fig. 7; " OPEN),
    KNOB_UINT(struct gcache_knobs, hot_for_victims, "", 0, 128, 2,
	      "the same, when what comes in was lost early; at most gcache.hot", "G-Cache's Fig. 7: less than 2"),
    KNOB_UINT(struct gcache_knobs, age_every, "bypasses", 1, 1 << 16, 1,
	      "the lines of a set cool at one bypass in so many (M)", "G-Cache section 5.1"),
    KNOB_UINT(struct gcache_knobs, off_period, "accesses", 0, 1 << 30, 100000,
	      "accesses of an L1 after which its switches go off; 0 = never", OPEN),
    KNOB_UINT(struct gcache_knobs, victim_sms, "SMs", 1, 1024, 1, "SMs that share a victim bit", "G-Cache section 4.3"),
    KNOB_END,
};

struct gcache_stats {
	uint64_t victims, switched_on, switched_off, bypasses;
};

static const struct stat_row gcache_stat_rows[] = {
    STAT_COUNT(struct gcache_stats, victims, "lines", "lines that came back after they were lost"),
    STAT_COUNT(struct gcache_stats, switched_on, "switches", "bypass switches turned on"),
    STAT_COUNT(struct gcache_stats, switched_off, "switches", "those turned off by the period"),
    STAT_COUNT(struct gcache_stats, bypasses, "lines", "lines that were not kept"),
    STAT_END,
};

struct gcache {
	struct rrpv rrpv;
	const struct gcache_knobs *knobs;
	uint32_t sets, accesses;
	bool *on;           /* [set]: bypass switch */
	uint32_t *bypassed; /* [set]: since the lines cooled */
	struct gcache_stats stats;
};

static void *gcache_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct gcache_knobs *k = knobs;
	struct gcache *g = xcalloc(1, sizeof *g);

	rrpv_init(&g->rrpv, geometry, k->bits);
	g->knobs = k;
	g->sets = geometry->sets;
	g->on = xcalloc(g->sets, sizeof *g->on);
	g->bypassed = xcalloc(g->sets, sizeof *g->bypassed);
	return g;
}

static void gcache_destroy(void *state)
{
	struct gcache *g = state;

	xfree(g->rrpv.values);
	xfree(g->on);
	xfree(g->bypassed);
	xfree(g);
}

static void count_access(struct gcache *g)
{
	if (++g->accesses != g->knobs->off_period)
		return;
	g->accesses = 0;
	for (uint32_t set = 0; set < g->sets; set++) {
		g->stats.switched_off += g->on[set];
		g->on[set] = false;
	}
}

static void gcache_hit(void *state, uint32_t set, uint32_t way)
{
	struct gcache *g = state;

	count_access(g);
	rrpv_set(&g->rrpv, set)[way] = 0;
}

static bool are_all_hot(const struct gcache *g, uint32_t set, uint32_t hot)
{
	const uint8_t *values = rrpv_set(&g->rrpv, set);

	for (uint32_t way = 0; way < g->rrpv.ways; way++)
		if (values[way] >= hot)
			return false;
	return true;
}

static void bypass(struct gcache *g, uint32_t set)
{
	g->stats.bypasses++;
	if (++g->bypassed[set] < g->knobs->age_every)
		return;
	g->bypassed[set] = 0;
	rrpv_age(&g->rrpv, set);
}

static void note_victim(struct gcache *g, uint32_t set)
{
	g->stats.victims++;
	g->stats.switched_on += !g->on[set];
	g->on[set] = true;
}

static bool gcache_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct gcache *g = state;
	bool victim = incoming->flags & MEM_VICTIM;
	uint32_t hot = victim ? g->knobs->hot_for_victims : g->knobs->hot, set = incoming->set;

	count_access(g);
	if (victim)
		note_victim(g, set);
	if (incoming->free_way == L1_NO_WAY && g->on[set] && are_all_hot(g, set, hot)) {
		bypass(g, set);
		return false;
	}
	*way = rrpv_victim(&g->rrpv, incoming);
	rrpv_set(&g->rrpv, set)[*way] = (uint8_t)(g->rrpv.farthest - 1);
	return true;
}

static void gcache_drop(void *state, uint32_t set, uint32_t way)
{
	struct gcache *g = state;

	rrpv_set(&g->rrpv, set)[way] = g->rrpv.farthest;
}

static void gcache_flush(void *state)
{
	struct gcache *g = state;

	rrpv_forget(&g->rrpv);
	memset(g->on, 0, g->sets * sizeof *g->on);
	memset(g->bypassed, 0, g->sets * sizeof *g->bypassed);
}

static const void *gcache_statistics(const void *state)
{
	const struct gcache *g = state;

	return &g->stats;
}

static uint32_t gcache_victim_sms(const void *knobs)
{
	const struct gcache_knobs *k = knobs;

	return k->victim_sms;
}

/* Values, switches, counters to M, the period; and of the victim bits those of one L1. */
static uint64_t gcache_bits(const struct l1_config *config, const void *knobs)
{
	const struct gcache_knobs *k = knobs;
	uint64_t set = config->ways * k->bits + 1 + l1_bits_for(k->age_every);

	return l1_sets(config) * set + l1_bits_for(k->off_period) + config->llc_lines / k->victim_sms;
}

static int gcache_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs,
			struct diag *d)
{
	const struct gcache_knobs *k = knobs;

	(void)policy;
	if (config->alloc == L1_ALLOC_MISS)
		return diag_file(d, NULL,
				 "l1.alloc is miss; gcache decides when a line has come, by the victim bit that comes "
				 "with it, so it must be fill or stream");
	if (config->sectored)
		return diag_file(d, NULL,
				 "l1.sectored is true; gcache takes a line that is asked for again for one that was "
				 "lost, and a further sector of it would look so, so it must be false");
	if (k->hot_for_victims > k->hot)
		return diag_file(d, NULL, "gcache.hot_for_victims is %u; it must be gcache.hot at most (%u)",
				 k->hot_for_victims, k->hot);
	return 0;
}

const struct l1_policy_ops l1_gcache = {
    .name = "gcache",
    .summary = "bypasses while all lines of a set are hot and the LLC's victim bits show contention",
    .source = "G-Cache (adaptive cache bypass)",
    .knobs = gcache_knobs,
    .knobs_size = sizeof(struct gcache_knobs),
    .stats = gcache_stat_rows,
    .stats_size = sizeof(struct gcache_stats),
    .check = gcache_check,
    .victim_sms = gcache_victim_sms,
    .storage_bits = gcache_bits,
    .create = gcache_create,
    .destroy = gcache_destroy,
    .hit = gcache_hit,
    .fill = gcache_fill,
    .drop = gcache_drop,
    .flush = gcache_flush,
    .statistics = gcache_statistics,
};
