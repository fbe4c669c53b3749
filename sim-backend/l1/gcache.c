/*
 * G-Cache (adaptive bypass): the LLC remembers which L1s have had a line (llc/tag_array.h). A reply that says "you had
 * it" shows contention, and turns the bypass switch of its set on. While it is on and all lines of the set are hot, the
 * L1 does not keep new lines, and the lines of the set cool down. Otherwise the lines are replaced as under SRRIP.
 *
 * gcache-ro also knows which loads have the read-only mark, and of which structure: it does not keep lines of marked
 * structures that are streamed, and always keeps lines of marked structures that are used again.
 */
#include "sim-backend/l1/l1.h"
#include "sim-backend/l1/ro_reuse.h"
#include "sim-backend/l1/rrpv.h"
#include "sim-backend/memory/memsys.h"

#include "common/diag.h"

#define OURS "no paper has it"

struct gcache_knobs {
	uint32_t bits, hot, hot_for_victims, victims_enter, age_every, age_most, adapt_every, off_period, victim_sms;
	struct ro_reuse_knobs marked; /* of gcache-ro */
};

#define MARKED(name, field, unit, min, max, initial, help)                                                             \
	{name, KNOB_TYPE_UINT, offsetof(struct gcache_knobs, marked.field), unit, min, max, initial, NULL, help, OURS}

static const struct knob gcache_knobs[] = {
#include "sim-backend/l1/gcache_knobs.def"
    KNOB_END,
};
static const struct knob gcache_ro_knobs[] = {
#include "sim-backend/l1/gcache_knobs.def"
    MARKED("table", entries, "structures", 1, 256, 16, "marked structures that are told apart"),
    MARKED("judge_every", period, "lines", 16, 1 << 16, 256, "lines of a structure from one judgement to the next"),
    MARKED("streamed_below", streamed, "%", 0, 100, 12, "uses of its lines below which a structure is streamed"),
    MARKED("reused_from", reused, "%", 0, 1000, 100, "hits of its lines from which on a structure stays"),
    KNOB_END,
};

struct gcache_stats {
	uint64_t victims, switched_on, switched_off, bypasses, slower, faster;
	uint64_t streamed, kept; /* of gcache-ro */
};

#define GCACHE_STATS                                                                                                   \
	STAT_COUNT(struct gcache_stats, victims, "lines", "lines that came back after they were lost"),                \
	    STAT_COUNT(struct gcache_stats, switched_on, "switches", "bypass switches turned on"),                     \
	    STAT_COUNT(struct gcache_stats, switched_off, "switches", "those turned off by the period"),               \
	    STAT_COUNT(struct gcache_stats, bypasses, "lines", "lines that were not kept"),                            \
	    STAT_COUNT(struct gcache_stats, slower, "changes", "times that M doubled"),                                \
	    STAT_COUNT(struct gcache_stats, faster, "changes", "times that M halved")

static const struct stat_row gcache_stat_rows[] = {GCACHE_STATS, STAT_END};
static const struct stat_row gcache_ro_stat_rows[] = {
    GCACHE_STATS,
    STAT_COUNT(struct gcache_stats, streamed, "lines", "of those not kept, lines of streamed structures"),
    STAT_COUNT(struct gcache_stats, kept, "lines", "lines that were kept since their structure is used again"),
    STAT_END,
};

/* A line without a mark belongs to no structure. Number 0 is no structure either. */
enum { UNMARKED = 0 };

struct gcache {
	struct rrpv rrpv;
	const struct gcache_knobs *knobs;
	uint32_t sets, accesses;
	bool *on;               /* [set]: bypass switch */
	uint32_t *bypassed;     /* [set]: since the lines cooled */
	uint32_t every;         /* M now */
	uint32_t came, lost;    /* lines, of them such that were lost; since M was last looked at */
	struct ro_reuse marked; /* with gcache-ro */
	uint16_t *owner;        /* [set][way]: the line's structure, if it is marked; or NULL, without gcache-ro */
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
	g->every = k->age_every;
	return g;
}

