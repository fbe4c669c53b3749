/* One row per IR opcode, one function per kind of instruction that is more than a move. */
#include "passes/ir/lower.h"

#include "passes/ir/lowering.h"
#include "passes/values/sets.h"

enum { PART_BITS = 16 };

/* --- Operands --- */

/* A constant matters when the address of a variable or a function is in it. */
static bool holds_address(LLVMValueRef constant, unsigned depth)
{
	if (LLVMIsAGlobalValue(constant))
		return true;
	if (!LLVMIsAConstantExpr(constant) && !LLVMIsAConstantVector(constant) && !LLVMIsAConstantStruct(constant) &&
	    !LLVMIsAConstantArray(constant))
		return false;
	for (int i = 0; depth && i < LLVMGetNumOperands(constant); i++)
		if (holds_address(LLVMGetOperand(constant, (unsigned)i), depth - 1))
			return true;
	return depth == 0;
}

static uint32_t constant_operand(struct ir *p, LLVMValueRef value)
{
	uint32_t id;

	if (!holds_address(value, 8))
		return OPERAND_NONE;
	id = map_get(&p->constant_ids, map_pointer_key(value));
	if (id == MAP_NONE) {
		id = (uint32_t)p->constants.len;
		vec_push(&p->constants, value);
		map_put(&p->constant_ids, map_pointer_key(value), id);
	}
	return id | OPERAND_CONSTANT;
}

uint32_t lowering_operand(struct lowering *l, LLVMValueRef value)
{
	uint32_t local;

	if (LLVMIsAConstant(value))
		return constant_operand(l->p, value);
	local = map_get(&l->locals, map_pointer_key(value));
	return local == MAP_NONE ? OPERAND_NONE : local;
}

/* --- Emitting operations --- */

struct op *lowering_emit(struct lowering *l, enum op_kind kind, LLVMValueRef inst)
{
	struct op op = {.kind = kind, .result = NO_RESULT, .first = (uint32_t)l->p->operands.len, .inst = inst};

	vec_push(&l->p->ops, op);
	return &vec_last(&l->p->ops);
}

void lowering_add(struct lowering *l, uint32_t value)
{
	vec_push(&l->p->operands, value);
	vec_last(&l->p->ops).count++;
}

void lowering_result(struct lowering *l, LLVMValueRef inst)
{
	uint32_t local = map_get(&l->locals, map_pointer_key(inst));

	vec_last(&l->p->ops).result = local == MAP_NONE ? NO_RESULT : local;
}

/* All operands of `inst` as a move, origins flowing from the first `nset`. */
static void emit_move(struct lowering *l, LLVMValueRef inst, unsigned nset, int64_t bytes)
{
	int count = LLVMGetNumOperands(inst);

	lowering_emit(l, OP_MOVE, inst)->bytes = bytes;
	vec_last(&l->p->ops).nset = nset;
	lowering_result(l, inst);
	for (int i = 0; i < count; i++)
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, (unsigned)i)));
}

bool is_private_pointer(LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		type = LLVMGetElementType(type);
	switch (LLVMGetPointerAddressSpace(type)) {
	case AS_SHARED:
	case AS_CONST:
	case AS_LOCAL:
	case AS_TENSOR:
	case AS_SHARED_CLUSTER:
	case AS_PARAM: return true;
	default: return false;
	}
}

int64_t lowering_size(struct lowering *l, LLVMTypeRef type)
{
	return (int64_t)LLVMStoreSizeOfType(l->p->layout, type);
}

/* --- Instructions --- */

static void lower_alloca(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef count = LLVMGetOperand(inst, 0);
	int64_t size = (int64_t)LLVMABISizeOfType(l->p->layout, LLVMGetAllocatedType(inst));

	size *= LLVMIsAConstantInt(count) ? LLVMConstIntGetSExtValue(count) : INT32_MAX;
	lowering_emit(l, OP_ALLOCA, inst)->bytes = size < 0 || size > INT32_MAX ? INT32_MAX : size;
	lowering_result(l, inst);
}

static void lower_load(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef pointer = LLVMGetOperand(inst, 0);
	unsigned invariant = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(inst)), "invariant.load", 14);
	struct op *op = lowering_emit(l, OP_LOAD, inst);

	op->bytes = lowering_size(l, LLVMTypeOf(inst));
	if (!LLVMGetVolatile(inst) && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic)
		op->flags |= OP_SIMPLE;
	if (is_private_pointer(pointer))
		op->flags |= OP_PRIVATE;
	if (LLVMGetMetadata(inst, invariant))
		op->flags |= OP_INVARIANT;
	if (type_is_pointer(LLVMTypeOf(inst)))
		op->flags |= OP_POINTER;
	lowering_result(l, inst);
	lowering_add(l, lowering_operand(l, pointer));
	if (!(vec_last(&l->p->ops).flags & (OP_SIMPLE | OP_PRIVATE)))
		lowering_emit(l, OP_LISTEN, inst);
}

