/* Calls -> operations: of functions with a body, of intrinsics that move memory, and of what only has effects. */
#include "passes/ir/lowering.h"

#include "passes/ir/assembly_text.h"

#include "passes/sets/origin_sets.h"

#include "common/strbuf.h"

#include <string.h>

enum { ADDRESS_BYTES = 8 };

static int64_t constant_length(LLVMValueRef length)
{
	return LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) < INT32_MAX
		   ? (int64_t)LLVMConstIntGetZExtValue(length)
		   : OFFSET_ANY;
}

static uint64_t argument_alignment(LLVMValueRef inst, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(inst, argument + 1, kind);

	return attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
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
	op = lowering_emit(l, copies ? OP_COPY : OP_WRITE, inst);
	op->bytes = constant_length(LLVMGetOperand(inst, 2));
	/*
	 * A fill has a single address, so its space is known here. A copy has two, whose origins the analysis finds
	 * later.
	 */
	if (!copies)
		op->flags = OP_FILL | (is_private_pointer(to) ? OP_PRIVATE : 0);
	else if (LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 3)) == 0)
		op->flags = OP_SIMPLE;
	if (copies && (argument_alignment(inst, 0) < ADDRESS_BYTES || argument_alignment(inst, 1) < ADDRESS_BYTES))
		op->flags |= OP_PACKED;
	lowering_add(l, lowering_operand(l, to));
	lowering_add(l, lowering_operand(l, from));
	return true;
}

/* True if a value of this type, or a part of it, is large enough for an address. */
static bool may_hold_address(struct lowering *l, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return LLVMTypeIsSized(type) && lowering_size(l, type) >= ADDRESS_BYTES;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
		if (may_hold_address(l, LLVMStructGetTypeAtIndex(type, i)))
			return true;
	return false;
}

/* Bytes that a call loads, if its result has no room for an address. */
static int64_t loaded_bytes(struct lowering *l, LLVMTypeRef result)
{
	enum { NARROW_BYTES = 4 };
	int64_t bytes;

	if (!LLVMTypeIsSized(result) || may_hold_address(l, result))
		return OFFSET_ANY;
	bytes = lowering_size(l, result);
	return bytes < NARROW_BYTES ? bytes : NARROW_BYTES;
}

static void emit_access(struct lowering *l, LLVMValueRef inst, LLVMValueRef pointer, enum op_kind kind, bool private)
{
	struct op *op = lowering_emit(l, kind, inst);

	op->bytes = loaded_bytes(l, LLVMTypeOf(inst));
	op->flags = private || (type_is_pointer(LLVMTypeOf(pointer)) && is_private_pointer(pointer)) ? OP_PRIVATE : 0;
	lowering_add(l, lowering_operand(l, pointer));
}

static uint16_t effect_of_argument(const struct call_effects *e, unsigned argument)
{
	return e->arg[argument < EFFECT_ARGS ? argument : EFFECT_ARGS - 1];
}

static void emit_escapes(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	for (unsigned i = 0; i < nargs; i++) {
		if (!(effect_of_argument(e, i) & EFFECT_ESCAPE))
			continue;
		lowering_emit(l, OP_ESCAPE, inst);
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
	}
}

enum { EFFECT_ACCESS = EFFECT_READ | EFFECT_WRITE | EFFECT_ATOMIC | EFFECT_PRIVATE_READ | EFFECT_PRIVATE_WRITE };

/* The argument's part in the result: its origins, its bits, or nothing. */
enum argument_part { PART_ORIGINS, PART_BITS, PART_NONE };

static enum argument_part part_of_argument(const struct call_effects *e, unsigned argument)
{
	uint16_t effect = effect_of_argument(e, argument);

	if (effect & EFFECT_RESULT)
		return PART_ORIGINS;
	/* An access through the argument does not put the argument's bits into the result. */
	return effect & EFFECT_ACCESS ? PART_NONE : PART_BITS;
}

/* How many arguments with room for an address may be the result. */
static unsigned whole_candidates(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	unsigned count = 0;

	for (unsigned i = 0; i < nargs; i++)
		count +=
		    part_of_argument(e, i) == PART_ORIGINS && may_hold_address(l, LLVMTypeOf(LLVMGetOperand(inst, i)));
	return count;
}

