/* From a kernel's pointer origins to its structures and the accesses to them. */
#ifndef ROMARK_PASSES_IR_ACCESS_H
#define ROMARK_PASSES_IR_ACCESS_H

#include "passes/solve/solve.h"
#include "passes/readonly/facts.h"

/* Fills k->structures (without verdicts) and k->accesses; texts and lists go to `arena`. */
void collect_accesses(struct ir_kernel *k, struct solution *s, struct arena *arena);

#endif
