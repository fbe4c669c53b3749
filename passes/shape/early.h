/* Which instructions may be executed although the program does not come to them. */
#ifndef ROMARK_PASSES_EARLY_H
#define ROMARK_PASSES_EARLY_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it has no effect and cannot fail: a load only if all of it lies where there is memory for certain. */
bool may_run_early(LLVMValueRef instruction);

#ifdef __cplusplus
}
#endif

#endif
