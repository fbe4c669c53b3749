/* Runs the launches one after the other, each as a loop of ticks (tick.h). Time skips empty cycles. */
#include "sim-backend/sim.h"

#include "common/progress.h"
#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "sim-backend/batch.h"
#include "sim-backend/checkpoint.h"
#include "sim-backend/llc/policy.h"
#include "sim-backend/parallel.h"
#include "sim-backend/result.h"
#include "sim-backend/results/series.h"
#include "sim-backend/sampler.h"

#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { WATCH_INTERVAL = 8192, DEADLOCK_CYCLES = 200000, WINDOW_CYCLES = 20000 };
/* The scoreboard counts a kernel's cycles in 32 bits; adding a latency must not overflow. */
#define LONGEST_KERNEL ((uint64_t)UINT32_MAX - (1u << 20))

/* The launch that is being simulated. It is all that the functions below know of it, so a resumed run goes on with it.
 */
struct launch_run {
	struct kernel_result row;
	uint64_t start, boundary; /* cycles; `boundary`: all CTAs are gone and the LLC policy has its turn */
	bool active, at_boundary;
};

/* In memory of its own, with all that it points to: a checkpoint is an image of it. */
struct sim {
	const struct sim_config *config;
	const struct sim_options *options;
	struct trace_reader *trace;
	struct diag *d;
	struct memsys *memory;
	struct sm **sms;
	struct sm_context context;
	struct cta_scheduler ctas;
	struct machine machine;
	uint64_t cycle;

	uint64_t next_watch, last_progress, progress_mark;
	uint64_t known_waits, waits_at_progress; /* cycles that were skipped since something was due later */
	uint32_t launches, launch;               /* seen; the latest one that was simulated */
	uint32_t kernels;                        /* that launches have had */
	struct launch_run now;
	double started, elapsed; /* when this process began, seconds before; seconds of the run, at a checkpoint */
	struct sim_result *result;
	struct moment before; /* of the kernel */
	struct sampler sampler;
	struct batch batch;        /* with several kernels at once */
	struct trace_launch ahead; /* read, and not begun */
	bool has_ahead;
	uint32_t beside; /* launches behind the running one that are begun, or not wanted */
	uint32_t ninsts; /* rows of `insts` in use */
	const regex_t *filter;
	struct series series;
	struct timeline timeline;
	struct launch_inst *insts;
	struct bank_conflicts *conflicts;
	uint32_t *structure_base; /* per kernel of the trace: its first row, or 0 */
	uint32_t nbases;
};

static void tick(struct sim *s)
{
	uint64_t next = machine_tick(&s->machine, s->cycle);

	s->known_waits += next - s->cycle - 1;
	s->cycle = next;
}

/* --- Watching --- */

static int fail_stuck(struct sim *s, const char *kernel)
{
	FILE *out = s->options->report;

	if (out) {
		fprintf(out, "launch %" PRIu32 " (%s), no progress since cycle %" PRIu64 ":\n", s->launches, kernel,
			s->last_progress);
		for (uint32_t i = 0; i < s->config->gpu.sms; i++)
			sm_dump(s->sms[i], out);
		memsys_dump(s->memory, out);
	}
	return diag_file(s->d, NULL, "the model is stuck in kernel %s: nothing has moved since cycle %" PRIu64, kernel,
			 s->last_progress);
}

static void report_progress(const struct sim *s, const char *kernel, uint64_t issued)
{
	struct sim_progress p = {s->cycle, issued, s->launches, kernel};

	if (s->options->progress)
		s->options->progress(s->options->progress_arg, &p);
}

/*
 * Every few thousand cycles: has anything moved, and is a limit reached? 1 = stop here. Cycles that were skipped do not
 * count: what the model waits for then is known.
 */
