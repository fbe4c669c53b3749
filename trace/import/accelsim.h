/*
 * Import of Accel-Sim traces: a list of kernels (kernelslist.g) and a text file per kernel, as NVBit's tracer and its
 * post-processing leave them. Loads whose opcode says CONSTANT carry the read-only mark. Host copies in the list become
 * allocations. Nothing is known of data structures.
 *
 *   w = trace_create("out.romtrace", &d);
 *   if (accelsim_import("kernelslist.g", w, NULL, NULL, &d) < 0) trace_abandon(w); else trace_finish(w, &d);
 */
#ifndef ROMARK_TRACE_IMPORT_ACCELSIM_H
#define ROMARK_TRACE_IMPORT_ACCELSIM_H

#include "trace/trace.h"

/* `progress` (may be NULL) is called after each CTA with the CTAs written so far. 0 or DIAG_ERROR. */
int accelsim_import(const char *list, struct trace_writer *w, void (*progress)(void *context, uint64_t ctas),
		    void *context, struct diag *d);

#endif
