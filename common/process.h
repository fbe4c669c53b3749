/*
 * Child processes: a command is built as a list of words and run to its end, and termination signals (SIGINT, SIGTERM,
 * SIGHUP) are passed on to it, so that the caller can clean up.
 *
 *   struct command c = COMMAND_INIT;
 *   command_add(&c, "clang++"); command_addf(&c, "-I%s", folder);
 *   int code = command_run(&c, &diag);     // 0..255, 128 + signal, or DIAG_ERROR when it could not be started
 *   command_release(&c);
 *
 * When this process is killed, its command, and all that the command has started, is killed too. One child at a time. A
 * caller with work of its own between the start and the end uses command_start, then process_let_signals_in or
 * process_pass_signals, then process_wait. A caller that runs several commands and must clean up brackets them:
 *
 *   process_keep_signals();
 *   ... command_run(...), unless process_pending_signal() ...
 *   ... clean up ...
 *   process_end_by_signal();
 */
#ifndef ROMARK_COMMON_PROCESS_H
#define ROMARK_COMMON_PROCESS_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/vec.h"

#include <stdio.h>
#include <sys/types.h>

struct command {
	VEC(char *) words; /* malloc'ed, without a NULL at the end until the command is run */
};

#define COMMAND_INIT {VEC_INIT}

/* The words are copied; command_release frees them. */
void command_add(struct command *c, const char *word);
void command_addf(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_add_all(struct command *c, char *const *words, size_t count);
void command_release(struct command *c);
/* One line, quoted for a POSIX shell. */
void command_print(const struct command *c, FILE *out);

/* Path of `name` if it is an executable in PATH, or contains a slash; else NULL. */
const char *command_find(const char *name, struct arena *arena);
/*
 * Starts the command, found by PATH. Returns its process id, or DIAG_ERROR when it cannot be started. Holds back
 * termination signals until process_wait or process_let_signals_in.
 */
pid_t command_start(struct command *c, struct diag *d);
void process_let_signals_in(void);
/* Passes them to `child` from now on, for a caller that works until process_wait. End with process_end_by_signal. */
void process_pass_signals(pid_t child);
/* Waits for `child`, to which termination signals that arrive meanwhile are passed. Its exit code, or 128 + signal. */
int process_wait(pid_t child);
/* Both: an exit code as process_wait's, or DIAG_ERROR. */
int command_run(struct command *c, struct diag *d);
/* The same with the command's output thrown away. */
int command_try(struct command *c, struct diag *d);
/* The same, but the command's stderr goes to the file `path`. */
int command_messages(struct command *c, const char *path, struct diag *d);
/* The signal that arrived during a wait and should still end this process, or 0. */
int process_pending_signal(void);
/* From now on termination signals wait until process_end_by_signal, outside of waits, too. */
void process_keep_signals(void);
/* Ends the process by the pending signal, if there is one. */
void process_end_by_signal(void);

#endif
