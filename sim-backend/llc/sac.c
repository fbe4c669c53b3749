/*
 * SAC, sharing-aware caching (Zhang et al., ISCA 2023): each kernel begins memory-side and is watched for a while; then
 * the EAB model says whether it goes on SM-side. Chips count by themselves and decide together. To SM-side, dirty
 * lines are written back and invalidated, with nothing in flight. After an SM-side kernel everything is written back
 * and invalidated, which is software coherence, and the next one begins memory-side. With
 * hardware coherence either change waits for what is in flight, and nothing else.
 *
 * `sac-ro` keeps read-only data SM-side always: marked reads use the slices of their own chip, and are left out of what
 * is watched, so that the model decides for the rest.
 */
#include "sim-backend/llc/sac_model.h"

#include "common/integer.h"
#include "common/xalloc.h"

#include <math.h>
#include <string.h>

/* For how long a kernel is watched. */
enum watch { WATCH_ONCE, WATCH_ON };

struct sac_knobs {
	uint32_t profile_cycles;
	double theta;
	uint32_t crd_sets, crd_ways, crd_room;
	uint32_t least_samples;
	uint32_t links; /* enum sac_links */
	uint32_t model; /* enum sac_model */
	uint32_t watch; /* enum watch */
};

static const struct knob sac_knobs[] = {
    KNOB_UINT(struct sac_knobs, profile_cycles, "cycles", 100, 100000000, 2000,
	      "memory-side at a kernel's begin, before the decision", "SAC section 3.2"),
    KNOB_REAL(struct sac_knobs, theta, "", 0, 10, 0.05, "predicted gain that SM-side must have, of memory-side's EAB",
	      "SAC section 3.5: 5 %; relative: our reading"),
    KNOB_UINT(struct sac_knobs, crd_sets, "sets", 1, 1024, 8, "sampled sets of a chip's directory", "SAC section 3.6"),
    KNOB_UINT(struct sac_knobs, crd_ways, "ways", 1, 64, 16, "entries of a sampled set", "SAC section 3.6"),
    KNOB_CHOICE(struct sac_knobs, crd_room, "lines|copies", CRD_LINES,
		"contents of a sampled set: so many lines, or so many copies, one for each chip",
		"SAC section 3.4: an entry is a line with a bit for each chip"),
    KNOB_UINT(struct sac_knobs, least_samples, "requests", 0, 1000000, 0,
	      "a profile goes on for another profile_cycles until all chips' directories have seen so many",
	      "none, ours; 0: the paper's"),
    KNOB_CHOICE(struct sac_knobs, links, "both_ways|one_way", LINKS_BOTH_WAYS,
		"B_inter: the links' bandwidth in both directions together, or in the direction of the data",
		"SAC Table 3 has 768 GB/s, which is both; the paper does not state what its model uses"),
    KNOB_CHOICE(struct sac_knobs, model, "paper|bottleneck", MODEL_PAPER,
		"Table 1 of the paper, or the part of the machine of which requests ask most and Little's law",
		"SAC section 3.3; bottleneck: none, ours"),
    KNOB_CHOICE(struct sac_knobs, watch, "once|on", WATCH_ONCE,
		"decides for a kernel once, or after each profile for as long as the kernel is memory-side",
		"SAC section 3.2; on: none, ours"),
    KNOB_END,
};

/*
 * Predictions are of the latest decision, the same in all chips. Results add up the counters of all chips, so only chip
 * 0 keeps counters of the whole GPU.
 */
struct sac_stats {
	uint64_t decisions, sm_side_kernels, sm_side_cycles, reorganise_cycles;
	uint64_t served_bytes, decided_cycles;
	double local, in_flight, rows_per_burst;
	uint64_t sampled;
	struct sac_prediction of[ORGANISATIONS];
	uint64_t storage_bytes;
};

