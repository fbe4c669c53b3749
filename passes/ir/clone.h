/* Copies of functions inside their module. */
#ifndef ROMARK_PASSES_CLONE_H
#define ROMARK_PASSES_CLONE_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copies a function with a body. The copy is the module's last function, and has the original's linkage, lines and
 * callees. The caller names it.
 */
LLVMValueRef clone_function(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
