/*
 * Selective replication (SelRep): read-only data is replicated with a degree that the policy chooses anew at each
 * epoch. It takes the degree with the most predicted bandwidth. The prediction is a bandwidth model over the counters
 * of the Replication Degree Directory in MC-router 0. Nothing is moved at a change: copies that are no longer reachable
 * age out.
 *
 * selrep-structures does the same with a degree for each slot of data structures: a load names its structure through
 * its mark in the program. selrep is the case of one slot.
 */
#include "sim-backend/llc/degree_model.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/llc/trials.h"

#include "common/integer.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

static const struct knob selrep_knobs[] = {
    KNOB_CHOICE(
	struct selrep_knobs, model, "paper|windows|service|trials", MODEL_PAPER,
	"equation 1 over the epoch, over short windows of it, or over the time that a window's requests need; or the "
	"paper's choice at first, then trials of other degrees",
	"SelRep section III-C: paper; the others: romark's own"),
    KNOB_REAL(struct selrep_knobs, trial_gain, "", 0, 1, 0.01, "more requests that a trial must bring", "romark's own"),
#include "sim-backend/llc/selrep_knobs.def"
    KNOB_END,
};

#define FIXED(n)                                                                                                       \
	{"fixed_" #n,                                                                                                  \
	 KNOB_TYPE_UINT,                                                                                               \
	 offsetof(struct selrep_knobs, fixed[n]),                                                                      \
	 "",                                                                                                           \
	 0,                                                                                                            \
	 64,                                                                                                           \
	 0,                                                                                                            \
	 NULL,                                                                                                         \
	 "degree of slot " #n " for good; 0 = chosen",                                                                 \
	 "romark's own"}

static const struct knob selrep_structures_knobs[] = {
    KNOB_CHOICE(struct selrep_knobs, model, "paper|windows|service", MODEL_PAPER,
		"equation 1 over the epoch, over short windows of it, or over the time that a window's requests need",
		"SelRep section III-C: paper; the others: romark's own"),
#include "sim-backend/llc/selrep_knobs.def"
    KNOB_UINT(struct selrep_knobs, slots, "slots", 1, RDD_MAX_SLOTS, RDD_MAX_SLOTS,
	      "slots with a degree each; a structure's slot is its number modulo these", "romark's own"),
    FIXED(0),
    FIXED(1),
    FIXED(2),
    FIXED(3),
    KNOB_END,
};

struct selrep_stats {
	uint64_t degree[RDD_MAX_SLOTS], epochs, changes;
	uint64_t epochs_at[RDD_MAX_DEGREES];
	uint64_t storage_bytes;
};