#define OF_ORGANISATION(type, index, name, what)                                                                       \
	STAT_NAMED_REAL_LEVEL(type, of[index].hit, "hit_rate_" name, "", "LLC hit rate, " what),                       \
	    STAT_NAMED_REAL_LEVEL(type, of[index].uniformity, "lsu_" name, "", "LLC slice uniformity, " what),         \
	    STAT_NAMED_REAL_LEVEL(type, of[index].eab, "eab_" name, "bytes/cycle", "predicted EAB of all chips"),      \
	    STAT_NAMED_REAL_LEVEL(type, of[index].eab_local, "eab_local_" name, "bytes/cycle",                         \
				  "SM-side EAB for local requests"),                                                   \
	    STAT_NAMED_REAL_LEVEL(type, of[index].eab_remote, "eab_remote_" name, "bytes/cycle",                       \
				  "of it, for remote requests")

static const struct stat_row sac_stat_rows[] = {
    STAT_COUNT(struct sac_stats, decisions, "decisions", "kernels that were watched to the end"),
    STAT_COUNT(struct sac_stats, sm_side_kernels, "kernels", "of these, that went on SM-side"),
    STAT_COUNT(struct sac_stats, sm_side_cycles, "cycles", "spent SM-side"),
    STAT_COUNT(struct sac_stats, reorganise_cycles, "cycles", "from a decision for SM-side until it was in force"),
    STAT_COUNT(struct sac_stats, served_bytes, "bytes",
	       "that requests asked of the LLCs since their kernel's decision"),
    STAT_COUNT(struct sac_stats, decided_cycles, "cycles", "since these decisions: served_bytes over them is the EAB"),
    STAT_REAL_LEVEL(struct sac_stats, local, "", "fraction of local requests before the latest decision"),
    STAT_REAL_LEVEL(struct sac_stats, in_flight, "requests", "in flight before the latest decision, the mean"),
    STAT_REAL_LEVEL(struct sac_stats, rows_per_burst, "", "rows that memory opened for a burst before it"),
    STAT_LEVEL(struct sac_stats, sampled, "requests", "that all chips' directories saw before the latest decision"),
    OF_ORGANISATION(struct sac_stats, MEMORY_SIDE, "memory_side", "measured before the latest decision"),
    OF_ORGANISATION(struct sac_stats, SM_SIDE, "sm_side", "predicted at the latest decision"),
    STAT_LEVEL(struct sac_stats, storage_bytes, "bytes", "directory and counters of a chip, in bytes of hardware"),
    STAT_END,
};

struct sac_state {
	const struct sac_knobs *knobs;
	struct llc_geometry geometry;
	enum sac_organisation now, wanted;  /* they differ while a reorganisation is under way */
	bool marked_near;                   /* marked reads use the slices of their own chip */
	bool profiling, decided, prolonged; /* prolonged: the profile goes on, since it has seen too little */
	uint64_t next;                      /* end of the profile; UINT64_MAX: none is on */
	uint64_t decided_at;                /* of this kernel, the first time */
	uint64_t changed_at;
	double saving; /* cycles that SM-side would have saved of late; kept by chip 0 */
	uint64_t profile_from;
	struct llc_activity before; /* the profile */
	uint64_t sm_side_from;
	struct sac_profile *profile;
	uint64_t *served; /* [slices of the chip]: bytes since the decision */
	uint64_t served_before;
	struct sac_stats stats;
};

enum { SAVING_BITS = 24 };

static uint64_t storage_bytes(const struct sac_state *s)
{
	uint64_t bits = sac_profile_bits(s->profile);

	bits += s->knobs->model == MODEL_BOTTLENECK ? sac_profile_bottleneck_bits(s->profile) : 0;
	bits += s->knobs->watch == WATCH_ON ? SAVING_BITS : 0;
	return divide_up(bits, 8);
}

static void *create(const struct llc_geometry *geometry, const void *knobs)
{
	struct sac_state *s = xcalloc(1, sizeof *s);
	const struct sac_knobs *k = knobs;

	s->knobs = k;
	s->geometry = *geometry;
	s->profile = sac_profile_create(&s->geometry, (struct sac_crd){k->crd_sets, k->crd_ways, k->crd_room});
	s->served = xcalloc(s->profile->nslices, sizeof *s->served);
	s->next = UINT64_MAX;
	s->stats.storage_bytes = storage_bytes(s);
	return s;
}

