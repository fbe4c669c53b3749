/*
 * Launches with blanks between their chevrons, as some editors leave them: "kernel << <grid, block >> >(...)". nvcc
 * takes them; Clang needs the chevrons side by side. Line and column numbers of the text around them stay.
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
