/* Between a command and the process that started it: sees to it that nothing of the command outlives that process. */
#ifndef ROMARK_COMMON_SUPERVISE_H
#define ROMARK_COMMON_SUPERVISE_H

#include <signal.h>
#include <sys/types.h>

/*
 * Forks: returns in the process that is to become the command, with `mask`. The other one passes signals of `parent` on
 * and ends as the command does. When `parent` has been killed, it kills the command and all that this has started.
 * `close_in_supervisor`: a descriptor that only the command is to keep, or -1.
 */
void supervise(pid_t parent, const sigset_t *mask, int close_in_supervisor);

#endif
