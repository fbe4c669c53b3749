/* Which results of integer arithmetic are those of unbounded integers. */
#ifndef ROMARK_PASSES_OVERFLOW_H
#define ROMARK_PASSES_OVERFLOW_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `value` is an addition, subtraction, product or shift that never wraps around, its operands read as signed or
 * not. */
bool never_wraps(LLVMValueRef value, bool is_signed);

#ifdef __cplusplus
}
#endif

#endif
