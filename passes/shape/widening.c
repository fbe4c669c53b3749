/*
 * LLVM does not widen loop counters for NVPTX, since a 64-bit addition is two instructions of the hardware. But a
 * 32-bit counter that indexes an array is extended, scaled and added to the array's address in every iteration; with a
 * 64-bit counter the loop only steps an address. So this file counts what a loop would gain and lose.
 */
#include "passes/shape/shape_passes.h"

#include "passes/shape/overflow.h"

#include <llvm-c/Core.h>

enum { DEEPEST = 8 };

static bool is_address_wide(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

static bool is_narrow(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

/* LLVM uses zero extension if it knows that the value is not negative, so it counts as either kind. */
static bool is_extension(LLVMValueRef user, bool is_signed)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(user);

	return is_address_wide(LLVMTypeOf(user)) && (op == LLVMZExt || (op == LLVMSExt && is_signed));
}

/*
 * Extensions saved, less the truncations that become needed, when `value` and what is computed from it without wrapping
 * around have 64 bits. A comparison needs none: what it compares with is extended before the loop.
 */
static int gain_of(LLVMValueRef value, LLVMValueRef counter, bool is_signed, int depth)
{
	bool truncated = false;
	int gain = 0;

	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		int onward = 0;

		if (user == counter || LLVMIsAICmpInst(user))
			continue;
		if (is_extension(user, is_signed))
			onward = 1;
		else if (depth < DEEPEST && never_wraps(user, is_signed))
			onward = gain_of(user, counter, is_signed, depth + 1);
		else
			truncated = true;
		gain += onward;
	}
	return gain - truncated;
}

bool widening_pays(LLVMBasicBlockRef header)
{
	int gain = 0;

	for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi && LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi)) {
		int as_signed, as_unsigned;

		if (!is_narrow(LLVMTypeOf(phi)))
			continue;
		as_signed = gain_of(phi, phi, true, 0);
		as_unsigned = gain_of(phi, phi, false, 0);
		gain += as_signed > as_unsigned ? as_signed : as_unsigned;
	}
	return gain > 0;
}
