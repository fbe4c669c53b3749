/*
 * Marks that pass through code generation without changing it: a marked load's debug location gets a bit in its column
 * number. Code generation carries locations to the instructions it makes and promises to let them change nothing, so
 * the PTX is that of the unmarked module, and the .loc directives in it tell which of its loads are marked.
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

/* Whether the module has debug information of its own; ask before tagging. */
bool has_debug_information(LLVMModuleRef module);
/*
 * Appends the PTX with tagged loads spelt as `load` asks, and without what tagging added. `only_tags`: the module had
 * no debug information of its own.
 */
void tags_resolve(const char *ptx, size_t size, enum load_mark load, bool only_tags, struct strbuf *out);

#endif
