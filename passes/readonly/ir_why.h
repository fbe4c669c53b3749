/* Reasons for loads of read-only structures that carry no mark. */
#ifndef ROMARK_PASSES_IR_WHY_H
#define ROMARK_PASSES_IR_WHY_H

#include "passes/readonly/facts.h"

/* Why load `a` carries no mark, in the facts' arena, and who denied the mark if this kernel allows it. */
const char *unmarked_load_reason(struct facts *facts, const struct ir_kernel *k, const struct ir_access *a,
				 struct denial *by, enum reason_kind *kind);
/* Fills `why`, `why_op` and `denied_by` of each read-only structure with such a load. */
void explain_unmarked(struct facts *facts);

#endif
