/* Between a command and the process that started it: sees to it that nothing of the command outlives that process. */
#ifndef ROMARK_COMMON_SUPERVISE_H
#define ROMARK_COMMON_SUPERVISE_H

#include <signal.h>
#include <sys/types.h>

/*
 * Forks, and returns in the process that becomes the command, with `mask`. The other process, the supervisor, passes
 * signals of `parent` on and ends as the command does. When `parent` was killed, the supervisor kills the command and
 * all that it has started. `close_in_supervisor`: a descriptor that only the command keeps, or -1.
 */
void supervise(pid_t parent, const sigset_t *mask, int close_in_supervisor);

#endif
