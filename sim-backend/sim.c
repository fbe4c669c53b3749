/* Runs the launches one after the other, each as a loop of ticks. One tick is `tick` below; time skips empty cycles. */
#include "sim-backend/sim.h"

#include "common/progress.h"
#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "sim-backend/llc/policy.h"
#include "sim-backend/result.h"
#include "sim-backend/sm/cta_scheduler.h"

#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { WATCH_INTERVAL = 8192, DEADLOCK_CYCLES = 200000 };
/* The scoreboard counts a kernel's cycles in 32 bits; adding a latency must not overflow. */
#define LONGEST_KERNEL ((uint64_t)UINT32_MAX - (1u << 20))

struct sim {
	const struct sim_config *config;
	const struct sim_options *options;
	struct trace_reader *trace;
	struct diag *d;
	struct memsys *memory;
	struct sm **sms;
	uint64_t memory_wake;
	struct sm_context context;
	struct cta_scheduler ctas;
	uint64_t cycle;

	uint64_t next_watch, last_progress, progress_mark;
	uint64_t known_waits, waits_at_progress; /* cycles that were skipped since something was due later */
	uint32_t launches;
	struct sim_result *result;
	struct launch_inst *insts;
	struct bank_conflicts *conflicts;
	uint32_t *structure_base; /* per kernel of the trace: its first row, or 0 */
	uint32_t nbases;
};

/* --- The tick --- */

static void tick_ctas(struct sim *s)
{
	cta_scheduler_tick(&s->ctas, s->cycle);
}

static void tick_sm(struct sim *s, uint32_t i, bool reply)
{
	if (s->context.wake[i] <= s->cycle)
		s->context.wake[i] = sm_tick(s->sms[i], s->cycle, reply);
	else if (reply)
		s->context.wake[i] = sm_receive(s->sms[i], s->cycle);
}

static void tick_sms(struct sim *s)
{
	const uint64_t *replies = memsys_replies(s->memory);
	uint32_t count = s->config->gpu.sms, last = count - 1;

	for (uint32_t n = 0; n < count; n++) {
		uint32_t i = s->options->reverse ? last - n : n, next = s->options->reverse ? i - 1 : i + 1;

		if (n < last && s->context.wake[next] <= s->cycle)
			sm_prefetch(s->sms[next], s->cycle);
		tick_sm(s, i, replies[i / 64] >> i % 64 & 1);
	}
}

static void tick_memory(struct sim *s)
{
	if (s->memory_wake <= s->cycle)
		memsys_tick(s->memory, s->cycle, s->options->reverse);
}

/*
 * One cycle. What a module hands to another is seen in the next cycle, so the order of the modules does not matter;
 * `reverse` is there to prove it. Afterwards time moves to the next cycle in which some module has something to do.
 */
static void tick(struct sim *s)
{
	static void (*const modules[])(struct sim *) = {tick_ctas, tick_sms, tick_memory};
	enum { COUNT = sizeof modules / sizeof modules[0] };
	uint64_t next;

	for (int i = 0; i < COUNT; i++)
		modules[s->options->reverse ? COUNT - 1 - i : i](s);
	s->memory_wake = memsys_next_event(s->memory, s->cycle);
	next = cta_scheduler_next(&s->ctas, s->cycle);
	next = s->memory_wake < next ? s->memory_wake : next;
	for (uint32_t i = 0; i < s->config->gpu.sms && next > s->cycle + 1; i++)
		next = s->context.wake[i] < next ? s->context.wake[i] : next;
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

static void counters_now(const struct sim *s, struct counters *c)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);

	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_settle(s->sms[i], s->cycle);
	*c = (struct counters){.sm = s->context.stats,
			       .l1 = s->context.l1_stats,
			       .noc = memory->noc,
			       .links = memory->links,
			       .llc = memory->llc,
			       .dram = memory->dram};
	sm_stats_derive(&c->sm);
}

static void counters_since(struct counters *now, const struct counters *before)
{
	uint64_t round_trip_max = now->noc.round_trip_max;

	stats_subtract(sm_stat_rows, &now->sm, &before->sm);
	stats_subtract(l1_stat_rows, &now->l1, &before->l1);
	stats_subtract(noc_stat_rows, &now->noc, &before->noc);
	stats_subtract(link_stat_rows, &now->links, &before->links);
	stats_subtract(llc_stat_rows, &now->llc, &before->llc);
	stats_subtract(dram_stat_rows, &now->dram, &before->dram);
	now->noc.round_trip_max = round_trip_max;
}

static void check_slots(const struct sim *s, const struct kernel_result *k)
{
	uint64_t sum = 0, slots = k->cycles * s->config->gpu.sms * s->config->sm.schedulers;

	for (int i = 0; i < SLOT_COUNT; i++)
		sum += k->counters.sm.slots[i];
	if (sum != slots)
		BUG("schedulers: %" PRIu64 " issue slots, but %" PRIu64 " are accounted for", slots, sum);
}

