/* Which functions are kernels. */
#ifndef ROMARK_PASSES_KERNEL_H
#define ROMARK_PASSES_KERNEL_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the calling convention says so. */
bool has_kernel_convention(LLVMValueRef function);

/* The function that a row of !nvvm.annotations says it of, or NULL. Front ends before LLVM 20 write such rows. */
LLVMValueRef annotated_kernel(LLVMValueRef row);

/* Whether either says so. Looks at all rows of the module. */
bool is_kernel(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
