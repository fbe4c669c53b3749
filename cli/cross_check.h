/*
 * Compares the marks of the LLVM pass and of the PTX analyser. Code generation makes PTX of a module. For each load
 * there, the pass has marked it or not, and the analyser would mark it or not. A difference may have a ground that
 * explains it, if that ground can be checked. The comparison needs both analysers, which know nothing of each other,
 * and only `romark pass --cross-check` uses it. So it is in the folder of commands.
 */
#ifndef ROMARK_CLI_CROSS_CHECK_H
#define ROMARK_CLI_CROSS_CHECK_H

#include "common/diag.h"
#include "passes/passes.h"

#include <stddef.h>

/*
 * Adds a "cross_check" with each level's loads and differences to `report`, the pass's report on `data`. Returns the
 * new report, malloc'ed. `unexplained` is the number of differences of all levels without a ground. NULL with the
 * reason in `d` if there is no PTX of the module, or it cannot be analysed.
 */
char *cross_check(const char *report, const char *file, const void *data, size_t size,
		  const struct pass_options *options, unsigned *unexplained, struct diag *d);

#endif
