/* The trace of this process: where it goes, and whether this process may write it. */
#ifndef ROMARK_CPU_TRACE_OUTPUT_H
#define ROMARK_CPU_TRACE_OUTPUT_H

#include "runtime/cpu/engine/cpu_device.h"

/*
 * Opens dev->trace if the settings name a trace: 0, or DIAG_ERROR. In a process that must not write the trace it stays
 * NULL, and a message says so.
 */
int trace_output_open(struct cpu_device *dev, struct diag *d);
/* A child made by fork has the parent's writer in the middle of its work; the file is the parent's alone. */
void trace_output_leave_to_parent(struct cpu_device *dev);
void trace_output_say_untraced(const struct cpu_device *dev, const char *why);

#endif
