/* A kernel has a calling convention of its own or, before LLVM 20, a row {ptr @f, !"kernel", i32 1, ...}. */
#include "passes/ir/ir_kernel.h"

#include "common/xalloc.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_CONV_PTX_KERNEL = 71 };

bool has_kernel_convention(LLVMValueRef function)
{
	return LLVMGetFunctionCallConv(function) == CALL_CONV_PTX_KERNEL;
}

LLVMValueRef annotated_kernel(LLVMValueRef row)
{
	LLVMValueRef operands[64];
	unsigned count = LLVMGetMDNodeNumOperands(row);

	if (count < 3 || count > 64)
		return NULL;
	LLVMGetMDNodeOperands(row, operands);
	for (unsigned i = 1; i + 1 < count; i += 2) {
		unsigned len = 0;
		const char *key = operands[i] ? LLVMGetMDString(operands[i], &len) : NULL;

		if (key && len == 6 && memcmp(key, "kernel", 6) == 0)
			return operands[0];
	}
	return NULL;
}

bool is_kernel(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
	LLVMValueRef *rows = xcalloc(count, sizeof *rows);
	bool found = has_kernel_convention(function);

	LLVMGetNamedMetadataOperands(module, "nvvm.annotations", rows);
	for (unsigned i = 0; i < count && !found; i++)
		found = rows[i] && annotated_kernel(rows[i]) == function;
	free(rows);
	return found;
}
