/* `--kernel=REGEX` of several commands: a wrong pattern is wrong usage, reported before anything is read. */
#ifndef ROMARK_CLI_KERNEL_PATTERN_H
#define ROMARK_CLI_KERNEL_PATTERN_H

#include <stdbool.h>

/* True if the pattern is a regular expression, or NULL; else says on stderr what is wrong with it. */
bool kernel_pattern_check(const char *command, const char *pattern);

#endif
