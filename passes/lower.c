/* One row per IR opcode, one function per kind of instruction that is more than a move. */
#include "passes/lower.h"

#include "passes/sets.h"

#include "common/strbuf.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

struct lowering {
	struct ir *p;
	struct function_code *f;
	struct map locals; /* LLVMValueRef -> local value */
};

/* --- Operands --------------------------------------------------------------------------------------------------- */

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

static uint32_t operand(struct lowering *l, LLVMValueRef value)
{
	uint32_t local;

	if (LLVMIsAConstant(value))
		return constant_operand(l->p, value);
	local = map_get(&l->locals, map_pointer_key(value));
	return local == MAP_NONE ? OPERAND_NONE : local;
}

/* --- Emitting operations ---------------------------------------------------------------------------------------- */

static struct op *emit(struct lowering *l, enum op_kind kind, LLVMValueRef inst)
{
	struct op op = {.kind = kind, .result = NO_RESULT, .first = (uint32_t)l->p->operands.len, .inst = inst};

	vec_push(&l->p->ops, op);
	return &vec_last(&l->p->ops);
}

/* Operands belong to the operation emitted last. */
static void add_operand(struct lowering *l, uint32_t value)
{
	vec_push(&l->p->operands, value);
	vec_last(&l->p->ops).count++;
}

static void set_result(struct lowering *l, LLVMValueRef inst)
{
	uint32_t local = map_get(&l->locals, map_pointer_key(inst));

	vec_last(&l->p->ops).result = local == MAP_NONE ? NO_RESULT : local;
}

/* All operands of `inst` as a move, origins flowing from the first `nset`. */
static void emit_move(struct lowering *l, LLVMValueRef inst, unsigned nset, int64_t bytes)
{
	int count = LLVMGetNumOperands(inst);

	emit(l, OP_MOVE, inst)->bytes = bytes;
	vec_last(&l->p->ops).nset = nset;
	set_result(l, inst);
	for (int i = 0; i < count; i++)
		add_operand(l, operand(l, LLVMGetOperand(inst, (unsigned)i)));
}

static bool private_pointer(LLVMValueRef pointer)
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
	case AS_PARAM:
		return true;
	default:
		return false;
	}
}

static int64_t store_size(struct lowering *l, LLVMTypeRef type)
{
	return (int64_t)LLVMStoreSizeOfType(l->p->layout, type);
}

/* --- Instructions ------------------------------------------------------------------------------------------------- */

static void lower_alloca(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef count = LLVMGetOperand(inst, 0);
	int64_t size = (int64_t)LLVMABISizeOfType(l->p->layout, LLVMGetAllocatedType(inst));

	size *= LLVMIsAConstantInt(count) ? LLVMConstIntGetSExtValue(count) : INT32_MAX;
	emit(l, OP_ALLOCA, inst)->bytes = size < 0 || size > INT32_MAX ? INT32_MAX : size;
	set_result(l, inst);
}

static void lower_load(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef pointer = LLVMGetOperand(inst, 0);
	unsigned invariant = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(inst)), "invariant.load", 14);
	struct op *op = emit(l, OP_LOAD, inst);

	op->bytes = store_size(l, LLVMTypeOf(inst));
	if (!LLVMGetVolatile(inst) && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic)
		op->flags |= OP_SIMPLE;
	if (private_pointer(pointer))
		op->flags |= OP_PRIVATE;
	if (LLVMGetMetadata(inst, invariant))
		op->flags |= OP_INVARIANT;
	if (type_is_pointer(LLVMTypeOf(inst)))
		op->flags |= OP_POINTER;
	set_result(l, inst);
	add_operand(l, operand(l, pointer));
	if (!(vec_last(&l->p->ops).flags & (OP_SIMPLE | OP_PRIVATE)))
		emit(l, OP_LISTEN, inst);
}

static void lower_store(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef value = LLVMGetOperand(inst, 0), pointer = LLVMGetOperand(inst, 1);
	struct op *op = emit(l, OP_STORE, inst);

	op->bytes = store_size(l, LLVMTypeOf(value));
	op->flags = private_pointer(pointer) ? OP_PRIVATE : 0;
	add_operand(l, operand(l, pointer));
	add_operand(l, operand(l, value));
}

static bool atomic_acquires(LLVMValueRef inst)
{
	LLVMAtomicOrdering order = LLVMIsAAtomicCmpXchgInst(inst) ? LLVMGetCmpXchgSuccessOrdering(inst)
								  : LLVMGetOrdering(inst);

	return order != LLVMAtomicOrderingMonotonic && order != LLVMAtomicOrderingRelease;
}

