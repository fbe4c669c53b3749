/* `br C, next, far` becomes `br !C, far, next` where !C costs no instruction more than C. */
#include "passes/shape/shape_passes.h"

#include <llvm-c/Core.h>
#include <string.h>

/* --- Negations --- */

static bool has_one_use(LLVMValueRef value)
{
	LLVMUseRef use = LLVMGetFirstUse(value);

	return use && !LLVMGetNextUse(use);
}

static bool is_constant(LLVMValueRef value, unsigned long long wanted)
{
	return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == wanted;
}

/* a && b, a || b: as operations, or as choices, which do not look at b when a decides. */
enum junction { NO_JUNCTION, AND, OR, AND_THEN, OR_ELSE };

static enum junction junction_of(LLVMValueRef value)
{
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMAnd: return AND;
	case LLVMOr: return OR;
	case LLVMSelect:
		if (LLVMTypeOf(LLVMGetOperand(value, 0)) != LLVMTypeOf(value))
			return NO_JUNCTION;
		if (is_constant(LLVMGetOperand(value, 2), 0))
			return AND_THEN;
		return is_constant(LLVMGetOperand(value, 1), 1) ? OR_ELSE : NO_JUNCTION;
	default: return NO_JUNCTION;
	}
}

static LLVMValueRef left_of(LLVMValueRef value)
{
	return LLVMGetOperand(value, 0);
}

static LLVMValueRef right_of(LLVMValueRef value)
{
	return LLVMGetOperand(value, junction_of(value) == OR_ELSE ? 2 : 1);
}

static bool is_comparison(LLVMValueRef value)
{
	return LLVMIsAICmpInst(value) || LLVMIsAFCmpInst(value);
}

/*
 * True if `block` does not grow when it uses the negation of `value`. If an earlier block computes `value`, that block
 * negates it; it rarely runs as often as `block`, which may be in a loop.
 */
static bool is_free(LLVMValueRef value, LLVMBasicBlockRef block)
{
	if (LLVMIsAConstantInt(value))
		return true;
	if (!LLVMIsAInstruction(value) || LLVMIsATerminatorInst(value))
		return false;
	if (LLVMGetInstructionParent(value) != block)
		return true;
	if (!has_one_use(value))
		return false;
	return is_comparison(value) ||
	       (junction_of(value) != NO_JUNCTION && is_free(left_of(value), block) && is_free(right_of(value), block));
}

/* With a NaN, a comparison is false, so its negation must be true. */
static LLVMRealPredicate negated_real(LLVMRealPredicate p)
{
	return (LLVMRealPredicate)(LLVMRealPredicateTrue - p);
}

static LLVMIntPredicate negated_int(LLVMIntPredicate p)
{
	static const LLVMIntPredicate negated[] = {
	    [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
	    [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
	    [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE,
	};

	return negated[p];
}

static LLVMValueRef negate(LLVMBuilderRef b, LLVMValueRef value);

static LLVMValueRef negate_junction(LLVMBuilderRef b, LLVMValueRef value)
{
	LLVMValueRef left = negate(b, left_of(value)), right = negate(b, right_of(value));
	LLVMTypeRef type = LLVMTypeOf(value);

	LLVMPositionBuilderBefore(b, value);
	switch (junction_of(value)) {
	case AND: return LLVMBuildOr(b, left, right, "");
	case OR: return LLVMBuildAnd(b, left, right, "");
	case AND_THEN: return LLVMBuildSelect(b, left, LLVMConstInt(type, 1, 0), right, "");
	default: return LLVMBuildSelect(b, left, right, LLVMConstNull(type), "");
	}
}

static LLVMValueRef negate_comparison(LLVMBuilderRef b, LLVMValueRef value)
{
	LLVMPositionBuilderBefore(b, value);
	if (LLVMIsAICmpInst(value))
		return LLVMBuildICmp(b, negated_int(LLVMGetICmpPredicate(value)), LLVMGetOperand(value, 0),
				     LLVMGetOperand(value, 1), "");
	return LLVMBuildFCmp(b, negated_real(LLVMGetFCmpPredicate(value)), LLVMGetOperand(value, 0),
			     LLVMGetOperand(value, 1), "");
}

static LLVMValueRef negate_result(LLVMBuilderRef b, LLVMValueRef value)
{
	LLVMValueRef behind = LLVMGetNextInstruction(value);

	while (LLVMIsAPHINode(behind))
		behind = LLVMGetNextInstruction(behind);
	LLVMPositionBuilderBefore(b, behind);
	return LLVMBuildNot(b, value, "");
}

/* The negation of a value that is_free(), in the value's block. */
static LLVMValueRef negate(LLVMBuilderRef b, LLVMValueRef value)
{
	if (LLVMIsAConstantInt(value))
		return LLVMConstInt(LLVMTypeOf(value), is_constant(value, 0), 0);
	if (is_comparison(value))
		return negate_comparison(b, value);
	if (junction_of(value) != NO_JUNCTION && has_one_use(value))
		return negate_junction(b, value);
	return negate_result(b, value);
}

/* Removes a condition that was negated, and what it alone was computed from. */
static void drop(LLVMValueRef value)
{
	LLVMValueRef left, right;

	if (!LLVMIsAInstruction(value) || LLVMGetFirstUse(value))
		return;
	if (is_comparison(value)) {
		LLVMInstructionEraseFromParent(value);
	} else if (junction_of(value) != NO_JUNCTION) {
		left = left_of(value);
		right = right_of(value);
		LLVMInstructionEraseFromParent(value);
		drop(left);
		if (right != left)
			drop(right);
	}
}

/* --- Branches --- */

static bool turn(LLVMBuilderRef b, LLVMValueRef branch, LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef next = LLVMGetSuccessor(branch, 0), far = LLVMGetSuccessor(branch, 1);
	LLVMValueRef condition = LLVMGetCondition(branch);

	if (next != LLVMGetNextBasicBlock(block) || far == next || !is_free(condition, block))
		return false;
	LLVMSetCondition(branch, negate(b, condition));
	LLVMSetSuccessor(branch, 0, far);
	LLVMSetSuccessor(branch, 1, next);
	/* The branch weights were given for the branch before it was turned. */
	LLVMSetMetadata(branch, LLVMGetMDKindID("prof", strlen("prof")), NULL);
	drop(condition);
	return true;
}

static bool turn_all(LLVMBuilderRef b, LLVMValueRef function)
{
	bool turned = false;

	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

		if (last && LLVMIsABranchInst(last) && LLVMIsConditional(last))
			turned |= turn(b, last, block);
	}
	return turned;
}

bool turn_branches(LLVMModuleRef module)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	bool turned = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		order_blocks(f);
		turned |= turn_all(b, f);
	}
	LLVMDisposeBuilder(b);
	return turned;
}
