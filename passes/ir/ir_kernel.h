/* Tells which functions are kernels. */
#ifndef ROMARK_PASSES_IR_KERNEL_H
#define ROMARK_PASSES_IR_KERNEL_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True if the calling convention makes it a kernel. */
bool has_kernel_convention(LLVMValueRef function);

/* The function that a row of !nvvm.annotations makes a kernel, or NULL. Front ends before LLVM 20 write such rows. */
LLVMValueRef annotated_kernel(LLVMValueRef row);

/* True if the calling convention or a row makes it a kernel. Searches all rows of the module. */
bool is_kernel(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
