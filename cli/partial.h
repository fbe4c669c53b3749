/* Cut traces: what sim and info say about them, with and without --partial. */
#ifndef ROMARK_CLI_PARTIAL_H
#define ROMARK_CLI_PARTIAL_H

#include "trace/trace.h"

#define PARTIAL_ROW(flag) {0, "partial", OPT_FLAG, &(flag), NULL, "take a cut or damaged trace as far as it goes"}

/*
 * Prints a note on stderr if `r` has met the end of a cut trace: that --partial would give results, or, if that is
 * `accepted`, what the results cover. `empty`: no launch is before the cut.
 */
void partial_explain(const struct trace_reader *r, bool accepted, bool empty);

#endif
