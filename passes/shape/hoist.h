/* The part of shape_passes.h that takes LLVM's own analyses, which its C interface lacks. */
#ifndef ROMARK_PASSES_HOIST_H
#define ROMARK_PASSES_HOIST_H

namespace llvm
{
class BlockFrequencyInfo;
class DominatorTree;
class Function;
} // namespace llvm

/* Computes an address that several blocks need before them, if that is executed less often. Returns whether it did. */
bool hoist_repeated_addresses(llvm::Function &function, llvm::DominatorTree &tree,
			      llvm::BlockFrequencyInfo &frequencies);

#endif
