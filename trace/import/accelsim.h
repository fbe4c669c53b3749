/*
 * Import of Accel-Sim traces: a list of kernels (kernelslist.g) and a text file per kernel, as NVBit's tracer and its
 * post-processing leave them. Loads whose opcode says CONSTANT carry the read-only mark. Host copies in the list become
 * allocations. The format has no data structures.
 *
 *   w = trace_create("out.romtrace", &d);
 *   if (accelsim_import("kernelslist.g", w, NULL, &d) < 0) trace_abandon(w); else trace_finish(w, &d);
 */
#ifndef ROMARK_TRACE_IMPORT_ACCELSIM_H
#define ROMARK_TRACE_IMPORT_ACCELSIM_H

#include "common/strbuf.h"
#include "trace/trace.h"

struct accelsim_options {
	void (*progress)(void *context, uint64_t ctas); /* after each CTA, with the CTAs written so far; may be NULL */
	void *context;
	/*
	 * Leaves out instructions that move memory and are not known, or have no addresses in the trace. Without it
	 * they are an error, since the simulated program would not be the program that ran.
	 */
	bool skips_unknown;
	struct strbuf *notes; /* a line for each opcode that is not known or left out; may be NULL */
};

/* `options` may be NULL. 0 or DIAG_ERROR. */
int accelsim_import(const char *list, struct trace_writer *w, const struct accelsim_options *options, struct diag *d);

#endif
