/*
 * Selective replication (SelRep): read-only requests are replicated by a degree that is chosen anew at each epoch, the
 * one for which the bandwidth model, fed by the Replication Degree Directory in MC-router 0, predicts the most
 * bandwidth. Nothing is moved at a change: copies that are no longer reachable age out.
 */
#include "sim-backend/llc/bandwidth.h"
#include "sim-backend/llc/policy.h"
#include "sim-backend/llc/rdd.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum flush { FLUSH_REPLICAS, FLUSH_READ_ONLY };
enum memory_share { SHARE_SLICE, SHARE_MC, SHARE_GPU };
enum access_counters { ACCESS_ONE, ACCESS_PER_DEGREE };

struct selrep_knobs {
	uint32_t epoch_cycles, decision_cycles, initial_degree;
	uint32_t rdd_sets, rdd_ways;
	uint32_t access_counters, memory_share, flush;
	double threshold;
};

static const struct knob selrep_knobs[] = {
    KNOB_UINT(struct selrep_knobs, epoch_cycles, "cycles", 100, 100000000, 20000, "time between two decisions",
	      "SelRep section III-A"),
    KNOB_UINT(struct selrep_knobs, decision_cycles, "cycles", 0, 100000, 32,
	      "from an epoch's end until all routers use the new degree", "SelRep section III-D: a few tens"),
    KNOB_UINT(struct selrep_knobs, initial_degree, "", 1, 64, 1, "degree of the first epoch", "our reading"),
    KNOB_UINT(struct selrep_knobs, rdd_sets, "sets", 1, 64, 2, "sampled sets", "SelRep section III-D"),
    KNOB_UINT(struct selrep_knobs, rdd_ways, "ways", 1, 64, 16, "ways of a sampled set", "SelRep section III-D"),
    KNOB_CHOICE(struct selrep_knobs, access_counters, "one|per_degree", ACCESS_ONE,
		"access counters of the directory; with one, a column's share is taken from the slices' counters",
		"our reading of 172 bytes"),
    KNOB_CHOICE(struct selrep_knobs, memory_share, "slice|mc|gpu", SHARE_SLICE, "whose DRAM bandwidth equation 2 uses",
		"SelRep section III-C: the slice's share"),
    KNOB_REAL(struct selrep_knobs, threshold, "", 0, 1, 0, "predicted gain over the present degree that a change needs",
	      "SelRep section III-C: any gain"),
    KNOB_CHOICE(struct selrep_knobs, flush, "replicas|read_only", FLUSH_REPLICAS,
		"what a kernel's end invalidates: copies away from their home, or all lines fetched as read-only",
		"SelRep section III-E; which lines: our reading"),
    KNOB_END,
};

struct selrep_stats {
	uint64_t degree, epochs, changes;
	uint64_t epochs_at[RDD_MAX_DEGREES];
	uint64_t storage_bytes;
};