static void *create_ro(const struct llc_geometry *geometry, const void *knobs)
{
	struct sac_state *s = create(geometry, knobs);

	s->marked_near = true;
	return s;
}

static void destroy(void *state)
{
	struct sac_state *s = state;

	sac_profile_destroy(s->profile);
	xfree(s->served);
	xfree(s);
}

/* Whether SAC does not decide for the request. */
static bool is_apart(const struct sac_state *s, const struct mem_request *request)
{
	return s->marked_near && llc_is_marked_read(request);
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct sac_state *s = state;

	return s->now == SM_SIDE || is_apart(s, request) ? llc_sm_side(origin, request)
							 : llc_memory_side(origin, origin.home);
}

static uint64_t served_bytes(const struct sac_state *s)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < s->profile->nslices; i++)
		sum += s->served[i];
	return sum;
}

/* --- Watching --- */

/* A request leaves its SM: this is the chip whose slice it would use SM-side. */
static void departs(void *state, struct llc_origin origin, unsigned mc, const struct mem_request *request)
{
	struct sac_state *s = state;

	if (!s->profiling)
		return;
	if (is_apart(s, request))
		sac_profile_departs_apart(s->profile);
	else
		sac_profile_departs(s->profile, origin, mc, request);
}

static void looked_up(void *state, unsigned mc, unsigned slice, unsigned cluster, const struct mem_request *request,
		      bool hit)
{
	struct sac_state *s = state;
	unsigned number = mc * s->geometry.slices + slice;

	(void)cluster;
	if (s->decided)
		s->served[number] += request->bytes;
	if (s->profiling && !is_apart(s, request))
		sac_profile_looked_up(s->profile, number, request, hit);
}

/* --- The decision --- */

/*
 * Adds the counters of the whole GPU during the profile. Requests that are apart have their share of the requests in
 * flight.
 */
static void add_activity(const struct sac_state *s, uint64_t cycle, const struct llc_activity *now,
			 struct sac_sums *sums)
{
	uint64_t bursts = now->bursts - s->before.bursts, held = now->held_cycles - s->before.held_cycles;
	double request_cycles = (double)(now->request_cycles - s->before.request_cycles);
	double cycles = (double)(cycle - s->profile_from - held), all = (double)(sums->requests + sums->apart);

	sums->in_flight = request_cycles / fmax(cycles, 1) * (double)sums->requests / fmax(all, 1);
	sums->rows_per_burst = bursts ? (double)(now->rows_opened - s->before.rows_opened) / (double)bursts : 0;
}

/* From the counters of all chips together. */
static void predict(struct sac_state *const *chips, unsigned n, uint64_t cycle, const struct llc_activity *activity,
		    struct sac_stats *to)
{
	const struct sac_state *first = chips[0];
	struct sac_profile *profiles[CHIPS_MAX];
	struct sac_sums sums;

	for (unsigned c = 0; c < n; c++)
		profiles[c] = chips[c]->profile;
	sums = sac_profile_sums(profiles, n);
	add_activity(first, cycle, activity, &sums);
	to->local = sac_local(&sums);
	to->sampled = sums.crd.requests;
	to->in_flight = sums.in_flight;
	to->rows_per_burst = sums.rows_per_burst;
	for (unsigned o = 0; o < ORGANISATIONS; o++)
		to->of[o] = sac_predict(first->knobs->model, first->knobs->links, &first->geometry, &sums, o);
}

static bool has_seen_enough(struct sac_state *const *chips, unsigned n)
{
	uint64_t seen = 0;

	for (unsigned c = 0; c < n; c++)
		seen += crd_counts(&chips[c]->profile->crd).requests;
	return seen >= chips[0]->knobs->least_samples;
}

static bool prefers_sm_side(const struct sac_state *s, const struct sac_stats *said)
{
	return s->geometry.chips > 1 && said->of[SM_SIDE].eab > (1 + s->knobs->theta) * said->of[MEMORY_SIDE].eab;
}

