/* The libraries that a program names by their path. */
#ifndef ROMARK_CLI_NAMED_LIBRARIES_H
#define ROMARK_CLI_NAMED_LIBRARIES_H

#include <stdbool.h>

/* Whether the ELF file names a library by a path at which there is none. */
bool named_library_is_gone(const char *program);

#endif
