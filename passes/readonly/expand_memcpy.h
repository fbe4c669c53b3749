/* memcpy whose source is read-only, as marked loads and plain stores. */
#ifndef ROMARK_PASSES_COPY_H
#define ROMARK_PASSES_COPY_H

#include "passes/readonly/mark_load.h"
#include "passes/readonly/location_marks.h"

/*
 * Replaces the call by loads and stores. The loads are tagged; without a tagger they are `b`'s intrinsics. Copies that
 * are long, or of unknown length, become loops in functions that inline_copies inlines.
 */
void expand_copy(struct load_builder *b, LLVMValueRef call, struct tagger *tagger);
void inline_copies(LLVMModuleRef module);

#endif
