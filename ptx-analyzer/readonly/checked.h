/*
 * Kernels that check each marked load: where a launch's guards fail, but all bytes that it may write are known, a load
 * that takes none of these bytes runs as ld.global.nc, another one as it is.
 *
 *   ptx_print_checked(analysis, function, "k" PTX_CHECKED_SUFFIX, &text);
 *
 * The kernel has more parameters, behind its own: for each of CHECKED_RANGES the first byte and the number of bytes,
 * 64 bits each. A range that is not needed has no bytes. A second range would double what a check costs.
 */
#ifndef ROMARK_PTX_CHECKED_H
#define ROMARK_PTX_CHECKED_H

#include "ptx-analyzer/ranges/ranges.h"
#include "ptx-analyzer/readonly/analysis.h"

#define PTX_CHECKED_SUFFIX "$checked"

enum { CHECKED_RANGES = 1, CHECKED_PARAMS = 2 * CHECKED_RANGES };

/* Does the kernel have loads that can be checked? These are marked loads of its own code. */
bool ptx_can_check(const struct ptx_analysis *a, uint32_t function);
/* Before marks are made. Loads in functions that it calls stay as they are. */
void ptx_print_checked(const struct ptx_analysis *a, uint32_t function, const char *name, struct strbuf *out);

/* The values of the added parameters: all of `written`, with what lies between where there are more ranges. */
void ptx_checked_params(const range_list *written, uint64_t params[CHECKED_PARAMS]);

#endif
