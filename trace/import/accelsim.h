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

/* Bytes from `begin` up to `end`. */
struct accelsim_range {
	uint64_t begin, end;
};

struct accelsim_options {
	void (*progress)(void *context, uint64_t ctas); /* after each CTA, with the CTAs written so far; may be NULL */
	void *context;
	/*
	 * Leaves out instructions that move memory and are not known, or have no addresses in the trace. Without it
	 * they are an error, since the simulated program would not be the program that ran.
	 */
	bool skips_unknown;
	/*
	 * Memory that nothing writes while kernels run. Global loads all of whose accesses in a kernel lie in these
	 * ranges carry the read-only mark there.
	 */
	const struct accelsim_range *ranges;
	size_t nranges;
	struct strbuf *notes; /* a line for each opcode that is not known or left out; may be NULL */
};

/* The ranges of a file: a line each, "BEGIN END" or "BEGIN +BYTES", hexadecimal with 0x; '#' begins a comment. */
int accelsim_read_ranges(const char *path, struct accelsim_range **ranges, size_t *count, struct diag *d);
/* `options` may be NULL. 0 or DIAG_ERROR. */
int accelsim_import(const char *list, struct trace_writer *w, const struct accelsim_options *options, struct diag *d);

#endif
