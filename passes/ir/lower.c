/* One row per IR opcode, one function per kind of instruction that is more than a move. */
#include "passes/ir/lower.h"

#include "passes/ir/lowering.h"
#include "passes/sets/origin_sets.h"
#include "verdict/pointer_tags.h"

enum { PART_BITS = 16, ADDRESS_BYTES = 8 };

/* --- Operands --- */

/* A constant matters when the address of a variable or a function is in it. */
static bool holds_address(LLVMValueRef constant, unsigned depth)
{
	if (LLVMIsAGlobalValue(constant) || ir_is_shared_zero(constant))
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

/* All operands of `inst` as a move, origins flowing from the first `nset`, and bits from all. */
static void emit_move(struct lowering *l, LLVMValueRef inst, unsigned nset, int64_t bytes, enum op_mix mix)
{
	int count = LLVMGetNumOperands(inst);
	struct op *op = lowering_emit(l, OP_MOVE, inst);

	op->bytes = bytes;
	op->nset = nset;
	op->nbits = (uint16_t)((unsigned)count - nset);
	op->mix = mix;
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

static bool has_elements(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

/* The first scalar of a type; it is at the address of the whole. */
static LLVMTypeRef first_scalar(LLVMTypeRef type)
{
	while (has_elements(type)) {
		bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;

		if (is_struct && LLVMCountStructElementTypes(type) == 0)
			return type;
		type = is_struct ? LLVMStructGetTypeAtIndex(type, 0) : LLVMGetElementType(type);
	}
	return type;
}

/* True if the type has scalars that are narrower than an address. */
static bool has_narrow_elements(struct lowering *l, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			if (has_narrow_elements(l, LLVMStructGetTypeAtIndex(type, i)))
				return true;
		return false;
	}
	return has_elements(type) ? has_narrow_elements(l, LLVMGetElementType(type))
				  : lowering_size(l, type) < ADDRESS_BYTES;
}

uint16_t lowering_access(struct lowering *l, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment)
{
	bool is_packed = lowering_size(l, type) >= ADDRESS_BYTES && alignment < ADDRESS_BYTES;

	return (uint16_t)((is_private_pointer(pointer) ? OP_PRIVATE : 0) | (type_is_pointer(type) ? OP_POINTER : 0) |
			  (is_packed ? OP_PACKED : 0) |
			  (has_elements(type) && has_narrow_elements(l, type) ? OP_PARTS : 0));
}

/* The type that a step into a structure or an array by its indices comes to; else NULL. */
static LLVMTypeRef declared_type(LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	if (!has_elements(type))
		return NULL;
	for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
			type = LLVMIsAConstantInt(index)
				   ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
				   : NULL;
		else
			type = LLVMGetElementType(type);
		if (!type)
			return NULL;
	}
	return type;
}

/* True for the load of a number at a place that the program's types declare as a number. */
static bool is_declared_number(LLVMTypeRef type, LLVMValueRef pointer)
{
	LLVMTypeRef declared;

	while (LLVMIsAAddrSpaceCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	if (!LLVMIsAGetElementPtrInst(pointer) || type_is_pointer(type))
		return false;
	declared = declared_type(pointer);
	return declared && LLVMGetTypeKind(first_scalar(declared)) == LLVMGetTypeKind(first_scalar(type));
}

static void lower_load(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef pointer = LLVMGetOperand(inst, 0);
	LLVMTypeRef type = LLVMTypeOf(inst);
	unsigned invariant = LLVMGetMDKindIDInContext(LLVMGetTypeContext(type), "invariant.load", 14);
	struct op *op = lowering_emit(l, OP_LOAD, inst);

	op->bytes = lowering_size(l, type);
	op->flags = lowering_access(l, type, pointer, LLVMGetAlignment(inst));
	if (!LLVMGetVolatile(inst) && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic)
		op->flags |= OP_SIMPLE;
	if (LLVMGetMetadata(inst, invariant))
		op->flags |= OP_INVARIANT;
	if (is_declared_number(type, pointer))
		op->flags |= OP_NUMBER;
	lowering_result(l, inst);
	lowering_add(l, lowering_operand(l, pointer));
	if (!(vec_last(&l->p->ops).flags & (OP_SIMPLE | OP_PRIVATE)))
		lowering_emit(l, OP_LISTEN, inst);
}

static void lower_store(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef value = LLVMGetOperand(inst, 0), pointer = LLVMGetOperand(inst, 1);
	LLVMTypeRef type = LLVMTypeOf(value);
	struct op *op = lowering_emit(l, OP_STORE, inst);

	op->bytes = lowering_size(l, type);
	op->flags = lowering_access(l, type, pointer, LLVMGetAlignment(inst)) | (has_elements(type) ? OP_WHOLE : 0);
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
 * True if low bits become high bits, as in `high << 32 | low`, which makes an address out of parts. False for `index <<
 * 3`.
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

/* How an operation on bits changes addresses that a launch looks up unchanged. The look-up ignores tags. */
static unsigned recoding(LLVMValueRef inst, LLVMOpcode opcode)
{
	uint64_t bits = 0;
	bool left = LLVMGetNumOperands(inst) == 2 && is_constant(LLVMGetOperand(inst, 0), &bits);
	bool right = LLVMGetNumOperands(inst) == 2 && is_constant(LLVMGetOperand(inst, 1), &bits);

	switch (opcode) {
	case LLVMSub: return left ? OP_RECODED | OP_ENCODED : 0;
	case LLVMAnd:
		if (right)
			return (bits | guard_ignored_bits) == UINT64_MAX ? 0 : OP_RECODED;
		return OP_RECODED | OP_JOINED;
	case LLVMOr:
		if (right)
			return bits < GUARD_ALIGN ? 0 : OP_RECODED | OP_ENCODED;
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
	vec_last(&l->p->ops).nbits = 1;
	vec_last(&l->p->ops).flags = OP_EITHER;
	lowering_result(l, inst);
	for (unsigned i = 1; i <= 3; i++)
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i % 3)));
}

/* The constant among two operands, of at most 64 bits; else NULL. */
static LLVMValueRef constant_of(LLVMValueRef inst)
{
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef operand = LLVMGetOperand(inst, i);

		if (LLVMIsAConstantInt(operand) && LLVMGetIntTypeWidth(LLVMTypeOf(operand)) <= 64)
			return operand;
	}
	return NULL;
}