static void lower_atomic(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef pointer = LLVMGetOperand(inst, 0);
	int last = LLVMGetNumOperands(inst) - 1;
	struct op *op = emit(l, OP_ATOMIC, inst);

	op->bytes = store_size(l, LLVMTypeOf(LLVMGetOperand(inst, (unsigned)last)));
	op->flags = private_pointer(pointer) ? OP_PRIVATE : 0;
	set_result(l, inst);
	for (int i = 0; i <= last; i++)
		add_operand(l, operand(l, LLVMGetOperand(inst, (unsigned)i)));
	if (!private_pointer(pointer) && atomic_acquires(inst))
		emit(l, OP_LISTEN, inst);
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

static void lower_return(struct lowering *l, LLVMValueRef inst)
{
	if (LLVMGetNumOperands(inst) == 0)
		return;
	emit(l, OP_RETURN, inst);
	add_operand(l, operand(l, LLVMGetOperand(inst, 0)));
}

/* --- Calls ------------------------------------------------------------------------------------------------------ */

static int64_t constant_length(LLVMValueRef length)
{
	return LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) < INT32_MAX
		   ? (int64_t)LLVMConstIntGetZExtValue(length)
		   : OFFSET_ANY;
}

/*
 * llvm.memcpy, memmove, memset and their element-wise and inline forms: (to, from or byte, length, ...). The fourth
 * argument is zero unless the copy is volatile or atomic.
 */
static bool lower_memory_intrinsic(struct lowering *l, LLVMValueRef inst, const char *name)
{
	bool copies = strncmp(name, "llvm.memcpy", 11) == 0 || strncmp(name, "llvm.memmove", 12) == 0;
	LLVMValueRef to, from;
	struct op *op;

	if (!copies && strncmp(name, "llvm.memset", 11) != 0)
		return false;
	to = LLVMGetOperand(inst, 0);
	from = LLVMGetOperand(inst, 1);
	op = emit(l, copies ? OP_COPY : OP_WRITE, inst);
	op->bytes = constant_length(LLVMGetOperand(inst, 2));
	/* Either end may be private; the analysis asks each end's origins, so a fill alone can be settled here. */
	if (!copies)
		op->flags = OP_FILL | (private_pointer(to) ? OP_PRIVATE : 0);
	else if (LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 3)) == 0)
		op->flags = OP_SIMPLE;
	add_operand(l, operand(l, to));
	if (copies)
		add_operand(l, operand(l, from));
	return true;
}

static void emit_access(struct lowering *l, LLVMValueRef inst, LLVMValueRef pointer, enum op_kind kind, bool private)
{
	struct op *op = emit(l, kind, inst);

	op->bytes = OFFSET_ANY;
	op->flags = private || (type_is_pointer(LLVMTypeOf(pointer)) && private_pointer(pointer)) ? OP_PRIVATE : 0;
	add_operand(l, operand(l, pointer));
}

static void emit_escapes(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	for (unsigned i = 0; i < nargs; i++) {
		if (!(e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1] & EFFECT_ESCAPE))
			continue;
		emit(l, OP_ESCAPE, inst);
		add_operand(l, operand(l, LLVMGetOperand(inst, i)));
	}
}

enum { ADDRESS_BYTES = 8 };

/* Whether an address fits into a value, or into a part of it. */
static bool may_hold_address(struct lowering *l, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return LLVMTypeIsSized(type) && store_size(l, type) >= ADDRESS_BYTES;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
		if (may_hold_address(l, LLVMStructGetTypeAtIndex(type, i)))
			return true;
	return false;
}

static void emit_result(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	bool wide = may_hold_address(l, LLVMTypeOf(inst));
	/* What is loaded in pieces too small for an address has no origin, rather than that of where it was loaded. */
	bool keeps_arguments = wide || !e->loads;

	if (e->allocates) {
		emit(l, OP_MALLOC, inst)->bytes = INT32_MAX;
		set_result(l, inst);
		return;
	}
	if (e->unknown_result && wide) {
		emit(l, OP_OPAQUE, inst);
		set_result(l, inst);
	}
	emit(l, OP_MOVE, inst)->bytes = OFFSET_ANY;
	vec_last(&l->p->ops).dep = e->dep;
	set_result(l, inst);
	/* Origins flow from the arguments that the result may be, listed first. */
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < nargs; i++) {
			bool flows = e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1] & EFFECT_RESULT;

			if (flows == (round == 0))
				add_operand(l, operand(l, LLVMGetOperand(inst, i)));
		}
		if (round == 0)
			vec_last(&l->p->ops).nset = keeps_arguments ? vec_last(&l->p->ops).count : 0;
	}
}

/* Assembly takes addresses as 64-bit numbers too; to a function a number is a number. */
static bool may_be_address(LLVMValueRef argument, bool is_assembly)
{
	LLVMTypeRef type = LLVMTypeOf(argument);

	return type_is_pointer(type) ||
	       (is_assembly && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 64);
}

