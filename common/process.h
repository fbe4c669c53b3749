/*
 * Child processes of the command line: built as a list of words, run to their end, with termination signals passed on
 * so that the caller can clean up.
 *
 *   struct command c = COMMAND_INIT;
 *   command_add(&c, "clang++"); command_addf(&c, "-I%s", folder);
 *   int code = command_run(&c, &diag);     // 0..255, 128 + signal, or DIAG_ERROR when it could not be started
 *   command_release(&c);
 */
#ifndef ROMARK_CLI_PROCESS_H
#define ROMARK_CLI_PROCESS_H

#include "common/diag.h"
#include "common/vec.h"

#include <stdio.h>
#include <sys/types.h>

struct command {
	VEC(char *) words; /* malloc'ed, without a NULL at the end until the command is run */
};

#define COMMAND_INIT {VEC_INIT}

void command_add(struct command *c, const char *word);
void command_addf(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_add_all(struct command *c, char *const *words, size_t count);
void command_release(struct command *c);
/* One line, quoted for a POSIX shell. */
void command_print(const struct command *c, FILE *out);

/*
 * Starts the command (found in PATH). Returns its process id, or DIAG_ERROR. SIGINT, SIGTERM and SIGHUP stay blocked
 * until process_wait; who does other work before that calls process_let_signals_in.
 */
pid_t command_start(struct command *c, struct diag *d);
void process_let_signals_in(void);
/* Waits for `child`; SIGINT, SIGTERM and SIGHUP that arrive meanwhile are passed to it. Exit code or 128 + signal. */
int process_wait(pid_t child);
int command_run(struct command *c, struct diag *d);
/* As command_run, with the output thrown away. */
int command_try(struct command *c, struct diag *d);
/* The signal that arrived during a wait and should still end this process, or 0. */
int process_pending_signal(void);
/* From now on SIGINT, SIGTERM and SIGHUP wait until process_end_by_signal, outside of waits, too. */
void process_keep_signals(void);
/* Ends the process by the pending signal, if there is one. */
void process_end_by_signal(void);

#endif
