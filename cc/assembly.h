/*
 * Inline assembly as nvcc takes it: beside operands, special registers may have one percent sign, "%smid", where Clang
 * asks for two, and operands need no comma between them. Line numbers stay.
 */
#ifndef ROMARK_CC_ASSEMBLY_H
#define ROMARK_CC_ASSEMBLY_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) as Clang takes it to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_assembly_rewrite(const char *text, struct strbuf *out);

#endif