/* The accesses through arguments. Returns whether one is written that is no address, so that nobody knows what is. */
static bool emit_argument_effects(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, bool is_assembly)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	bool loads_address = e->loads && may_hold_address(l, LLVMTypeOf(inst)), lost = false, found = false;

	for (unsigned i = 0; i < nargs; i++) {
		uint8_t effect = e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1];
		LLVMValueRef argument = LLVMGetOperand(inst, i);
		bool address = may_be_address(argument, is_assembly) || (effect & EFFECT_HANDLE);

		if (loads_address && (effect & (EFFECT_READ | EFFECT_PRIVATE_READ))) {
			emit_access(l, inst, argument, OP_LOAD, effect & EFFECT_PRIVATE_READ);
			set_result(l, inst);
		} else if (address && (effect & EFFECT_READ)) {
			emit_access(l, inst, argument, OP_READ, false);
		}
		if (effect & EFFECT_PRIVATE_WRITE)
			emit_access(l, inst, argument, OP_WRITE, true);
		if (!(effect & (EFFECT_WRITE | EFFECT_ATOMIC)))
			continue;
		if (address)
			emit_access(l, inst, argument, effect & EFFECT_ATOMIC ? OP_ATOMIC : OP_WRITE, false);
		if (address && loads_address && (effect & EFFECT_ATOMIC))
			set_result(l, inst);
		found |= address;
		lost |= !address;
	}
	return is_assembly && lost && !found;
}

static void emit_effects(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, bool is_assembly)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	bool lost = emit_argument_effects(l, inst, e, is_assembly);

	emit_escapes(l, inst, e, nargs);
	if (e->unknown_write || lost)
		emit(l, OP_UNKNOWN_WRITE, inst)->flags = is_assembly ? 0 : OP_UNSEEN;
	if (e->listens)
		emit(l, OP_LISTEN, inst);
	if (e->waits_for_grid) {
		emit(l, OP_GRID_WAIT, inst);
		emit(l, OP_UNKNOWN_WRITE, inst)->flags = OP_UNSEEN;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
		emit_result(l, inst, e, nargs);
}

#if LLVM_VERSION_MAJOR >= 18
static char *assembly_text(LLVMValueRef callee, char **constraints)
{
	size_t len;
	const char *text = LLVMGetInlineAsmConstraintString(callee, &len);

	*constraints = xstrndup(text, len);
	text = LLVMGetInlineAsmAsmString(callee, &len);
	return xstrndup(text, len);
}
#else
/* Undoes the printer's \0A for characters that do not print, up to the closing quote; *at ends behind it. */
static char *unquote(const char **at)
{
	struct strbuf text = STRBUF_INIT;
	unsigned code;

	for ((*at)++; **at && **at != '"'; (*at)++)
		if (**at == '\\' && sscanf(*at + 1, "%2x", &code) == 1) {
			strbuf_addc(&text, (char)code);
			*at += 2;
		} else {
			strbuf_addc(&text, **at);
		}
	*at += **at == '"';
	return strbuf_detach(&text);
}

/* The C API shows the text only as part of the printed value: TYPE asm [words] "text", "constraints". */
static char *assembly_text(LLVMValueRef callee, char **constraints)
{
	char *printed = LLVMPrintValueToString(callee), *text;
	const char *at = strstr(printed, " asm ");

	at = at ? strchr(at, '"') : NULL;
	text = at ? unquote(&at) : xstrdup("call unseen");
	at = at ? strchr(at, '"') : NULL;
	*constraints = at ? unquote(&at) : xstrdup("");
	LLVMDisposeMessage(printed);
	return text;
}
#endif

static void lower_assembly(struct lowering *l, LLVMValueRef inst, LLVMValueRef callee)
{
	char *constraints, *text = assembly_text(callee, &constraints);
	struct call_effects e = effects_of_assembly(text, constraints, LLVMGetNumArgOperands(inst));

	emit_effects(l, inst, &e, true);
	free(text);
	free(constraints);
}

/* Reads of ldg and ldu intrinsics are loads, marked already. */
static bool lower_load_intrinsic(struct lowering *l, LLVMValueRef inst, const char *name)
{
	struct op *op;

	if (strncmp(name, "llvm.nvvm.ldg.", 14) != 0 && strncmp(name, "llvm.nvvm.ldu.", 14) != 0)
		return false;
	op = emit(l, OP_LOAD, inst);
	op->bytes = store_size(l, LLVMTypeOf(inst));
	op->flags = OP_INVARIANT | (type_is_pointer(LLVMTypeOf(inst)) ? OP_POINTER : 0);
	set_result(l, inst);
	add_operand(l, operand(l, LLVMGetOperand(inst, 0)));
	return true;
}

