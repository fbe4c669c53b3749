/* One launch from its beginning to its row of the results, with those that run beside it. */
#include "sim-backend/run/sim_internal.h"

#include "common/integer.h"
#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/run/parallel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Tables --- */

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
			      const struct machine_code *code, uint32_t base, uint32_t first)
{
	uint32_t count = code ? code->ninsts : kernel->ninsts, end = first + count;

	s->conflicts = xrealloc(s->conflicts, sizeof *s->conflicts * (end + 1));
	memset(s->conflicts + first, 0, sizeof *s->conflicts * (count + 1));
	s->insts = xrealloc(s->insts, sizeof *s->insts * (end + 1));
	if (code)
		machine_code_rows(code, launch, kernel, &s->config->exec, base, s->insts + first);
	for (uint32_t i = first; !code && i < end; i++)
		s->insts[i] = launch_inst_row(launch, kernel, i - first, &s->config->exec, base);
	s->context.code = code;
	s->context.ninsts = count;
	s->context.kernel = kernel;
	s->context.first_inst = first;
	s->context.insts = s->insts;
	s->context.conflicts = s->conflicts;
	lines_begin(&s->lines, &s->context, launch->kernel);
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

/* Registers of a thread that decide how many CTAs an SM takes. */
static uint32_t registers_of(const struct trace_kernel *kernel, const struct machine_code *code)
{
	return code ? code->registers_per_thread : kernel->registers_per_thread;
}

static int find_occupancy(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			  const struct machine_code *code, struct occupancy *o, struct diag *d)
{
	uint64_t threads = product(launch->block);

	if (threads == 0 || threads > s->config->sm.threads)
		return diag_file(
		    d, NULL, "kernel %s: a CTA of %" PRIu64 " threads does not fit an SM (sm.threads is %" PRIu32 ")",
		    kernel->name, threads, s->config->sm.threads);
	*o = occupancy_of(&s->config->sm, (uint32_t)threads, registers_of(kernel, code), launch->shared_bytes);
	if (o->ctas == 0)
		return diag_file(
		    d, NULL,
		    "kernel %s: an SM has not enough %s for one CTA: %s is %" PRIu64 ", and a CTA takes %" PRIu64,
		    kernel->name, occupancy_limit_name(o->limit), occupancy_limit_key(o->limit), o->have, o->need);
	return 0;
}

static struct kernel_result row_of(const struct trace_launch *launch, const struct trace_kernel *kernel,
				   const struct machine_code *code, uint32_t number)
{
	struct kernel_result row = {.name = kernel->name,
				    .launch = number,
				    .marks_in_force = launch->marks_in_force,
				    .marks = launch->marks,
				    .registers = registers_of(kernel, code),
				    .estimated_registers = kernel->registers_per_thread};

	memcpy(row.grid, launch->grid, sizeof row.grid);
	memcpy(row.block, launch->block, sizeof row.block);
	return row;
}

/* Bytes of an SM's shared memory that as many CTAs as fit have. */
static uint32_t used_shared(const struct sm_config *config, const struct trace_launch *launch, uint32_t registers,
			    const struct occupancy *o)
{
	struct cta_needs needs =
	    cta_needs_of(config, (uint32_t)product(launch->block), registers, launch->shared_bytes);

	return (uint32_t)(o->ctas * needs.of[LIMIT_SHARED]);
}

/* `launch`: which of those that run at once. */
static struct local_layout local_layout_of(const struct sim *s, const struct trace_launch *launch,
					   const struct occupancy *o, uint32_t number)
{
	uint64_t even = divide_up(product(launch->grid), s->config->gpu.sms);
	uint64_t ctas = even < o->ctas ? even : o->ctas;

	return (struct local_layout){.words = (uint32_t)divide_up(launch->local_bytes, LOCAL_WORD_BYTES),
				     .slots = (uint32_t)(ctas ? ctas : 1) * o->warps_per_cta,
				     .sms = s->config->gpu.sms,
				     .launch = number};
}

/* Returns the first row of its structures. */
static uint32_t begin_kernel(struct sim *s, const struct trace_launch *launch, const struct trace_kernel *kernel,
			     const struct machine_code *code, const struct occupancy *o)
{
	uint32_t base = structure_rows(s, launch->kernel, kernel), step;
	uint32_t shared = used_shared(&s->config->sm, launch, registers_of(kernel, code), o);

	note_verdicts(s, launch, kernel, base);
	fill_launch_insts(s, launch, kernel, code, base, 0);
	s->ninsts = s->context.ninsts;
	s->cycle += s->config->gpu.launch_cycles;
	s->known_waits += s->config->gpu.launch_cycles;
	s->context.warps_per_cta = o->warps_per_cta;
	s->context.local = local_layout_of(s, launch, o, 0);
	s->context.cta_slots = o->ctas;
	s->context.spare_shared = s->config->sm.shared_bytes - shared;
	s->l1.size_bytes = l1_bytes_beside(&s->config->l1, shared, &step);
	s->context.start = s->cycle;
	parallel_kernel_begin(s->machine.parallel);
	memsys_kernel_begin(s->memory, s->cycle, has_atomics(kernel));
	s->machine.memory_wake = s->cycle;
	for (uint32_t i = 0; i < s->config->gpu.sms; i++) {
		sm_kernel_begin(s->sms[i]);
		s->context.wake[i] = UINT64_MAX;
	}
	cta_scheduler_begin(&s->ctas, &s->sampler.source, s->sampler.choice.simulated);
	sampler_start(&s->sampler, s->cycle, &s->before);
	return base;
}

/* --- Several launches at once --- */

static void add_to_batch(struct sim *s, const struct trace_launch *launch, const struct kernel_result *row)
{
	struct cta_needs needs =
	    cta_needs_of(&s->config->sm, (uint32_t)product(launch->block), row->registers, launch->shared_bytes);

	s->context.launch = batch_add(&s->batch, row, launch->stream, &needs, s->cycle);
	s->context.launches = s->batch.launches.data;
	s->context.local = local_layout_of(s, launch, &row->occupancy, s->context.launch);
	parallel_kernel_begin(s->machine.parallel);
}

bool sim_is_wanted(const struct sim *s, const struct trace_kernel *kernel)
{
	return !s->filter || kernel_matches(s->filter, kernel->name);
}

/* Reads on to the next launch that is to be simulated, and keeps it in `ahead`; false at the end. */
static bool look_ahead(struct sim *s)
{
	while (!s->has_ahead && trace_next_launch(s->trace, &s->ahead, &s->ctas.failure) > 0) {
		s->has_ahead = sim_is_wanted(s, trace_kernel_of(s->trace, s->ahead.kernel));
		s->beside += !s->has_ahead;
	}
	return s->has_ahead;
}

int sim_next_launch(struct sim *s, struct trace_launch *launch)
{
	int status = s->has_ahead ? 1 : trace_next_launch(s->trace, &s->ahead, s->d);

	s->has_ahead = false;
	*launch = s->ahead;
	return status;
}

/* See cta_scheduler.beside. A launch that does not fit is left for later, when this is an error. */
static bool begin_beside(void *arg, uint64_t cycle)
{
	struct sim *s = arg;
	const struct trace_launch *launch = &s->ahead;
	const struct trace_kernel *kernel;
	const struct machine_code *code;
	struct kernel_result row;
	struct diag d = DIAG_INIT;

	(void)cycle;
	if (!look_ahead(s))
		return false;
	kernel = trace_kernel_of(s->trace, launch->kernel);
	if (sim_find_code(s, launch->kernel, &code, &d) < 0)
		return false;
	row = row_of(launch, kernel, code, s->launches + 1 + s->beside);
	if (!batch_allows(&s->batch, launch, has_atomics(kernel), s->config->gpu.concurrent_kernels) ||
	    find_occupancy(s, launch, kernel, code, &row.occupancy, &d) < 0)
		return false;
	s->has_ahead = false;
	s->beside++;
	row.first_structure = structure_rows(s, launch->kernel, kernel);
	row.nstructures = row.first_structure ? kernel->nstructures : 0;
	note_verdicts(s, launch, kernel, row.first_structure);
	fill_launch_insts(s, launch, kernel, code, row.first_structure, s->ninsts);
	s->ninsts += s->context.ninsts;
	add_to_batch(s, launch, &row);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_kernel_join(s->sms[i]);
	return true;
}

void sim_allow_beside(struct sim *s)
{
	s->ctas.beside = begin_beside;
	s->ctas.beside_arg = s;
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

/* --- From beginning to end --- */

static bool ctas_gone(const struct sim *s)
{
	return cta_scheduler_done(&s->ctas);
}

static bool memory_idle(const struct sim *s)
{
	return memsys_is_empty(s->memory);
}

/* Runs until the CTAs are over and nothing is in flight. */
static int run_ctas(struct sim *s)
{
	const char *kernel = s->now.row.name;
	int status = sim_tick_until(s, ctas_gone, kernel);

	if (status == 0)
		status = check_trace(s);
	if (status == 0)
		status = sim_tick_until(s, memory_idle, kernel);
	if (status != 0)
		return status;
	memsys_kernel_end(s->memory, s->cycle);
	s->machine.memory_wake = s->now.boundary = s->cycle;
	s->now.at_boundary = true;
	return 0;
}

/* Then runs the LLC policy's work at the boundary. */
static int run_to_end(struct sim *s)
{
	int status = s->now.at_boundary ? 0 : run_ctas(s);

	if (status != 0)
		return status;
	status = sim_tick_until(s, memory_idle, s->now.row.name);
	sim_show_bar(s, TIMELINE_BOUNDARIES, "kernel boundary", s->now.boundary);
	return status;
}

/* The L1s are of no use any more. */
static void count_bounds(struct sim *s)
{
	struct l1_stats *stats = &s->context.l1_stats;

	for (uint32_t i = 0; i < s->config->gpu.sms; i++) {
		stats->bound_fetches += l1_bound_fetches(s->sms[i]->l1);
		l1_count_reuse(s->sms[i]->l1, stats->lines_found);
	}
}

/* An old value is the fault of an LLC policy from outside; with those of the tree it is a bug of the model. */
static int check_values(const struct sim *s)
{
	const struct llc_policy_ops *policy = s->config->llc_policy;
	const char *path = outside_path(policy), *wrong = path ? memsys_old_value(s->memory) : NULL;

	return wrong ? diag_file(s->d, path, "policy '%s': %s", policy->name, wrong) : 0;
}

int sim_finish_launch(struct sim *s)
{
	struct moment *end = &s->result->end;
	int status = run_to_end(s);

	if (status < 0)
		return status;
	s->now.active = false;
	sim_log_kernel_end(s, s->now.row.name);
	if (s->options->max_cycles && s->cycle > s->options->max_cycles)
		s->cycle = s->options->max_cycles;
	sim_show_bar(s, TIMELINE_KERNELS, s->now.row.name, s->now.start);
	count_bounds(s);
	sim_moment_now(s, end);
	moment_since(s->result, end, &s->before);
	lines_end(&s->lines, s->result);
	if (check_values(s) < 0)
		return DIAG_ERROR;
	if (status == 0)
		sim_check_conservation(s, &end->counters);
	if (status == 0 && sim_is_concurrent(s))
		batch_check(&s->batch, &end->counters);
	if (sampler_end(&s->sampler, &s->now.row, end, status == 0 && !trace_cut(s->trace), s->d) < 0)
		return DIAG_ERROR;
	put_results(s, &s->now.row, end);
	return status;
}

int sim_run_launch(struct sim *s, const struct trace_launch *launch)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch->kernel);
	struct kernel_result *row = &s->now.row;
	const struct machine_code *code;
	int status;

	if (sim_find_code(s, launch->kernel, &code, s->d) < 0)
		return DIAG_ERROR;
	s->now = (struct launch_run){.row = row_of(launch, kernel, code, s->launches), .start = s->cycle};
	if (find_occupancy(s, launch, kernel, code, &row->occupancy, s->d) < 0)
		return DIAG_ERROR;
	status = sampler_begin(&s->sampler, launch, (uint64_t)row->occupancy.ctas * s->config->gpu.sms, row, s->d);
	if (status > 0)
		note_verdicts(s, launch, kernel, structure_rows(s, launch->kernel, kernel));
	if (status != 0)
		return status > 0 ? 0 : status;
	s->now.active = true;
	s->launch = s->launches;
	sim_moment_now(s, &s->before);
	batch_begin(&s->batch);
	s->batch.has_atomics = has_atomics(kernel);
	sim_log_kernel(s, kernel->name);
	row->first_structure = begin_kernel(s, launch, kernel, code, &row->occupancy);
	row->nstructures = row->first_structure ? kernel->nstructures : 0;
	if (sim_is_concurrent(s))
		add_to_batch(s, launch, row);
	return sim_finish_launch(s);
}
