/*
 * The adaptive LLC (Zhao et al., ISCA 2019): all or nothing. It profiles under the shared organisation, at the start of
 * a kernel and again after every epoch, and then decides between shared and private. Its auxiliary tag directory (ATD)
 * is in one slice, so it sees all clusters only while the LLC is shared.
 *
 * The paper's text was not available: this is a reconstruction from its abstract and from the SelRep paper's
 * description. Private wins when the ATD predicts about the same miss rate, or else when the bandwidth model (equation
 * 2 of SelRep, for both) predicts more. While private, slices write through and atomics use the line's home.
 */
#include "common/integer.h"
#include "sim-backend/llc/bandwidth.h"
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum atd_kind { ATD_VECTOR, ATD_EXACT };
enum atomics { ATOMICS_STAY_SHARED, ATOMICS_HOME };
enum short_kernels { SHORT_FORGET, SHORT_GO_ON };

struct adaptive_knobs {
	uint32_t profile_cycles, epoch_cycles;
	double tolerance;
	uint32_t atd_sets, atd, atomics, short_kernels;
};

static const struct knob adaptive_knobs[] = {
    KNOB_UINT(struct adaptive_knobs, profile_cycles, "cycles", 100, 100000000, 50000,
	      "profiling under the shared organisation before a decision", KNOB_OPEN),
    KNOB_UINT(struct adaptive_knobs, epoch_cycles, "cycles", 1000, 1000000000, 1000000,
	      "from a decision until the LLC is shared again to profile anew", KNOB_OPEN),
    KNOB_REAL(struct adaptive_knobs, tolerance, "", 0, 1, 0.02,
	      "private wins when its predicted miss rate is higher by no more than this", KNOB_OPEN),
    KNOB_UINT(struct adaptive_knobs, atd_sets, "sets", 1, 64, 8, "sampled sets of the ATD", KNOB_OPEN),
    KNOB_CHOICE(struct adaptive_knobs, atd, "vector|exact", ATD_EXACT,
		"a bit for each cluster in the shared directory, or for each cluster its share of a slice", KNOB_OPEN),
    KNOB_CHOICE(struct adaptive_knobs, atomics, "stay_shared|home", ATOMICS_STAY_SHARED,
		"a kernel with atomics stays shared, or sends them to the line's home", KNOB_OPEN),
    KNOB_CHOICE(struct adaptive_knobs, short_kernels, "forget|go_on", SHORT_FORGET,
		"the profile of a kernel that ends within it is forgotten, or goes on in the next kernel", KNOB_OPEN),
    KNOB_END,
};

struct adaptive_stats {
	uint64_t decisions, to_private, to_shared, private_cycles;
	double shared_hit_rate, private_hit_rate;
	uint64_t storage_bytes;
};

static const struct stat_row adaptive_stat_rows[] = {
    STAT_COUNT(struct adaptive_stats, decisions, "decisions", "profiles ended"),
    STAT_COUNT(struct adaptive_stats, to_private, "changes", "changes to the private organisation"),
    STAT_COUNT(struct adaptive_stats, to_shared, "changes", "changes back"),
    STAT_COUNT(struct adaptive_stats, private_cycles, "cycles", "cycles spent private"),
    STAT_REAL_LEVEL(struct adaptive_stats, shared_hit_rate, "", "predicted at the last decision"),
    STAT_REAL_LEVEL(struct adaptive_stats, private_hit_rate, "", "predicted at the last decision"),
    STAT_LEVEL(struct adaptive_stats, storage_bytes, "bytes", "ATD and counters, in bytes of hardware"),
    STAT_END,
};

struct atd_entry {
	uint64_t line, clusters;
	uint64_t used; /* for LRU; 0 = empty */
};

struct atd_shape {
	unsigned sets, ways;
};

enum mode { MODE_SHARED, MODE_PRIVATE };

/* What a profile predicts for an organisation, at one memory controller. */
struct forecast {
	double miss_rate, bytes_per_cycle;
};

