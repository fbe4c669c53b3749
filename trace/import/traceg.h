/*
 * Text of one kernel of an Accel-Sim trace (a .traceg file): header, then per CTA and warp the executed instructions,
 * one a line. The layout is the one that the tracer itself writes into its "#traces format" line.
 *
 *   struct traceg t; if (traceg_open(&t, path, &d) < 0) ...
 *   while ((event = traceg_next(&t, &d)) > TRACEG_END) switch (event) ...
 *   traceg_rewind(&t); ... traceg_close(&t);
 */
#ifndef ROMARK_TRACE_IMPORT_TRACEG_H
#define ROMARK_TRACE_IMPORT_TRACEG_H

#include "common/diag.h"
#include "trace/trace.h"

#include <stdio.h>

/* What the next line begins; TRACEG_INST is one executed instruction. */
enum traceg_event { TRACEG_END, TRACEG_CTA, TRACEG_WARP, TRACEG_INST, TRACEG_CTA_END };

struct traceg_inst {
	const char *text; /* opcode, registers and address of the instruction: the same for all its executions */
	size_t text_len;
	uint64_t pc;
	uint32_t line; /* of the source, 0 = not known */
	uint32_t mask;
	char opcode[64];
	unsigned ndst, nsrc;
	uint16_t dst[TRACE_MAX_DESTINATIONS], src[TRACE_MAX_SOURCES];
	unsigned width; /* bytes a lane, 0 = no addresses recorded */
	uint64_t address[TRACE_WARP_LANES];
};

struct traceg {
	FILE *in;
	char *path, *line;
	size_t line_cap;
	unsigned line_number;
	long body; /* where the first CTA begins */
	unsigned body_line;
	bool has_source_lines;
	char *name;
	uint32_t grid[3], block[3], shared_bytes, registers, stream;
	uint64_t shared_base, local_base;
	/* The last event's values. */
	uint32_t cta[3], warp;
	struct traceg_inst inst;
	char *text;
	size_t text_cap;
	bool in_cta, in_warp;
	uint64_t announced, seen; /* instructions of the open warp */
};

int traceg_open(struct traceg *t, const char *path, struct diag *d);
/* enum traceg_event, or DIAG_ERROR with the line. */
int traceg_next(struct traceg *t, struct diag *d);
/* Back to the first CTA. */
void traceg_rewind(struct traceg *t);
void traceg_close(struct traceg *t);

#endif
