/* NVIDIA's machine instructions as the trace's static table has them. */
#ifndef ROMARK_TRACE_IMPORT_SASS_H
#define ROMARK_TRACE_IMPORT_SASS_H

#include "trace/import/traceg.h"

enum sass_kind {
	SASS_KNOWN,
	SASS_UNSEEN,         /* moves memory without addresses of lanes */
	SASS_UNKNOWN,        /* has no row */
	SASS_UNKNOWN_MEMORY, /* .. and by its name moves memory */
};

enum sass_kind sass_kind(const char *opcode);
/* Class, space, flags, registers and lines of an instruction; the caller sets TRACE_HAS_ACCESS. */
void sass_describe(const struct traceg_code *from, struct trace_inst *to);

#endif
