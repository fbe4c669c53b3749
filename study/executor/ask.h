/*
 * Runs a command that answers soon: takes its words and input, and gives its output and messages.
 *
 *   struct command_answer a;
 *   if (ask(&command, "input", &a, &diag) < 0) ...      // it could not be started, or its files have no place
 *   if (a.code) ... a.messages ... else ... a.output ...
 *   answer_release(&a);
 */
#ifndef ROMARK_STUDY_EXECUTOR_ASK_H
#define ROMARK_STUDY_EXECUTOR_ASK_H

#include "common/diag.h"
#include "common/process.h"

struct command_answer {
	int code;                /* of its exit, or 128 + signal */
	char *output, *messages; /* of stdout and stderr; NULL only where ask failed */
};

/* A Ctrl-C for this process does not reach the command, so the command finishes what it has begun. */
int ask(struct command *c, const char *input, struct command_answer *a, struct diag *d);
void answer_release(struct command_answer *a);

#endif
