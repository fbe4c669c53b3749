/*
 * Short copies become single loads and stores, long copies a loop. The C API cannot split a block, so a loop is built
 * as a function, which LLVM inlines.
 */
#include "passes/readonly/expand_memcpy.h"

#include "passes/ir/ir.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

enum { WRITTEN_OUT = 256, WIDEST = 16 };
#define COPY_PREFIX "romark.copy."

static unsigned argument_align(LLVMValueRef call, unsigned argument)
{
	LLVMAttributeRef align =
	    LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName("align", 5));

	return align ? (unsigned)LLVMGetEnumAttributeValue(align) : 1;
}

static LLVMTypeRef chunk_type(struct load_builder *b, unsigned bytes)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);

	return bytes == WIDEST ? LLVMVectorType(i64, 2) : LLVMIntTypeInContext(b->context, bytes * 8);
}

static LLVMValueRef step(struct load_builder *b, LLVMValueRef pointer, LLVMValueRef bytes)
{
	return LLVMBuildGEP2(b->builder, LLVMInt8TypeInContext(b->context), pointer, &bytes, 1, "");
}

static LLVMValueRef load_chunk(struct load_builder *b, LLVMTypeRef type, LLVMValueRef from, unsigned bytes,
			       struct location_marker *marker)
{
	LLVMValueRef load;

	if (!marker)
		return build_marked_load(b, type, from, bytes);
	load = LLVMBuildLoad2(b->builder, type, from, "");
	LLVMSetAlignment(load, bytes);
	mark_location(marker, load);
	return load;
}

static void copy_chunk(struct load_builder *b, LLVMValueRef to, LLVMValueRef from, LLVMValueRef offset, unsigned bytes,
		       struct location_marker *marker)
{
	LLVMValueRef value = load_chunk(b, chunk_type(b, bytes), step(b, from, offset), bytes, marker);

	LLVMSetAlignment(LLVMBuildStore(b->builder, value, step(b, to, offset)), bytes);
}

/* Widest power of two that divides `align` and that fits `bytes`. */
static unsigned chunk_bytes(uint64_t align, uint64_t bytes)
{
	unsigned chunk = WIDEST;

	while (chunk > 1 && (align % chunk || chunk > bytes))
		chunk /= 2;
	return chunk;
}

static void write_out(struct load_builder *b, LLVMValueRef to, LLVMValueRef from, uint64_t bytes, unsigned align,
		      struct location_marker *marker)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);

	for (uint64_t done = 0; done < bytes;) {
		unsigned chunk = chunk_bytes(done ? (done | align) & -(done | align) : align, bytes - done);

		copy_chunk(b, to, from, LLVMConstInt(i64, done, false), chunk, marker);
		done += chunk;
	}
}

/* void copy(to, from, bytes): chunks of `chunk` bytes, of which `bytes` is a multiple. */
static void build_loop(struct load_builder *b, LLVMValueRef function, unsigned chunk, struct location_marker *marker)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(b->context, function, "");
	LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(b->context, function, "");
	LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(b->context, function, "");
	LLVMValueRef to = LLVMGetParam(function, 0), from = LLVMGetParam(function, 1);
	LLVMValueRef bytes = LLVMGetParam(function, 2), zero = LLVMConstInt(i64, 0, false), at, next;
	LLVMBuilderRef outer = b->builder;

	b->builder = LLVMCreateBuilderInContext(b->context);
	LLVMPositionBuilderAtEnd(b->builder, entry);
	LLVMBuildCondBr(b->builder, LLVMBuildICmp(b->builder, LLVMIntEQ, bytes, zero, ""), done, loop);
	LLVMPositionBuilderAtEnd(b->builder, loop);
	at = LLVMBuildPhi(b->builder, i64, "");
	copy_chunk(b, to, from, at, chunk, marker);
	next = LLVMBuildAdd(b->builder, at, LLVMConstInt(i64, chunk, false), "");
	LLVMBuildCondBr(b->builder, LLVMBuildICmp(b->builder, LLVMIntULT, next, bytes, ""), loop, done);
	LLVMAddIncoming(at, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
	LLVMPositionBuilderAtEnd(b->builder, done);
	LLVMBuildRetVoid(b->builder);
	LLVMDisposeBuilder(b->builder);
	b->builder = outer;
}

static LLVMValueRef loop_function(struct load_builder *b, LLVMTypeRef to, unsigned chunk,
				  struct location_marker *marker, LLVMTypeRef *type)
{
	LLVMTypeRef global = LLVMPointerTypeInContext(b->context, AS_GLOBAL);
	LLVMTypeRef params[] = {to, global, LLVMInt64TypeInContext(b->context)};
	unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	LLVMValueRef function;
	char name[64];

	snprintf(name, sizeof name, COPY_PREFIX "%u.%u", LLVMGetPointerAddressSpace(to), chunk);
	*type = LLVMFunctionType(LLVMVoidTypeInContext(b->context), params, 3, false);
	function = LLVMGetNamedFunction(b->module, name);
	if (function)
		return function;
	function = LLVMAddFunction(b->module, name, *type);
	LLVMSetLinkage(function, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(b->context, always, 0));
	build_loop(b, function, chunk, marker);
	return function;
}

void expand_memcpy(struct load_builder *b, LLVMValueRef call, struct location_marker *marker)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), length = LLVMGetOperand(call, 2);
	unsigned to_align = argument_align(call, 0), from_align = argument_align(call, 1);
	unsigned align = to_align < from_align ? to_align : from_align, chunk;
	bool known = LLVMIsAConstantInt(length) != NULL;
	uint64_t bytes = known ? LLVMConstIntGetZExtValue(length) : 0;
	LLVMTypeRef type;
	LLVMValueRef function, loop;

	LLVMPositionBuilderBefore(b->builder, call);
	from = build_global_pointer(b, from);
	if (known && bytes <= WRITTEN_OUT) {
		write_out(b, to, from, bytes, align, marker);
	} else {
		chunk = known ? chunk_bytes((align | bytes) & -(align | bytes), bytes) : 1;
		length = LLVMBuildIntCast2(b->builder, length, LLVMInt64TypeInContext(b->context), false, "");
		function = loop_function(b, LLVMTypeOf(to), chunk, marker, &type);
		loop = LLVMBuildCall2(b->builder, type, function, (LLVMValueRef[]){to, from, length}, 3, "");
		if (marker)
			locate_inlined_call(marker, loop);
	}
	LLVMInstructionEraseFromParent(call);
}

static bool has_loops(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t len;

		if (strncmp(LLVMGetValueName2(f, &len), COPY_PREFIX, strlen(COPY_PREFIX)) == 0)
			return true;
	}
	return false;
}

void inline_copies(LLVMModuleRef module)
{
	LLVMPassBuilderOptionsRef options;

	if (!has_loops(module))
		return;
	options = LLVMCreatePassBuilderOptions();
	LLVMConsumeError(LLVMRunPasses(module, "always-inline", NULL, options));
	LLVMDisposePassBuilderOptions(options);
}