static int check_progress(struct sim *s, const char *kernel)
{
	struct sm_stats stats;
	uint64_t limit = s->options->deadlock_cycles ? s->options->deadlock_cycles : DEADLOCK_CYCLES, issued, mark;

	if (s->cycle == UINT64_MAX)
		return fail_stuck(s, kernel);
	if (s->options->max_cycles && s->cycle >= s->options->max_cycles)
		return 1;
	if (s->cycle < s->next_watch)
		return 0;
	s->next_watch = s->cycle + WATCH_INTERVAL;
	parallel_gather(s->machine.parallel);
	stats = s->context.stats;
	sm_stats_derive(&stats);
	issued = stats.warp_instructions;
	report_progress(s, kernel, issued);
	mark = issued + memsys_progress(s->memory);
	if (mark != s->progress_mark) {
		s->progress_mark = mark;
		s->last_progress = s->cycle;
		s->waits_at_progress = s->known_waits;
	} else if (s->cycle - s->last_progress - (s->known_waits - s->waits_at_progress) > limit) {
		return fail_stuck(s, kernel);
	}
	if (s->cycle - s->context.start > LONGEST_KERNEL)
		return diag_file(s->d, NULL, "kernel %s runs for more than 2^32 cycles; give --max-cycles", kernel);
	return 0;
}

/* --- Counters --- */

/* Policy counters of all SMs' L1s as one set. */
static void l1_policy_now(const struct sim *s, void *sum)
{
	const struct stat_row *rows = s->config->l1_policy->stats;

	memset(sum, 0, stats_extent(rows));
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		stats_add(rows, sum, l1_policy_statistics(s->sms[i]->l1));
}

static void structures_now(const struct sim *s, const struct memsys_stats *memory, struct structure_counters *all)
{
	for (size_t i = 0; i < s->result->structures.len; i++)
		all[i] = (struct structure_counters){
		    .core = s->result->structure_stats[i],
		    .llc_accesses = memory->structure_accesses[i],
		    .llc_hits = memory->structure_hits[i] + memory->structure_merges[i],
		    .llc_merges = memory->structure_merges[i],
		};
}

/* Issue slots that nobody has charged yet are missing: sm_settle charges them. */
static void counters_now(const struct sim *s, const struct memsys_stats *memory, struct counters *c)
{
	*c = (struct counters){.run = {.cycles = s->cycle,
				       .sms = s->config->gpu.sms,
				       .slices = memory->nslices,
				       .channels = memory->nchannels,
				       .burst_bytes = s->config->memory.dram.burst_bytes,
				       .port_bytes = s->config->memory.llc.port_bytes,
				       .clock_mhz = s->config->gpu.clock_mhz},
			       .sm = s->context.stats,
			       .l1 = s->context.l1_stats,
			       .noc = memory->noc,
			       .links = memory->links,
			       .llc = memory->llc,
			       .dram = memory->dram,
			       .stages = memory->stages,
			       .sharing = memory->sharing};
	sm_stats_derive(&c->sm);
}

/* Issue slots that nobody has charged yet are missing. */
static void moment_read(const struct sim *s, struct moment *m)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);

	parallel_gather(s->machine.parallel);
	counters_now(s, memory, &m->counters);
	structures_now(s, memory, m->structures);
	if (m->l1_policy)
		l1_policy_now(s, m->l1_policy);
	if (m->llc_policy && memory->policy_values)
		memcpy(m->llc_policy, memory->policy_values, stats_extent(memory->policy_rows));
	for (unsigned i = 0; i < memory->nslices; i++)
		m->slices[i] = memory->slices[i];
	for (unsigned i = 0; i < memory->nchannels; i++)
		m->channels[i] = memory->channels[i];
	for (unsigned i = 0; i < memory->nchannels * memory->nbanks; i++)
		m->banks[i] = memory->banks[i];
}

static void moment_now(const struct sim *s, struct moment *m)
{
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_settle(s->sms[i], s->cycle);
	moment_read(s, m);
}

/* --- Windows --- */

static void end_window(struct sim *s, uint64_t cycle)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);
	struct counters now;

	parallel_gather(s->machine.parallel);
	counters_now(s, memory, &now);
	if (s->series.policy_rows)
		memsys_series(s->memory, cycle, s->series.policy_values);
	series_window(&s->series, cycle, s->launch, &now, memory->slices);
}

