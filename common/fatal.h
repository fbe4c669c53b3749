/*
 * Where romark ends the process: no memory is left, or a promise inside romark is broken. A program that uses romark as
 * a library must not end so: it sets the hook of its thread, which does not come back.
 */
#ifndef ROMARK_COMMON_FATAL_H
#define ROMARK_COMMON_FATAL_H

/* NULL: the process ends, with the message on standard error. */
extern _Thread_local void (*fatal_hook)(const char *message);

#endif