/* What must hold when a kernel is over and nothing is in flight; a violation is a bug of the model. */
static void check_conservation(const struct sim *s, const struct kernel_result *k)
{
	const struct counters *c = &k->counters;
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
	check_slots(s, k);
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

static void fill_launch_insts(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			      uint32_t base)
{
	free(s->conflicts);
	s->conflicts = xcalloc(kernel->ninsts + 1, sizeof *s->conflicts);
	s->insts = xrealloc(s->insts, sizeof *s->insts * (kernel->ninsts + 1));
	for (uint32_t i = 0; i < kernel->ninsts; i++)
		s->insts[i] = launch_inst_row(launch, kernel, i, &s->config->exec, base);
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
			  struct occupancy *o)
{
	uint64_t threads = product(launch->block);

	if (threads == 0 || threads > s->config->sm.threads)
		return diag_file(s->d, NULL,
				 "kernel %s: a CTA of %" PRIu64 " threads does not fit an SM (sm.threads is %" PRIu32
				 ")",
				 kernel->name, threads, s->config->sm.threads);
	*o = occupancy_of(&s->config->sm, (uint32_t)threads, kernel->registers_per_thread, launch->shared_bytes);
	if (o->ctas == 0)
		return diag_file(
		    s->d, NULL,
		    "kernel %s: an SM has not enough %s for one CTA: %s is %" PRIu64 ", and a CTA takes %" PRIu64,
		    kernel->name, occupancy_limit_name(o->limit), occupancy_limit_key(o->limit), o->have, o->need);
	return 0;
}

static void begin_kernel(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			 const struct occupancy *o)
{
	uint32_t base = structure_rows(s, launch->kernel, kernel);

	note_verdicts(s, launch, kernel, base);
	fill_launch_insts(s, launch, kernel, base);
	s->cycle += s->config->gpu.launch_cycles;
	s->known_waits += s->config->gpu.launch_cycles;
	s->context.kernel = kernel;
	s->context.insts = s->insts;
	s->context.conflicts = s->conflicts;
	s->context.warps_per_cta = o->warps_per_cta;
	s->context.cta_slots = o->ctas;
	s->context.start = s->cycle;
	memsys_kernel_begin(s->memory, s->cycle, has_atomics(kernel));
	s->memory_wake = s->cycle;
	for (uint32_t i = 0; i < s->config->gpu.sms; i++) {
		sm_kernel_begin(s->sms[i]);
		s->context.wake[i] = UINT64_MAX;
	}
	cta_scheduler_begin(&s->ctas, s->trace, product(launch->grid));
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

/* Ticks until `over`; 0, 1 when max_cycles is reached, or DIAG_ERROR. */
static int tick_until(struct sim *s, bool (*over)(const struct sim *s), const char *kernel)
{
	int status = 0;

	while (!over(s) && status == 0) {
		uint64_t now = s->cycle;

		tick(s);
		if (over(s))
			s->cycle = now + 1;
		else
			status = check_progress(s, kernel);
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

/* The CTAs, then what is in flight, then what the LLC policy does at the boundary. */
static int run_to_end(struct sim *s, const char *kernel)
{
	int status = tick_until(s, ctas_gone, kernel);

	if (status == 0)
		status = check_trace(s);
	if (status == 0)
		status = tick_until(s, memory_idle, kernel);
	if (status != 0)
		return status;
	memsys_kernel_end(s->memory, s->cycle);
	s->memory_wake = s->cycle;
	return tick_until(s, memory_idle, kernel);
}

static int run_kernel(struct sim *s, const struct trace_launch *launch)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch->kernel);
	struct kernel_result row = {.launch = s->launches, .marks_in_force = launch->marks_in_force};
	struct counters before;
	uint64_t start = s->cycle;
	int status;

	if (find_occupancy(s, launch, kernel, &row.occupancy) < 0)
		return DIAG_ERROR;
	row.name = arena_strdup(&s->result->arena, kernel->name);
	memcpy(row.grid, launch->grid, sizeof row.grid);
	memcpy(row.block, launch->block, sizeof row.block);
	counters_now(s, &before);
	begin_kernel(s, launch, kernel, &row.occupancy);
	status = run_to_end(s, row.name);
	if (status < 0)
		return status;
	if (s->options->max_cycles && s->cycle > s->options->max_cycles)
		s->cycle = s->options->max_cycles;
	row.cycles = s->cycle - start;
	counters_now(s, &row.counters);
	counters_since(&row.counters, &before);
	if (status == 0)
		check_conservation(s, &row);
	vec_push(&s->result->kernels, row);
	return status;
}

/* --- The run --- */

static void create_machine(struct sim *s)
{
	const struct sim_config *c = s->config;
	const struct config_section *l1_knobs_section = sim_config_section(c, c->l1_policy->name);
	const struct config_section *llc_knobs_section = sim_config_section(c, c->llc_policy->name);

	s->result = xcalloc(1, sizeof *s->result);
	result_keep_config(s->result, c);
	s->result->structure_stats = xcalloc(MAX_STRUCTURES, sizeof *s->result->structure_stats);
	vec_push(&s->result->structures, (struct structure_result){.kernel = "", .id = "(none)"});
	s->memory = memsys_create(&c->memory, c->llc_policy, llc_knobs_section ? llc_knobs_section->values : NULL,
				  MAX_STRUCTURES);
	if (s->options->verify)
		memsys_follow_values(s->memory);
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
}

static void free_machine(struct sim *s)
{
	cta_scheduler_release(&s->ctas);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_free(s->sms[i]);
	memsys_free(s->memory);
	free(s->sms);
	free(s->context.wake);
	free(s->insts);
	free(s->conflicts);
	free(s->structure_base);
}

static uint64_t *copy_counts(const uint64_t *from, size_t count)
{
	uint64_t *to = xcalloc(count + 1, sizeof *to);

	memcpy(to, from, sizeof *to * count);
	return to;
}

/* Policy counters of all SMs' L1s as one set. */
static void add_l1_policy(struct sim *s)
{
	const struct l1_policy_ops *policy = s->config->l1_policy;
	void *sum;

	if (!policy->stats)
		return;
	sum = xcalloc(1, policy->stats_size);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		stats_add(policy->stats, sum, l1_policy_statistics(s->sms[i]->l1));
	result_add_policy(s->result, policy->name, policy->stats, sum);
	free(sum);
}

static void collect(struct sim *s)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);
	struct sim_result *r = s->result;
	struct energy_machine machine = {.sms = s->config->gpu.sms,
					 .routers = memory->routers,
					 .slices = memory->nslices,
					 .burst_bytes = s->config->memory.dram.burst_bytes,
					 .seconds = (double)s->cycle / (s->config->gpu.clock_mhz * 1e6)};

	counters_now(s, &r->total);
	r->cycles = s->cycle;
	r->energy = energy_of(&s->config->energy, &machine, &r->total.sm, &r->total.l1, memory);
	r->llc_structures[0] = copy_counts(memory->structure_accesses, r->structures.len);
	r->llc_structures[1] = copy_counts(memory->structure_hits, r->structures.len);
	r->llc_structures[2] = copy_counts(memory->structure_merges, r->structures.len);
	r->nslices = memory->nslices;
	r->slice_accesses = copy_counts(memory->slice_accesses, memory->nslices);
	memcpy(r->noc_load[0], memory->request_load, sizeof r->noc_load[0]);
	memcpy(r->noc_load[1], memory->reply_load, sizeof r->noc_load[1]);
	r->trace_bytes = trace_bytes_read(s->trace);
	add_l1_policy(s);
	result_add_policy(r, s->config->llc_policy->name, memory->policy_rows, memory->policy_values);
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

static int run_launches(struct sim *s, const regex_t *filter)
{
	struct trace_launch launch;
	uint32_t kernels = 0;
	int status;

	while ((status = trace_next_launch(s->trace, &launch, s->d)) > 0) {
		const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch.kernel);

		kernels = launch.kernel >= kernels ? launch.kernel + 1 : kernels;
		if (!filter || regexec(filter, kernel->name, 0, NULL, 0) == 0) {
			status = run_kernel(s, &launch);
			if (status != 0)
				return status;
		}
		s->launches++;
	}
	return status == 0 && filter && s->result->kernels.len == 0 ? none_matches(s, kernels) : status;
}

int sim_run(const struct sim_config *config, struct trace_reader *trace, const struct sim_options *options,
	    struct sim_result **result, struct diag *d)
{
	struct sim s = {.config = config, .options = options, .trace = trace, .d = d};
	double started = monotonic_seconds();
	regex_t filter;
	int status;

	*result = NULL;
	if (options->kernels && regcomp(&filter, options->kernels, REG_EXTENDED | REG_NOSUB) != 0)
		return diag_file(d, NULL, "not a regular expression: '%s'", options->kernels);
	create_machine(&s);
	status = run_launches(&s, options->kernels ? &filter : NULL);
	if (options->kernels)
		regfree(&filter);
	if (status >= 0) {
		collect(&s);
		s.result->complete = status == 0 && !trace_cut(trace);
		s.result->wall_seconds = monotonic_seconds() - started;
		*result = s.result;
	} else {
		sim_result_free(s.result);
	}
	free_machine(&s);
	return status < 0 ? DIAG_ERROR : 0;
}
