/* Instructions of a foreign trace that do not get into ours, by opcode; each is reported once. */
#ifndef ROMARK_TRACE_IMPORT_UNKNOWN_H
#define ROMARK_TRACE_IMPORT_UNKNOWN_H

#include "common/strbuf.h"
#include "common/vec.h"
#include "trace/import/traceg.h"

enum left_out {
	LEFT_OUT_NOTHING,
	LEFT_OUT_UNKNOWN,      /* an unknown instruction that counts as plain work */
	LEFT_OUT_ADDRESSES,    /* an instruction that moves memory, without addresses in the trace */
	LEFT_OUT_UNKNOWN_MOVES /* an unknown instruction that seems to move memory */
};

struct unknown_opcode {
	char name[TRACEG_OPCODE_BYTES]; /* before the first dot */
	enum left_out what;
	uint64_t count; /* of warp instructions */
};

struct unknown_opcodes {
	VEC(struct unknown_opcode) list; /* in order of appearance */
};

/* `inst`, whose row of our table is `row`, was executed once more. */
void unknown_count(struct unknown_opcodes *u, const struct traceg_inst *inst, const struct trace_inst *row);
/* DIAG_ERROR if traffic would be missing; `kernel` is for the message. */
int unknown_refuse(const struct unknown_opcodes *u, const char *kernel, struct diag *d);
/* A line for each opcode. */
void unknown_print(const struct unknown_opcodes *u, struct strbuf *out);
void unknown_release(struct unknown_opcodes *u);

#endif
