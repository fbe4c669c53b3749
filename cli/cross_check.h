/*
 * The LLVM pass held against the PTX analyser, mark by mark: each load of the PTX that code generation makes of a
 * module was marked by the pass or not, and the analyser would mark it or not. Where they differ, a ground may explain
 * it, if it can be checked. It needs both analysers, which know nothing of each other, and `romark pass --cross-check`
 * alone asks for it: so it stands with the commands.
 */
#ifndef ROMARK_CLI_CROSS_CHECK_H
#define ROMARK_CLI_CROSS_CHECK_H

#include "common/diag.h"
#include "passes/passes.h"

#include <stddef.h>

/*
 * Adds to `report`, the pass's on `data`, a "cross_check" with each level's loads and differences; the new report is
 * malloc'ed. `unexplained` is the number of differences of all levels without a ground. NULL with the reason in `d`
 * if there is no PTX of the module, or it cannot be analysed.
 */
char *cross_check(const char *report, const char *file, const void *data, size_t size,
		  const struct pass_options *options, unsigned *unexplained, struct diag *d);

#endif