static void *gcache_ro_create(const struct l1_geometry *geometry, const void *knobs)
{
	struct gcache *g = gcache_create(geometry, knobs);

	ro_reuse_init(&g->marked, &g->knobs->marked);
	g->owner = xcalloc(g->rrpv.lines, sizeof *g->owner);
	return g;
}

static void gcache_destroy(void *state)
{
	struct gcache *g = state;

	xfree(g->rrpv.values);
	xfree(g->on);
	xfree(g->bypassed);
	ro_reuse_clear(&g->marked);
	xfree(g->owner);
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

static uint16_t *owner_of(const struct gcache *g, uint32_t set, uint32_t way)
{
	return &g->owner[(size_t)set * g->rrpv.ways + way];
}

static void gcache_ro_hit(void *state, uint32_t set, uint32_t way)
{
	struct gcache *g = state;
	uint16_t owner = *owner_of(g, set, way);

	gcache_hit(state, set, way);
	if (owner != UNMARKED)
		ro_reuse_hit(&g->marked, owner);
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
	if (++g->bypassed[set] < g->every)
		return;
	g->bypassed[set] = 0;
	rrpv_age(&g->rrpv, set);
}

/* More contention wants lines to be hot for longer. */
static void adapt(struct gcache *g)
{
	const struct gcache_knobs *k = g->knobs;

	if (!k->adapt_every || g->came < k->adapt_every)
		return;
	if (g->lost > g->came / 2 && g->every * 2 <= k->age_most) {
		g->every *= 2;
		g->stats.slower++;
	} else if (g->lost < g->came / 4 && g->every / 2 >= k->age_every) {
		g->every /= 2;
		g->stats.faster++;
	}
	g->came = g->lost = 0;
}

static void note_victim(struct gcache *g, uint32_t set)
{
	g->stats.victims++;
	g->stats.switched_on += !g->on[set];
	g->on[set] = true;
}

static void note_line(struct gcache *g, const struct l1_incoming *incoming)
{
	bool victim = incoming->flags & MEM_VICTIM;

	count_access(g);
	g->came++;
	g->lost += victim;
	if (victim)
		note_victim(g, incoming->set);
	adapt(g);
}

/* The set is full of hot lines, and bypassing. */
static bool is_refused(const struct gcache *g, const struct l1_incoming *incoming)
{
	bool victim = incoming->flags & MEM_VICTIM;
	uint32_t hot = victim ? g->knobs->hot_for_victims : g->knobs->hot;

	return incoming->free_way == L1_NO_WAY && g->on[incoming->set] && are_all_hot(g, incoming->set, hot);
}

static void place(struct gcache *g, const struct l1_incoming *incoming, uint32_t value, uint32_t *way)
{
	*way = rrpv_victim(&g->rrpv, incoming);
	rrpv_set(&g->rrpv, incoming->set)[*way] = (uint8_t)value;
}

static uint32_t entry_value(const struct gcache *g, const struct l1_incoming *incoming)
{
	uint32_t far = g->rrpv.farthest - 1u, near = g->knobs->victims_enter;

	return incoming->flags & MEM_VICTIM && near < far ? near : far;
}

static bool gcache_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct gcache *g = state;

	note_line(g, incoming);
	if (is_refused(g, incoming)) {
		bypass(g, incoming->set);
		return false;
	}
	place(g, incoming, entry_value(g, incoming), way);
	return true;
}

/*
 * Whether a marked structure's line is kept, if the structure's reuse is known. The LLC remembers lines that were not
 * kept, too.
 */
static enum reuse reuse_of(struct gcache *g, const struct l1_incoming *incoming)
{
	if (!(incoming->flags & MEM_READ_ONLY))
		return REUSE_OPEN;
	ro_reuse_line(&g->marked, incoming->structure, incoming->flags & MEM_VICTIM);
	return ro_reuse_of(&g->marked, incoming->structure);
}

