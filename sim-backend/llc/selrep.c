/*
 * Selective replication (SelRep): read-only requests are replicated by a degree that is chosen anew at each epoch, the
 * one for which the bandwidth model, fed by the Replication Degree Directory in MC-router 0, predicts the most
 * bandwidth. Nothing is moved at a change: copies that are no longer reachable age out.
 */
#include "sim-backend/llc/degree_model.h"
#include "sim-backend/llc/policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

static const struct knob selrep_knobs[] = {
#include "sim-backend/llc/selrep_knobs.def"
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
	double measured_hit_rate, measured_bytes_per_cycle;
	struct degree_prediction of[RDD_MAX_DEGREES];
};

#define OF_DEGREE(column, degree)                                                                                      \
	STAT_NAMED_REAL_LEVEL(struct selrep_series, of[column].parallelism, "lsp_" #degree, "slices",                  \
			      "equation 1 for degree " #degree " at the latest decision"),                             \
	    STAT_NAMED_REAL_LEVEL(struct selrep_series, of[column].hit_rate, "hit_rate_" #degree, "",                  \
				  "predicted for degree " #degree " at the latest decision"),                          \
	    STAT_NAMED_REAL_LEVEL(struct selrep_series, of[column].bytes_per_cycle, "bytes_per_cycle_" #degree,        \
				  "bytes/cycle", "equation 2 for degree " #degree ", all controllers")

static const struct stat_row selrep_series_rows[] = {
    STAT_LEVEL(struct selrep_series, degree, "copies", "degree in force"),
    STAT_LEVEL(struct selrep_series, epochs, "epochs", "epochs ended"),
    STAT_REAL_LEVEL(struct selrep_series, predicted_hit_rate, "",
		    "of read-only requests, predicted for the chosen degree at the latest decision"),
    STAT_REAL_LEVEL(struct selrep_series, predicted_bytes_per_cycle, "bytes/cycle",
		    "equation 2 for the chosen degree at the latest decision, all controllers"),
    STAT_REAL_LEVEL(struct selrep_series, measured_hit_rate, "",
		    "of read-only requests at the directory's controller since the latest decision"),
    STAT_REAL_LEVEL(struct selrep_series, measured_bytes_per_cycle, "bytes/cycle",
		    "that these were given, times the controllers"),
    OF_DEGREE(0, 1),
    OF_DEGREE(1, 2),
    OF_DEGREE(2, 4),
    OF_DEGREE(3, 8),
    OF_DEGREE(4, 16),
    OF_DEGREE(5, 32),
    OF_DEGREE(6, 64),
    STAT_END,
};

struct selrep_state {
	const struct selrep_knobs *knobs;
	struct llc_geometry geometry;
	struct rdd rdd;
	unsigned initial, degree, next_degree;
	uint64_t epoch_start, window_end;
	uint64_t change_at;                           /* UINT64_MAX = no change on its way */
	struct degree_prediction of[RDD_MAX_DEGREES]; /* at the latest decision */
	unsigned chosen;                              /* column of the latest decision with a prediction */
	/* Read-only requests that controller 0 looked up in the epoch. */
	uint64_t looked_up, found, bytes;
	struct selrep_stats stats;
};

static void begin_epoch(struct selrep_state *s, uint64_t cycle)
{
	rdd_new_epoch(&s->rdd);
	s->looked_up = s->found = s->bytes = 0;
	s->epoch_start = cycle;
	s->window_end = s->rdd.config.windows ? cycle + s->knobs->window_cycles : UINT64_MAX;
}

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct selrep_state *s = xcalloc(1, sizeof *s);
	unsigned most = llc_max_degree(geometry);
	struct rdd_config directory;

	s->knobs = knobs;
	s->geometry = *geometry;
	directory = degree_model_directory(s->knobs, geometry, 1);
	rdd_init(&s->rdd, geometry, &directory);
	/* Degrees are powers of two. */
	s->initial = 1u << (31 - __builtin_clz(s->knobs->initial_degree < most ? s->knobs->initial_degree : most));
	s->degree = s->initial;
	s->change_at = UINT64_MAX;
	s->stats.storage_bytes = (rdd_directory_bits(&s->rdd) + rdd_counter_bits(&s->rdd) + 7) / 8;
	begin_epoch(s, 0);
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
		rdd_access(&s->rdd, 0, cluster, home, request->line);
}

static void looked_up(void *state, unsigned mc, unsigned slice, unsigned cluster, const struct mem_request *request,
		      bool hit)
{
	struct selrep_state *s = state;

	(void)slice, (void)cluster;
	if (mc || !(request->flags & MEM_READ_ONLY))
		return;
	s->looked_up++;
	s->found += hit;
	s->bytes += request->bytes;
}

/* The degree of the next epoch. */
static unsigned choose(struct selrep_state *s)
{
	unsigned column = (unsigned)__builtin_ctz(s->degree);

	if (!degree_model_choose(s->knobs, &s->rdd, &column))
		return s->knobs->unsampled == FALLBACK_KEEP ? s->degree : s->initial;
	for (unsigned c = 0; c < s->rdd.degrees; c++)
		degree_model_predict(s->knobs, &s->rdd, &c, &s->of[c]);
	s->chosen = column;
	return 1u << column;
}

static uint64_t epoch_end(const struct selrep_state *s)
{
	return s->epoch_start + s->knobs->epoch_cycles;
}

static void end_epoch(struct selrep_state *s)
{
	uint64_t cycle = epoch_end(s);
	unsigned degree;

	if (s->rdd.config.windows)
		rdd_end_window(&s->rdd);
	degree = choose(s);
	s->stats.epochs++;
	s->stats.epochs_at[__builtin_ctz(s->degree)]++;
	if (degree != s->degree) {
		s->next_degree = degree;
		s->change_at = cycle + s->knobs->decision_cycles;
	}
	begin_epoch(s, cycle);
}

static void end_window(struct selrep_state *s)
{
	rdd_end_window(&s->rdd);
	s->window_end += s->knobs->window_cycles;
}

static void set_degree(struct selrep_state *s, unsigned degree)
{
	s->stats.changes += degree != s->degree;
	s->degree = degree;
	s->change_at = UINT64_MAX;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t next_tick(const void *state)
{
	const struct selrep_state *s = state;

	return sooner(sooner(epoch_end(s), s->window_end), s->change_at);
}

/* A change comes before an epoch's end, and that before a window's. */
static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct selrep_state *s = state;

	(void)orders;
	for (uint64_t next = next_tick(s); next <= cycle; next = next_tick(s))
		if (next == s->change_at)
			set_degree(s, s->next_degree);
		else if (next == epoch_end(s))
			end_epoch(s);
		else
			end_window(s);
}

/* What earlier kernels wrote may be read-only now. A copy's miss asks memory, so it must be there. */
static void kernel_begin(void *state, uint64_t cycle, bool has_atomics, struct llc_orders *orders)
{
	struct selrep_state *s = state;

	(void)has_atomics;
	orders->work = LLC_CLEAN;
	if (s->knobs->kernel_start == FALLBACK_KEEP)
		return;
	tick(s, cycle, orders);
	set_degree(s, s->initial);
	begin_epoch(s, cycle);
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	static const enum llc_work work[] = {[SELREP_FLUSH_REPLICAS] = LLC_DROP_REPLICAS,
					     [SELREP_FLUSH_READ_ONLY] = LLC_DROP_READ_ONLY,
					     [SELREP_FLUSH_ALL] = LLC_DROP_ALL};
	const struct selrep_state *s = state;

	(void)cycle;
	orders->work = work[s->knobs->flush];
}

static const void *statistics(void *state)
{
	struct selrep_state *s = state;

	s->stats.degree = s->degree;
	return &s->stats;
}

static struct llc_directory_use directory(const void *state)
{
	return ((const struct selrep_state *)state)->rdd.use;
}

/* A copy runs through what late ticks would have done; they change nothing outside the state itself. */
static void series(const void *state, uint64_t cycle, void *values)
{
	struct selrep_state s = *(const struct selrep_state *)state;
	struct selrep_series *v = values;
	struct llc_orders orders = {0};
	unsigned mcs = s.geometry.mcs;

	if (cycle)
		tick(&s, cycle - 1, &orders);
	*v = (struct selrep_series){
	    .degree = s.degree,
	    .epochs = s.stats.epochs,
	    .predicted_hit_rate = s.of[s.chosen].hit_rate,
	    .predicted_bytes_per_cycle = s.of[s.chosen].bytes_per_cycle * mcs,
	    .measured_hit_rate = s.looked_up ? (double)s.found / (double)s.looked_up : 0,
	    .measured_bytes_per_cycle =
		cycle > s.epoch_start ? (double)(s.bytes * mcs) / (double)(cycle - s.epoch_start) : 0};
	for (unsigned c = 0; c < s.rdd.degrees; c++) {
		v->of[c] = s.of[c];
		v->of[c].bytes_per_cycle *= mcs;
	}
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
    .looked_up = looked_up,
    .next_tick = next_tick,
    .tick = tick,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
    .statistics = statistics,
    .directory = directory,
    .series_rows = selrep_series_rows,
    .series = series,
    .epoch = epoch,
};