/*
 * A constant that leaves all but the low bits, or only those. A constant mask of few bits leaves no part of an address
 * that others could complete.
 */
static void lower_bits(struct lowering *l, LLVMValueRef inst, LLVMOpcode opcode)
{
	LLVMValueRef constant = constant_of(inst);
	int64_t mask = constant ? LLVMConstIntGetSExtValue(constant) : 0;
	bool is_low = constant && mask >= 0 && mask >> PART_BITS == 0;
	bool is_high = constant && mask < 0 && mask >> PART_BITS == -1;

	if (opcode == LLVMAnd)
		emit_move(l, inst, is_low ? 0 : 2, OFFSET_ANY, is_high ? MIX_ROUND : MIX_PARTS);
	else
		emit_move(l, inst, 2, OFFSET_ANY, is_low ? MIX_ROUND : MIX_JOIN);
}

/* A shift by a multiple of 64 bits takes one of several addresses out of a wide number. */
static void lower_shift_right(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef amount = LLVMGetOperand(inst, 1);
	bool takes_one = LLVMIsAConstantInt(amount) && LLVMGetIntTypeWidth(LLVMTypeOf(amount)) > 64 &&
			 LLVMConstIntGetZExtValue(amount) % 64 == 0;

	emit_move(l, inst, 1, OFFSET_ANY, takes_one ? MIX_COPY : MIX_PARTS);
}

static void lower_compare(struct lowering *l, LLVMValueRef inst)
{
	emit_move(l, inst, 0, 0, MIX_COMPARE);
	if (type_is_pointer(LLVMTypeOf(LLVMGetOperand(inst, 0))))
		vec_last(&l->p->ops).flags = OP_POINTER;
	/* A test for null tells nothing about where the pointer leads. */
	if (LLVMIsAConstantPointerNull(LLVMGetOperand(inst, 0)) || LLVMIsAConstantPointerNull(LLVMGetOperand(inst, 1)))
		vec_last(&l->p->ops).nbits = 0;
}

static bool is_narrow(LLVMTypeRef type)
{
	type = first_scalar(type);
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64;
}

/* The elements of a vector become other elements, or a number. */
static void lower_bit_cast(struct lowering *l, LLVMValueRef inst)
{
	LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(inst, 0)), to = LLVMTypeOf(inst);
	bool keeps = lowering_size(l, first_scalar(from)) >= ADDRESS_BYTES &&
		     lowering_size(l, first_scalar(to)) >= ADDRESS_BYTES;

	emit_move(l, inst, 1, 0, keeps || !(has_elements(from) || has_elements(to)) ? MIX_COPY : MIX_PARTS);
	vec_last(&l->p->ops).flags = has_elements(from) ? OP_WHOLE : 0;
}

