/* The options and the output of a simulation, as `romark sim` and `romark run --gpu=` share them. */
#ifndef ROMARK_CLI_SIM_COMMAND_H
#define ROMARK_CLI_SIM_COMMAND_H

#include "cli/used_files.h"
#include "common/options.h"
#include "sim-backend/run/sim.h"

struct sim_command {
	const char *gpu, *kernel_pattern;
	bool partial;
#define SIM_OPTION(letter, name, kind, field, placeholder, help) OPTION_TYPE(kind) field;
#include "cli/sim_options.def"
	struct checkpoint *checkpoint; /* or NULL */
};

/* The row of --gpu, for an option table whose other rows come from cli/sim_options.def. */
#define SIM_GPU_ROW(command, help) {'g', "gpu", OPT_STRING, &(command).gpu, "NAME|FILE.yaml", help}

/* Fills in the files that the options name, for used_files_check: the GPU's, and those that are written. */
enum { SIM_COMMAND_FILES = 6 };
void sim_command_files(const struct sim_command *command, struct used_file files[SIM_COMMAND_FILES]);

/*
 * The configuration that the options describe, checked. NULL after printing what is wrong, with the exit code in
 * `code`: bad input for a GPU's file, else wrong usage. Free: sim_config_free.
 */
struct sim_config *sim_command_config(const struct sim_command *command, int *code);
/*
 * Simulates, writes the JSON, prints the summary; an exit code, or SIM_NO_LAUNCH, without a result or a message, when
 * the trace has no launch. Closes `trace`.
 */
enum { SIM_NO_LAUNCH = -1 };
int sim_command_run(const struct sim_command *command, const struct sim_config *config, struct trace_reader *trace);

#endif
