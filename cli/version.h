/* The version of romark, with the commit of the build, if known. */
#ifndef ROMARK_CLI_VERSION_H
#define ROMARK_CLI_VERSION_H

/* "0.1.0 (0123456789ab, 2026-11-28)": the commit and its day. "0.1.0": the build knew no repository. */
const char *version_text(void);

#endif
