/* An analysis as a module of a report. */
#ifndef ROMARK_PTX_DESCRIBE_H
#define ROMARK_PTX_DESCRIBE_H

#include "ptx-analyzer/readonly/analysis.h"
#include "verdict/report/verdict_report.h"

/*
 * Fills all of `out` but its name and text. Call it before ptx_mark_loads, which changes how instructions are spelled;
 * the lists belong to the analysis.
 */
void ptx_describe(struct ptx_analysis *a, struct report_module *out);

#endif