struct adaptive_state {
	const struct adaptive_knobs *knobs;
	struct llc_geometry geometry;
	enum mode mode, wanted;      /* they differ while a reorganisation is under way */
	bool profiling, stay_shared; /* stay_shared: the kernel has atomics */
	uint64_t next;               /* end of the profile or of the epoch */
	uint64_t left;               /* cycles of a profile that goes on in the next kernel; 0 = none does */
	uint64_t private_from;
	struct atd_entry *atd;            /* the shared directory; after it the exact kind has one for each cluster */
	struct atd_shape shared, private; /* of each of them */
	uint64_t clock, accesses, shared_hits, private_hits;
	uint32_t by_home[64], by_cluster[64]; /* requests at MC-router 0, in 16 bits that stay full */
	struct forecast if_shared, if_private;
	struct adaptive_stats stats;
	struct llc_directory_use use;
};

static unsigned entries_of(struct atd_shape shape)
{
	return shape.sets * shape.ways;
}

static uint64_t storage_bytes(const struct adaptive_state *s)
{
	const struct llc_geometry *g = &s->geometry;
	uint64_t tag = g->address_bits - g->line_shift - log2_ceil(g->mcs * g->slices) - log2_ceil(g->sets);
	uint64_t shared = entries_of(s->shared), private = (uint64_t)entries_of(s->private) * g->clusters;
	uint64_t bits = (shared + private) * tag + (s->knobs->atd == ATD_VECTOR ? shared * g->clusters : 0);

	return divide_up(bits + 16 * (g->slices + g->clusters + 3), 8);
}

static void start_profile(struct adaptive_state *s, uint64_t cycle)
{
	s->profiling = true;
	s->next = cycle + s->knobs->profile_cycles;
	s->accesses = s->shared_hits = s->private_hits = 0;
	memset(s->by_home, 0, sizeof s->by_home);
	memset(s->by_cluster, 0, sizeof s->by_cluster);
}

/*
 * A private slice holds the lines of `homes` slices for its cluster, and the directory samples the lines of one home.
 * So a cluster's directory has that fraction of the sampled sets, or of a set's ways if that is less than a set.
 */
static struct atd_shape share_of_a_slice(struct atd_shape shared, unsigned homes)
{
	unsigned entries = entries_of(shared) / homes, sets = shared.sets / homes;

	if (sets)
		return (struct atd_shape){sets, shared.ways};
	return (struct atd_shape){1, entries ? entries : 1};
}

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct adaptive_state *s = xcalloc(1, sizeof *s);
	unsigned sets = ((const struct adaptive_knobs *)knobs)->atd_sets;

	s->knobs = knobs;
	s->geometry = *geometry;
	s->shared = (struct atd_shape){sets < geometry->sets ? sets : geometry->sets, geometry->ways};
	if (s->knobs->atd == ATD_EXACT)
		s->private = share_of_a_slice(s->shared, llc_max_degree(geometry));
	s->atd = xcalloc(entries_of(s->shared) + (size_t)geometry->clusters * entries_of(s->private), sizeof *s->atd);
	s->stats.storage_bytes = storage_bytes(s);
	start_profile(s, 0);
	return s;
}

static void destroy(void *state)
{
	struct adaptive_state *s = state;

	xfree(s->atd);
	xfree(s);
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct adaptive_state *s = state;
	unsigned degree = llc_max_degree(&s->geometry);

	if (s->mode == MODE_SHARED || request->kind == MEM_ATOMIC)
		return llc_memory_side(origin, origin.home);
	return llc_memory_side(origin, llc_slice_at_degree(&s->geometry, degree, origin.cluster, origin.home));
}

static bool write_through(const void *state)
{
	const struct adaptive_state *s = state;

	return s->mode == MODE_PRIVATE;
}

static void count(uint32_t *counter)
{
	*counter += *counter != UINT16_MAX;
}

static void observe(void *state, unsigned mc, unsigned cluster, unsigned home, const struct mem_request *request)
{
	struct adaptive_state *s = state;

	if (mc != 0 || !s->profiling || request->kind == MEM_ATOMIC)
		return;
	count(&s->by_home[home]);
	count(&s->by_cluster[llc_slice_at_degree(&s->geometry, llc_max_degree(&s->geometry), cluster, home)]);
}

