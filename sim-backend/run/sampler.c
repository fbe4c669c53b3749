/*
 * A launch that may be like earlier launches is read before the decision, and its encoded CTAs are kept meanwhile. In a
 * group of such launches the 1st, 2nd, 4th, 8th, .. are simulated: the first launch begins with cold caches and
 * represents only itself. The others represent the launches that are left out, and show how far the launches differ.
 */
#include "sim-backend/run/sampler.h"

#include "common/integer.h"
#include "common/xalloc.h"

#include <math.h>
#include <string.h>

/* Launches of groups beyond so many are all simulated. */
enum { MOST_GROUPS = 1024 };

/* Facts about a launch that are known before its CTAs are read. Keys are compared byte by byte, so none is padding. */
struct launch_key {
	uint32_t kernel, grid[3], block[3], shared_bytes;
	uint64_t marks_in_force;
	uint64_t marked; /* hash of which structures and rows are */
};

struct launch_group {
	struct launch_key key;
	struct trace_profile profile; /* of its first launch */
	struct group_result result;
	struct moment sum;        /* of the simulated launches, without the first if there are several */
	uint64_t summed, pending; /* launches in `sum`; launches that it represents and that are not in `extra` */
	struct spread cycles;     /* of the launches in `sum` */
	double first_cycles;
};

/* --- CTAs --- */

/* The launch's next CTA that is simulated, out of the trace. */
static int read_cta(struct sampler *s, struct trace_cta *cta, struct diag *d)
{
	int status = 1;

	while (status > 0 && s->at < s->choice.total && !cta_choice_has(&s->choice, s->at)) {
		status = trace_skip_cta(s->trace, d);
		s->at++;
	}
	if (status <= 0)
		return status;
	s->at++;
	return trace_next_cta(s->trace, cta, d);
}

static int next_cta(struct cta_source *source, struct trace_cta *cta, struct diag *d)
{
	struct sampler *s = (struct sampler *)source;
	int status;

	if (s->next_kept < s->kept.len) {
		*cta = s->kept.data[s->next_kept++];
		return 1;
	}
	status = read_cta(s, cta, d);
	/* The SM that executes a damaged stream reports it. */
	if (status > 0 && s->profile && s->kept.len == 0)
		trace_profile_cta(s->profile, trace_kernel_of(s->trace, s->launch.kernel), cta);
	return status;
}

static void drop_kept(struct sampler *s)
{
	for (; s->next_kept < s->kept.len; s->next_kept++)
		trace_cta_release(&s->kept.data[s->next_kept]);
	s->kept.len = s->next_kept = 0;
}

/* --- Life --- */

void sampler_init(struct sampler *s, const struct sampling_plan *plan, struct sim_result *result,
		  struct trace_reader *trace)
{
	*s = (struct sampler){.source = {next_cta}, .result = result, .trace = trace, .plan = *plan};
	s->next_border = s->next_cycle = UINT64_MAX;
	result->plan = *plan;
	if (plan->kernels || plan->cycles)
		s->profile = xcalloc(1, sizeof *s->profile);
	if (!sampling_wanted(plan))
		return;
	moment_init(&s->waves, result->config, MAX_STRUCTURES);
	moment_init(&s->now, result->config, MAX_STRUCTURES);
	moment_init(&s->extra, result->config, MAX_STRUCTURES);
	moment_init(&s->estimate, result->config, MAX_STRUCTURES);
}

void sampler_release(struct sampler *s)
{
	drop_kept(s);
	vec_release(&s->kept);
	for (size_t i = 0; i < s->groups.len; i++) {
		moment_release(&s->groups.data[i]->sum);
		xfree(s->groups.data[i]);
	}
	vec_release(&s->groups);
	xfree(s->profile);
	moment_release(&s->waves);
	moment_release(&s->now);
	moment_release(&s->extra);
	moment_release(&s->estimate);
}

/* --- Groups of launches --- */

static struct launch_key key_of(const struct sampler *s, const struct trace_launch *launch)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch->kernel);
	uint32_t structures = kernel->nstructures, ninsts = kernel->ninsts;
	struct launch_key key = {.kernel = launch->kernel};

	memcpy(key.grid, launch->grid, sizeof key.grid);
	memcpy(key.block, launch->block, sizeof key.block);
	key.shared_bytes = launch->shared_bytes;
	key.marks_in_force = launch->marks_in_force;
	for (uint32_t i = 0; i < structures; i++)
		key.marked = key.marked * 31 + launch->structures[i].marked + 1;
	for (uint32_t i = 0; launch->marked_rows && i < divide_up(ninsts, 8); i++)
		key.marked = key.marked * 31 + launch->marked_rows[i];
	return key;
}