/* The windows that end before the present cycle is ticked. */
static void end_windows(struct sim *s)
{
	while (s->series.next <= s->cycle)
		end_window(s, s->series.next);
}

static void begin_windows(struct sim *s)
{
	const struct sim_options *options = s->options;
	uint64_t epoch = memsys_epoch(s->memory), length = options->series_cycles;

	if (!length)
		length = epoch ? epoch : WINDOW_CYCLES;
	if (options->timeline)
		timeline_begin(&s->timeline, options->timeline, s->config->gpu.clock_mhz);
	series_begin(&s->series, options->series, options->timeline ? &s->timeline : NULL, length, &s->config->memory,
		     s->config->llc_policy->series_rows);
}

/* The last window is as long as what is left. A run that failed may be stuck at the end of all time: it has none. */
static void finish_windows(struct sim *s, bool failed)
{
	if (s->series.next != UINT64_MAX && !failed) {
		end_windows(s);
		if (s->cycle > s->series.before.run.cycles)
			end_window(s, s->cycle);
	}
	if (s->options->timeline)
		timeline_end(&s->timeline);
	series_release(&s->series);
}

static void show_bar(struct sim *s, enum timeline_row row, const char *name, uint64_t start)
{
	if (s->options->timeline && s->cycle > start)
		timeline_bar(&s->timeline, row, name, start, s->cycle, s->launch);
}

static void check_slots(const struct sim *s, const struct counters *c)
{
	uint64_t sum = 0, slots = c->run.cycles * s->config->gpu.sms * s->config->sm.schedulers;

	for (int i = 0; i < SLOT_COUNT; i++)
		sum += c->sm.slots[i];
	if (sum != slots)
		BUG("schedulers: %" PRIu64 " issue slots, but %" PRIu64 " are accounted for", slots, sum);
}

/* What must hold when a kernel is over and nothing is in flight; a violation is a bug of the model. */
static void check_conservation(const struct sim *s, const struct counters *c)
{
	const char *wrong = memsys_check(s->memory);

	if (wrong)
		BUG("memory system: %s", wrong);
	if (c->l1.accesses != c->l1.hits + c->l1.misses + c->l1.bypasses)
		BUG("L1: %" PRIu64 " accesses, but %" PRIu64 " hits, misses and bypasses", c->l1.accesses,
		    c->l1.hits + c->l1.misses + c->l1.bypasses);
	if (c->l1.misses - c->l1.merges != c->l1.fills)
		BUG("L1: %" PRIu64 " lines asked for, %" PRIu64 " arrived", c->l1.misses - c->l1.merges, c->l1.fills);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		if (s->sms[i]->expected || s->sms[i]->nctas || s->sms[i]->lsu_count)
			BUG("SM %" PRIu32 " is not empty at the end of a kernel", i);
	check_slots(s, c);
}

/* --- One launch --- */

/* Rows of the structure table for this kernel's structures; 0 when the table is full. */
static uint32_t structure_rows(struct sim *s, uint32_t id, const struct trace_kernel *kernel)
{
	struct sim_result *r = s->result;

	if (id >= s->nbases) {
		s->structure_base = xrealloc(s->structure_base, sizeof *s->structure_base * (id + 1));
		while (s->nbases <= id)
			s->structure_base[s->nbases++] = 0;
	}
	if (s->structure_base[id] || r->structures.len + kernel->nstructures > MAX_STRUCTURES)
		return s->structure_base[id];
	s->structure_base[id] = (uint32_t)r->structures.len;
	for (uint32_t i = 0; i < kernel->nstructures; i++)
		vec_push(&r->structures,
			 (struct structure_result){.kernel = arena_strdup(&r->arena, kernel->name),
						   .id = arena_strdup(&r->arena, kernel->structures[i])});
	return s->structure_base[id];
}

static void note_verdicts(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			  uint32_t base)
{
	for (uint32_t i = 0; base && i < kernel->nstructures; i++) {
		struct structure_result *row = &s->result->structures.data[base + i];

		row->verdict = launch->structures[i].verdict;
		row->marked = launch->structures[i].marked && launch->marks_in_force;
		row->launches++;
	}
}

