/* Reasons for loads of read-only structures that carry no mark. */
#ifndef ROMARK_PASSES_WHY_H
#define ROMARK_PASSES_WHY_H

#include "passes/readonly/facts.h"

/* Fills `why`, `why_op` and `denied_by` of each read-only structure with such a load. */
void explain_unmarked(struct facts *facts);

#endif