static void emit_result(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	bool wide = may_hold_address(l, LLVMTypeOf(inst));
	/* A result too small for an address that was loaded does not point to where it was loaded from. */
	bool keeps_arguments = wide || !e->loads, whole = false, copies = true, addresses = false;
	unsigned counts[3] = {0};

	if (e->allocates) {
		lowering_emit(l, OP_MALLOC, inst)->bytes = INT32_MAX;
		lowering_result(l, inst);
		return;
	}
	if (e->unknown_result && wide) {
		lowering_emit(l, OP_OPAQUE, inst);
		lowering_result(l, inst);
	}
	if (e->workspace) {
		lowering_emit(l, OP_WORKSPACE, inst);
		lowering_result(l, inst);
	}
	lowering_emit(l, OP_MOVE, inst)->bytes = OFFSET_ANY;
	vec_last(&l->p->ops).dep = e->dep;
	vec_last(&l->p->ops).flags = e->takes_state ? OP_STATE : 0;
	if (!wide && e->dep & DEP_MEMORY)
		vec_last(&l->p->ops).flags |= OP_PIECE;
	lowering_result(l, inst);
	for (int part = PART_ORIGINS; part <= PART_NONE; part++)
		for (unsigned i = 0; i < nargs; i++) {
			if ((int)part_of_argument(e, i) != part)
				continue;
			counts[part]++;
			lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
			addresses |= type_is_pointer(LLVMTypeOf(LLVMGetOperand(inst, i)));
			whole |= part == PART_ORIGINS && may_hold_address(l, LLVMTypeOf(LLVMGetOperand(inst, i)));
			copies &= part != PART_ORIGINS || effect_of_argument(e, i) & EFFECT_COPY;
		}
	vec_last(&l->p->ops).nset = keeps_arguments ? counts[PART_ORIGINS] : 0;
	vec_last(&l->p->ops).nbits = (uint16_t)(counts[PART_ORIGINS] + counts[PART_BITS] - vec_last(&l->p->ops).nset);
	vec_last(&l->p->ops).mix = copies ? MIX_COPY : MIX_PARTS;
	/* The result may be one of the arguments as it was, if that has the room. */
	if (whole_candidates(l, inst, e, nargs) > 1)
		vec_last(&l->p->ops).flags |= OP_EITHER;
	if (addresses && !type_is_pointer(LLVMTypeOf(inst)))
		vec_last(&l->p->ops).flags |= OP_POINTER;
	/* The result is an address put together from parts alone. */
	if (wide && !whole)
		vec_last(&l->p->ops).flags |= OP_WHOLE;
}

/* True if the argument may be an address: a pointer or, in assembly, a 64-bit integer. */
static bool may_be_address(LLVMValueRef argument, bool is_assembly)
{
	LLVMTypeRef type = LLVMTypeOf(argument);

	return type_is_pointer(type) ||
	       (is_assembly && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 64);
}

/*
 * An access to the texture or surface with the handle in argument `handle`. Its address also depends on the
 * coordinates.
 */
static void emit_image_access(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned handle)
{
	uint16_t effect = e->arg[handle];
	uint32_t place = l->f->nvalues++;
	struct op *op;

	lowering_emit(l, OP_MOVE, inst)->nset = 1;
	vec_last(&l->p->ops).result = place;
	lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, handle)));
	for (unsigned i = 0; i < LLVMGetNumArgOperands(inst) && i < EFFECT_ARGS; i++)
		if (e->arg[i] & EFFECT_PLACE)
			lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
	op = lowering_emit(l, effect & EFFECT_ATOMIC ? OP_ATOMIC : effect & EFFECT_WRITE ? OP_WRITE : OP_READ, inst);
	op->bytes = OFFSET_ANY;
	op->flags = effect & EFFECT_FETCH ? OP_FETCH : OP_SURFACE;
	lowering_add(l, place);
	for (unsigned i = handle + 1; effect & EFFECT_WRITE && i < LLVMGetNumArgOperands(inst); i++) {
		lowering_emit(l, OP_ESCAPE, inst);
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
	}
}

/* Writes through an address that is put together from several arguments: it may be of each, and has bits of all. */
static void emit_mixed_write(struct lowering *l, LLVMValueRef inst, const struct call_effects *e)
{
	uint32_t mixed = l->f->nvalues++;
	struct op *op = lowering_emit(l, OP_MOVE, inst);
	uint16_t effects = 0;

	op->bytes = OFFSET_ANY;
	op->mix = MIX_PARTS;
	op->result = mixed;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
		if (!(effect_of_argument(e, i) & (EFFECT_WRITE | EFFECT_ATOMIC)))
			continue;
		effects |= effect_of_argument(e, i);
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
	}
	vec_last(&l->p->ops).nset = vec_last(&l->p->ops).count;
	lowering_emit(l, effects & EFFECT_ATOMIC ? OP_ATOMIC : OP_WRITE, inst)->bytes = OFFSET_ANY;
	if (effects & EFFECT_ATOMIC)
		lowering_result(l, inst);
	lowering_add(l, mixed);
}

/*
 * Emits the accesses through arguments. Returns true if the call writes through something that is not an address: it
 * may write anywhere.
 */
