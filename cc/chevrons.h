/*
 * Launches as some editors leave them and nvcc takes them: "kernel << <grid, block >> >(...)". Clang knows a launch by
 * the chevrons' standing together. Line and column numbers of what is around stay.
 */
#ifndef ROMARK_CC_CHEVRONS_H
#define ROMARK_CC_CHEVRONS_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) as Clang takes it to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_chevrons_rewrite(const char *text, struct strbuf *out);

#endif