/* Rows from `first` on. */
static void fill_launch_insts(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			      uint32_t base, uint32_t first)
{
	uint32_t end = first + kernel->ninsts;

	s->conflicts = xrealloc(s->conflicts, sizeof *s->conflicts * (end + 1));
	memset(s->conflicts + first, 0, sizeof *s->conflicts * (kernel->ninsts + 1));
	s->insts = xrealloc(s->insts, sizeof *s->insts * (end + 1));
	for (uint32_t i = first; i < end; i++)
		s->insts[i] = launch_inst_row(launch, kernel, i - first, &s->config->exec, base);
	s->context.kernel = kernel;
	s->context.first_inst = first;
	s->context.insts = s->insts;
	s->context.conflicts = s->conflicts;
}

static bool has_atomics(const struct trace_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->ninsts; i++)
		if (kernel->insts[i].cls == TRACE_ATOMIC && kernel->insts[i].space != TRACE_SHARED)
			return true;
	return false;
}

static uint64_t product(const uint32_t *dims)
{
	return (uint64_t)dims[0] * dims[1] * dims[2];
}

static int find_occupancy(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			  struct occupancy *o, struct diag *d)
{
	uint64_t threads = product(launch->block);

	if (threads == 0 || threads > s->config->sm.threads)
		return diag_file(
		    d, NULL, "kernel %s: a CTA of %" PRIu64 " threads does not fit an SM (sm.threads is %" PRIu32 ")",
		    kernel->name, threads, s->config->sm.threads);
	*o = occupancy_of(&s->config->sm, (uint32_t)threads, kernel->registers_per_thread, launch->shared_bytes);
	if (o->ctas == 0)
		return diag_file(
		    d, NULL,
		    "kernel %s: an SM has not enough %s for one CTA: %s is %" PRIu64 ", and a CTA takes %" PRIu64,
		    kernel->name, occupancy_limit_name(o->limit), occupancy_limit_key(o->limit), o->have, o->need);
	return 0;
}

static struct kernel_result row_of(const struct trace_launch *launch, const struct trace_kernel *kernel,
				   uint32_t number)
{
	struct kernel_result row = {.name = kernel->name, .launch = number, .marks_in_force = launch->marks_in_force};

	memcpy(row.grid, launch->grid, sizeof row.grid);
	memcpy(row.block, launch->block, sizeof row.block);
	return row;
}

/* Returns the first row of its structures. */
static uint32_t begin_kernel(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			     const struct occupancy *o)
{
	uint32_t base = structure_rows(s, launch->kernel, kernel);

	note_verdicts(s, launch, kernel, base);
	fill_launch_insts(s, launch, kernel, base, 0);
	s->ninsts = kernel->ninsts;
	s->cycle += s->config->gpu.launch_cycles;
	s->known_waits += s->config->gpu.launch_cycles;
	s->context.warps_per_cta = o->warps_per_cta;
	s->context.cta_slots = o->ctas;
	s->context.start = s->cycle;
	parallel_kernel_begin(s->machine.parallel);
	memsys_kernel_begin(s->memory, s->cycle, has_atomics(kernel));
	s->machine.memory_wake = s->cycle;
	for (uint32_t i = 0; i < s->config->gpu.sms; i++) {
		sm_kernel_begin(s->sms[i]);
		s->context.wake[i] = UINT64_MAX;
	}
	cta_scheduler_begin(&s->ctas, &s->sampler.source, s->sampler.choice.simulated);
	return base;
}

/* --- Several launches at once --- */

static bool is_concurrent(const struct sim *s)
{
	return s->config->gpu.concurrent_kernels > 1;
}

static void add_to_batch(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			 const struct kernel_result *row)
{
	struct cta_needs needs = cta_needs_of(&s->config->sm, (uint32_t)product(launch->block),
					      kernel->registers_per_thread, launch->shared_bytes);

	s->context.launch = batch_add(&s->batch, row, launch->stream, &needs, s->cycle);
	s->context.launches = s->batch.launches.data;
}

