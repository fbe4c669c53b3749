/*
 * A structure that a kernel takes by value and only reads is the same from beginning to end. LLVM does not see that
 * across an atomic operation, which in Clang's code is ordered with all memory, and loads the members anew behind it.
 */
#include "passes/shape/shape_passes.h"

#include "passes/ir/ir_kernel.h"
#include "passes/shape/early.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* --- Parameters that are only read --- */

static bool is_plain_load(LLVMValueRef user)
{
	return LLVMIsALoadInst(user) && !LLVMGetVolatile(user) && LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
}

static bool passes_address_on(LLVMValueRef user)
{
	return LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user);
}

/* True if `address` is used only for loads. */
static bool is_only_read(LLVMValueRef address)
{
	for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!is_plain_load(user) && !(passes_address_on(user) && is_only_read(user)))
			return false;
	}
	return true;
}

/* Applies `work`, which returns whether it changed something, to the parameters that a kernel only reads. */
static bool for_read_parameters(LLVMValueRef function, bool (*work)(LLVMValueRef parameter))
{
	unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5), count = LLVMCountParams(function);
	bool changed = false;

	if (!is_kernel(function))
		return false;
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef parameter = LLVMGetParam(function, i);

		if (LLVMGetEnumAttributeAtIndex(function, i + 1, by_value) && is_only_read(parameter))
			changed |= work(parameter);
	}
	return changed;
}

/* --- Loads that may cross anything --- */

static bool settle(LLVMValueRef address)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(address));
	unsigned invariant = LLVMGetMDKindIDInContext(context, "invariant.load", 14);
	LLVMValueRef mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
	bool changed = false;

	for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (passes_address_on(user)) {
			changed |= settle(user);
		} else if (!LLVMGetMetadata(user, invariant)) {
			LLVMSetMetadata(user, invariant, mark);
			changed = true;
		}
	}
	return changed;
}

bool settle_parameters(LLVMValueRef function)
{
	return for_read_parameters(function, settle);
}

/* --- Loads by the parameter's name --- */

static bool has_constant_indices(LLVMValueRef element)
{
	for (int i = 1; i < LLVMGetNumOperands(element); i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(element, (unsigned)i)))
			return false;
	return true;
}

static bool belongs_first(LLVMValueRef user)
{
	return LLVMIsAGetElementPtrInst(user) ? has_constant_indices(user) : may_run_early(user);
}

static void move_to_end(LLVMValueRef instruction, LLVMBasicBlockRef block)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));

	LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
	LLVMInstructionRemoveFromParent(instruction);
	LLVMInsertIntoBuilder(builder, instruction);
	LLVMDisposeBuilder(builder);
}

static bool gather(LLVMValueRef address)
{
	bool changed = false;

	for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
		LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));

		if (!belongs_first(user))
			continue;
		if (block != first) {
			move_to_end(user, first);
			changed = true;
		}
		if (passes_address_on(user))
			changed |= gather(user);
	}
	return changed;
}

bool gather_parameters(LLVMValueRef function)
{
	return for_read_parameters(function, gather);
}