static bool has_elements(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static void lower_store(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef value = LLVMGetOperand(inst, 0), pointer = LLVMGetOperand(inst, 1);
	struct op *op = lowering_emit(l, OP_STORE, inst);

	op->bytes = lowering_size(l, LLVMTypeOf(value));
	op->flags = (is_private_pointer(pointer) ? OP_PRIVATE : 0) | (has_elements(LLVMTypeOf(value)) ? OP_WHOLE : 0);
	lowering_add(l, lowering_operand(l, pointer));
	lowering_add(l, lowering_operand(l, value));
}

static bool atomic_acquires(LLVMValueRef inst)
{
	LLVMAtomicOrdering order =
	    LLVMIsAAtomicCmpXchgInst(inst) ? LLVMGetCmpXchgSuccessOrdering(inst) : LLVMGetOrdering(inst);

	return order != LLVMAtomicOrderingMonotonic && order != LLVMAtomicOrderingRelease;
}

static void lower_atomic(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef pointer = LLVMGetOperand(inst, 0);
	int last = LLVMGetNumOperands(inst) - 1;
	struct op *op = lowering_emit(l, OP_ATOMIC, inst);

	op->bytes = lowering_size(l, LLVMTypeOf(LLVMGetOperand(inst, (unsigned)last)));
	op->flags = is_private_pointer(pointer) ? OP_PRIVATE : 0;
	lowering_result(l, inst);
	for (int i = 0; i <= last; i++)
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, (unsigned)i)));
	if (!is_private_pointer(pointer) && atomic_acquires(inst))
		lowering_emit(l, OP_LISTEN, inst);
}

/* x + 8 and x - 8 keep track of the offset, other arithmetic may land anywhere in the object. */
static int64_t arithmetic_offset(LLVMValueRef inst, LLVMOpcode opcode)
{
	LLVMValueRef right = LLVMGetOperand(inst, 1);

	if (!LLVMIsAConstantInt(right) || LLVMGetIntTypeWidth(LLVMTypeOf(right)) > 64)
		return OFFSET_ANY;
	if (opcode == LLVMAdd)
		return LLVMConstIntGetSExtValue(right);
	return opcode == LLVMSub ? -LLVMConstIntGetSExtValue(right) : OFFSET_ANY;
}

/*
 * Whether low bits become high bits, as in `high << 32 | low`, which makes an address out of parts. `index << 3` does
 * not.
 */
static bool moves_up(LLVMValueRef inst, LLVMOpcode opcode)
{
	LLVMValueRef right = LLVMGetNumOperands(inst) == 2 ? LLVMGetOperand(inst, 1) : NULL;
	bool known = right && LLVMIsAConstantInt(right) && LLVMGetIntTypeWidth(LLVMTypeOf(right)) <= 64;

	if (opcode == LLVMShl)
		return !known || LLVMConstIntGetZExtValue(right) >= PART_BITS;
	return opcode == LLVMMul && known && LLVMConstIntGetZExtValue(right) >> PART_BITS;
}

static bool is_constant(LLVMValueRef value, uint64_t *bits)
{
	if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
		return false;
	*bits = (uint64_t)LLVMConstIntGetSExtValue(value);
	return true;
}

/*
 * What an operation on bits makes of addresses that a launch looks up as they stand. The look-up sees through tags: the
 * upper 16 bits of an address and those below the alignment of allocations.
 */
static unsigned recoding(LLVMValueRef inst, LLVMOpcode opcode)
{
	const uint64_t low = 0xff, tags = UINT64_C(0xffff) << 48 | low;
	uint64_t bits = 0;
	bool left = LLVMGetNumOperands(inst) == 2 && is_constant(LLVMGetOperand(inst, 0), &bits);
	bool right = LLVMGetNumOperands(inst) == 2 && is_constant(LLVMGetOperand(inst, 1), &bits);

	switch (opcode) {
	case LLVMSub: return left ? OP_RECODED | OP_ENCODED : 0;
	case LLVMAnd:
		if (right)
			return (bits | tags) == UINT64_MAX ? 0 : OP_RECODED;
		return OP_RECODED | OP_JOINED;
	case LLVMOr:
		if (right)
			return bits <= low ? 0 : OP_RECODED | OP_ENCODED;
		return OP_RECODED | OP_JOINED;
	case LLVMXor:
		if (right)
			return bits == UINT64_MAX ? OP_RECODED : OP_RECODED | OP_ENCODED;
		return OP_RECODED | OP_JOINED;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMMul:
	case LLVMUDiv:
	case LLVMSDiv: return OP_RECODED;
	default: return 0;
	}
}

