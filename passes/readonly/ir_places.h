/* The source places of operations, from debug information, and the calls by which kernels reach them. */
#ifndef ROMARK_PASSES_IR_PLACES_H
#define ROMARK_PASSES_IR_PLACES_H

#include "passes/readonly/facts.h"
#include "verdict/place.h"

/* All places of an instruction, the innermost first, in the facts' arena; none without debug information. */
struct place_chain ir_places(struct facts *facts, LLVMValueRef inst);
/* The calls that lead to calling context `way` of the kernel; NULL and 0 for the kernel itself. */
const struct call_step *ir_calls(struct facts *facts, const struct ir_kernel *k, uint32_t way, uint32_t *count);

#endif