/* Looks the line up in a set, filling it when missing: the entry, and in `present` whether it was there. */
static struct atd_entry *touch(struct adaptive_state *s, struct atd_entry *first, unsigned ways, uint64_t line,
			       bool *present)
{
	struct atd_entry *victim = first;

	s->use.searches++;
	*present = true;
	for (struct atd_entry *e = first; e < first + ways; e++) {
		if (e->used && e->line == line) {
			e->used = ++s->clock;
			return e;
		}
		if (e->used < victim->used)
			victim = e;
	}
	*present = false;
	s->use.writes++;
	*victim = (struct atd_entry){line, 0, ++s->clock};
	return victim;
}

static struct atd_entry *private_set(const struct adaptive_state *s, unsigned cluster, unsigned set)
{
	unsigned sets = s->private.sets;

	return &s->atd[entries_of(s->shared) + (cluster * sets + set % sets) * s->private.ways];
}

static void looked_up(void *state, unsigned mc, unsigned slice, unsigned cluster, const struct mem_request *request,
		      bool hit)
{
	struct adaptive_state *s = state;
	unsigned distance = s->geometry.sets / s->shared.sets, set;
	struct atd_entry *entry;
	bool present;

	(void)hit;
	if (mc || slice || !s->profiling || request->kind == MEM_ATOMIC)
		return;
	set = llc_set_of(&s->geometry, request->line);
	if (set % distance || set / distance >= s->shared.sets)
		return;
	set /= distance;
	s->accesses++;
	entry = touch(s, &s->atd[set * s->shared.ways], s->shared.ways, request->line, &present);
	s->shared_hits += present;
	if (s->knobs->atd == ATD_EXACT) {
		touch(s, private_set(s, cluster, set), s->private.ways, request->line, &present);
		s->private_hits += present;
	} else {
		s->private_hits += entry->clusters >> cluster & 1;
		s->use.writes += present && !(entry->clusters >> cluster & 1);
		entry->clusters |= UINT64_C(1) << cluster;
	}
}

static double bandwidth(const struct adaptive_state *s, const uint32_t *requests, double hit_rate)
{
	const struct llc_geometry *g = &s->geometry;

	return bandwidth_supplied(bandwidth_parallelism(requests, g->slices), hit_rate, g->slice_bytes_per_cycle,
				  g->memory_bytes_per_cycle / (g->mcs * g->slices));
}

static enum mode choose(struct adaptive_state *s)
{
	double shared, private;

	s->stats.decisions++;
	if (!s->accesses || s->stay_shared)
		return MODE_SHARED;
	shared = s->stats.shared_hit_rate = (double)s->shared_hits / (double)s->accesses;
	private = s->stats.private_hit_rate = (double)s->private_hits / (double)s->accesses;
	s->if_shared = (struct forecast){1 - shared, bandwidth(s, s->by_home, shared)};
	s->if_private = (struct forecast){1 - private, bandwidth(s, s->by_cluster, private)};
	if (s->if_private.miss_rate <= s->if_shared.miss_rate + s->knobs->tolerance)
		return MODE_PRIVATE;
	return s->if_private.bytes_per_cycle > s->if_shared.bytes_per_cycle ? MODE_PRIVATE : MODE_SHARED;
}

/* To private: dirty lines are written back and stay. To shared: lines may have copies, so all are invalidated. */
static void reorganise(struct adaptive_state *s, enum mode wanted, struct llc_orders *orders)
{
	s->wanted = wanted;
	if (s->wanted == s->mode)
		return;
	orders->reorganise = true;
	orders->work = wanted == MODE_PRIVATE ? LLC_CLEAN : LLC_DROP_ALL;
}

static void set_mode(struct adaptive_state *s, enum mode mode, uint64_t cycle)
{
	if (mode == s->mode)
		return;
	if (mode == MODE_PRIVATE) {
		s->stats.to_private++;
		s->private_from = cycle;
	} else {
		s->stats.to_shared++;
		s->stats.private_cycles += cycle - s->private_from;
	}
	s->mode = mode;
}

