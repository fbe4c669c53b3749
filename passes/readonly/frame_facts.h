/*
 * Where the variables of a function lie that its code computes addresses in. Without optimisation NVPTX puts all
 * variables of a function into one, so its text does not tell where an array ends.
 */
#ifndef ROMARK_PASSES_FRAME_FACTS_H
#define ROMARK_PASSES_FRAME_FACTS_H

namespace llvm
{
class Function;
}

/*
 * Has code generation write a pragma that lists these variables with their sizes (docs/ptx.md). The function computes
 * the same. Returns whether there is anything to list. For functions that LLVM does not optimise.
 */
bool tell_frame(llvm::Function &function);

#endif
