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
 * Rows of a table of used files (cli/used_files.h): the program, which is found by PATH, and the files that it writes
 * by the settings.
 */
#define PROGRAM_FILES(settings, name, arena)                                                                           \
	{command_find(name, arena), "the program", NULL}, {program_output_file((settings).times), NULL, "times"},      \
	    {program_output_file((settings).decoded), NULL, "decoded"}

/* The file that an option for an output names; NULL if the output is no file. */
const char *program_output_file(const char *output);

/*
 * Starts argv[0] with the settings in its environment. `trace_fd` >= 0: the descriptor that it writes its trace to,
 * which it inherits. Returns the process id, or DIAG_ERROR (also when --device=cuda finds no GPU).
 */
pid_t program_start(const struct settings *s, int argc, char **argv, int trace_fd, struct diag *d);

enum no_trace { TRACE_IS_EMPTY, TRACE_IS_CUT, TRACE_HAS_FAILED };

/*
 * The message for a program that has ended with `code` and left no whole trace: it launched no kernel (or none that
 * `kernels` selects), is no CUDA program, ended before its trace was complete, or a kernel failed, for which the device
 * has printed more.
 */
void program_explain_no_trace(const char *path, const char *kernels, int code, enum no_trace what, struct diag *d);

#endif
