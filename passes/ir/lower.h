/* IR instructions of one function -> operations of ir.h. */
#ifndef ROMARK_PASSES_LOWER_H
#define ROMARK_PASSES_LOWER_H

#include "passes/ir/ir.h"

/* Appends to p->ops and fills the function's first_op, nops and nvalues. */
void lower_function(struct ir *p, struct function_code *f);

#endif