static bool is_wanted(const struct sim *s, const struct trace_kernel *kernel)
{
	return !s->filter || regexec(s->filter, kernel->name, 0, NULL, 0) == 0;
}

/* Reads on to the next launch that is to be simulated, and keeps it in `ahead`; false at the end. */
static bool look_ahead(struct sim *s)
{
	while (!s->has_ahead && trace_next_launch(s->trace, &s->ahead, &s->ctas.failure) > 0) {
		s->has_ahead = is_wanted(s, trace_kernel_of(s->trace, s->ahead.kernel));
		s->beside += !s->has_ahead;
	}
	return s->has_ahead;
}

/* What was looked at before, or the trace's next launch; as trace_next_launch. */
static int next_launch(struct sim *s, struct trace_launch *launch)
{
	int status = s->has_ahead ? 1 : trace_next_launch(s->trace, &s->ahead, s->d);

	s->has_ahead = false;
	*launch = s->ahead;
	return status;
}

/* See cta_scheduler.beside. One that does not fit is left for later, when this is an error. */
static bool begin_beside(void *arg, uint64_t cycle)
{
	struct sim *s = arg;
	const struct trace_launch *launch = &s->ahead;
	const struct trace_kernel *kernel;
	struct kernel_result row;
	struct diag d = DIAG_INIT;

	(void)cycle;
	if (!look_ahead(s))
		return false;
	kernel = trace_kernel_of(s->trace, launch->kernel);
	row = row_of(launch, kernel, s->launches + 1 + s->beside);
	if (!batch_allows(&s->batch, launch, has_atomics(kernel), s->config->gpu.concurrent_kernels) ||
	    find_occupancy(s, launch, kernel, &row.occupancy, &d) < 0)
		return false;
	s->has_ahead = false;
	s->beside++;
	row.first_structure = structure_rows(s, launch->kernel, kernel);
	row.nstructures = row.first_structure ? kernel->nstructures : 0;
	note_verdicts(s, launch, kernel, row.first_structure);
	fill_launch_insts(s, launch, kernel, row.first_structure, s->ninsts);
	s->ninsts += kernel->ninsts;
	add_to_batch(s, launch, kernel, &row);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_kernel_join(s->sms[i]);
	return true;
}

static void put_results(struct sim *s, const struct kernel_result *row, const struct moment *counts)
{
	if (s->batch.rows.len > 1) {
		batch_finish(&s->batch);
		result_at_once(s->result, s->batch.rows.data, s->batch.rows.len, counts);
	} else {
		result_kernel(s->result, row, counts);
	}
}

static int check_trace(struct sim *s)
{
	if (diag_is_set(&s->ctas.failure)) {
		*s->d = s->ctas.failure;
		return DIAG_ERROR;
	}
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		if (s->sms[i]->damaged)
			return diag_file(s->d, NULL, "kernel %s: a warp's stream in the trace is damaged",
					 s->context.kernel->name);
	return 0;
}

/* Launches side by side count in tables that all SMs share, so they take one thread. */
static void start_threads(struct sim *s)
{
	s->machine.parallel = parallel_create(&s->machine, is_concurrent(s) ? 1 : s->options->threads);
}

/* Between two ticks. What the threads counted is in the machine's context then. */
static void end_threads(struct sim *s)
{
	parallel_free(s->machine.parallel);
	s->machine.parallel = NULL;
}

/* No thread is part of an image. */
static int keep_checkpoint(struct sim *s)
{
	int status;

	if (!checkpoint_is_due(s->options->checkpoint, s->cycle))
		return 0;
	s->elapsed = monotonic_seconds() - s->started;
	end_threads(s);
	status = checkpoint_save(s->options->checkpoint, s, s->cycle, s->d);
	start_threads(s);
	return status;
}

static int between_cycles(struct sim *s, const char *kernel)
{
	int status = check_progress(s, kernel);

	return status == 0 && s->options->checkpoint ? keep_checkpoint(s) : status;
}