static void lower_return(struct lowering *l, LLVMValueRef inst)
{
	if (LLVMGetNumOperands(inst) == 0)
		return;
	lowering_emit(l, OP_RETURN, inst);
	lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, 0)));
}

static void lower_phi(struct lowering *l, LLVMValueRef inst)
{
	unsigned count = LLVMCountIncoming(inst);

	lowering_emit(l, OP_MOVE, inst)->nset = count;
	vec_last(&l->p->ops).flags = OP_EITHER;
	lowering_result(l, inst);
	for (unsigned i = 0; i < count; i++)
		lowering_add(l, lowering_operand(l, LLVMGetIncomingValue(inst, i)));
}

static void lower_select(struct lowering *l, LLVMValueRef inst)
{
	lowering_emit(l, OP_MOVE, inst)->nset = 2;
	vec_last(&l->p->ops).flags = OP_EITHER;
	lowering_result(l, inst);
	for (unsigned i = 1; i <= 3; i++)
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i % 3)));
}

/* How many operands the result is made of, as they are; -1: arithmetic on all. */
static int operands_kept(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAddrSpaceCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFreeze:
	case LLVMExtractValue:
	case LLVMExtractElement: return 1;
	case LLVMInsertValue:
	case LLVMInsertElement:
	case LLVMShuffleVector: return 2;
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMURem:
	case LLVMSRem:
	case LLVMFNeg:
	case LLVMFAdd:
	case LLVMFSub:
	case LLVMFMul:
	case LLVMFDiv:
	case LLVMFRem:
	case LLVMFPToUI:
	case LLVMFPToSI:
	case LLVMFPTrunc:
	case LLVMFPExt: return 0; /* the result is no address, but an address may depend on it */
	default: return -1;
	}
}

/* Whatever makes a value of its operands, also instructions that later releases add. */
static void lower_value(struct lowering *l, LLVMValueRef inst, LLVMOpcode opcode)
{
	int kept = operands_kept(opcode);

	if (kept >= 0)
		return emit_move(l, inst, (unsigned)kept, 0);
	if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVoidTypeKind)
		return;
	emit_move(l, inst, (unsigned)LLVMGetNumOperands(inst), OFFSET_ANY);
	vec_last(&l->p->ops).flags = (uint16_t)(recoding(inst, opcode) | (moves_up(inst, opcode) ? OP_WHOLE : 0));
}

static void lower_instruction(struct lowering *l, LLVMValueRef inst)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);

	switch (opcode) {
	case LLVMAlloca: return lower_alloca(l, inst);
	case LLVMLoad: return lower_load(l, inst);
	case LLVMStore: return lower_store(l, inst);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: return lower_atomic(l, inst);
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr: return lower_call(l, inst);
	case LLVMRet: return lower_return(l, inst);
	case LLVMFence: lowering_emit(l, OP_LISTEN, inst); return;
	case LLVMPHI: return lower_phi(l, inst);
	case LLVMSelect: return lower_select(l, inst);
	case LLVMGetElementPtr: return emit_move(l, inst, 1, ir_gep_offset(l->p, inst));
	case LLVMBitCast:
		emit_move(l, inst, 1, 0);
		vec_last(&l->p->ops).flags = has_elements(LLVMTypeOf(LLVMGetOperand(inst, 0))) ? OP_WHOLE : 0;
		return;
	case LLVMAdd:
	case LLVMSub:
		emit_move(l, inst, 2, arithmetic_offset(inst, opcode));
		vec_last(&l->p->ops).flags = (uint16_t)recoding(inst, opcode);
		return;
	case LLVMVAArg: lowering_emit(l, OP_OPAQUE, inst); return lowering_result(l, inst);
	case LLVMUIToFP:
	case LLVMSIToFP:
		/* Nobody turns a float back into an address, but the analysis loses sight of the value here. */
		emit_move(l, inst, 0, 0);
		lowering_emit(l, OP_ESCAPE, inst);
		return lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, 0)));
	default: return lower_value(l, inst, opcode);
	}
}

static void number_values(struct lowering *l)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < l->f->nargs; i++)
		map_put(&l->locals, map_pointer_key(LLVMGetParam(l->f->value, i)), next++);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->f->value); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
				map_put(&l->locals, map_pointer_key(i), next++);
	l->f->nvalues = next;
}

void lower_function(struct ir *p, struct function_code *f)
{
	struct lowering l = {p, f, MAP_INIT};

	number_values(&l);
	f->first_op = (uint32_t)p->ops.len;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			lower_instruction(&l, i);
	f->nops = (uint32_t)p->ops.len - f->first_op;
	map_release(&l.locals);
}
