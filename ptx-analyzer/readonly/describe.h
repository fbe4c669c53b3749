/* An analysis as a module of a report. */
#ifndef ROMARK_PTX_DESCRIBE_H
#define ROMARK_PTX_DESCRIBE_H

#include "ptx-analyzer/readonly/analysis.h"
#include "verdict/report/verdict_report.h"

struct dwarf;
struct kernel;

/*
 * Fills all of `out` but its name, its text and `ranges`, which asks for the bytes of accesses. Call it before
 * ptx_mark_loads, which changes how instructions are spelled; the lists belong to the analysis.
 */
void ptx_describe(struct ptx_analysis *a, struct report_module *out);

/* Fills in the bytes of the kernel's accesses. (describe_ranges.c) */
void describe_ranges(struct kernel *k, const struct dwarf *d, struct report_access *places, size_t count);

#endif
