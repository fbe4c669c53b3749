/*
 * The LLVM pass held against the PTX analyser: for every kernel of a report of the pass, the verdict of each structure
 * on the IR and on the PTX that LLVM makes of it, and where they differ, why. It needs both analysers, which know
 * nothing of each other, and `romark pass --cross-check` alone asks for it: so it stands with the commands.
 */
#ifndef ROMARK_CLI_CROSS_CHECK_H
#define ROMARK_CLI_CROSS_CHECK_H

#include "common/diag.h"
#include "passes/passes.h"

#include <stddef.h>

/*
 * `report` and `options` are those of the pass, `ptx` the module's PTX without marks. Returns the report, malloc'ed,
 * with each kernel's "cross_check" and their sum; NULL with the reason in `d` if the PTX cannot be analysed.
 */
char *cross_check(const char *report, const char *ptx, size_t size, const struct pass_options *options, struct diag *d);

#endif
