/* The options and the output of a simulation, as `romark sim` and `romark run --gpu=` share them. */
#ifndef ROMARK_CLI_SIM_COMMAND_H
#define ROMARK_CLI_SIM_COMMAND_H

#include "cli/used_files.h"
#include "common/options.h"
#include "sim-backend/run/sim.h"

struct sim_command {
	const char *gpu, *llc, *l1, *json, *kernels, *series, *perfetto, *sample, *events;
	struct option_list set, events_of;
	unsigned max_cycles, series_cycles, threads;
	bool reverse, verify, partial, detail, list_kernels, list_structures;
	struct checkpoint *checkpoint; /* or NULL */
};

/* Rows of an option table for the fields of `command` (a struct sim_command lvalue), but for --gpu. */
#define SIM_COMMAND_ROWS(command)                                                                                      \
	{0, "llc", OPT_STRING, &(command).llc, "NAME", "LLC policy; 'romark policies' lists them"},                    \
	    {0, "l1", OPT_STRING, &(command).l1, "NAME", "L1 policy"},                                                 \
	    {0, "set", OPT_LIST, &(command).set, "SECTION.KEY=VALUE", "change one value of the GPU; may be repeated"}, \
	    {'j', "json", OPT_STRING, &(command).json, "FILE", "write all results here ('-' = standard output)"},      \
	    {0,          "sample",                                                                                     \
	     OPT_STRING, &(command).sample,                                                                            \
	     "WHAT",     "ctas:N, cycles:N, kernels, or the last with another: simulate a part, estimate the rest"},   \
	    {0, "kernels", OPT_FLAG, &(command).list_kernels, NULL, "print a table of the kernels"},                   \
	    {0, "structures", OPT_FLAG, &(command).list_structures, NULL, "print a table of the data structures"},     \
	    {0, "max-cycles", OPT_COUNT, &(command).max_cycles, "N", "stop after so many GPU cycles"},                 \
	    {0,         "threads",                                                                                     \
	     OPT_COUNT, &(command).threads,                                                                            \
	     "N",       "share the work of one simulation; the results are the same"},                                 \
	    {0,        "reverse-ticks",                                                                                \
	     OPT_FLAG, &(command).reverse,                                                                             \
	     NULL,     "tick the modules backwards: the results are the same"},                                        \
	    {0,        "detail",                                                                                       \
	     OPT_FLAG, &(command).detail,                                                                              \
	     NULL,     "with --json: counts per slice, channel and bank for each kernel"},                             \
	    {0, "series", OPT_STRING, &(command).series, "FILE.csv", "write rates and decisions over time here"},      \
	    {0,         "series-cycles",                                                                               \
	     OPT_COUNT, &(command).series_cycles,                                                                      \
	     "N",       "cycles of a row of --series; default: the LLC policy's epoch"},                               \
	    {0,           "perfetto",                                                                                  \
	     OPT_STRING,  &(command).perfetto,                                                                         \
	     "FILE.json", "write kernels, decisions and rates over time here, for ui.perfetto.dev"},                   \
	    {0, "events", OPT_STRING, &(command).events, "FILE", "write a line for each event of a request here"},     \
	    {0,        "events-of",                                                                                    \
	     OPT_LIST, &(command).events_of,                                                                           \
	     "WHAT",   "only requests of sm:N, line:0xADDRESS, cycles:FROM-UNTIL, kernel:REGEX; may be repeated"},     \
	    {0, "verify", OPT_FLAG, &(command).verify, NULL, "check that no request is served an old value"}

#define SIM_GPU_ROW(command, help) {'g', "gpu", OPT_STRING, &(command).gpu, "NAME|FILE.yaml", help}

/* Rows of a table of used files (cli/used_files.h) for the same fields and --gpu. */
#define SIM_COMMAND_FILES(command)                                                                                     \
	{sim_command_gpu_file(&(command)), "the GPU's file", NULL}, {(command).json, NULL, "json"},                    \
	    {(command).series, NULL, "series"}, {(command).perfetto, NULL, "perfetto"},                                \
	    {(command).events, NULL, "events"}

/* The file that --gpu names; NULL if it names a GPU by its name. */
const char *sim_command_gpu_file(const struct sim_command *command);
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
