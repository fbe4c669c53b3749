/* Calls -> operations: of functions with a body, of intrinsics that move memory, and of what only has effects. */
#include "passes/ir/lowering.h"

#include "passes/values/sets.h"

#include "common/strbuf.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

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
	op = lowering_emit(l, copies ? OP_COPY : OP_WRITE, inst);
	op->bytes = constant_length(LLVMGetOperand(inst, 2));
	/*
	 * A fill has one end, so its space is known here. A copy has two, and the analysis asks each for its origins.
	 */
	if (!copies)
		op->flags = OP_FILL | (is_private_pointer(to) ? OP_PRIVATE : 0);
	else if (LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 3)) == 0)
		op->flags = OP_SIMPLE;
	lowering_add(l, lowering_operand(l, to));
	if (copies)
		lowering_add(l, lowering_operand(l, from));
	return true;
}

static void emit_access(struct lowering *l, LLVMValueRef inst, LLVMValueRef pointer, enum op_kind kind, bool private)
{
	struct op *op = lowering_emit(l, kind, inst);

	op->bytes = OFFSET_ANY;
	op->flags = private || (type_is_pointer(LLVMTypeOf(pointer)) && is_private_pointer(pointer)) ? OP_PRIVATE : 0;
	lowering_add(l, lowering_operand(l, pointer));
}

static void emit_escapes(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	for (unsigned i = 0; i < nargs; i++) {
		if (!(e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1] & EFFECT_ESCAPE))
			continue;
		lowering_emit(l, OP_ESCAPE, inst);
		lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
	}
}

enum { ADDRESS_BYTES = 8 };

/* Whether a value of this type, or a part of it, has room for an address. */
static bool may_hold_address(struct lowering *l, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return LLVMTypeIsSized(type) && lowering_size(l, type) >= ADDRESS_BYTES;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
		if (may_hold_address(l, LLVMStructGetTypeAtIndex(type, i)))
			return true;
	return false;
}

static void emit_result(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, unsigned nargs)
{
	bool wide = may_hold_address(l, LLVMTypeOf(inst));
	/* A result too small for an address that was loaded does not point to where it was loaded from. */
	bool keeps_arguments = wide || !e->loads, whole = false;

	if (e->allocates) {
		lowering_emit(l, OP_MALLOC, inst)->bytes = INT32_MAX;
		lowering_result(l, inst);
		return;
	}
	if (e->unknown_result && wide) {
		lowering_emit(l, OP_OPAQUE, inst);
		lowering_result(l, inst);
	}
	lowering_emit(l, OP_MOVE, inst)->bytes = OFFSET_ANY;
	vec_last(&l->p->ops).dep = e->dep;
	if (!wide && e->dep & DEP_MEMORY)
		vec_last(&l->p->ops).flags = OP_PIECE;
	lowering_result(l, inst);
	/* First the arguments that the result may be, from which origins flow; then the others. */
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < nargs; i++) {
			bool flows = e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1] & EFFECT_RESULT;

			whole |= flows && may_hold_address(l, LLVMTypeOf(LLVMGetOperand(inst, i)));
			if (flows == (round == 0))
				lowering_add(l, lowering_operand(l, LLVMGetOperand(inst, i)));
		}
		if (round == 0)
			vec_last(&l->p->ops).nset = keeps_arguments ? vec_last(&l->p->ops).count : 0;
	}
	/* The result is an address put together from parts alone. */
	if (wide && !whole)
		vec_last(&l->p->ops).flags |= OP_WHOLE;
}

/* Whether the argument may be an address: a pointer, and in assembly a 64-bit integer as well. */
static bool may_be_address(LLVMValueRef argument, bool is_assembly)
{
	LLVMTypeRef type = LLVMTypeOf(argument);

	return type_is_pointer(type) ||
	       (is_assembly && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 64);
}

/*
 * An access to the texture or surface that argument `handle` stands for. The address also depends on the coordinates.
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
}

/*
 * Emits the accesses through arguments. Returns true if the call writes through something that is no address, so that
 * it may write anywhere.
 */
static bool emit_argument_effects(struct lowering *l, LLVMValueRef inst, const struct call_effects *e, bool is_assembly)
{
	unsigned nargs = LLVMGetNumArgOperands(inst);
	bool loads_address = e->loads && may_hold_address(l, LLVMTypeOf(inst)), lost = false, found = false;

	for (unsigned i = 0; i < nargs; i++) {
		uint16_t effect = e->arg[i < EFFECT_ARGS ? i : EFFECT_ARGS - 1];
		uint16_t promise = effect & EFFECT_PROMISED ? OP_INVARIANT : 0;
		LLVMValueRef argument = LLVMGetOperand(inst, i);
		bool address = may_be_address(argument, is_assembly);

		if (effect & EFFECT_IMAGE) {
			emit_image_access(l, inst, e, i);
			found = true;
			continue;
		}
		if (loads_address && (effect & (EFFECT_READ | EFFECT_PRIVATE_READ))) {
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
		if (address)
			emit_access(l, inst, argument, effect & EFFECT_ATOMIC ? OP_ATOMIC : OP_WRITE, false);
		if (address && loads_address && (effect & EFFECT_ATOMIC))
			lowering_result(l, inst);
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
/* Undoes the printer's escapes (\0A) up to the closing quote; *at ends behind the quote. */
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
	op = lowering_emit(l, OP_LOAD, inst);
	op->bytes = lowering_size(l, LLVMTypeOf(inst));
	op->flags = OP_INVARIANT | (type_is_pointer(LLVMTypeOf(inst)) ? OP_POINTER : 0);
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
 * A null pointer as an argument gets the origin NULL, which reaches nothing. An argument without any origin would be
 * unknown, and so would what the callee reads through it behind a test for null.
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

		arguments[i] = LLVMIsAConstantPointerNull(LLVMGetOperand(inst, i))
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