#define EPOCHS_AT(column, degree)                                                                                      \
	STAT_NAMED(struct selrep_stats, epochs_at[column], "epochs_at_" #degree, "epochs",                             \
		   "epochs run at degree " #degree)

static const struct stat_row selrep_stat_rows[] = {
    STAT_LEVEL(struct selrep_stats, degree, "copies", "degree at the end"),
    STAT_COUNT(struct selrep_stats, epochs, "epochs", "epochs ended"),
    STAT_COUNT(struct selrep_stats, changes, "changes", "changes of the degree"),
    EPOCHS_AT(0, 1),
    EPOCHS_AT(1, 2),
    EPOCHS_AT(2, 4),
    EPOCHS_AT(3, 8),
    EPOCHS_AT(4, 16),
    EPOCHS_AT(5, 32),
    EPOCHS_AT(6, 64),
    STAT_LEVEL(struct selrep_stats, storage_bytes, "bytes", "directory and counters, in bytes of hardware"),
    STAT_END,
};

/* For each window of --series. */
struct selrep_series {
	uint64_t degree, epochs;
	double predicted_hit_rate, predicted_bytes_per_cycle;
};

static const struct stat_row selrep_series_rows[] = {
    STAT_LEVEL(struct selrep_series, degree, "copies", "degree in force"),
    STAT_LEVEL(struct selrep_series, epochs, "epochs", "epochs ended"),
    STAT_REAL_LEVEL(struct selrep_series, predicted_hit_rate, "",
		    "of read-only requests, predicted for the chosen degree at the latest decision"),
    STAT_REAL_LEVEL(struct selrep_series, predicted_bytes_per_cycle, "bytes/cycle",
		    "equation 2 for the chosen degree at the latest decision, all controllers"),
    STAT_END,
};

struct selrep_state {
	const struct selrep_knobs *knobs;
	struct llc_geometry geometry;
	struct rdd rdd;
	unsigned degree, next_degree;
	uint64_t epoch_end, change_at; /* change_at: UINT64_MAX = no change on its way */
	double predicted_rate[RDD_MAX_DEGREES], predicted_supply[RDD_MAX_DEGREES]; /* at the latest decision */
	unsigned chosen; /* column of the latest decision with a prediction */
	struct selrep_stats stats;
};

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct selrep_state *s = xcalloc(1, sizeof *s);
	unsigned bits, most = llc_max_degree(geometry);

	s->knobs = knobs;
	s->geometry = *geometry;
	rdd_init(&s->rdd, geometry, s->knobs->rdd_sets, s->knobs->rdd_ways);
	/* Degrees are powers of two. */
	s->degree = 1u << (31 - __builtin_clz(s->knobs->initial_degree < most ? s->knobs->initial_degree : most));
	s->epoch_end = s->knobs->epoch_cycles;
	s->change_at = UINT64_MAX;
	bits = rdd_directory_bits(&s->rdd) + rdd_counter_bits(&s->rdd, s->knobs->access_counters == ACCESS_ONE);
	s->stats.storage_bytes = (bits + 7) / 8;
	return s;
}

static void destroy(void *state)
{
	struct selrep_state *s = state;

	rdd_release(&s->rdd);
	xfree(s);
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct selrep_state *s = state;

	if (!(request->flags & MEM_READ_ONLY))
		return llc_memory_side(origin, origin.home);
	return llc_memory_side(origin, llc_slice_at_degree(&s->geometry, s->degree, origin.cluster, origin.home));
}

static bool write_through(const void *state)
{
	(void)state;
	return false;
}

static void observe(void *state, unsigned mc, unsigned cluster, unsigned home, const struct mem_request *request)
{
	struct selrep_state *s = state;

	if (mc == 0 && request->flags & MEM_READ_ONLY)
		rdd_access(&s->rdd, cluster, home, request->line);
}

static double memory_share(const struct selrep_state *s)
{
	const struct llc_geometry *g = &s->geometry;
	const double parts[] = {[SHARE_SLICE] = g->mcs * g->slices, [SHARE_MC] = g->mcs, [SHARE_GPU] = 1};

	return g->memory_bytes_per_cycle / parts[s->knobs->memory_share];
}

static double hit_rate(const struct selrep_state *s, unsigned column)
{
	return s->knobs->access_counters == ACCESS_ONE ? rdd_hit_rate_one_counter(&s->rdd, column)
						       : rdd_hit_rate(&s->rdd, column);
}

/*
 * Predicted bandwidth of every degree; false when nothing was seen. Copies only cost room, so a degree's hit rate is
 * taken as no less than that of a higher degree: the columns of low degrees see few requests, and their rates are
 * noisy.
 */
static bool predict(const struct selrep_state *s, double *rates, double *supplied)
{
	double rate = 0;

	for (unsigned c = s->rdd.degrees; c-- > 0;) {
		double own = hit_rate(s, c);

		if (own < 0)
			return false;
		rates[c] = rate = own > rate ? own : rate;
		supplied[c] = bandwidth_supplied(bandwidth_parallelism(s->rdd.requests[c], s->geometry.slices), rate,
						 s->geometry.slice_bytes_per_cycle, memory_share(s));
	}
	return true;
}

