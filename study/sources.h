/* The hash of a source and of all files that it includes with quotes, so that a changed header is noticed. */
#ifndef ROMARK_STUDY_SOURCES_H
#define ROMARK_STUDY_SOURCES_H

#include "common/strbuf.h"
#include "study/hash.h"

/*
 * Adds paths and hashes to `text`. Looks for a quoted name beside the file that includes it, then in the folders of
 * `include`, which ends with NULL. A name that is not found is left to the compiler.
 */
int sources_describe(const char *path, const char *const *include, struct strbuf *text, struct diag *d);

#endif
