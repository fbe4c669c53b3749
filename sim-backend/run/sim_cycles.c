/* Cycles go by until something is over, watched: is there progress, is a window over, is a checkpoint due? */
#include "sim-backend/run/sim_internal.h"

#include "common/progress.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/run/checkpoint.h"
#include "sim-backend/run/parallel.h"

#include <inttypes.h>

enum { WATCH_INTERVAL = 8192, DEADLOCK_CYCLES = 200000 };
/* The scoreboard counts a kernel's cycles in 32 bits; adding a latency must not overflow. */
#define LONGEST_KERNEL ((uint64_t)UINT32_MAX - (1u << 20))

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

/* Bytes of instructions that the trace has given, without the bytes that resident warps still have in front of them. */
static uint64_t bytes_replayed(const struct sim *s)
{
	uint64_t left = 0;

	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		left += sm_bytes_left(s->sms[i]);
	return trace_stream_bytes(s->trace) - left;
}

static void report_progress(const struct sim *s, const char *kernel, uint64_t issued)
{
	struct sim_progress p = {.cycles = s->cycle,
				 .warp_instructions = issued,
				 .trace_bytes = bytes_replayed(s),
				 .launch = s->launches,
				 .kernel = kernel};

	s->options->progress(s->options->progress_arg, &p);
}

int sim_check_policies(const struct sim *s)
{
	const void *const policies[] = {s->config->llc_policy, s->config->l1_policy, s->config->replacement};

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		const char *fault = outside_fault(policies[i]);

		if (fault)
			return diag_file(s->d, outside_path(policies[i]), "%s", fault);
	}
	return 0;
}

/*
 * Every few thousand cycles: has anything moved, and is a limit reached? 1 = stop here. Skipped cycles do not count:
 * the model knows what it waits for in them.
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
	if (sim_check_policies(s) < 0)
		return DIAG_ERROR;
	parallel_gather(s->machine.parallel);
	stats = s->context.stats;
	sm_stats_derive(&stats);
	issued = stats.warp_instructions;
	if (s->options->progress)
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

/* --- Threads and checkpoints --- */

void sim_start_threads(struct sim *s)
{
	s->machine.parallel = parallel_create(&s->machine, s->options->threads);
}

void sim_end_threads(struct sim *s)
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
	sim_end_threads(s);
	status = checkpoint_save(s->options->checkpoint, s, s->cycle, s->d);
	sim_start_threads(s);
	return status;
}

static int between_cycles(struct sim *s, const char *kernel)
{
	int status = check_progress(s, kernel);

	return status == 0 && s->options->checkpoint ? keep_checkpoint(s) : status;
}

/* --- Cycles --- */

static void tick(struct sim *s)
{
	uint64_t next = machine_tick(&s->machine, s->cycle);

	s->known_waits += next - s->cycle - 1;
	s->cycle = next;
}

static void pass_over(struct sim *s)
{
	uint64_t passed = 0;

	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		passed += sm_pass(s->sms[i], s->sampler.ratio);
	sampler_passed(&s->sampler, passed);
}

static void look_at_sample(struct sim *s)
{
	if (!sampler_is_due(&s->sampler, s->ctas.placed, s->cycle) || cta_scheduler_done(&s->ctas))
		return;
	sim_moment_read(s, sampler_moment(&s->sampler));
	if (sampler_border(&s->sampler, memsys_is_settled(s->memory)))
		pass_over(s);
}

int sim_tick_until(struct sim *s, bool (*over)(const struct sim *s), const char *kernel)
{
	int status = 0;

	while (!over(s) && status == 0) {
		uint64_t now = s->cycle;

		if (now >= s->series.next)
			sim_end_windows(s);
		tick(s);
		look_at_sample(s);
		if (over(s))
			s->cycle = now + 1;
		else
			status = between_cycles(s, kernel);
	}
	return status;
}
