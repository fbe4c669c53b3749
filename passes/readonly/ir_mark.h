/*
 * Writing the marks into the IR.
 *
 * A mark that the code alone proves can be `!invariant.load`, LLVM's own metadata. A mark that depends on the launch
 * must not be: LLVM would move the load across stores, which is wrong if the launch breaks the guards. Such a mark is
 * `!romark.ro`, which has no effect on LLVM's passes.
 */
#ifndef ROMARK_PASSES_IR_MARK_H
#define ROMARK_PASSES_IR_MARK_H

#include "passes/readonly/facts.h"

enum mark_form {
	MARK_METADATA,  /* !romark.ro, and !invariant.load where the code proves it: the module stays portable IR */
	MARK_LOCATIONS, /* for our own emission: loads from global memory, their locations have marks (location_marks.h)
			 */
	MARK_FOREIGN,   /* for a code generator that is not ours: each marked load prints as ld.global.nc */
};

/* True if a load's type and alignment allow MARK_FOREIGN; the other forms allow every type. */
bool load_can_be_foreign(LLVMTargetDataRef layout, LLVMValueRef load);

/* True if the only load of inline assembly can be spelled with the mark. */
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