/* Cycles that a change may cost: until memory has taken all lines of a chip's LLC. */
static double cost_of_change(const struct llc_geometry *g)
{
	uint64_t lines = (uint64_t)g->mcs * g->slices * g->sets * g->ways;

	return g->coherent ? 0 : (double)(lines * g->line_bytes) / g->memory_bytes_per_cycle;
}

/*
 * Adds up the cycles that the kernel would have saved SM-side in its latest profiles. A profile that says the opposite
 * takes cycles away. The policy changes when the sum reaches the cost of a change, so it never loses more than that
 * cost by waiting. A profile without requests says nothing.
 */
static void add_saving(struct sac_state *s, const struct sac_stats *said)
{
	double share = said->of[SM_SIDE].eab > 0 ? 1 - said->of[MEMORY_SIDE].eab / said->of[SM_SIDE].eab : 0;

	s->saving = fmax(0, s->saving + share * s->knobs->profile_cycles);
}

static void confer(void *const *states, unsigned n, uint64_t cycle, const struct llc_activity *activity)
{
	struct sac_state *const *chips = (struct sac_state *const *)states;
	struct sac_state *first = chips[0];
	struct sac_stats *said = &first->stats;
	bool sm_side;

	if (!first->profiling || cycle < first->next)
		return;
	for (unsigned c = 0; c < n; c++)
		chips[c]->prolonged = !first->decided && !has_seen_enough(chips, n);
	if (first->prolonged)
		return;
	predict(chips, n, cycle, activity, said);
	first->before = *activity;
	first->profile_from = cycle;
	add_saving(first, said);
	sm_side = prefers_sm_side(first, said);
	sm_side &= !first->decided || first->saving >= cost_of_change(&first->geometry);
	first->stats.decisions += !first->decided;
	first->stats.sm_side_kernels += sm_side;
	for (unsigned c = 0; c < n; c++) {
		chips[c]->wanted = sm_side ? SM_SIDE : MEMORY_SIDE;
		chips[c]->stats.local = said->local;
		chips[c]->stats.sampled = said->sampled;
		chips[c]->stats.in_flight = said->in_flight;
		chips[c]->stats.rows_per_burst = said->rows_per_burst;
		memcpy(chips[c]->stats.of, said->of, sizeof said->of);
	}
}

/* --- Changes --- */

static uint64_t next_tick(const void *state)
{
	return ((const struct sac_state *)state)->next;
}

static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct sac_state *s = state;

	if (s->prolonged) {
		s->next = cycle + s->knobs->profile_cycles;
		return;
	}
	if (!s->decided) {
		s->decided = true;
		s->decided_at = cycle;
		s->served_before = served_bytes(s);
	}
	s->profiling = s->wanted == s->now && s->knobs->watch == WATCH_ON;
	s->next = s->profiling ? cycle + s->knobs->profile_cycles : UINT64_MAX;
	if (s->profiling)
		sac_profile_restart(s->profile);
	if (s->wanted == s->now)
		return;
	s->changed_at = cycle;
	orders->reorganise = true;
	orders->work = s->geometry.coherent ? LLC_WORK_NONE : LLC_DROP_DIRTY;
}

static bool is_first(const struct sac_state *s)
{
	return s->geometry.chip == 0;
}

static void reorganised(void *state, uint64_t cycle)
{
	struct sac_state *s = state;

	if (s->wanted == SM_SIDE && s->now == MEMORY_SIDE) {
		s->sm_side_from = cycle;
		s->stats.reorganise_cycles += is_first(s) ? cycle - s->changed_at : 0;
	}
	s->now = s->wanted;
}

/*
 * Whether slices hold copies of marked lines. These were read from memory past the slices of the line's chip, and must
 * be gone before the next kernel.
 */
static bool has_near_copies(const struct sac_state *s)
{
	return s->marked_near && s->geometry.chips > 1 && !s->geometry.coherent;
}

