/* From options to a configuration, and from a result to a file and a few lines of text. */
#include "cli/sim_command.h"

#include "cli/command.h"
#include "library/lowered_code.h"
#include "cli/partial.h"
#include "cli/sim_output.h"
#include "cli/sim_page.h"
#include "cli/sim_print.h"
#include "common/kernel_names.h"
#include "common/progress.h"
#include "common/xalloc.h"
#include "sim-backend/run/checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void sim_command_files(const struct sim_command *command, struct used_file files[SIM_COMMAND_FILES])
{
	const char *gpu = command->gpu && sim_gpu_is_file(command->gpu) ? command->gpu : NULL;

	files[0] = (struct used_file){gpu, "the GPU's file", NULL};
	files[1] = (struct used_file){command->json, NULL, "json"};
	files[2] = (struct used_file){command->series, NULL, "series"};
	files[3] = (struct used_file){command->perfetto, NULL, "perfetto"};
	files[4] = (struct used_file){command->events, NULL, "events"};
	files[5] = (struct used_file){command->html, NULL, "html"};
}

/* The requests whose events are written: each of the conditions holds for them. */
static int choose_events(const struct sim_command *command, struct request_log_choice *choice, struct diag *d)
{
	if (command->events_of.len && !command->events)
		return diag_file(d, NULL, "--events-of needs --events");
	for (size_t i = 0; i < command->events_of.len; i++)
		if (request_log_choose(choice, command->events_of.data[i], d) < 0)
			return DIAG_ERROR;
	return 0;
}

static int apply_options(const struct sim_command *command, struct sim_config *config, struct diag *d)
{
	struct request_log_choice all = REQUEST_LOG_ALL;
	struct sampling_plan ignored;
	int status = sim_config_policies(config, command->llc, command->l1, d);

	for (size_t i = 0; status == 0 && i < command->set.len; i++)
		status = sim_config_set(config, command->set.data[i], d);
	if (status == 0 && command->sample)
		status = sampling_parse(command->sample, &ignored, d);
	return status == 0 ? choose_events(command, &all, d) : status;
}

struct sim_config *sim_command_config(const struct sim_command *command, int *code)
{
	struct sim_config *config = sim_config_create();
	int bad_gpu = sim_gpu_is_file(command->gpu) ? EXIT_BAD_INPUT : EXIT_WRONG_USAGE;
	struct diag d = DIAG_INIT;
	int status = sim_config_load(config, command->gpu, &d);

	*code = bad_gpu;
	if (status == 0) {
		*code = EXIT_WRONG_USAGE;
		status = apply_options(command, config, &d);
	}
	/* A GPU that is shipped is right by itself, so what does not fit together is of the options. */
	if (status == 0) {
		*code = bad_gpu;
		status = sim_config_check(config, &d);
	}
	if (status == 0)
		return config;
	if (strcmp(d.file, "--set") == 0)
		*code = EXIT_WRONG_USAGE;
	diag_print(&d, stderr);
	sim_config_free(config);
	return NULL;
}

