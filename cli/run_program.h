/* Running the user's CUDA program under romark's runtime: what `romark run` and `romark trace` share. */
#ifndef ROMARK_CLI_PROGRAM_H
#define ROMARK_CLI_PROGRAM_H

#include "common/process.h"
#include "common/options.h"
#include "settings/settings.h"

#include <stdbool.h>

/* The row of an option table for a setting that has an option; it writes into `settings`, which begins as {0}. */
struct option_row program_option(struct settings *settings, enum setting_id id);

/* Those of both commands. */
#define PROGRAM_ROWS(settings)                                                                                         \
	program_option(&(settings), SETTING_ID_device), program_option(&(settings), SETTING_ID_alias),                 \
	    program_option(&(settings), SETTING_ID_load), program_option(&(settings), SETTING_ID_times),               \
	    program_option(&(settings), SETTING_ID_decoded), program_option(&(settings), SETTING_ID_verify),           \
	    program_option(&(settings), SETTING_ID_interleave), program_option(&(settings), SETTING_ID_quiet)

/*
 * True if the options' values are valid (`kernels` an extended regular expression), and the environment's values are
 * valid too; else says on stderr what is wrong.
 */
bool program_check(const char *command, const struct settings *s);

/*
 * Rows of a table of used files (cli/used_files.h): the program, which is looked for in PATH, and what the settings say
 * that it writes.
 */
#define PROGRAM_FILES(settings, name, arena)                                                                           \
	{command_find(name, arena), "the program", NULL}, {program_output_file((settings).times), NULL, "times"},      \
	    {program_output_file((settings).decoded), NULL, "decoded"}

/* What an option that takes an output names, if that is a file; else NULL. */
const char *program_output_file(const char *output);

/*
 * Starts argv[0] with the settings in its environment. `trace_fd` >= 0: the descriptor that it writes its trace to,
 * which it inherits. Process id, or DIAG_ERROR (also when --device=cuda finds no GPU).
 */
pid_t program_start(const struct settings *s, int argc, char **argv, int trace_fd, struct diag *d);

enum no_trace { TRACE_IS_EMPTY, TRACE_IS_CUT, TRACE_HAS_FAILED };

/*
 * What to tell the user when a program that has ended with `code` left no whole trace: that it launched no kernel (of
 * those that `kernels`, if it is set, asks for), is no CUDA program, ended before its trace was complete, or that a
 * kernel failed, of which the device has told more.
 */
void program_explain_no_trace(const char *path, const char *kernels, int code, enum no_trace what, struct diag *d);

#endif
