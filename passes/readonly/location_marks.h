/*
 * Marks that code generation carries through unchanged: a bit in the column number of a marked load's debug location.
 * Code generation gives locations to the instructions that it makes, and promises that they change nothing. So the PTX
 * equals the unmarked module's, and its .loc directives tell which loads are marked.
 */
#ifndef ROMARK_PASSES_LOCATION_MARKS_H
#define ROMARK_PASSES_LOCATION_MARKS_H

#include "passes/passes.h"

#include "common/strbuf.h"
#include "common/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

struct location_marker {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMDIBuilderRef builder; /* NULL until a function without debug information needs some */
	LLVMMetadataRef file;
	unsigned marked;
};

void location_marker_init(struct location_marker *m, LLVMModuleRef module);
void mark_location(struct location_marker *m, LLVMValueRef inst);
/* A call that is to be inlined needs a location, or the marks in its callee are lost. */
void locate_inlined_call(struct location_marker *m, LLVMValueRef call);
/* Call when all are marked. */
void location_marker_finish(struct location_marker *m);

/* True if the module has its own debug information; ask before marking. */
bool has_debug_information(LLVMModuleRef module);
/*
 * Appends the PTX with marked loads spelled as `load`, and without the traces of marking. `only_marks`: the module had
 * no debug information of its own.
 */
void location_marks_resolve(const char *ptx, size_t size, enum load_mark load, bool only_marks, struct strbuf *out);

#endif