/* How far the trace is tells the time left; a pipe's length is not known, so cycles are shown. */
static void show_progress(void *arg, const struct sim_progress *p)
{
	struct progress *progress = arg;
	char note[160], *title = kernel_title(p->kernel);

	if (progress->total)
		snprintf(note, sizeof note, "launch %" PRIu32 ": %.80s", p->launch, title);
	else
		snprintf(note, sizeof note, "cycles, %" PRIu64 " warp instructions, launch %" PRIu32 ": %.80s",
			 p->warp_instructions, p->launch, title);
	progress_update(progress, progress->total ? p->trace_bytes : p->cycles, note);
	xfree(title);
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static bool has_stdout(const struct sim_command *command)
{
	return is_stdout(command->json) || is_stdout(command->series) || is_stdout(command->perfetto) ||
	       is_stdout(command->events);
}

static void finish(const struct sim_command *command, const struct sim_result *result)
{
	if (!has_stdout(command))
		sim_print_summary(result);
	if (command->list_kernels)
		sim_print_kernels(result);
	if (command->list_structures)
		sim_print_structures(result);
	if (command->lines && !has_stdout(command))
		sim_print_lines(result);
	sim_print_hint(result);
}

static bool nothing_before_cut(struct trace_reader *trace, const struct sim_result *result)
{
	return trace_cut(trace) && sim_result_summary(result).warp_instructions == 0;
}

enum { NO_LAUNCH = SIM_STOPPED - 1 };

/* The files that a simulation writes. */
enum { RESULT, SERIES, TIMELINE, EVENTS, OUTPUT_COUNT };

/*
 * 0, NO_LAUNCH, SIM_STOPPED, or DIAG_ERROR, of which the reason is in `d`, or the trace's cut. The page's streams, if
 * it is wanted, are in place of the outputs for now.
 */
static int simulate(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace,
		    const struct sim_output *outputs, const struct sim_page *page, struct sim_result **result,
		    struct diag *d)
{
	struct progress progress;
	struct sim_options options = {
#define SIM_OPTION(letter, name, kind, field, placeholder, help)
#define SIM_VALUE(letter, name, kind, field, placeholder, help) .field = command->field,
#include "cli/sim_options.def"
	    .kernels = command->kernel_pattern,
	    .json = page->json ? page->json : outputs[RESULT].stream,
	    .series = page->series ? page->series : outputs[SERIES].stream,
	    .timeline = outputs[TIMELINE].stream,
	    .events = outputs[EVENTS].stream,
	    .events_of = REQUEST_LOG_ALL,
	    .report = stderr,
	    .progress_arg = &progress,
	    .lower = lowered_code,
	    .checkpoint = command->checkpoint};
	int status;

	if (command->sample && sampling_parse(command->sample, &options.sample, d) < 0)
		return DIAG_ERROR;
	if (choose_events(command, &options.events_of, d) < 0)
		return DIAG_ERROR;
	progress_start(&progress, "simulating", 0);
	if (progress.terminal) {
		progress.total = trace_stream_bytes_total(trace);
		options.progress = show_progress;
	}
	status = sim_run(config, trace, &options, result, d);
	progress_end(&progress);
	if (status == 0 && nothing_before_cut(trace, *result))
		status = DIAG_ERROR;
	if (status == 0 && sim_result_summary(*result).launches == 0)
		status = NO_LAUNCH;
	return status;
}

/* Simulates into the outputs, which are open. The timeline of a run that fails shows how it came to that. */
static int run(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace,
	       struct sim_output *outputs, struct diag *d)
{
	struct sim_result *result = NULL;
	struct sim_page page = {NULL, NULL};
	int status = command->html ? sim_page_begin(&page, d) : 0;

	if (status == 0)
		status = simulate(command, config, trace, outputs, &page, &result, d);
	if (status == 0 && command->html)
		status = sim_page_end(&page, command->html, outputs[RESULT].stream, outputs[SERIES].stream, d);
	sim_page_release(&page);

	if (status == DIAG_ERROR)
		sim_output_commit(&outputs[TIMELINE], NULL);
	for (unsigned i = 0; i < OUTPUT_COUNT && status == 0; i++)
		status = sim_output_commit(&outputs[i], d);
	if (status == 0)
		finish(command, result);
	sim_result_free(result);
	return status;
}

static int open_outputs(const struct sim_command *command, struct sim_output *outputs, struct diag *d)
{
	const char *const paths[OUTPUT_COUNT] = {command->json, command->series, command->perfetto, command->events};
	int status = 0;

	for (unsigned i = 0; i < OUTPUT_COUNT && status == 0; i++)
		status = sim_output_open(&outputs[i], paths[i], d);
	if (status == 0 && command->series_cycles && !command->series && !command->perfetto && !command->html)
		status = diag_file(d, NULL, "--series-cycles needs --series, --perfetto or --html");
	if (status == 0 && command->html && command->checkpoint)
		status = diag_file(d, NULL, "a run with checkpoints writes no page; leave out --html");
	if (status == 0 && has_stdout(command) && (command->list_kernels || command->list_structures))
		status = diag_file(d, NULL,
				   "--kernels and --structures print on standard output, where another result "
				   "goes; give that a file");
	return status;
}

int sim_command_run(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace)
{
	struct diag d = DIAG_INIT;
	struct sim_output outputs[OUTPUT_COUNT] = {{.stream = NULL}};
	int status = open_outputs(command, outputs, &d);

	if (command->partial)
		trace_accept_cut(trace);
	if (status == 0)
		status = run(command, config, trace, outputs, &d);
	for (unsigned i = 0; i < OUTPUT_COUNT; i++)
		sim_output_abort(&outputs[i]);
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	partial_explain(trace, command->partial, status < 0);
	trace_close(trace);
	if (status == NO_LAUNCH)
		return SIM_NO_LAUNCH;
	if (status == SIM_STOPPED)
		return EXIT_STOPPED;
	return status < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}
