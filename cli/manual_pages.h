/* The manual pages: of romark, and of each sub-command. */
#ifndef ROMARK_CLI_MANUAL_PAGES_H
#define ROMARK_CLI_MANUAL_PAGES_H

#include "cli/subcommands.h"

/* `man romark` to stdout. */
void manual_page_of_all(void);
/* `man romark-NAME` to stdout. */
void manual_page_of(const struct subcommand *command);

#endif