/*
 * The degree with the largest predicted bandwidth, the smaller of equals; the present one when nothing was seen or the
 * gain over it is within the threshold.
 */
static unsigned choose(struct selrep_state *s)
{
	double *supplied = s->predicted_supply;
	unsigned best = 0, present = (unsigned)__builtin_ctz(s->degree);

	if (!predict(s, s->predicted_rate, supplied))
		return s->degree;
	for (unsigned c = 1; c < s->rdd.degrees; c++)
		if (supplied[c] > supplied[best])
			best = c;
	s->chosen = supplied[best] > supplied[present] * (1 + s->knobs->threshold) ? best : present;
	return 1u << s->chosen;
}

static void end_epoch(struct selrep_state *s)
{
	unsigned degree = choose(s);

	s->stats.epochs++;
	s->stats.epochs_at[__builtin_ctz(s->degree)]++;
	rdd_new_epoch(&s->rdd);
	if (degree != s->degree) {
		s->next_degree = degree;
		s->change_at = s->epoch_end + s->knobs->decision_cycles;
	}
	s->epoch_end += s->knobs->epoch_cycles;
}

static uint64_t next_tick(const void *state)
{
	const struct selrep_state *s = state;

	return s->epoch_end < s->change_at ? s->epoch_end : s->change_at;
}

static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct selrep_state *s = state;

	(void)orders;
	while (next_tick(s) <= cycle) {
		if (s->change_at <= s->epoch_end) {
			s->degree = s->next_degree;
			s->change_at = UINT64_MAX;
			s->stats.changes++;
		} else {
			end_epoch(s);
		}
	}
}

/* What earlier kernels wrote may be read-only now. A copy's miss asks memory, so it must be there. */
static void kernel_begin(void *state, uint64_t cycle, bool has_atomics, struct llc_orders *orders)
{
	(void)state, (void)cycle, (void)has_atomics;
	orders->work = LLC_CLEAN;
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	const struct selrep_state *s = state;

	(void)cycle;
	orders->work = s->knobs->flush == FLUSH_REPLICAS ? LLC_DROP_REPLICAS : LLC_DROP_READ_ONLY;
}

static const void *statistics(void *state)
{
	struct selrep_state *s = state;

	s->stats.degree = s->degree;
	return &s->stats;
}

/* A copy runs through what late ticks would have done; they change nothing outside the state itself. */
static void series(const void *state, uint64_t cycle, void *values)
{
	struct selrep_state s = *(const struct selrep_state *)state;
	struct llc_orders orders = {0};

	if (cycle)
		tick(&s, cycle - 1, &orders);
	*(struct selrep_series *)values =
	    (struct selrep_series){.degree = s.degree,
				   .epochs = s.stats.epochs,
				   .predicted_hit_rate = s.predicted_rate[s.chosen],
				   .predicted_bytes_per_cycle = s.predicted_supply[s.chosen] * s.geometry.mcs};
}

static uint64_t epoch(const void *state)
{
	return ((const struct selrep_state *)state)->knobs->epoch_cycles;
}

const struct llc_policy_ops llc_selrep = {
    .name = "selrep",
    .summary = "read-only lines are replicated by a degree chosen anew every epoch",
    .source = "SelRep section III",
    .lives_on_marks = true,
    .knobs = selrep_knobs,
    .knobs_size = sizeof(struct selrep_knobs),
    .stats = selrep_stat_rows,
    .create = create,
    .destroy = destroy,
    .route = route,
    .write_through = write_through,
    .observe = observe,
    .next_tick = next_tick,
    .tick = tick,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
    .statistics = statistics,
    .series_rows = selrep_series_rows,
    .series = series,
    .epoch = epoch,
};
