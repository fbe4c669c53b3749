/* A trace on its way to where it cannot be read again: passed on, and looked at meanwhile. */
#ifndef ROMARK_CLI_RELAY_H
#define ROMARK_CLI_RELAY_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct relay {
	uint64_t launches; /* that have ended */
	bool complete;     /* the end of the trace was passed on */
	bool failed;       /* .. or a launch that failed */
};

/*
 * Copies `in` to `out` until its end. DIAG_ERROR when `out` takes no more; then the rest is still read, so that its
 * writer can end. `name`: of `out`, for messages.
 */
int relay_trace(int in, int out, const char *name, struct relay *r, struct diag *d);

#endif