/* On integers; also instructions that later releases add. */
static void lower_arithmetic(struct lowering *l, LLVMValueRef inst, LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd:
		emit_move(l, inst, 2, arithmetic_offset(inst, opcode), MIX_SUM);
		vec_last(&l->p->ops).flags = is_narrow(LLVMTypeOf(inst)) ? OP_PARTS : 0;
		break;
	case LLVMSub: emit_move(l, inst, 2, arithmetic_offset(inst, opcode), MIX_DIFFERENCE); break;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor: lower_bits(l, inst, opcode); break;
	case LLVMShl:
		emit_move(l, inst, 1, OFFSET_ANY, MIX_PARTS);
		vec_last(&l->p->ops).flags = moves_up(inst, opcode) ? OP_WHOLE : 0;
		break;
	case LLVMLShr:
	case LLVMAShr: lower_shift_right(l, inst); break;
	default:
		emit_move(l, inst, (unsigned)LLVMGetNumOperands(inst), OFFSET_ANY, MIX_PARTS);
		vec_last(&l->p->ops).flags = moves_up(inst, opcode) ? OP_WHOLE : 0;
	}
	vec_last(&l->p->ops).recoding = (uint8_t)recoding(inst, opcode);
}

static bool is_shared_or_local(LLVMValueRef pointer)
{
	LLVMTypeRef type = first_scalar(LLVMTypeOf(pointer));

	return LLVMGetPointerAddressSpace(type) == AS_SHARED || LLVMGetPointerAddressSpace(type) == AS_LOCAL;
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
	case LLVMGetElementPtr: return emit_move(l, inst, 1, ir_gep_offset(l->p, inst), MIX_COPY);
	case LLVMBitCast: return lower_bit_cast(l, inst);
	case LLVMAddrSpaceCast:
		emit_move(l, inst, 1, 0, MIX_COPY);
		vec_last(&l->p->ops).flags = is_shared_or_local(LLVMGetOperand(inst, 0)) ? OP_PRIVATE : 0;
		return;
	case LLVMIntToPtr:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFreeze:
	case LLVMExtractValue:
	case LLVMExtractElement: return emit_move(l, inst, 1, 0, MIX_COPY);
	case LLVMPtrToInt:
		emit_move(l, inst, 1, 0, is_narrow(LLVMTypeOf(inst)) ? MIX_PARTS : MIX_COPY);
		vec_last(&l->p->ops).flags = OP_POINTER;
		return;
	case LLVMTrunc: return emit_move(l, inst, 1, 0, is_narrow(LLVMTypeOf(inst)) ? MIX_PARTS : MIX_COPY);
	case LLVMInsertValue:
	case LLVMInsertElement:
	case LLVMShuffleVector:
		/* What is taken out of it later is one of the two. */
		emit_move(l, inst, 2, 0, MIX_COPY);
		vec_last(&l->p->ops).flags = OP_EITHER;
		return;
	case LLVMVAArg: lowering_emit(l, OP_OPAQUE, inst); return lowering_result(l, inst);
	case LLVMICmp: return lower_compare(l, inst);
	case LLVMUIToFP:
	case LLVMSIToFP:
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
	case LLVMFPExt:
		/* The result is not an address, but may have been computed from one. */
		return emit_move(l, inst, 0, 0, MIX_PARTS);
	default:
		if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
			lower_arithmetic(l, inst, opcode);
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

/* --- Blocks that are executed --- */

/* The only block that a terminator with a constant condition leads to; else NULL. */
static LLVMBasicBlockRef certain_successor(LLVMValueRef terminator)
{
	LLVMValueRef condition;

	if (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator))
		return NULL;
	condition = LLVMGetCondition(terminator);
	if (!LLVMIsAConstantInt(condition))
		return NULL;
	return LLVMGetSuccessor(terminator, LLVMConstIntGetZExtValue(condition) ? 0 : 1);
}

struct blocks {
	struct map seen;
	VEC(LLVMBasicBlockRef) waiting;
};

static void reach_block(struct blocks *b, LLVMBasicBlockRef block)
{
	uint64_t key = map_pointer_key(block);

	if (map_get(&b->seen, key) != MAP_NONE)
		return;
	map_put(&b->seen, key, 0);
	vec_push(&b->waiting, block);
}

/* The blocks that some path of branches leads to. */
static void find_blocks(struct blocks *b, LLVMValueRef function)
{
	reach_block(b, LLVMGetEntryBasicBlock(function));
	while (b->waiting.len) {
		LLVMBasicBlockRef block = vec_pop(&b->waiting);
		LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
		LLVMBasicBlockRef only = last ? certain_successor(last) : NULL;

		if (only)
			reach_block(b, only);
		for (unsigned i = 0; last && !only && i < LLVMGetNumSuccessors(last); i++)
			reach_block(b, LLVMGetSuccessor(last, i));
	}
}

void lower_function(struct ir *p, struct function_code *f)
{
	struct lowering l = {p, f, MAP_INIT};
	struct blocks blocks = {.seen = MAP_INIT};

	number_values(&l);
	find_blocks(&blocks, f->value);
	f->first_op = (uint32_t)p->ops.len;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (map_get(&blocks.seen, map_pointer_key(b)) != MAP_NONE)
				lower_instruction(&l, i);
	f->nops = (uint32_t)p->ops.len - f->first_op;
	map_release(&l.locals);
	map_release(&blocks.seen);
	vec_release(&blocks.waiting);
}
