/*
 * Writing the marks into the IR.
 *
 * A mark that the code alone proves can be `!invariant.load`, LLVM's own word for it. A mark that rests on the launch
 * must not be: LLVM would move such a load across a store that it would then be wrong to move it across when the launch
 * is not as assumed. It is `!romark.ro`, which changes nothing.
 */
#ifndef ROMARK_PASSES_MARK_H
#define ROMARK_PASSES_MARK_H

#include "passes/readonly/facts.h"

enum mark_form {
	MARK_METADATA, /* !romark.ro, and !invariant.load where the code proves it: the module stays portable IR */
	MARK_TAGS,     /* for our own emission: every marked load is one from global memory, with a tag (tag.h) */
	MARK_FOREIGN,  /* for a code generator that is not ours: each marked load prints as ld.global.nc */
};

/* Whether a load's type and alignment allow MARK_FOREIGN; the other forms take every type. */
bool load_can_be_foreign(LLVMTargetDataRef layout, LLVMValueRef load);

/* Whether the only load of inline assembly can be spelt with the mark. */
bool assembly_can_be_marked(LLVMValueRef call);

/*
 * Returns the number of loads and copies marked. The facts' operations lose their instructions. `load`: how the
 * program's own assembly spells the mark.
 */
unsigned marks_apply(struct facts *facts, enum mark_form form, enum load_mark load);

/*
 * Takes from kernel parameters and variables the attributes by which NVPTX would make ld.global.nc of volatile and
 * atomic loads: of all parameters, or only of those that such a load reaches.
 */
void attributes_tame(struct facts *facts, bool all);

#endif