#define EPOCHS_AT(column, degree)                                                                                      \
	STAT_NAMED(struct selrep_stats, epochs_at[column], "epochs_at_" #degree, "epochs",                             \
		   "epochs run at degree " #degree)

static const struct stat_row selrep_stat_rows[] = {
    STAT_NAMED_LEVEL(struct selrep_stats, degree[0], "degree", "copies", "degree at the end"),
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

#define DEGREE_OF(slot)                                                                                                \
	STAT_NAMED_LEVEL(struct selrep_stats, degree[slot], "degree_" #slot, "copies",                                 \
			 "degree of slot " #slot " at the end")

static const struct stat_row selrep_structures_stat_rows[] = {
    DEGREE_OF(0),
    DEGREE_OF(1),
    DEGREE_OF(2),
    DEGREE_OF(3),
    STAT_COUNT(struct selrep_stats, epochs, "epochs", "epochs ended"),
    STAT_COUNT(struct selrep_stats, changes, "changes", "changes of a slot's degree"),
    STAT_LEVEL(struct selrep_stats, storage_bytes, "bytes", "directory and counters, in bytes of hardware"),
    STAT_END,
};

/* For each window of --series. */
struct selrep_series {
	uint64_t degree[RDD_MAX_SLOTS], epochs;
	double measured_hit_rate, measured_bytes_per_cycle;
};

/* With a single slot the series also has the predictions. */
struct selrep_predictions {
	struct selrep_series series;
	double predicted_hit_rate, predicted_bytes_per_cycle;
	struct degree_prediction of[RDD_MAX_DEGREES];
};

#define OF_DEGREE(column, degree)                                                                                      \
	STAT_NAMED_REAL_LEVEL(struct selrep_predictions, of[column].parallelism, "lsp_" #degree, "slices",             \
			      "equation 1 for degree " #degree " at the latest decision"),                             \
	    STAT_NAMED_REAL_LEVEL(struct selrep_predictions, of[column].hit_rate, "hit_rate_" #degree, "",             \
				  "predicted for degree " #degree " at the latest decision"),                          \
	    STAT_NAMED_REAL_LEVEL(struct selrep_predictions, of[column].bytes_per_cycle, "bytes_per_cycle_" #degree,   \
				  "bytes/cycle", "equation 2 for degree " #degree ", all controllers")

static const struct stat_row selrep_series_rows[] = {
    STAT_NAMED_LEVEL(struct selrep_predictions, series.degree[0], "degree", "copies", "degree in force"),
    STAT_LEVEL(struct selrep_series, epochs, "epochs", "epochs ended"),
    STAT_REAL_LEVEL(struct selrep_predictions, predicted_hit_rate, "",
		    "of read-only requests, predicted for the chosen degree at the latest decision"),
    STAT_REAL_LEVEL(struct selrep_predictions, predicted_bytes_per_cycle, "bytes/cycle",
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

#define SERIES_OF(slot)                                                                                                \
	STAT_NAMED_LEVEL(struct selrep_series, degree[slot], "degree_" #slot, "copies",                                \
			 "degree in force of slot " #slot)

static const struct stat_row selrep_structures_series_rows[] = {
    SERIES_OF(0),
    SERIES_OF(1),
    SERIES_OF(2),
    SERIES_OF(3),
    STAT_LEVEL(struct selrep_series, epochs, "epochs", "epochs ended"),
    STAT_REAL_LEVEL(struct selrep_series, measured_hit_rate, "",
		    "of read-only requests at the directory's controller since the latest decision"),
    STAT_REAL_LEVEL(struct selrep_series, measured_bytes_per_cycle, "bytes/cycle",
		    "that these were given, times the controllers"),
    STAT_END,
};

struct selrep_state {
	const struct selrep_knobs *knobs;
	struct llc_geometry geometry;
	struct rdd rdd;
	unsigned slots, initial, degree[RDD_MAX_SLOTS], next_degree[RDD_MAX_SLOTS];
	uint64_t epoch_start, window_end;
	uint64_t change_at;                           /* UINT64_MAX = no change on its way */
	struct degree_prediction of[RDD_MAX_DEGREES]; /* at the latest decision */
	unsigned chosen;                              /* column of the latest decision with a prediction */
	struct trials trials;
	bool trying; /* the kernel has had a decision of the model */
	bool dirty;  /* earlier kernels have left dirty lines, and no degree is above 1 */
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

/* Degrees are powers of two, and no larger than there are places. */
static unsigned degree_near(const struct llc_geometry *geometry, unsigned wanted)
{
	unsigned most = llc_max_degree(geometry);

	return 1u << (31 - __builtin_clz(wanted < most ? wanted : most));
}

static void set_degrees(struct selrep_state *s, const unsigned *degrees)
{
	for (unsigned k = 0; k < s->slots; k++) {
		s->stats.changes += degrees[k] != s->degree[k];
		s->degree[k] = degrees[k];
		s->rdd.present[k] = (unsigned)__builtin_ctz(degrees[k]);
	}
	s->change_at = UINT64_MAX;
}

/* The slots' degrees before anything is sampled. */
static void first_degrees(const struct selrep_state *s, unsigned *degrees)
{
	for (unsigned k = 0; k < s->slots; k++)
		degrees[k] = s->knobs->fixed[k] ? degree_near(&s->geometry, s->knobs->fixed[k]) : s->initial;
}

static void *create_slots(const struct llc_geometry *geometry, const struct selrep_knobs *knobs, unsigned slots)
{
	struct selrep_state *s = xcalloc(1, sizeof *s);
	struct rdd_config directory = degree_model_directory(knobs, geometry, slots);
	unsigned bits;

	s->knobs = knobs;
	s->geometry = *geometry;
	s->slots = slots;
	rdd_init(&s->rdd, geometry, &directory);
	s->initial = degree_near(geometry, knobs->initial_degree);
	first_degrees(s, s->degree);
	set_degrees(s, s->degree);
	bits = rdd_directory_bits(&s->rdd) + rdd_counter_bits(&s->rdd);
	bits += knobs->model == MODEL_TRIALS ? TRIALS_BITS : 0;
	s->stats.storage_bytes = divide_up(bits, 8);
	begin_epoch(s, 0);
	return s;
}

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	return create_slots(geometry, knobs, 1);
}

static void *create_structures(const struct llc_geometry *geometry, const void *knobs)
{
	return create_slots(geometry, knobs, ((const struct selrep_knobs *)knobs)->slots);
}

static void destroy(void *state)
{
	struct selrep_state *s = state;

	rdd_release(&s->rdd);
	xfree(s);
}

static unsigned slot_of(const struct selrep_state *s, const struct mem_request *request)
{
	return s->slots == 1 ? 0 : request->structure % s->slots;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct selrep_state *s = state;
	unsigned degree;

	if (!(request->flags & MEM_READ_ONLY))
		return llc_memory_side(origin, origin.home);
	degree = s->degree[slot_of(s, request)];
	return llc_memory_side(origin, llc_slice_at_degree(&s->geometry, degree, origin.cluster, origin.home));
}

static void observe(void *state, unsigned mc, unsigned cluster, unsigned home, const struct mem_request *request)
{
	struct selrep_state *s = state;

	if (mc == 0 && request->flags & MEM_READ_ONLY)
		rdd_access(&s->rdd, slot_of(s, request), cluster, home, request->line);
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

/* The predictions for the first slot while the others keep their degrees, for --series. */
static void note_predictions(struct selrep_state *s, unsigned chosen)
{
	unsigned columns[RDD_MAX_SLOTS];

	memcpy(columns, s->rdd.present, sizeof columns);
	for (columns[0] = 0; columns[0] < s->rdd.degrees; columns[0]++)
		degree_model_predict(s->knobs, &s->rdd, columns, &s->of[columns[0]]);
	s->chosen = chosen;
}

static bool try_column(struct selrep_state *s, unsigned *columns)
{
	*columns = trials_next(&s->trials, rdd_requests(&s->rdd, 0), s->knobs->trial_gain);
	return true;
}

/* The degrees of the next epoch. */
static void choose(struct selrep_state *s, unsigned *degrees)
{
	unsigned columns[RDD_MAX_SLOTS];

	memcpy(columns, s->rdd.present, sizeof columns);
	if (!(s->trying ? try_column(s, columns) : degree_model_choose(s->knobs, &s->rdd, columns))) {
		memcpy(degrees, s->degree, sizeof s->degree);
		if (s->knobs->unsampled == FALLBACK_INITIAL)
			first_degrees(s, degrees);
		return;
	}
	first_degrees(s, degrees);
	for (unsigned k = 0; k < s->slots; k++)
		degrees[k] = s->knobs->fixed[k] ? degrees[k] : 1u << columns[k];
	note_predictions(s, columns[0]);
	if (s->knobs->model == MODEL_TRIALS && !s->trying) {
		trials_begin(&s->trials, columns[0], s->rdd.degrees);
		s->trying = true;
	}
}

static uint64_t epoch_end(const struct selrep_state *s)
{
	return s->epoch_start + s->knobs->epoch_cycles;
}

static void end_epoch(struct selrep_state *s)
{
	uint64_t cycle = epoch_end(s);
	unsigned degrees[RDD_MAX_SLOTS];

	if (s->rdd.config.windows)
		rdd_end_window(&s->rdd);
	choose(s, degrees);
	s->stats.epochs++;
	for (unsigned k = 0; k < s->slots; k++)
		s->stats.epochs_at[__builtin_ctz(s->degree[k])]++;
	if (memcmp(degrees, s->degree, s->slots * sizeof *degrees) != 0) {
		memcpy(s->next_degree, degrees, sizeof degrees);
		s->change_at = cycle + s->knobs->decision_cycles;
	}
	begin_epoch(s, cycle);
}

static void end_window(struct selrep_state *s)
{
	rdd_end_window(&s->rdd);
	s->window_end += s->knobs->window_cycles;
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

static bool is_replicated(const struct selrep_state *s, const unsigned *degrees)
{
	for (unsigned k = 0; k < s->slots; k++)
		if (degrees[k] > 1)
			return true;
	return false;
}

/* Copies are fetched from memory, so what earlier kernels wrote must be there before the first of them. */
static void change(struct selrep_state *s, struct llc_orders *orders)
{
	if (!s->dirty || !is_replicated(s, s->next_degree)) {
		set_degrees(s, s->next_degree);
		return;
	}
	s->dirty = false;
	s->change_at = UINT64_MAX;
	*orders = (struct llc_orders){.reorganise = true, .work = LLC_CLEAN};
}

static void reorganised(void *state, uint64_t cycle)
{
	struct selrep_state *s = state;

	(void)cycle;
	set_degrees(s, s->next_degree);
}

/* In one cycle a change comes first, then the end of an epoch, then the end of a window. */
static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct selrep_state *s = state;

	for (uint64_t next = next_tick(s); next <= cycle; next = next_tick(s))
		if (next == s->change_at)
			change(s, orders);
		else if (next == epoch_end(s))
			end_epoch(s);
		else
			end_window(s);
}

/*
 * Data that earlier kernels wrote may be read-only now. A copy that misses reads memory, so memory must have the
 * written data.
 */
static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	struct selrep_state *s = state;
	unsigned degrees[RDD_MAX_SLOTS];

	s->trying = false;
	if (s->knobs->kernel_start != FALLBACK_KEEP) {
		tick(s, cycle, orders);
		first_degrees(s, degrees);
		set_degrees(s, degrees);
		begin_epoch(s, cycle);
	}
	s->dirty = kernel.finds_dirty && s->knobs->clean == SELREP_CLEAN_CHANGE && !is_replicated(s, s->degree);
	*orders = (struct llc_orders){.work = kernel.finds_dirty && !s->dirty ? LLC_CLEAN : LLC_WORK_NONE};
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

	for (unsigned k = 0; k < s->slots; k++)
		s->stats.degree[k] = s->degree[k];
	return &s->stats;
}

static struct llc_directory_use directory(const void *state)
{
	return ((const struct selrep_state *)state)->rdd.use;
}

/* A copy runs through what late ticks would have done; they change nothing outside the state itself. */
static struct selrep_state state_at(const void *state, uint64_t cycle)
{
	struct selrep_state s = *(const struct selrep_state *)state;
	struct llc_orders orders = {0};

	if (cycle)
		tick(&s, cycle - 1, &orders);
	return s;
}

static struct selrep_series measured(const struct selrep_state *s, uint64_t cycle)
{
	struct selrep_series v = {.epochs = s->stats.epochs};

	for (unsigned k = 0; k < s->slots; k++)
		v.degree[k] = s->degree[k];
	v.measured_hit_rate = s->looked_up ? (double)s->found / (double)s->looked_up : 0;
	if (cycle > s->epoch_start)
		v.measured_bytes_per_cycle = (double)(s->bytes * s->geometry.mcs) / (double)(cycle - s->epoch_start);
	return v;
}

static void series(const void *state, uint64_t cycle, void *values)
{
	struct selrep_state s = state_at(state, cycle);
	unsigned mcs = s.geometry.mcs;
	struct selrep_predictions v = {.series = measured(&s, cycle),
				       .predicted_hit_rate = s.of[s.chosen].hit_rate,
				       .predicted_bytes_per_cycle = s.of[s.chosen].bytes_per_cycle * mcs};

	for (unsigned c = 0; c < s.rdd.degrees; c++) {
		v.of[c] = s.of[c];
		v.of[c].bytes_per_cycle *= mcs;
	}
	memcpy(values, &v, sizeof v);
}

static void series_of_slots(const void *state, uint64_t cycle, void *values)
{
	struct selrep_state s = state_at(state, cycle);
	struct selrep_series v = measured(&s, cycle);

	memcpy(values, &v, sizeof v);
}

static uint64_t epoch(const void *state)
{
	return ((const struct selrep_state *)state)->knobs->epoch_cycles;
}

/* Common to both policies. */
#define SELREP_OPS                                                                                                     \
	.lives_on_marks = true, .knobs_size = sizeof(struct selrep_knobs), .destroy = destroy, .route = route,         \
	.observe = observe, .looked_up = looked_up, .next_tick = next_tick, .tick = tick, .reorganised = reorganised,  \
	.kernel_begin = kernel_begin, .kernel_end = kernel_end, .statistics = statistics, .directory = directory,      \
	.epoch = epoch

const struct llc_policy_ops llc_selrep = {
    .name = "selrep",
    .summary = "read-only lines are replicated by a degree chosen anew every epoch",
    .source = "SelRep section III",
    .knobs = selrep_knobs,
    .stats = selrep_stat_rows,
    .create = create,
    .series_rows = selrep_series_rows,
    .series = series,
    SELREP_OPS,
};

const struct llc_policy_ops llc_selrep_structures = {
    .name = "selrep-structures",
    .summary = "as selrep, with a degree for each slot of data structures",
    .source = "romark's own, after SelRep section III",
    .knobs = selrep_structures_knobs,
    .stats = selrep_structures_stat_rows,
    .create = create_structures,
    .series_rows = selrep_structures_series_rows,
    .series = series_of_slots,
    SELREP_OPS,
};