static uint64_t next_tick(const void *state)
{
	return ((const struct adaptive_state *)state)->next;
}

static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct adaptive_state *s = state;

	if (s->profiling) {
		s->profiling = false;
		s->next = cycle + s->knobs->epoch_cycles;
		reorganise(s, choose(s), orders);
	} else if (s->mode == MODE_PRIVATE) {
		/* `reorganised` starts the profile. */
		s->next = UINT64_MAX;
		reorganise(s, MODE_SHARED, orders);
	} else {
		start_profile(s, cycle);
	}
}

static void reorganised(void *state, uint64_t cycle)
{
	struct adaptive_state *s = state;

	set_mode(s, s->wanted, cycle);
	if (s->mode == MODE_SHARED)
		start_profile(s, cycle);
}

static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	struct adaptive_state *s = state;

	(void)orders;
	s->stay_shared = kernel.has_atomics && s->knobs->atomics == ATOMICS_STAY_SHARED;
	if (s->left) {
		s->profiling = true;
		s->next = cycle + s->left;
		s->left = 0;
		return;
	}
	start_profile(s, cycle);
}

/* Copies are dropped, so the next kernel can start shared. */
static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct adaptive_state *s = state;

	if (s->profiling && s->knobs->short_kernels == SHORT_GO_ON && s->next > cycle)
		s->left = s->next - cycle;
	s->profiling = false;
	s->next = UINT64_MAX;
	if (s->mode == MODE_SHARED && s->wanted == MODE_SHARED)
		return;
	s->wanted = MODE_SHARED;
	orders->reorganise = true;
	orders->work = LLC_DROP_ALL;
}

static const void *statistics(void *state)
{
	return &((struct adaptive_state *)state)->stats;
}

static struct llc_directory_use directory(const void *state)
{
	return ((const struct adaptive_state *)state)->use;
}

struct adaptive_series {
	uint64_t is_private;
	struct forecast shared, private;
};

#define FORECAST(organisation, field, unit, help)                                                                      \
	STAT_NAMED_REAL_LEVEL(struct adaptive_series, organisation.field, #organisation "_" #field, unit, help)

static const struct stat_row adaptive_series_rows[] = {
    STAT_LEVEL(struct adaptive_series, is_private, "", "1 while the LLC is private, else 0"),
    FORECAST(shared, miss_rate, "", "predicted at the latest decision"),
    FORECAST(private, miss_rate, "", "predicted at the latest decision"),
    FORECAST(shared, bytes_per_cycle, "bytes/cycle", "equation 2 at the latest decision, all controllers"),
    FORECAST(private, bytes_per_cycle, "bytes/cycle", "equation 2 at the latest decision, all controllers"),
    STAT_END,
};

static void series(const void *state, uint64_t cycle, void *values)
{
	const struct adaptive_state *s = state;
	struct adaptive_series v = {s->mode == MODE_PRIVATE, s->if_shared, s->if_private};

	(void)cycle;
	v.shared.bytes_per_cycle *= s->geometry.mcs;
	v.private.bytes_per_cycle *= s->geometry.mcs;
	memcpy(values, &v, sizeof v);
}

const struct llc_policy_ops llc_adaptive = {
    .name = "adaptive",
    .summary = "shared or private for all data, decided after profiling",
    .source = "Zhao et al., ISCA 2019, as described by SelRep section II; reconstructed",
    .knobs = adaptive_knobs,
    .knobs_size = sizeof(struct adaptive_knobs),
    .stats = adaptive_stat_rows,
    .create = create,
    .destroy = destroy,
    .route = route,
    .write_through = write_through,
    .observe = observe,
    .looked_up = looked_up,
    .next_tick = next_tick,
    .tick = tick,
    .reorganised = reorganised,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
    .statistics = statistics,
    .directory = directory,
    .series_rows = adaptive_series_rows,
    .series = series,
};