/* The type that an argument is passed by value as, though a pointer stands in the call; NULL for others. */
static LLVMTypeRef byval_type(LLVMValueRef inst, LLVMValueRef callee, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(inst, argument + 1, kind);

	if (!attribute && LLVMIsAFunction(callee))
		attribute = LLVMGetEnumAttributeAtIndex(callee, argument + 1, kind);
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* The callee has a copy of its own, in local memory. */
static uint32_t pass_copy(struct lowering *l, LLVMValueRef inst, LLVMTypeRef type, uint32_t original)
{
	int64_t bytes = (int64_t)LLVMABISizeOfType(l->p->layout, type);
	uint32_t copy = l->f->nvalues++;

	emit(l, OP_ALLOCA, inst)->bytes = bytes;
	vec_last(&l->p->ops).result = copy;
	emit(l, OP_COPY, inst)->bytes = bytes;
	add_operand(l, copy);
	add_operand(l, original);
	return copy;
}

static void lower_visible_call(struct lowering *l, LLVMValueRef inst, LLVMValueRef callee)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	uint32_t *arguments = xcalloc(nargs, sizeof *arguments);

	for (unsigned i = 0; i < nargs; i++) {
		LLVMTypeRef type = byval_type(inst, callee, i);

		arguments[i] = operand(l, LLVMGetOperand(inst, i));
		if (type)
			arguments[i] = pass_copy(l, inst, type, arguments[i]);
	}
	emit(l, OP_CALL, inst);
	set_result(l, inst);
	add_operand(l, operand(l, callee));
	for (unsigned i = 0; i < nargs; i++)
		add_operand(l, arguments[i]);
	free(arguments);
}

static void lower_call(struct lowering *l, LLVMValueRef inst)
{
	LLVMValueRef callee = LLVMGetCalledValue(inst);
	uint32_t function = ir_function(l->p, callee);
	const struct function_code *code = function == NO_FUNCTION ? NULL : &l->p->functions.data[function];

	if (LLVMIsAInlineAsm(callee)) {
		lower_assembly(l, inst, callee);
	} else if (code && !code->has_body) {
		struct call_effects e = effects_of_declaration(code->value, LLVMGetNumArgOperands(inst));

		if (!lower_memory_intrinsic(l, inst, code->name) && !lower_load_intrinsic(l, inst, code->name))
			emit_effects(l, inst, &e, false);
	} else {
		lower_visible_call(l, inst, callee);
	}
}

static void lower_phi(struct lowering *l, LLVMValueRef inst)
{
	unsigned count = LLVMCountIncoming(inst);

	emit(l, OP_MOVE, inst)->nset = count;
	set_result(l, inst);
	for (unsigned i = 0; i < count; i++)
		add_operand(l, operand(l, LLVMGetIncomingValue(inst, i)));
}

static void lower_select(struct lowering *l, LLVMValueRef inst)
{
	emit(l, OP_MOVE, inst)->nset = 2;
	set_result(l, inst);
	for (unsigned i = 1; i <= 3; i++)
		add_operand(l, operand(l, LLVMGetOperand(inst, i % 3)));
}

static void lower_instruction(struct lowering *l, LLVMValueRef inst)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);

	switch (opcode) {
	case LLVMAlloca:
		return lower_alloca(l, inst);
	case LLVMLoad:
		return lower_load(l, inst);
	case LLVMStore:
		return lower_store(l, inst);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return lower_atomic(l, inst);
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		return lower_call(l, inst);
	case LLVMRet:
		return lower_return(l, inst);
	case LLVMFence:
		emit(l, OP_LISTEN, inst);
		return;
	case LLVMPHI:
		return lower_phi(l, inst);
	case LLVMSelect:
		return lower_select(l, inst);
	case LLVMGetElementPtr:
		return emit_move(l, inst, 1, ir_gep_offset(l->p, inst));
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFreeze:
	case LLVMExtractValue:
	case LLVMExtractElement:
		return emit_move(l, inst, 1, 0);
	case LLVMInsertValue:
	case LLVMInsertElement:
	case LLVMShuffleVector:
		return emit_move(l, inst, 2, 0);
	case LLVMAdd:
	case LLVMSub:
		return emit_move(l, inst, 2, arithmetic_offset(inst, opcode));
	case LLVMVAArg:
		emit(l, OP_OPAQUE, inst);
		return set_result(l, inst);
	case LLVMUIToFP:
	case LLVMSIToFP:
		/* An address does not come back as a number with a fraction, but may get lost in one. */
		emit_move(l, inst, 0, 0);
		emit(l, OP_ESCAPE, inst);
		return add_operand(l, operand(l, LLVMGetOperand(inst, 0)));
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
	case LLVMFPExt:
		/* A number that is no address, but may say where one goes. */
		return emit_move(l, inst, 0, 0);
	default:
		/* Arithmetic on integers, and instructions that later releases add. */
		if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
			emit_move(l, inst, (unsigned)LLVMGetNumOperands(inst), OFFSET_ANY);
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
