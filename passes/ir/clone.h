/* Copies of functions inside their module. */
#ifndef ROMARK_PASSES_CLONE_H
#define ROMARK_PASSES_CLONE_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A copy of a function with a body, which stands behind all others of the module and has the original's linkage, lines
 * and callees. Its name is the caller's to give.
 */
LLVMValueRef clone_function(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