/* The group of launches with this key, or NULL. `profile` NULL: whatever they did. */
static struct launch_group *find_group(const struct sampler *s, const struct launch_key *key,
				       const struct trace_profile *profile)
{
	for (size_t i = 0; i < s->groups.len; i++) {
		struct launch_group *group = s->groups.data[i];

		if (memcmp(&group->key, key, sizeof *key) == 0 &&
		    (!profile || trace_profiles_alike(&group->profile, profile)))
			return group;
	}
	return NULL;
}

/* The launches that wait for it become part of the results. */
static void settle_group(struct sampler *s, struct launch_group *group)
{
	if (group->pending)
		moment_add_times(s->result, &s->extra, &group->sum, (double)group->pending / (double)group->summed);
	group->pending = 0;
}

static void add_group(struct sampler *s, uint32_t launch)
{
	struct launch_group *group;

	if (s->groups.len == MOST_GROUPS)
		return;
	group = s->group = xcalloc(1, sizeof *group);
	group->key = key_of(s, &s->launch);
	group->profile = *s->profile;
	group->result.first = launch;
	moment_init(&group->sum, s->result->config, s->result->structures.len);
	vec_push(&s->groups, group);
}

/* A launch of the group was simulated. */
static void add_to_group(struct sampler *s, struct launch_group *group, const struct moment *counts)
{
	double cycles = (double)counts->counters.run.cycles;

	settle_group(s, group);
	group->result.simulated++;
	if (group->result.simulated == 1)
		group->first_cycles = cycles;
	if (group->result.simulated == 2) {
		moment_release(&group->sum);
		moment_init(&group->sum, s->result->config, group->sum.nstructures);
		group->cycles = (struct spread){.count = 0};
		group->summed = 0;
	}
	moment_add_times(s->result, &group->sum, counts, 1);
	spread_add(&group->cycles, cycles);
	group->summed++;
	group->result.cycles = group->cycles.mean;
}

static int read_ahead(struct sampler *s, struct diag *d)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, s->launch.kernel);
	struct trace_cta cta;
	int status;

	while ((status = read_cta(s, &cta, d)) > 0) {
		vec_push(&s->kept, cta);
		trace_profile_cta(s->profile, kernel, &cta);
	}
	return status;
}

/* 1: the launch is like earlier ones and need not be simulated. */
static int compare(struct sampler *s, struct diag *d)
{
	struct launch_key key = key_of(s, &s->launch);

	memset(s->profile, 0, sizeof *s->profile);
	s->group = NULL;
	if (!s->plan.kernels || !find_group(s, &key, NULL))
		return 0;
	if (read_ahead(s, d) < 0)
		return DIAG_ERROR;
	s->group = find_group(s, &key, s->profile);
	if (!s->group || is_power_of_two(++s->group->result.launches))
		return 0;
	s->group->pending++;
	drop_kept(s);
	return 1;
}

/* --- One launch --- */

int sampler_begin(struct sampler *s, const struct trace_launch *launch, uint64_t wave, const struct kernel_result *row,
		  struct diag *d)
{
	uint64_t total = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
	int alike;

	drop_kept(s);
	s->launch = *launch;
	s->choice = cta_choice_of(total, wave, s->plan.ctas);
	s->at = 0;
	s->next_border = s->choice.kept ? cta_choice_border(&s->choice, 0) : UINT64_MAX;
	s->borders = 0;
	s->wave_cycles = (struct spread){.count = 0};
	s->stats.launches++;
	s->stats.ctas += total;
	alike = s->profile ? compare(s, d) : 0;
	if (alike > 0)
		result_alike(s->result, row, &s->group->result);
	return alike;
}

/* Of the trace, in which parts of it are measured; machine code has others. */
static uint64_t instructions(const struct moment *m)
{
	uint64_t sum = 0;

	if (m->counters.sm.ptx_instructions)
		return m->counters.sm.ptx_instructions;

	for (unsigned i = 0; i < TRACE_CLASS_COUNT; i++)
		sum += m->counters.sm.by_class[i];
	return sum;
}

void sampler_start(struct sampler *s, uint64_t cycle, const struct moment *before)
{
	s->next_cycle = UINT64_MAX;
	if (!s->plan.cycles)
		return;
	s->next_cycle = cycle + time_border(s->plan.cycles, 0);
	s->start = cycle;
	s->insts_before = instructions(before);
	s->passed = s->looked_at = s->dropped = s->unsettled = 0;
	s->cpi = (struct spread){.count = 0};
	moment_release(&s->estimate);
	moment_init(&s->estimate, s->result->config, MAX_STRUCTURES);
}

