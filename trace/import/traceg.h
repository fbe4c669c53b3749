/*
 * Text of one kernel of an Accel-Sim trace (a .traceg file, packed or not): header, then per CTA and warp the executed
 * instructions, one a line. The tracer itself writes the layout into its "#traces format" line.
 *
 *   struct traceg t; if (traceg_open(&t, path, &d) < 0) ...
 *   while ((event = traceg_next(&t, &d)) > TRACEG_END) switch (event) ...
 *   traceg_rewind(&t, &d); ... traceg_close(&t);
 */
#ifndef ROMARK_TRACE_IMPORT_TRACEG_H
#define ROMARK_TRACE_IMPORT_TRACEG_H

#include "common/arena.h"
#include "common/vec.h"
#include "trace/import/line_reader.h"
#include "trace/trace.h"

/* Tracer versions that can be read. From TRACEG_IMMEDIATES on a number follows the addresses. */
enum { TRACEG_OLDEST = 3, TRACEG_IMMEDIATES = 5, TRACEG_NEWEST = 5 };

/* The kind of the next line; TRACEG_INST is one executed instruction. */
enum traceg_event { TRACEG_END, TRACEG_CTA, TRACEG_WARP, TRACEG_INST, TRACEG_CTA_END };

enum { TRACEG_OPCODE_BYTES = 64 };

/* A static instruction: what all its executions share. Lives until traceg_close. */
struct traceg_code {
	uint64_t pc;
	uint8_t ndst, nsrc;
	uint16_t dst[TRACE_MAX_DESTINATIONS], src[TRACE_MAX_SOURCES];
	char opcode[TRACEG_OPCODE_BYTES];
	/* Not part of its identity. */
	uint32_t id;    /* in order of appearance */
	uint32_t line;  /* of the source, at its first execution; 0 = not known */
	unsigned width; /* the same of traceg_inst */
};

struct traceg_inst {
	const struct traceg_code *code;
	uint32_t mask;
	unsigned width; /* bytes a lane, 0 = no addresses recorded */
	uint64_t address[TRACE_WARP_LANES];
};

struct traceg_form;

/* The static instructions of a kernel, and the spellings of their lines. */
struct traceg_codes {
	struct arena arena;
	struct traceg_code_entry *entries; /* hash */
	struct traceg_form *forms;         /* hash */
	struct traceg_form *begin, *last;  /* before a warp's first line; of the warp's last line */
	VEC(char) key;
	uint32_t count;
};

struct traceg {
	struct input in;
	unsigned body_line; /* the line before the first CTA */
	bool has_source_lines;
	uint32_t version;
	char *name;
	uint32_t grid[3], block[3], shared_bytes, registers, stream;
	uint64_t shared_base, local_base;
	/* Set by the caller: traceg_next reads the lanes' addresses, which takes most of its time. */
	bool wants_addresses;
	/* The last event's values. */
	uint32_t cta[3], warp;
	struct traceg_inst inst;
	struct traceg_codes codes;
	bool in_cta, in_warp;
	uint32_t announced, seen; /* instructions of the open warp */
};

int traceg_open(struct traceg *t, const char *path, struct diag *d);
/* enum traceg_event, or DIAG_ERROR with the line. */
int traceg_next(struct traceg *t, struct diag *d);
/* Back to the first CTA. */
int traceg_rewind(struct traceg *t, struct diag *d);
void traceg_close(struct traceg *t);
/* Warps of a CTA. */
uint32_t traceg_warps(const struct traceg *t);

/* --- Between the files of the reader --- */

/* traceg_inst.c: reads `line` into t->inst. Returns what is wrong with it, or NULL. */
const char *traceg_read_inst(struct traceg *t, const char *line);
/*
 * Whether `line` is spelt like an earlier instruction. Then it is read into t->inst, and *wrong says what is wrong with
 * it.
 */
bool traceg_guess_inst(struct traceg *t, const char *line, size_t len, const char **wrong);
void traceg_begin_warp(struct traceg_codes *codes);
void traceg_codes_release(struct traceg_codes *codes);

#endif
