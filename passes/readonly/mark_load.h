/* One marked load as a foreign code generator is to see it; used for loads and for the read half of expanded copies. */
#ifndef ROMARK_PASSES_MARK_LOAD_H
#define ROMARK_PASSES_MARK_LOAD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

struct load_builder {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMBuilderRef builder; /* its position is where the load will be */
};

/* The address in the global address space. */
LLVMValueRef build_global_pointer(struct load_builder *b, LLVMValueRef pointer);
bool marked_load_exists(LLVMTargetDataRef layout, LLVMTypeRef type, unsigned align);
/* A value of `type`, for which such a load exists, from `pointer` (any address space). */
LLVMValueRef build_marked_load(struct load_builder *b, LLVMTypeRef type, LLVMValueRef pointer, unsigned align);

#endif
