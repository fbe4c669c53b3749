/* memcpy whose source is read-only, as marked loads and plain stores. */
#ifndef ROMARK_PASSES_EXPAND_MEMCPY_H
#define ROMARK_PASSES_EXPAND_MEMCPY_H

#include "passes/readonly/mark_load.h"
#include "passes/readonly/location_marks.h"

/*
 * Replaces the call by loads and stores. With a marker the loads' locations are marked; without one the loads are `b`'s
 * intrinsics. Copies that are long, or of unknown length, become loops in functions that inline_copies inlines.
 */
void expand_memcpy(struct load_builder *b, LLVMValueRef call, struct location_marker *marker);
void inline_copies(LLVMModuleRef module);

#endif
