/*
 * NVPTX's ldg intrinsics take 8 to 64 bit scalars and vectors of up to 16 bytes of them; other types are loaded
 * as 32-bit words and put together.
 */
#include "passes/mark_load.h"

#include "passes/ir.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 4, WIDEST = 16 };

static unsigned element_bits(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type);
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
		return 16;
	case LLVMFloatTypeKind:
		return 32;
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
		return 64;
	default:
		return 0;
	}
}

/* Types that an intrinsic returns as they are. */
static bool is_direct(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned bits = element_bits(type);

	if (kind == LLVMVectorTypeKind) {
		LLVMTypeRef element = LLVMGetElementType(type);
		unsigned count = LLVMGetVectorSize(type);

		bits = element_bits(element);
		return (bits == 32 || bits == 64) && (count == 2 || count == 4) && bits * count <= WIDEST * 8 &&
		       LLVMGetTypeKind(element) != LLVMPointerTypeKind;
	}
	return kind == LLVMIntegerTypeKind   ? bits == 8 || bits == 16 || bits == 32 || bits == 64
	       : kind == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(type) == AS_GENERIC
					     : bits >= 32;
}

static unsigned total_bits(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		return element_bits(LLVMGetElementType(type)) * LLVMGetVectorSize(type);
	return element_bits(type);
}

static bool holds_pointers(LLVMTypeRef type)
{
	return type_is_pointer(type);
}

bool marked_load_exists(LLVMTargetDataRef layout, LLVMTypeRef type, unsigned align)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned bits, bytes;

	/* Scalable vectors, structures and arrays have no total here. */
	if (kind == LLVMScalableVectorTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
		return false;
	bits = total_bits(type);
	bytes = (unsigned)LLVMStoreSizeOfType(layout, type);
	if (bits == 0 || bits != bytes * 8)
		return false;
	if (is_direct(type) && kind != LLVMVectorTypeKind)
		return align >= bytes;
	return bytes == 2 ? align >= 2 : bytes % WORD == 0 && align >= WORD;
}

LLVMValueRef build_global_pointer(struct load_builder *b, LLVMValueRef pointer)
{
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == AS_GLOBAL)
		return pointer;
	return LLVMBuildAddrSpaceCast(b->builder, pointer, LLVMPointerTypeInContext(b->context, AS_GLOBAL), "");
}

static char type_letter(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		type = LLVMGetElementType(type);
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return 'i';
	case LLVMPointerTypeKind:
		return 'p';
	default:
		return 'f';
	}
}

static LLVMValueRef call_intrinsic(struct load_builder *b, LLVMTypeRef type, LLVMValueRef pointer, unsigned align)
{
	LLVMTypeRef overload[] = {type, LLVMTypeOf(pointer)};
	LLVMTypeRef i32 = LLVMInt32TypeInContext(b->context);
	LLVMValueRef arguments[] = {pointer, LLVMConstInt(i32, align, false)}, function;
	char name[64];
	unsigned id;

	snprintf(name, sizeof name, "%s.%c", b->intrinsic, type_letter(type));
	id = LLVMLookupIntrinsicID(name, strlen(name));
	function = LLVMGetIntrinsicDeclaration(b->module, id, overload, 2);
	return LLVMBuildCall2(b->builder, LLVMIntrinsicGetType(b->context, id, overload, 2), function, arguments, 2,
			      "");
}

static LLVMValueRef at_byte(struct load_builder *b, LLVMValueRef pointer, unsigned offset)
{
	LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(b->context), offset, false);

	return offset ? LLVMBuildGEP2(b->builder, LLVMInt8TypeInContext(b->context), pointer, &index, 1, "") : pointer;
}

/* `bytes` bytes as a vector of 32-bit words, in pieces as wide as the alignment allows. */
static LLVMValueRef load_words(struct load_builder *b, LLVMValueRef pointer, unsigned bytes, unsigned align)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(b->context);
	LLVMValueRef words = LLVMGetPoison(LLVMVectorType(i32, bytes / WORD));
	unsigned done = 0;

	while (done < bytes) {
		unsigned piece = WIDEST;
		LLVMValueRef value;

		while (piece > bytes - done || piece > align || done % piece)
			piece /= 2;
		value = call_intrinsic(b, piece == WORD ? i32 : LLVMVectorType(i32, piece / WORD),
				       at_byte(b, pointer, done), piece);
		for (unsigned i = 0; i < piece / WORD; i++) {
			LLVMValueRef from = LLVMConstInt(i32, i, false), to = LLVMConstInt(i32, done / WORD + i, false);
			LLVMValueRef word =
			    piece == WORD ? value : LLVMBuildExtractElement(b->builder, value, from, "");

			words = LLVMBuildInsertElement(b->builder, words, word, to, "");
		}
		done += piece;
	}
	return words;
}

static LLVMTypeRef integers_like(struct load_builder *b, LLVMTypeRef type)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);

	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMVectorType(i64, LLVMGetVectorSize(type)) : i64;
}

LLVMValueRef build_marked_load(struct load_builder *b, LLVMTypeRef type, LLVMValueRef pointer, unsigned align)
{
	unsigned bytes;
	LLVMValueRef bits;

	if (!marked_load_exists(b->layout, type, align))
		return NULL;
	bytes = total_bits(type) / 8;
	pointer = build_global_pointer(b, pointer);
	if (is_direct(type) && align >= bytes)
		return call_intrinsic(b, type, pointer, align);
	if (bytes == 2)
		bits = call_intrinsic(b, LLVMInt16TypeInContext(b->context), pointer, align);
	else
		bits = load_words(b, pointer, bytes, align);
	if (!holds_pointers(type))
		return LLVMBuildBitCast(b->builder, bits, type, "");
	bits = LLVMBuildBitCast(b->builder, bits, integers_like(b, type), "");
	return LLVMBuildIntToPtr(b->builder, bits, type, "");
}
