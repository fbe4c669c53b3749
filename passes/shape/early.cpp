// LLVM's own answer, which its C interface lacks.
#include "passes/shape/early.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instruction.h>

bool may_run_early(LLVMValueRef instruction)
{
	return llvm::isSafeToSpeculativelyExecute(llvm::unwrap<llvm::Instruction>(instruction));
}