/* Ticks until `over`; 0, 1 when max_cycles is reached, SIM_STOPPED, or DIAG_ERROR. */
static int tick_until(struct sim *s, bool (*over)(const struct sim *s), const char *kernel)
{
	int status = 0;

	while (!over(s) && status == 0) {
		uint64_t now = s->cycle;

		if (now >= s->series.next)
			end_windows(s);
		tick(s);
		if (s->ctas.placed >= s->sampler.next_border) {
			moment_read(s, sampler_moment(&s->sampler));
			sampler_border(&s->sampler);
		}
		if (over(s))
			s->cycle = now + 1;
		else
			status = between_cycles(s, kernel);
	}
	return status;
}

static bool ctas_gone(const struct sim *s)
{
	return cta_scheduler_done(&s->ctas);
}

static bool memory_idle(const struct sim *s)
{
	return memsys_is_empty(s->memory);
}

/* The CTAs, then what is in flight. */
static int run_ctas(struct sim *s)
{
	const char *kernel = s->now.row.name;
	int status = tick_until(s, ctas_gone, kernel);

	if (status == 0)
		status = check_trace(s);
	if (status == 0)
		status = tick_until(s, memory_idle, kernel);
	if (status != 0)
		return status;
	memsys_kernel_end(s->memory, s->cycle);
	s->machine.memory_wake = s->now.boundary = s->cycle;
	s->now.at_boundary = true;
	return 0;
}

/* Then what the LLC policy does at the boundary. */
static int run_to_end(struct sim *s)
{
	int status = s->now.at_boundary ? 0 : run_ctas(s);

	if (status != 0)
		return status;
	status = tick_until(s, memory_idle, s->now.row.name);
	show_bar(s, TIMELINE_BOUNDARIES, "kernel boundary", s->now.boundary);
	return status;
}

/* Goes on with the launch that was begun, be it in this process or in another. */
static int finish_kernel(struct sim *s)
{
	struct moment *end = &s->result->end;
	int status = run_to_end(s);

	if (status < 0)
		return status;
	s->now.active = false;
	if (s->options->max_cycles && s->cycle > s->options->max_cycles)
		s->cycle = s->options->max_cycles;
	show_bar(s, TIMELINE_KERNELS, s->now.row.name, s->now.start);
	moment_now(s, end);
	moment_since(s->result, end, &s->before);
	if (status == 0)
		check_conservation(s, &end->counters);
	if (status == 0 && is_concurrent(s))
		batch_check(&s->batch, &end->counters);
	sampler_end(&s->sampler, &s->now.row, end);
	put_results(s, &s->now.row, end);
	return status;
}

static int run_kernel(struct sim *s, const struct trace_launch *launch)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch->kernel);
	struct kernel_result *row = &s->now.row;
	int status;

	s->now = (struct launch_run){.row = row_of(launch, kernel, s->launches), .start = s->cycle};
	if (find_occupancy(s, launch, kernel, &row->occupancy, s->d) < 0)
		return DIAG_ERROR;
	status = sampler_begin(&s->sampler, launch, (uint64_t)row->occupancy.ctas * s->config->gpu.sms, row, s->d);
	if (status > 0)
		note_verdicts(s, launch, kernel, structure_rows(s, launch->kernel, kernel));
	if (status != 0)
		return status > 0 ? 0 : status;
	s->now.active = true;
	s->launch = s->launches;
	moment_now(s, &s->before);
	batch_begin(&s->batch);
	s->batch.has_atomics = has_atomics(kernel);
	row->first_structure = begin_kernel(s, launch, kernel, &row->occupancy);
	row->nstructures = row->first_structure ? kernel->nstructures : 0;
	if (is_concurrent(s))
		add_to_batch(s, launch, kernel, row);
	return finish_kernel(s);
}

/* --- The run --- */

