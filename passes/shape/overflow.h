/* Tells which results of integer arithmetic equal the results with unbounded integers. */
#ifndef ROMARK_PASSES_OVERFLOW_H
#define ROMARK_PASSES_OVERFLOW_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * True if `value` is an addition, subtraction, product or shift that never wraps around, with signed or unsigned
 * operands.
 */
bool never_wraps(LLVMValueRef value, bool is_signed);

#ifdef __cplusplus
}
#endif

#endif
