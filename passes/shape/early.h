/* Tells which instructions may run even if the program does not reach them. */
#ifndef ROMARK_PASSES_EARLY_H
#define ROMARK_PASSES_EARLY_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True if the instruction has no effect and cannot fail. For a load, all its bytes must certainly be memory. */
bool may_run_early(LLVMValueRef instruction);

#ifdef __cplusplus
}
#endif

#endif