static bool gcache_ro_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct gcache *g = state;
	enum reuse reuse = reuse_of(g, incoming);

	if (reuse == REUSE_STREAMED && incoming->free_way == L1_NO_WAY) {
		note_line(g, incoming);
		g->stats.bypasses++;
		g->stats.streamed++;
		return false;
	}
	if (reuse == REUSE_KEPT) {
		note_line(g, incoming);
		g->stats.kept++;
		place(g, incoming, 0, way);
	} else if (!gcache_fill(state, incoming, way)) {
		return false;
	}
	*owner_of(g, incoming->set, *way) = incoming->flags & MEM_READ_ONLY ? incoming->structure : UNMARKED;
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

	rrpv_forget(&g->rrpv); /* M, and the reuse of structures, stay */
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

/* Bits: the lines' values, switches, counters up to M, the period, the adaptation of M, and this L1's victim bits. */
static uint64_t gcache_bits(const struct l1_config *config, const void *knobs)
{
	const struct gcache_knobs *k = knobs;
	uint32_t most = k->adapt_every ? k->age_most : k->age_every;
	uint64_t set = config->ways * k->bits + 1 + l1_bits_for(most), adapts = 2 * l1_bits_for(k->adapt_every);
	uint32_t sharers = k->victim_sms < config->sms ? k->victim_sms : config->sms;

	return l1_sets(config) * set + l1_bits_for(k->off_period) + adapts + config->llc_lines / sharers;
}

/* Besides, the table, and which of its entries each line, and each fetch on its way, belongs to, if any. */
static uint64_t gcache_ro_bits(const struct l1_config *config, const void *knobs)
{
	const struct gcache_knobs *k = knobs;
	uint64_t owners = (uint64_t)l1_sets(config) * config->ways + config->mshrs;

	return gcache_bits(config, knobs) + ro_reuse_bits(&k->marked) + owners * l1_bits_for(k->marked.entries + 1);
}

static int gcache_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs,
			struct diag *d)
{
	const struct gcache_knobs *k = knobs;

	if (config->alloc == L1_ALLOC_MISS)
		return diag_file(d, NULL,
				 "l1.alloc is miss; %s decides when a line has come, by the victim bit that comes "
				 "with it, so it must be fill or stream",
				 policy->name);
	if (config->sectored)
		return diag_file(
		    d, NULL,
		    "l1.sectored is true; %s counts a line that is requested again as lost early, and a request for "
		    "another sector would look the same, so it must be false",
		    policy->name);
	if (k->hot_for_victims > k->hot)
		return diag_file(d, NULL, "%s.hot_for_victims is %u; it must be %s.hot at most (%u)", policy->name,
				 k->hot_for_victims, policy->name, k->hot);
	if (k->age_every > k->age_most)
		return diag_file(d, NULL, "%s.age_every is %u; it must be %s.age_most at most (%u)", policy->name,
				 k->age_every, policy->name, k->age_most);
	return 0;
}

#define GCACHE_OPS                                                                                                     \
	.knobs_size = sizeof(struct gcache_knobs), .stats_size = sizeof(struct gcache_stats), .check = gcache_check,   \
	.victim_sms = gcache_victim_sms, .destroy = gcache_destroy, .drop = gcache_drop, .flush = gcache_flush,        \
	.statistics = gcache_statistics

const struct l1_policy_ops l1_gcache = {
    .name = "gcache",
    .summary = "bypasses while all lines of a set are hot and the LLC's victim bits show contention",
    .source = "G-Cache (adaptive cache bypass)",
    .knobs = gcache_knobs,
    .stats = gcache_stat_rows,
    .storage_bits = gcache_bits,
    .create = gcache_create,
    .hit = gcache_hit,
    .fill = gcache_fill,
    GCACHE_OPS,
};

const struct l1_policy_ops l1_gcache_ro = {
    .name = "gcache-ro",
    .summary = "as gcache, but marked read-only structures that are streamed go past, and those used again stay",
    .source = "no paper",
    .knobs = gcache_ro_knobs,
    .stats = gcache_ro_stat_rows,
    .storage_bits = gcache_ro_bits,
    .create = gcache_ro_create,
    .hit = gcache_ro_hit,
    .fill = gcache_ro_fill,
    GCACHE_OPS,
};
