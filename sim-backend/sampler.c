/*
 * Launches that may be like earlier ones are read before it is decided, and their encoded CTAs kept meanwhile. Of a
 * group of such launches the 1st, 2nd, 4th, 8th, .. are simulated: the first one begins with cold caches and stands for
 * itself, the others stand for those that are left out and show how far the launches differ.
 */
#include "sim-backend/sampler.h"

#include "common/xalloc.h"

#include <math.h>
#include <string.h>

/* Launches of groups beyond so many are all simulated. */
enum { MOST_GROUPS = 1024 };

/* What is known of a launch before its CTAs are read. */
struct launch_key {
	uint32_t kernel, grid[3], block[3], shared_bytes;
	bool marks_in_force;
	uint64_t marked; /* hash of which structures are */
};

struct launch_group {
	struct launch_key key;
	struct trace_profile profile; /* of its first launch */
	struct group_result result;
	struct moment sum;        /* of the simulated launches, without the first if there are several */
	uint64_t summed, pending; /* launches in `sum`; launches that it stands for and that are not in `extra` */
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
	/* A damaged stream is found by the SM that executes it. */
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
}

/* --- Groups of launches --- */

static struct launch_key key_of(const struct sampler *s, const struct trace_launch *launch)
{
	uint32_t structures = trace_kernel_of(s->trace, launch->kernel)->nstructures;
	struct launch_key key;

	memset(&key, 0, sizeof key);
	key.kernel = launch->kernel;
	memcpy(key.grid, launch->grid, sizeof key.grid);
	memcpy(key.block, launch->block, sizeof key.block);
	key.shared_bytes = launch->shared_bytes;
	key.marks_in_force = launch->marks_in_force;
	for (uint32_t i = 0; i < structures; i++)
		key.marked = key.marked * 31 + launch->structures[i].marked + 1;
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

static bool is_power_of_two(uint64_t n)
{
	return (n & (n - 1)) == 0;
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

void sampler_start(struct sampler *s, uint64_t cycle)
{
	s->start = cycle;
	s->next_cycle = s->plan.cycles ? cycle + time_border(s->plan.cycles, 0) : UINT64_MAX;
}

struct moment *sampler_moment(struct sampler *s)
{
	return s->borders ? &s->now : &s->waves;
}

static uint64_t instructions(const struct moment *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TRACE_CLASS_COUNT; i++)
		sum += m->counters.sm.by_class[i];
	return sum;
}

static bool time_part_ends(struct sampler *s)
{
	const struct moment *now = sampler_moment(s);

	s->cycles_at[s->borders] = now->counters.run.cycles;
	s->insts_at[s->borders] = instructions(now);
	s->next_cycle = s->borders == TIME_PARTS ? UINT64_MAX : s->start + time_border(s->plan.cycles, s->borders + 1);
	return s->borders++ == TIME_PARTS;
}

bool sampler_border(struct sampler *s)
{
	uint64_t cycle = sampler_moment(s)->counters.run.cycles;

	if (s->plan.cycles)
		return time_part_ends(s);
	if (s->borders)
		spread_add(&s->wave_cycles, (double)(cycle - s->border_cycle));
	s->border_cycle = cycle;
	s->borders++;
	s->next_border = s->borders <= s->choice.kept ? cta_choice_border(&s->choice, s->borders) : UINT64_MAX;
	return false;
}

/* The waves that were simulated stand for those that were not, too. */
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

/* What the SMs did not ask for is a part of the launch, too. */
static int read_rest(struct sampler *s, struct diag *d)
{
	struct trace_cta cta;
	int status;

	drop_kept(s);
	while ((status = next_cta(&s->source, &cta, d)) > 0)
		trace_cta_release(&cta);
	return status;
}

/* Each part's time for as many instructions as a part has in the mean. */
static void note_parts(struct sampler *s, double rest, struct uncertainty *launch)
{
	double mean = (double)(s->insts_at[TIME_PARTS] - s->insts_at[0]) / TIME_PARTS;
	struct spread spread = {.count = 0};

	for (unsigned i = 0; i < TIME_PARTS; i++) {
		double insts = (double)(s->insts_at[i + 1] - s->insts_at[i]);

		if (insts > 0)
			spread_add(&spread, mean * (double)(s->cycles_at[i + 1] - s->cycles_at[i]) / insts);
	}
	uncertainty_add(launch, &spread, TIME_PARTS + (uint64_t)ceil(TIME_PARTS * rest));
	uncertainty_add(&s->uncertainty, &spread, TIME_PARTS + (uint64_t)ceil(TIME_PARTS * rest));
}

/* The second half of the time stands for the instructions that were not executed, too. */
static double add_time(struct sampler *s, struct moment *counts, struct uncertainty *launch)
{
	uint64_t left = s->profile->instructions - instructions(counts), ctas = s->choice.total, warps;
	double rest = (double)left / (double)(s->insts_at[TIME_PARTS] - s->insts_at[0]);

	warps = counts->counters.sm.warps / counts->counters.sm.ctas * ctas;
	moment_since(s->result, &s->now, &s->waves);
	s->now.counters.sm.warps = s->now.counters.sm.ctas = 0;
	moment_add_times(s->result, &s->extra, &s->now, rest);
	s->extra.counters.sm.ctas += ctas - counts->counters.sm.ctas;
	s->extra.counters.sm.warps += warps - counts->counters.sm.warps;
	moment_add_times(s->result, counts, &s->now, rest);
	counts->counters.sm.ctas = ctas;
	counts->counters.sm.warps = warps;
	note_parts(s, rest, launch);
	return rest + 1;
}

static void note_interval(struct sampling_stats *stats, const struct uncertainty *u, double cycles)
{
	double margin = uncertainty_margin(u);

	stats->confidence = 0.95;
	if (u->unknown)
		return;
	stats->cycles_low = (uint64_t)(cycles > margin ? cycles - margin : 0);
	stats->cycles_high = (uint64_t)ceil(cycles + margin);
}

int sampler_end(struct sampler *s, struct kernel_result *row, struct moment *counts, struct diag *d)
{
	struct uncertainty launch = {.variance = 0};

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
	if (s->plan.cycles && s->borders > TIME_PARTS && s->insts_at[TIME_PARTS] > s->insts_at[0]) {
		if (read_rest(s, d) < 0)
			return DIAG_ERROR;
		row->sampling.weight = add_time(s, counts, &launch);
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

void sampler_finish(struct sampler *s)
{
	struct sim_result *r = s->result;

	r->simulated = r->end.counters;
	if (!sampling_wanted(&s->plan))
		return;
	for (size_t i = 0; i < s->groups.len; i++)
		finish_group(s, s->groups.data[i]);
	moment_add_times(r, &r->end, &s->extra, 1);
	s->stats.cycles_simulated = r->simulated.run.cycles;
	note_interval(&s->stats, &s->uncertainty, (double)r->end.counters.run.cycles);
	r->sampling = s->stats;
}