static void create_result(struct sim *s)
{
	const struct sim_config *c = s->config;
	struct sim_result *r = s->result = xcalloc(1, sizeof *s->result);

	r->config = c;
	r->gpu = arena_strdup(&r->arena, c->name);
	r->llc_policy = c->llc_policy->name;
	r->l1_policy = c->l1_policy->name;
	r->detail = s->options->detail;
	r->nslices = result_slices(c);
	r->nchannels = result_channels(c);
	r->nbanks = c->memory.dram.banks;
	r->structure_stats = xcalloc(MAX_STRUCTURES, sizeof *r->structure_stats);
	vec_push(&r->structures, (struct structure_result){.kernel = "", .id = "(none)"});
	moment_init(&r->end, c, MAX_STRUCTURES);
	moment_init(&s->before, c, MAX_STRUCTURES);
	sampler_init(&s->sampler, &s->options->sample, r, s->trace);
	r->json = json_out_begin(s->options->json);
	result_begin(r);
}

static void create_machine(struct sim *s)
{
	const struct sim_config *c = s->config;
	const struct config_section *l1_knobs_section = sim_config_section(c, c->l1_policy->name);
	const struct config_section *llc_knobs_section = sim_config_section(c, c->llc_policy->name);

	create_result(s);
	s->memory = memsys_create(&c->memory, c->llc_policy, llc_knobs_section ? llc_knobs_section->values : NULL,
				  MAX_STRUCTURES);
	s->result->nrouters = memsys_statistics(s->memory)->routers;
	if (s->options->verify)
		memsys_follow_values(s->memory);
	if (s->options->detail)
		memsys_watch_sharing(s->memory);
	s->context = (struct sm_context){.config = &c->sm,
					 .exec = &c->exec,
					 .l1_config = &c->l1,
					 .l1_policy = c->l1_policy,
					 .l1_policy_knobs = l1_knobs_section ? l1_knobs_section->values : NULL,
					 .memsys = s->memory,
					 .wake = xcalloc(c->gpu.sms, sizeof *s->context.wake),
					 .structures = s->result->structure_stats};
	sm_context_init(&s->context);
	s->sms = xcalloc(c->gpu.sms, sizeof *s->sms);
	for (uint32_t i = 0; i < c->gpu.sms; i++)
		s->sms[i] = sm_create(&s->context, i);
	cta_scheduler_init(&s->ctas, &c->cta, s->sms, c->gpu.sms, c->memory.chips.count,
			   c->memory.chips.count * c->memory.noc.sm_routers, &s->context);
	s->machine = (struct machine){.memory = s->memory,
				      .sms = s->sms,
				      .nsms = c->gpu.sms,
				      .wake = s->context.wake,
				      .context = &s->context,
				      .ctas = &s->ctas,
				      .share_each = s->options->share_each,
				      .reverse = s->options->reverse};
	if (is_concurrent(s)) {
		s->ctas.beside = begin_beside;
		s->ctas.beside_arg = s;
	}
	start_threads(s);
}

static void free_machine(struct sim *s)
{
	end_threads(s);
	cta_scheduler_release(&s->ctas);
	sampler_release(&s->sampler);
	batch_release(&s->batch);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_free(s->sms[i]);
	memsys_free(s->memory);
	xfree(s->sms);
	xfree(s->context.wake);
	xfree(s->insts);
	xfree(s->conflicts);
	xfree(s->structure_base);
	moment_release(&s->before);
}

static void keep_loads(const struct sim *s)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);

	memcpy(s->result->noc_load[0], memory->request_load, sizeof s->result->noc_load[0]);
	memcpy(s->result->noc_load[1], memory->reply_load, sizeof s->result->noc_load[1]);
}

/* `kernels`: how many the launches have. */
static int none_matches(const struct sim *s, uint32_t kernels)
{
	struct kernel_names names = KERNEL_NAMES_INIT;
	char hint[512];

	for (uint32_t i = 0; i < kernels; i++)
		kernel_names_add(&names, trace_kernel_of(s->trace, i)->name);
	kernel_names_hint(&names, s->options->kernels, hint, sizeof hint);
	kernel_names_release(&names);
	return diag_file(s->d, NULL, "none of the trace's %" PRIu32 " launches has a kernel that matches '%s'%s",
			 s->launches, s->options->kernels, hint);
}

