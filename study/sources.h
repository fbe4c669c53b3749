/* The hash of a source and of all that it includes with quotes, so that a changed header is noticed. */
#ifndef ROMARK_STUDY_SOURCES_H
#define ROMARK_STUDY_SOURCES_H

#include "common/strbuf.h"
#include "study/hash.h"

/*
 * Adds paths and hashes to `text`. A quoted name is looked for beside the file that includes it, then in the folders of
 * `include`, ended by NULL; one that is not found is the compiler's matter.
 */
int sources_describe(const char *path, const char *const *include, struct strbuf *text, struct diag *d);

#endif
