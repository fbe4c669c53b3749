// The flags nsw and nuw, which LLVM's C interface has since 18 only.
#include "passes/shape/overflow.h"

#include <llvm/IR/Operator.h>

bool never_wraps(LLVMValueRef value, bool is_signed)
{
	auto *operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(llvm::unwrap(value));

	return operation && (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
}
