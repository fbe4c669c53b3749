/*
 * Macros whose text is a pragma, which nvcc takes and Clang does not:
 *   #define UNROLL #pragma unroll   becomes   #define UNROLL _Pragma("unroll")
 * "#pragma unroll" in front of anything but a loop, for which nvcc only warns, is left out. Line numbers stay.
 */
#ifndef ROMARK_CC_PRAGMAS_H
#define ROMARK_CC_PRAGMAS_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) in that form to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_pragmas_rewrite(const char *text, struct strbuf *out);

#endif
