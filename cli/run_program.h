/* Running the user's CUDA program under romark's runtime: what `romark run` and `romark trace` share. */
#ifndef ROMARK_CLI_RUN_PROGRAM_H
#define ROMARK_CLI_RUN_PROGRAM_H

#include "cli/used_files.h"
#include "common/process.h"
#include "common/options.h"
#include "settings/settings.h"

#include <stdbool.h>

/* The row of an option table for a setting that has an option; it writes into `settings`, which begins as {0}. */
struct option_row program_option(struct settings *settings, enum setting_id id);

/* The rows that `romark run` and `romark trace` share. */
#define PROGRAM_ROWS(settings)                                                                                         \
	program_option(&(settings), SETTING_ID_device), program_option(&(settings), SETTING_ID_alias),                 \
	    program_option(&(settings), SETTING_ID_load), program_option(&(settings), SETTING_ID_guards),              \
	    program_option(&(settings), SETTING_ID_times), program_option(&(settings), SETTING_ID_decoded),            \
	    program_option(&(settings), SETTING_ID_verify), program_option(&(settings), SETTING_ID_check),             \
	    program_option(&(settings), SETTING_ID_interleave),                                                        \
	    program_option(&(settings), SETTING_ID_max_instructions), program_option(&(settings), SETTING_ID_quiet)

/*
 * True if the options' values are valid (`kernels` an extended regular expression), and the environment's values are
 * valid too; else says on stderr what is wrong.
 */
bool program_check(const char *command, const struct settings *s);

/* The marks are to be those of the launches in a trace. */
bool program_needs_trace(const struct settings *s);

/*
 * Fills in the files of a program, for used_files_check: the program itself, which is found by PATH, and the files that
 * it writes by the settings. The paths last as long as `arena` and the settings.
 */
enum { PROGRAM_FILES = 3 };
void program_files(const struct settings *s, const char *name, struct arena *arena,
		   struct used_file files[PROGRAM_FILES]);

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