static bool emit_argument_effects(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, bool is_assembly)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	bool wide = may_hold_address(l, LLVMTypeOf(inst)), lost = false, found = false;

	for (unsigned i = 0; i < nargs; i++) {
		uint16_t effect = effect_of_argument(e, i);
		uint16_t promise = (effect & EFFECT_PROMISED ? OP_INVARIANT : 0) | (e->lone_load ? OP_SIMPLE : 0);
		LLVMValueRef argument = LLVMGetOperand(inst, i);
		bool address = may_be_address(argument, is_assembly);

		if (effect & EFFECT_IMAGE) {
			emit_image_access(l, inst, e, i);
			found = true;
			continue;
		}
		if (e->loads && (effect & (EFFECT_READ | EFFECT_PRIVATE_READ)) &&
		    (wide || address || effect & EFFECT_PRIVATE_READ)) {
			emit_access(l, inst, argument, OP_LOAD, effect & EFFECT_PRIVATE_READ);
			vec_last(&l->p->ops).flags |= promise;
			lowering_result(l, inst);
		} else if (address && (effect & EFFECT_READ)) {
			emit_access(l, inst, argument, OP_READ, false);
			vec_last(&l->p->ops).flags |= promise;
		}
		if (effect & EFFECT_PRIVATE_WRITE)
			emit_access(l, inst, argument, OP_WRITE, true);
		if (!(effect & (EFFECT_WRITE | EFFECT_ATOMIC)))
			continue;
		if (address && !e->mixes)
			emit_access(l, inst, argument, effect & EFFECT_ATOMIC ? OP_ATOMIC : OP_WRITE, false);
		if (address && !e->mixes && e->loads && (effect & EFFECT_ATOMIC))
			lowering_result(l, inst);
		found |= address;
		lost |= !address;
	}
	return is_assembly && lost && !found;
}

static void emit_state(struct lowering *l, LLVMValueRef inst, unsigned nargs)
{
	lowering_emit(l, OP_KEEP, inst);
	for (unsigned i = 0; i < nargs; i++)
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
}

/* A load of shared memory at an address of which nothing is known. */
static void emit_private_load(struct lowering *l, LLVMValueRef inst)
{
	struct op *op = lowering_emit(l, OP_LOAD, inst);

	op->bytes = loaded_bytes(l, LLVMTypeOf(inst));
	op->flags = OP_PRIVATE;
	lowering_result(l, inst);
	lowering_add(l, OPERAND_NONE);
}

static void emit_effects(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, bool is_assembly)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	bool lost = emit_argument_effects(l, inst, e, is_assembly);

	if (e->mixes)
		emit_mixed_write(l, inst, e);
	emit_escapes(l, inst, e, nargs);
	if (e->leaves_state)
		emit_state(l, inst, nargs);
	if (e->matrices)
		emit_private_load(l, inst);
	if (e->unknown_write || lost)
		lowering_emit(l, OP_UNKNOWN_WRITE, inst)->flags = is_assembly ? 0 : OP_UNSEEN;
	if (e->listens)
		lowering_emit(l, OP_LISTEN, inst);
	if (e->waits_for_grid) {
		lowering_emit(l, OP_GRID_WAIT, inst);
		lowering_emit(l, OP_UNKNOWN_WRITE, inst)->flags = OP_UNSEEN;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
		emit_result(l, inst, e, nargs);
}

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
	op = lowering_emit(l, OP_LOAD, inst);
	op->bytes = lowering_size(l, LLVMTypeOf(inst));
	op->flags = OP_INVARIANT | lowering_access(l, LLVMTypeOf(inst), LLVMGetOperand(inst, 0), ADDRESS_BYTES);
	lowering_result(l, inst);
	lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, 0)));
	return true;
}

/* The type of an argument that the caller passes by value, where the IR has a pointer; else NULL. */
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

	lowering_emit(l, OP_ALLOCA, inst)->bytes = bytes;
	vec_last(&l->p->ops).result = copy;
	lowering_emit(l, OP_COPY, inst)->bytes = bytes;
	lowering_add(l, copy);
	lowering_add(l, original);
	return copy;
}

/*
 * Gives a null pointer as an argument the origin NULL, which reaches nothing. Without an origin the argument would be
 * unknown, and so would be what the callee reads through it behind a test for null.
 */
static uint32_t pass_null(struct lowering *l, LLVMValueRef inst)
{
	uint32_t null = l->f->nvalues++;

	lowering_emit(l, OP_NULL, inst);
	vec_last(&l->p->ops).result = null;
	return null;
}

static void lower_visible_call(struct lowering *l, LLVMValueRef inst, LLVMValueRef callee)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	uint32_t *arguments = xcalloc(nargs, sizeof *arguments);

	for (unsigned i = 0; i < nargs; i++) {
		LLVMTypeRef type = byval_type(inst, callee, i);

		arguments[i] =
		    LLVMIsAConstantPointerNull(LLVMGetOperand(inst, i)) && !ir_is_shared_zero(LLVMGetOperand(inst, i))
			? pass_null(l, inst)
			: lowering_operand(l, LLVMGetOperand(inst, i));
		if (type)
			arguments[i] = pass_copy(l, inst, type, arguments[i]);
	}
	lowering_emit(l, OP_CALL, inst);
	lowering_result(l, inst);
	lowering_add(l, lowering_operand(l, callee));
	for (unsigned i = 0; i < nargs; i++)
		lowering_add(l, arguments[i]);
	free(arguments);
}

void lower_call(struct lowering *l, LLVMValueRef inst)
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