static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	struct sac_state *s = state;

	s->before = kernel.before;
	s->profile_from = cycle;
	if (has_near_copies(s))
		orders->work = LLC_CLEAN;
	sac_profile_restart(s->profile);
	crd_clear(&s->profile->crd);
	s->saving = 0;
	s->profiling = true;
	s->decided = false;
	s->next = cycle + s->knobs->profile_cycles;
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct sac_state *s = state;

	s->stats.decided_cycles += is_first(s) && s->decided ? cycle - s->decided_at : 0;
	s->profiling = s->decided = false;
	s->next = UINT64_MAX;
	if (has_near_copies(s))
		orders->work = LLC_DROP_REPLICAS;
	if (s->now == MEMORY_SIDE && s->wanted == MEMORY_SIDE)
		return;
	if (s->now == SM_SIDE && is_first(s))
		s->stats.sm_side_cycles += cycle - s->sm_side_from;
	s->wanted = MEMORY_SIDE;
	orders->reorganise = true;
	orders->work = s->geometry.coherent ? LLC_WORK_NONE : LLC_DROP_ALL;
}

static bool is_settled(const void *state)
{
	const struct sac_state *s = state;

	return s->decided && s->wanted == s->now;
}

static const void *statistics(void *state)
{
	struct sac_state *s = state;

	s->stats.served_bytes = served_bytes(s);
	return &s->stats;
}

static struct llc_directory_use directory(const void *state)
{
	return crd_use(&((const struct sac_state *)state)->profile->crd);
}

/* --- Over time --- */

struct sac_series {
	uint64_t is_sm_side;
	double local, measured;
	struct sac_prediction of[ORGANISATIONS];
};

static const struct stat_row sac_series_rows[] = {
    STAT_LEVEL(struct sac_series, is_sm_side, "", "1 while the LLCs are SM-side, else 0"),
    STAT_REAL_LEVEL(struct sac_series, local, "", "fraction of local requests before the latest decision"),
    STAT_NAMED_REAL_LEVEL(struct sac_series, measured, "measured_eab", "bytes/cycle",
			  "that requests asked of the first chip's LLC since the decision, times the chips"),
    OF_ORGANISATION(struct sac_series, MEMORY_SIDE, "memory_side", "measured before the latest decision"),
    OF_ORGANISATION(struct sac_series, SM_SIDE, "sm_side", "predicted at the latest decision"),
    STAT_END,
};

static void series(const void *state, uint64_t cycle, void *values)
{
	const struct sac_state *s = state;
	struct sac_series *to = values;
	uint64_t bytes = served_bytes(s) - s->served_before;

	to->is_sm_side = s->now == SM_SIDE;
	to->local = s->stats.local;
	to->measured = 0;
	if (s->decided && cycle > s->decided_at)
		to->measured = (double)(bytes * s->geometry.chips) / (double)(cycle - s->decided_at);
	memcpy(to->of, s->stats.of, sizeof to->of);
}

static const struct llc_chips_ops sac_chips = {.departs = departs, .confer = confer};

/* Functions that both policies of this file share. */
#define SAC_OPERATIONS                                                                                                 \
	.chips = &sac_chips, .knobs = sac_knobs, .knobs_size = sizeof(struct sac_knobs), .stats = sac_stat_rows,       \
	.destroy = destroy, .route = route, .is_settled = is_settled, .looked_up = looked_up, .next_tick = next_tick,  \
	.tick = tick, .reorganised = reorganised, .kernel_begin = kernel_begin, .kernel_end = kernel_end,              \
	.statistics = statistics, .directory = directory, .series_rows = sac_series_rows, .series = series

const struct llc_policy_ops llc_sac = {
    .name = "sac",
    .summary = "memory-side or SM-side, for each kernel whichever has more predicted bandwidth",
    .source = "SAC section 3",
    .create = create,
    SAC_OPERATIONS,
};

const struct llc_policy_ops llc_sac_ro = {
    .name = "sac-ro",
    .summary = "as sac, but marked reads use the slices of their own chip in either organisation",
    .source = "no paper; SAC section 3 for the rest",
    .create = create_ro,
    SAC_OPERATIONS,
};