struct moment *sampler_moment(struct sampler *s)
{
	bool first = s->plan.cycles ? s->borders % 2 == 0 : s->borders == 0;

	return first ? &s->waves : &s->now;
}

/* In a launch of many waves whole CTAs are left out; in other launches, a part of each warp's stream. */
enum { MANY_WAVES = 8, FIRST_WAVES = 3 };

static bool has_many_waves(const struct sampler *s)
{
	return s->choice.total >= MANY_WAVES * s->choice.wave;
}

/*
 * The first CTAs begin side by side, and drift apart while they and the next CTAs run. Until then they request the same
 * data at the same time, so they represent no others.
 */
static bool begins_in_step(const struct sampler *s)
{
	return has_many_waves(s) && s->at - s->dropped < FIRST_WAVES * s->choice.wave;
}

static uint64_t instructions_of(const struct sampler *s, const struct trace_cta *cta)
{
	struct trace_profile profile = {.ctas = 0};

	trace_profile_cta(&profile, trace_kernel_of(s->trace, s->launch.kernel), cta);
	return profile.instructions;
}

/* Leaves out the launch's next CTAs, which have about so many instructions, and returns how many they have. */
static uint64_t drop_ctas(struct sampler *s, double wanted)
{
	double half = 0.5 * (double)s->profile->instructions / (double)s->profile->ctas;
	uint64_t dropped = 0;
	struct trace_cta cta;

	while ((double)dropped + half < wanted && next_cta(&s->source, &cta, &s->failure) > 0) {
		dropped += instructions_of(s, &cta);
		trace_cta_release(&cta);
		s->dropped++;
	}
	return dropped;
}

void sampler_passed(struct sampler *s, uint64_t passed)
{
	uint64_t executed = instructions(&s->now);

	if (passed == 0)
		return;
	s->passed += passed;
	s->looked_at += executed;
	spread_add(&s->cpi, (double)s->now.counters.run.cycles / (double)executed);
	moment_add_times(s->result, &s->estimate, &s->now, (double)passed / (double)executed);
}

/*
 * Whether this is among the first windows of the launch, or since its LLC settled: the caches do not hold the launch's
 * data yet.
 */
static bool is_first_window(const struct sampler *s)
{
	return s->borders <= s->unsettled + 2 * FIRST_WINDOWS;
}

/* `now` becomes the counters of the window's second half. */
static void window_ends(struct sampler *s)
{
	double total = (double)s->profile->instructions / (double)s->profile->ctas * (double)s->choice.total, left;
	uint64_t elapsed = s->now.counters.run.cycles - s->start, half;

	left = total - (double)(instructions(&s->now) - s->insts_before + s->passed);
	moment_since(s->result, &s->now, &s->waves);
	half = instructions(&s->now);
	s->ratio = 0;
	if (is_first_window(s) || begins_in_step(s) || half == 0 || left <= 0)
		return;
	s->ratio = time_ratio(s->plan.cycles, elapsed, left / (double)half * (double)s->now.counters.run.cycles);
	if (!has_many_waves(s))
		return;
	sampler_passed(s, drop_ctas(s, 2 * s->ratio * (double)half));
	s->ratio = 0;
}

static bool time_border_reached(struct sampler *s, bool settled)
{
	s->borders++;
	s->unsettled = settled ? s->unsettled : s->borders;
	s->next_cycle = s->start + time_border(s->plan.cycles, s->borders);
	if (s->borders % 2)
		return false;
	window_ends(s);
	return true;
}

bool sampler_border(struct sampler *s, bool settled)
{
	uint64_t cycle = sampler_moment(s)->counters.run.cycles;

	if (s->plan.cycles)
		return time_border_reached(s, settled);
	if (s->borders)
		spread_add(&s->wave_cycles, (double)(cycle - s->border_cycle));
	s->border_cycle = cycle;
	s->borders++;
	s->next_border = s->borders <= s->choice.kept ? cta_choice_border(&s->choice, s->borders) : UINT64_MAX;
	return false;
}

/* The simulated waves also represent the waves that were left out. */
static void add_waves(struct sampler *s, struct moment *counts)
{
	double rest = cta_choice_weight(&s->choice) - 1;
	uint64_t ctas = s->choice.kept * s->choice.wave;

	moment_since(s->result, &s->now, &s->waves);
	s->now.counters.sm.warps = counts->counters.sm.warps / s->choice.simulated * ctas;
	s->now.counters.sm.ctas = ctas;
	moment_add_times(s->result, counts, &s->now, rest);
	moment_add_times(s->result, &s->extra, &s->now, rest);
}

