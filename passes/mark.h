/*
 * Writing the marks into the IR.
 *
 * A mark that the code alone proves is `!invariant.load`, LLVM's own word for it. A mark that rests on the launch must
 * not be: LLVM would move such a load across a store that it would then be wrong to move it across when the launch is
 * not as assumed. It is `!romark.ro`, which changes nothing, and for code generation a load intrinsic that NVPTX keeps
 * in order with stores and prints with a name of its own.
 */
#ifndef ROMARK_PASSES_MARK_H
#define ROMARK_PASSES_MARK_H

#include "passes/verdict.h"

enum mark_form {
	MARK_METADATA, /* !romark.ro, and !invariant.load where the code proves it: the module stays portable IR */
	MARK_OWN,      /* every marked load prints as ldu.global, for our own emission to rename */
	MARK_FOREIGN,  /* for a code generator that is not ours: each marked load prints as ld.global.nc */
};

/* Whether a load of this type and alignment can be printed as one marked instruction or a few. */
bool load_can_be_marked(LLVMTargetDataRef layout, LLVMValueRef load);

/* Returns the number of loads and copies marked. The facts' operations lose their instructions. */
unsigned marks_apply(struct facts *facts, enum mark_form form);

/*
 * Takes from kernel parameters and variables the attributes by which NVPTX would make ld.global.nc of volatile and
 * atomic loads: of all parameters, or only of those that such a load reaches.
 */
void attributes_tame(struct facts *facts, bool all);

#endif
