/* The version of romark, with the commit of the build, if known. */
#ifndef ROMARK_CLI_VERSION_H
#define ROMARK_CLI_VERSION_H

#include <stdio.h>

/* "0.1.0 (0123456789ab, 2026-11-28)": the commit and its day. "0.1.0": the build knew no repository. */
const char *version_text(void);
/* The same in parts, with the LLVM that the build is for and what the build has. */
void version_print_json(FILE *out);

#endif
