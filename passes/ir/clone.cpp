// The one step of copying a function that LLVM's C interface lacks.
#include "passes/ir/clone.h"

#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/Cloning.h>

LLVMValueRef clone_function(LLVMValueRef function)
{
	llvm::ValueToValueMapTy map;

	return llvm::wrap(llvm::CloneFunction(llvm::unwrap<llvm::Function>(function), map));
}
