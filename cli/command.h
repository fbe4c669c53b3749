/* A sub-command: one row in commands.def and one file cmd_NAME.c that defines cmd_NAME. */
#ifndef ROMARK_CLI_COMMAND_H
#define ROMARK_CLI_COMMAND_H

/* Exit codes that scripts rely on. */
enum { EXIT_OK = 0, EXIT_BAD_INPUT = 1, EXIT_WRONG_USAGE = 2, EXIT_STOPPED = 3 };

/* argv[0] is the sub-command's name; returns the exit code. */
#define COMMAND(name, summary) int cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/*
 * Prints a library's message, and returns the exit code for it. The code is wrong usage if the message is about an
 * option's value: then it has the option in place of the file, as in "--columns: no column 'x'".
 */
struct diag;
int error_exit(const struct diag *d);
/* Exit code for what options_parse returned when that is negative. */
int usage_exit(int parse_result);

#endif