/* Halves of windows with as many instructions as they have in the mean: those looked at, and those passed over. */
static void note_windows(struct sampler *s, struct uncertainty *launch)
{
	double mean = (double)s->looked_at / (double)s->cpi.count;
	struct spread cycles = {s->cpi.count, s->cpi.mean * mean, s->cpi.squares * mean * mean};
	uint64_t all = s->cpi.count + (uint64_t)ceil((double)s->passed / mean);

	uncertainty_add(launch, &cycles, all);
	uncertainty_add(&s->uncertainty, &cycles, all);
}

/* The halves of windows also represent the skipped parts. All CTAs and warps are known. */
static void add_windows(struct sampler *s, struct moment *counts)
{
	struct sm_stats *sm = &s->estimate.counters.sm;

	sm->ctas = s->dropped;
	sm->warps = counts->counters.sm.warps / counts->counters.sm.ctas * s->dropped;
	moment_add_times(s->result, counts, &s->estimate, 1);
	moment_add_times(s->result, &s->extra, &s->estimate, 1);
}

/* `cycles` with the estimate. The whole takes at least as long as its simulated part. */
static void note_interval(struct sampling_stats *stats, const struct uncertainty *u, double cycles)
{
	double margin = uncertainty_margin(u), least = (double)stats->cycles_simulated;

	stats->confidence = 0.95;
	if (u->unknown)
		return;
	stats->cycles_low = (uint64_t)(cycles - margin > least ? cycles - margin : least);
	stats->cycles_high = (uint64_t)ceil(cycles + margin);
}

int sampler_end(struct sampler *s, struct kernel_result *row, struct moment *counts, bool complete, struct diag *d)
{
	struct uncertainty launch = {.unknown = !complete};

	s->next_cycle = UINT64_MAX;
	if (!sampling_wanted(&s->plan))
		return 0;
	row->sampling = (struct sampling_stats){.launches = 1,
						.launches_simulated = 1,
						.ctas = s->choice.total,
						.ctas_simulated = counts->counters.sm.ctas,
						.cycles_simulated = counts->counters.run.cycles,
						.weight = cta_choice_weight(&s->choice)};
	if (s->choice.kept && s->borders > s->choice.kept) {
		add_waves(s, counts);
		uncertainty_add(&launch, &s->wave_cycles, s->choice.middle);
		uncertainty_add(&s->uncertainty, &s->wave_cycles, s->choice.middle);
	}
	if (diag_is_set(&s->failure)) {
		*d = s->failure;
		return DIAG_ERROR;
	}
	if (s->plan.cycles && s->passed) {
		row->sampling.weight = (double)s->profile->instructions / (double)instructions(counts);
		add_windows(s, counts);
		note_windows(s, &launch);
	}
	note_interval(&row->sampling, &launch, (double)counts->counters.run.cycles);
	s->stats.launches_simulated++;
	s->stats.ctas_simulated += row->sampling.ctas_simulated;
	if (!s->plan.kernels)
		return 0;
	if (!s->group) {
		add_group(s, row->launch);
		if (s->group)
			s->group->result.launches = 1;
	}
	if (s->group)
		add_to_group(s, s->group, counts);
	return 0;
}

/* --- The run --- */

/* Two launches, of which the first begins with cold caches, say little, so their distance counts. */
static void finish_group(struct sampler *s, struct launch_group *group)
{
	struct spread spread = group->cycles;

	settle_group(s, group);
	vec_push(&s->result->groups, group->result);
	if (group->result.simulated == group->result.launches)
		return;
	if (spread.count == 1)
		spread_add(&spread, group->first_cycles);
	uncertainty_add(&s->uncertainty, &spread, group->result.launches - group->result.simulated + spread.count);
}

void sampler_finish(struct sampler *s, bool complete)
{
	struct sim_result *r = s->result;

	r->simulated = r->end.counters;
	if (!sampling_wanted(&s->plan))
		return;
	for (size_t i = 0; i < s->groups.len; i++)
		finish_group(s, s->groups.data[i]);
	moment_add_times(r, &r->end, &s->extra, 1);
	s->stats.cycles_simulated = r->simulated.run.cycles;
	s->uncertainty.unknown = s->uncertainty.unknown || !complete;
	note_interval(&s->stats, &s->uncertainty, (double)r->end.counters.run.cycles);
	r->sampling = s->stats;
}