static int end_launch(struct sim *s, int status)
{
	s->launches += 1 + s->beside;
	s->beside = 0;
	return status;
}

static int run_launches(struct sim *s)
{
	struct trace_launch launch;
	int status = 0;

	if (s->now.active)
		status = end_launch(s, finish_kernel(s));
	while (status == 0 && (status = next_launch(s, &launch)) > 0) {
		const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch.kernel);

		s->kernels = launch.kernel >= s->kernels ? launch.kernel + 1 : s->kernels;
		status = end_launch(s, is_wanted(s, kernel) ? run_kernel(s, &launch) : 0);
	}
	return status;
}

static struct sim *begin_sim(const struct sim_config *config, struct trace_reader *trace,
			     const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	struct sim *s = xcalloc(1, sizeof *s);

	*s = (struct sim){.config = config,
			  .options = options,
			  .trace = trace,
			  .d = d,
			  .filter = filter,
			  .started = monotonic_seconds()};
	create_machine(s);
	begin_windows(s);
	return s;
}

/* What an image of a simulation has from its process. */
static void move_in(struct sim *s, const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	s->options = options;
	s->filter = filter;
	s->d = d;
	s->started = monotonic_seconds() - s->elapsed;
	s->result->json.stream = options->json;
	s->series.csv = options->series;
	s->timeline.json.stream = options->timeline;
	start_threads(s);
}

/* NULL with `d` filled where the outputs of a run that goes on cannot be written. */
static struct sim *begin_or_resume(const struct sim_config *config, struct trace_reader *trace,
				   const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	FILE *const outputs[] = {options->json, options->series, options->timeline};
	struct sim *s = NULL;

	if (options->checkpoint && checkpoint_resumed(options->checkpoint, outputs, &s, d) < 0)
		return NULL;
	if (!s)
		return begin_sim(config, trace, options, filter, d);
	move_in(s, options, filter, d);
	return s;
}

static void end_result(struct sim *s, bool complete)
{
	struct sim_result *r = s->result;

	moment_now(s, &r->end);
	sampler_finish(&s->sampler);
	r->complete = complete && !trace_cut(s->trace);
	keep_loads(s);
	r->trace_bytes = trace_bytes_read(s->trace);
	r->wall_seconds = monotonic_seconds() - s->started;
	result_end(r);
}

static int run_all(struct sim *s, struct sim_result **result)
{
	int status = run_launches(s);

	if (status == 0 && s->filter && s->result->launches == 0)
		status = none_matches(s, s->kernels);
	finish_windows(s, status < 0);
	if (status >= 0) {
		end_result(s, status == 0);
		*result = s->result;
	} else {
		sim_result_free(s->result);
	}
	free_machine(s);
	xfree(s);
	return status < 0 ? status : 0;
}

int sim_run(const struct sim_config *config, struct trace_reader *trace, const struct sim_options *options,
	    struct sim_result **result, struct diag *d)
{
	regex_t filter;
	struct sim *s;
	int status = DIAG_ERROR;

	*result = NULL;
	if (options->sample.ctas && config->cta.policy == CTA_DISTRIBUTED)
		return diag_file(
		    d, NULL,
		    "ctas are not sampled under cta.policy=distributed, whose chips have their own parts of a "
		    "launch; take another policy, or sample kernels only");
	if (sampling_wanted(&options->sample) && config->gpu.concurrent_kernels > 1)
		return diag_file(d, NULL,
				 "only kernels that run one after the other can be sampled; set "
				 "gpu.concurrent_kernels to 1, or simulate everything");
	if (options->kernels && regcomp(&filter, options->kernels, REG_EXTENDED | REG_NOSUB) != 0)
		return diag_file(d, NULL, "not a regular expression: '%s'", options->kernels);
	s = begin_or_resume(config, trace, options, options->kernels ? &filter : NULL, d);
	if (s)
		status = run_all(s, result);
	if (options->kernels)
		regfree(&filter);
	return status;
}
