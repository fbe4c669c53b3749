/* Files and lines as SARIF has them. */
#ifndef ROMARK_VERDICT_REPORT_SARIF_PLACES_H
#define ROMARK_VERDICT_REPORT_SARIF_PLACES_H

#include <jansson.h>

/* What a URI under the working folder is relative to. */
#define SARIF_FOLDER "%SRCROOT%"

/* {"uri": "file:///data/"} for the folder "/data". */
json_t *sarif_folder(const char *folder);
/* The file at `path`, which is absolute or starts at `folder`. */
json_t *sarif_artifact(const char *folder, const char *path);
/* A line of it; without a region where `line` is 0. */
json_t *sarif_physical(const char *folder, const char *path, long long line, long long column);

#endif
