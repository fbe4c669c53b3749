/*
 * LLVM has no load that is ld.global.nc and yet keeps its place among the stores: its ldg intrinsics are gone since
 * release 20, and !invariant.load gives the place up. So the load is a line of inline assembly that reads memory: words
 * of 1 to 8 bytes, up to 16 bytes at once, put together to the type wanted.
 */
#include "passes/readonly/mark_load.h"

#include "passes/ir/ir.h"
#include "ptx-analyzer/language/module/ptx_access.h"

#include <stdio.h>
#include <string.h>

enum { WIDEST = 16, ARGUMENT_MEMORY_READ = 1 /* of the attribute `memory` */ };

static unsigned element_bits(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind: return 16;
	case LLVMFloatTypeKind: return 32;
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind: return 64;
	default: return 0;
	}
}

static unsigned total_bits(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		return element_bits(LLVMGetElementType(type)) * LLVMGetVectorSize(type);
	return element_bits(type);
}

/* Bytes of the words that a value is loaded in; 0 if it cannot be. */
static unsigned word_of(unsigned bytes, unsigned align)
{
	for (unsigned word = 8; word >= 4; word /= 2)
		if (bytes % word == 0 && align >= word)
			return word;
	return bytes <= 2 && align >= bytes ? bytes : 0;
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
	return bits != 0 && bits == bytes * 8 && word_of(bytes, align) != 0;
}

LLVMValueRef build_global_pointer(struct load_builder *b, LLVMValueRef pointer)
{
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == AS_GLOBAL)
		return pointer;
	return LLVMBuildAddrSpaceCast(b->builder, pointer, LLVMPointerTypeInContext(b->context, AS_GLOBAL), "");
}

static void add_call_attribute(struct load_builder *b, LLVMValueRef call, const char *name, uint64_t value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(b->context, kind, value));
}

/* The type of a register for a word; 8-bit words use 16-bit registers. */
static LLVMTypeRef register_type(struct load_builder *b, unsigned word)
{
	return LLVMIntTypeInContext(b->context, word == 1 ? 16 : word * 8);
}

/* The marked load of `count` words. */
static void spell(unsigned word, unsigned count, struct strbuf *out)
{
	static const char *const vectors[] = {"", ".v2", NULL, ".v4"};
	char plain[32];
	int len = snprintf(plain, sizeof plain, "ld.global%s.b%u", vectors[count - 1], word * 8);

	ptx_spell_load(plain, (size_t)len, LOAD_NC, out);
}

/* `count` words at `pointer`: one register, or a structure of them. */
static LLVMValueRef load_piece(struct load_builder *b, LLVMValueRef pointer, unsigned word, unsigned count)
{
	static const char *const registers[] = {"$0", "{$0, $1}", NULL, "{$0, $1, $2, $3}"};
	char letter = word == 8 ? 'l' : word == 4 ? 'r' : 'h', constraints[64] = "";
	struct strbuf text = STRBUF_INIT;
	LLVMTypeRef type = register_type(b, word), types[] = {type, type, type, type}, function;
	LLVMTypeRef argument = LLVMTypeOf(pointer);
	LLVMValueRef call;
	int len = 0;

	for (unsigned i = 0; i < count; i++)
		len += snprintf(constraints + len, sizeof constraints - (size_t)len, "=%c,", letter);
	len += snprintf(constraints + len, sizeof constraints - (size_t)len, "l,~{memory}");
	spell(word, count, &text);
	strbuf_addf(&text, " %s, [$%u];", registers[count - 1], count);
	if (count > 1)
		type = LLVMStructTypeInContext(b->context, types, count, false);
	function = LLVMFunctionType(type, &argument, 1, false);
	call = LLVMBuildCall2(b->builder, function,
			      LLVMGetInlineAsm(function, text.data, text.len, constraints, (size_t)len, false, false,
					       LLVMInlineAsmDialectATT, false),
			      &pointer, 1, "");
	add_call_attribute(b, call, "memory", ARGUMENT_MEMORY_READ);
	add_call_attribute(b, call, "nounwind", 0);
	strbuf_release(&text);
	return call;
}

static LLVMValueRef at_byte(struct load_builder *b, LLVMValueRef pointer, unsigned offset)
{
	LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(b->context), offset, false);

	return offset ? LLVMBuildGEP2(b->builder, LLVMInt8TypeInContext(b->context), pointer, &index, 1, "") : pointer;
}

/* The value as a vector of words, in pieces as wide as the alignment allows. */
static LLVMValueRef load_words(struct load_builder *b, LLVMValueRef pointer, unsigned bytes, unsigned word,
			       unsigned align)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(b->context);
	LLVMValueRef words = LLVMGetPoison(LLVMVectorType(register_type(b, word), bytes / word));
	unsigned done = 0;

	while (done < bytes) {
		unsigned piece = WIDEST, count;
		LLVMValueRef value;

		while (piece > bytes - done || piece > align || done % piece)
			piece /= 2;
		count = piece / word;
		value = load_piece(b, at_byte(b, pointer, done), word, count);
		for (unsigned i = 0; i < count; i++) {
			LLVMValueRef one = count == 1 ? value : LLVMBuildExtractValue(b->builder, value, i, "");
			LLVMValueRef to = LLVMConstInt(i32, done / word + i, false);

			words = LLVMBuildInsertElement(b->builder, words, one, to, "");
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
	unsigned bytes = total_bits(type) / 8, word = word_of(bytes, align);
	LLVMValueRef bits;

	pointer = build_global_pointer(b, pointer);
	if (bytes == word)
		bits = load_piece(b, pointer, word, 1);
	else
		bits = load_words(b, pointer, bytes, word, align);
	if (bytes == 1)
		bits = LLVMBuildTrunc(b->builder, bits, LLVMInt8TypeInContext(b->context), "");
	if (!type_is_pointer(type))
		return LLVMBuildBitCast(b->builder, bits, type, "");
	bits = LLVMBuildBitCast(b->builder, bits, integers_like(b, type), "");
	return LLVMBuildIntToPtr(b->builder, bits, type, "");
}
