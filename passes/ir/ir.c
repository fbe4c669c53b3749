/* The functions of a module, which of them are kernels, and the constants that hold addresses. */
#include "passes/ir/ir.h"

#include "common/strbuf.h"
#include "common/xalloc.h"
#include "passes/ir/assembly_text.h"
#include "passes/ir/ir_kernel.h"
#include "passes/ir/lower.h"
#include "passes/sets/origin_sets.h"

#include <string.h>

bool type_is_pointer(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	if (kind == LLVMVectorTypeKind)
		kind = LLVMGetTypeKind(LLVMGetElementType(type));
	return kind == LLVMPointerTypeKind;
}

bool is_assembly(LLVMValueRef inst)
{
	return LLVMIsACallInst(inst) && LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

bool ir_is_shared_zero(LLVMValueRef value)
{
	return LLVMIsAConstantPointerNull(value) && LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == AS_SHARED;
}

static LLVMValueRef resolve_alias(LLVMValueRef value)
{
	while (LLVMIsAGlobalAlias(value) || (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast))
		value = LLVMIsAGlobalAlias(value) ? LLVMAliasGetAliasee(value) : LLVMGetOperand(value, 0);
	return value;
}

uint32_t ir_function(const struct ir *p, LLVMValueRef value)
{
	uint32_t id = map_get(&p->function_ids, map_pointer_key(resolve_alias(value)));

	return id == MAP_NONE ? NO_FUNCTION : id;
}

/* Element type and byte offset of one step into `type`; the offset is OFFSET_ANY when the index is not constant. */
static LLVMTypeRef step_into(const struct ir *p, LLVMTypeRef type, LLVMValueRef index, int64_t *offset)
{
	bool known = LLVMIsAConstantInt(index) != NULL;
	LLVMTypeRef inner;

	if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
		unsigned field = known ? (unsigned)LLVMConstIntGetZExtValue(index) : 0;

		/* A vector of indices counts as not constant, even if all are equal: too rare to matter. */
		*offset = known ? (int64_t)LLVMOffsetOfElement(p->layout, type, field) : OFFSET_ANY;
		return LLVMStructGetTypeAtIndex(type, field);
	}
	inner = LLVMGetElementType(type);
	*offset = known ? LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(p->layout, inner) : OFFSET_ANY;
	return inner;
}

int64_t ir_gep_offset(const struct ir *p, LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	LLVMValueRef first = LLVMGetOperand(gep, 1);
	int64_t total;

	if (!LLVMIsAConstantInt(first))
		return OFFSET_ANY;
	total = LLVMConstIntGetSExtValue(first) * (int64_t)LLVMABISizeOfType(p->layout, type);
	for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
		int64_t offset;

		type = step_into(p, type, LLVMGetOperand(gep, (unsigned)i), &offset);
		if (offset == OFFSET_ANY)
			return OFFSET_ANY;
		total += offset;
	}
	return total;
}

/* True if the function's address is used other than to call it. */
static bool address_taken(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return true;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetOperand(user, i) == function)
				return true;
	}
	return false;
}

/* True if another module may replace its body (weak functions). */
static bool is_replaceable(const struct ir *p, LLVMValueRef f)
{
	LLVMLinkage linkage = LLVMGetLinkage(f);

	return p->relocatable && (linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage);
}

static void add_assemblies(LLVMValueRef function, struct strbuf *all)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			char *constraints, *text;

			if (!is_assembly(i))
				continue;
			text = assembly_text(LLVMGetCalledValue(i), &constraints);
			strbuf_addf(all, "%s\n", text);
			xfree(text);
			xfree(constraints);
		}
}

/*
 * All assembly of the module. It may take the address of a function that it names, which no other part of the IR shows.
 */
static struct strbuf read_assembly(const struct ir *p)
{
	struct strbuf all = STRBUF_INIT;
	size_t len;
	const char *own = LLVMGetModuleInlineAsm(p->module, &len);

	strbuf_addf(&all, "%.*s\n", (int)len, own);
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		add_assemblies(f, &all);
	return all;
}

static void read_functions(struct ir *p)
{
	struct strbuf assembly = read_assembly(p);

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		size_t len;
		struct function_code code = {
		    .value = f,
		    .name = LLVMGetValueName2(f, &len),
		    .has_body = LLVMCountBasicBlocks(f) > 0 && !is_replaceable(p, f),
		    .is_kernel = has_kernel_convention(f),
		    .address_taken = address_taken(f) || strstr(assembly.data, LLVMGetValueName2(f, &len)),
		    .nargs = LLVMCountParams(f),
		};

		code.is_kernel &= code.has_body;
		map_put(&p->function_ids, map_pointer_key(f), (uint32_t)p->functions.len);
		vec_push(&p->functions, code);
	}
	strbuf_release(&assembly);
}

static void read_annotations(struct ir *p)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(p->module, "nvvm.annotations");
	LLVMValueRef *rows = xcalloc(count, sizeof *rows);

	LLVMGetNamedMetadataOperands(p->module, "nvvm.annotations", rows);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef kernel = rows[i] ? annotated_kernel(rows[i]) : NULL;
		uint32_t function = kernel ? ir_function(p, kernel) : NO_FUNCTION;

		if (function < p->functions.len)
			p->functions.data[function].is_kernel |= p->functions.data[function].has_body;
	}
	free(rows);
}

void ir_read(struct ir *p, LLVMModuleRef module, bool relocatable, bool foreign)
{
	*p = (struct ir){
	    .module = module,
	    .layout = LLVMGetModuleDataLayout(module),
	    .relocatable = relocatable,
	    .foreign = foreign,
	};
	read_functions(p);
	read_annotations(p);
	for (uint32_t i = 0; i < p->functions.len; i++)
		if (p->functions.data[i].has_body)
			lower_function(p, &p->functions.data[i]);
}

void ir_release(struct ir *p)
{
	vec_release(&p->functions);
	vec_release(&p->ops);
	vec_release(&p->operands);
	vec_release(&p->constants);
	map_release(&p->function_ids);
	map_release(&p->constant_ids);
}
