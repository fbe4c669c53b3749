/* From options to a configuration, and from a result to a file and a few lines of text. */
#include "cli/sim_command.h"

#include "cli/command.h"
#include "cli/partial.h"
#include "common/file.h"
#include "common/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sim_config *sim_command_config(const struct sim_command *command)
{
	struct sim_config *config = sim_config_create();
	struct diag d = DIAG_INIT;
	int status = sim_config_load(config, command->gpu, &d);

	if (status == 0)
		status = sim_config_policies(config, command->llc, command->l1, &d);
	for (size_t i = 0; status == 0 && i < command->set.len; i++)
		status = sim_config_set(config, command->set.data[i], &d);
	if (status == 0)
		status = sim_config_check(config, &d);
	if (status == 0)
		return config;
	diag_print(&d, stderr);
	sim_config_free(config);
	return NULL;
}

static void show_progress(void *arg, const struct sim_progress *p)
{
	char note[160];

	snprintf(note, sizeof note, "cycles, %" PRIu64 " warp instructions, launch %" PRIu32 ": %.80s",
		 p->warp_instructions, p->launch, p->kernel);
	progress_update(arg, p->cycles, note);
}

static void print_summary(const struct sim_summary *s)
{
	printf("%s, LLC %s, L1 %s: %" PRIu64 " launch%s%s\n", s->gpu, s->llc_policy, s->l1_policy, s->launches,
	       s->launches == 1 ? "" : "es", s->complete ? "" : ", not to the end");
	printf("  cycles               %" PRIu64 "\n", s->cycles);
	printf("  warp instructions    %" PRIu64 "  (IPC %.2f)\n", s->warp_instructions, s->ipc);
	printf("  L1 miss rate         %.1f %%\n", 100 * s->l1_miss_rate);
	printf("  LLC miss rate        %.1f %%,  %.2f replies per cycle\n", 100 * s->llc_miss_rate,
	       s->replies_per_cycle);
	printf("  memory bandwidth     %.1f GB/s\n", s->bandwidth_gbs);
	printf("  energy               %.4g J\n", s->energy_j);
	printf("  simulated            %.0f cycles/s, %.0f warp instructions/s\n", s->cycles_per_second,
	       s->warp_instructions_per_second);
}

static int write_json(struct outfile *out, const struct sim_result *result, struct diag *d)
{
	char *json = sim_result_json(result);

	fputs(json, out->stream);
	free(json);
	return outfile_commit(out, d);
}

static void finish(const struct sim_command *command, const struct sim_result *result)
{
	struct sim_summary summary = sim_result_summary(result);

	if (!command->json || strcmp(command->json, "-") != 0)
		print_summary(&summary);
}

static bool nothing_before_cut(struct trace_reader *trace, const struct sim_result *result)
{
	return trace_cut(trace) && sim_result_summary(result).warp_instructions == 0;
}

enum { NO_LAUNCH = -2 };

/*
 * Simulates into the file of --json, which is open. 0, NO_LAUNCH, or DIAG_ERROR, of which the reason is in `d`, or the
 * trace's cut.
 */
static int run(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace,
	       struct outfile *out, struct diag *d)
{
	struct progress progress;
	struct sim_options options = {.kernels = command->kernels,
				      .max_cycles = command->max_cycles,
				      .reverse = command->reverse,
				      .verify = command->verify,
				      .report = stderr,
				      .progress = show_progress,
				      .progress_arg = &progress};
	struct sim_result *result;
	int status;

	progress_start(&progress, "simulating", 0);
	status = sim_run(config, trace, &options, &result, d);
	progress_end(&progress);
	if (status == 0 && nothing_before_cut(trace, result))
		status = DIAG_ERROR;
	if (status == 0 && sim_result_summary(result).launches == 0)
		status = NO_LAUNCH;
	if (command->json && status == 0)
		status = write_json(out, result, d);
	else if (command->json)
		outfile_abort(out);
	if (status == 0)
		finish(command, result);
	sim_result_free(result);
	return status;
}

int sim_command_run(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace)
{
	struct diag d = DIAG_INIT;
	struct outfile out;
	int status = command->json ? outfile_open(&out, command->json, &d) : 0;

	if (command->partial)
		trace_accept_cut(trace);
	if (status == 0)
		status = run(command, config, trace, &out, &d);
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	partial_explain(trace, command->partial, status < 0);
	trace_close(trace);
	if (status == NO_LAUNCH)
		return SIM_NO_LAUNCH;
	return status < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}
