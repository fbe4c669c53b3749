/* A solved kernel as text for people: the operations of each function, and what their values may point to. */
#ifndef ROMARK_PASSES_SOLUTION_DUMP_H
#define ROMARK_PASSES_SOLUTION_DUMP_H

#include "common/strbuf.h"
#include "passes/solve/solve.h"

/*
 * Appends the kernel, then each function in each calling context with its operations in order. Below an operation are
 * the points-to sets of its operands and its result, unless empty: "v4 {p0+8}". May add constants to the solution;
 * changes nothing else.
 */
void solution_dump(struct solution *s, struct strbuf *out);

#endif
