/* `romark sim`: a trace and a GPU in, statistics out. */
#include "cli/command.h"
#include "cli/kernel_pattern.h"
#include "cli/partial.h"
#include "cli/sim_checkpoint.h"
#include "cli/sim_command.h"

#include "common/file.h"
#include "common/heap.h"
#include "common/xalloc.h"
#include "sim-backend/run/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_GPU "selrep64"

/*
 * A run without checkpoints is faster in the heap, too, which lies in large pages, but can do without it. Sanitizers
 * watch the memory of malloc alone.
 */
static bool open_heap(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
	return false;
#else
	struct diag none = DIAG_INIT;

	return heap_open(&none) == 0;
#endif
}

/* Closes all that it opens, and gives the heap back when it is empty. */
static int simulate(struct sim_command *command, const struct checkpoint_plan *plan, const char *path)
{
	struct diag d = DIAG_INIT;
	bool in_heap = !plan->file && open_heap();
	struct checkpoint *checkpoint = plan->file ? checkpoint_begin(plan, &d) : NULL;
	int status = EXIT_BAD_INPUT;
	struct sim_config *config = diag_is_set(&d) ? NULL : sim_command_config(command, &status);
	struct trace_reader *trace = config ? trace_open(path, &d) : NULL;

	if (config)
		status = EXIT_BAD_INPUT;
	if (trace && checkpoint && checkpoint_enter(checkpoint, &config, &trace, &d) < 0) {
		trace_close(trace);
		trace = NULL;
	}
	command->checkpoint = checkpoint;
	if (trace)
		status = sim_command_run(command, config, trace);
	else if (diag_is_set(&d))
		diag_print(&d, stderr);
	sim_config_free(config);
	sim_checkpoint_explain(checkpoint, plan, status);
	checkpoint_end(checkpoint, status == EXIT_OK);
	if (in_heap)
		heap_close();
	return status;
}

static int run(struct sim_command *command, const struct sim_checkpoint *checkpoint, const struct option_row *rows,
	       const char *path)
{
	char *settings = sim_checkpoint_settings(rows);
	const struct checkpoint_plan plan = {.file = checkpoint->file ? checkpoint->file : checkpoint->resume,
					     .resume = checkpoint->resume,
					     .every = checkpoint->every,
					     .at_cycle = checkpoint->at_cycle,
					     .settings = settings};
	int status = simulate(command, &plan, path);

	xfree(settings);
	if (status != SIM_NO_LAUNCH)
		return status;
	fprintf(stderr, "romark: %s: no kernel is launched in this trace\n", path);
	return EXIT_BAD_INPUT;
}

/* A run may keep its checkpoints in the file that it resumes from. */
static bool check_files(const char *trace, const struct sim_command *command, const struct sim_checkpoint *checkpoint)
{
	const char *file = checkpoint->file, *resume = checkpoint->resume;
	bool one = file && resume && file_is_same(file, resume);
	struct used_file files[] = {{trace, "the trace", NULL},
				    [1 + SIM_COMMAND_FILES] = {file, NULL, "checkpoint"},
				    {one ? NULL : resume, "the checkpoint", NULL}};

	sim_command_files(command, files + 1);
	return used_files_check("sim", files, sizeof files / sizeof *files);
}

int cmd_sim(int argc, char **argv)
{
	struct sim_command command = {.gpu = DEFAULT_GPU};
	struct sim_checkpoint checkpoint = SIM_CHECKPOINT_INIT;
	const struct option_row rows[] = {
	    SIM_GPU_ROW(command, "the GPU (default: " DEFAULT_GPU "); 'romark gpus' lists the names"),
#define SIM_OPTION(letter, name, kind, field, placeholder, help)                                                       \
	{letter, name, kind, &command.field, placeholder, help},
#include "cli/sim_options.def"
	    {0, "verify", OPT_FLAG, &command.verify, NULL, "the same as --verify-values"},
	    PARTIAL_ROW(command.partial),
	    {'k', "kernel", OPT_STRING, &command.kernel_pattern, "REGEX",
	     "simulate only launches of kernels that match"},
	    SIM_CHECKPOINT_ROWS(checkpoint),
	    {0},
	};
	const struct usage usage = {
	    "sim", "FILE.romtrace", "Replays a trace on a simulated GPU ('-' reads the trace from standard input).",
	    rows, "Example: romark sim mm.romtrace --llc=selrep --kernels --set l1.size_bytes=98304 --json=mm.json"};
	int operands = options_parse(&usage, argc, argv), status;

	if (operands == 1) {
		status = EXIT_WRONG_USAGE;
		if (kernel_pattern_check("sim", command.kernel_pattern) && sim_checkpoint_check(&checkpoint) &&
		    check_files(argv[0], &command, &checkpoint))
			status = run(&command, &checkpoint, rows, argv[0]);
	} else if (operands < 0) {
		status = usage_exit(operands);
	} else {
		fputs("romark: sim: exactly one trace is needed; see 'romark sim --help'\n", stderr);
		status = EXIT_WRONG_USAGE;
	}
	free(command.set.data);
	free(command.events_of.data);
	return status;
}
