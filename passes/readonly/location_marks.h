/*
 * Marks that code generation carries through unchanged: a bit in the column number of a marked load's debug location.
 * Code generation gives locations to the instructions that it makes, and promises that they change nothing. So the PTX
 * equals the unmarked module's, and its .loc directives tell which loads are marked.
 */
#ifndef ROMARK_PASSES_TAG_H
#define ROMARK_PASSES_TAG_H

#include "passes/passes.h"

#include "common/strbuf.h"
#include "common/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

struct tagger {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMDIBuilderRef builder; /* NULL until a function without debug information needs some */
	LLVMMetadataRef file;
	unsigned tagged;
};

void tagger_init(struct tagger *t, LLVMModuleRef module);
void tag_instruction(struct tagger *t, LLVMValueRef inst);
/* A call that is to be inlined needs a location, or the tags in its callee are lost. */
void tag_inlined_call(struct tagger *t, LLVMValueRef call);
/* Call when all are tagged. */
void tagger_finish(struct tagger *t);

/* True if the module has its own debug information; ask before tagging. */
bool has_debug_information(LLVMModuleRef module);
/*
 * Appends the PTX with tagged loads spelled as `load`, and without the traces of tagging. `only_tags`: the module had
 * no debug information of its own.
 */
void tags_resolve(const char *ptx, size_t size, enum load_mark load, bool only_tags, struct strbuf *out);

#endif
