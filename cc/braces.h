/*
 * Launches whose grid or block is a braced list, which nvcc takes and Clang's parser does not:
 *   kernel<<<{3, 1, 1}, {32}>>>(p)   becomes   kernel<<<::romark_dim3({3, 1, 1}), ::romark_dim3({32})>>>(p)
 * In the definition of a macro, its parameters also get romark_dim3, since the argument may be a list. Shared memory
 * and stream have functions of their own. Line numbers stay.
 */
#ifndef ROMARK_CC_BRACES_H
#define ROMARK_CC_BRACES_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) in that form to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_braces_rewrite(const char *text, struct strbuf *out);

#endif
