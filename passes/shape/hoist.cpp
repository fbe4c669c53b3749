// An address that several blocks compute is computed before them, where that is executed less often. Such blocks are
// the guarded parts of a loop that LLVM unrolled: `if (thread < 1) a[thread] = ...; if (thread < 2) a[thread] = ...`.
#include "passes/shape/hoist.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace
{

// Compares instructions by their result: the same operation on the same operands.
struct SameResult : DenseMapInfo<Instruction *> {
	static unsigned getHashValue(const Instruction *i)
	{
		return (unsigned)hash_combine(i->getOpcode(), i->getType(),
					      hash_combine_range(i->value_op_begin(), i->value_op_end()));
	}
	static bool isEqual(const Instruction *a, const Instruction *b)
	{
		return a == b || (!is_mark(a) && !is_mark(b) && a->isIdenticalToWhenDefined(b));
	}
	static bool is_mark(const Instruction *i)
	{
		return i == getEmptyKey() || i == getTombstoneKey();
	}
};

using Places = SmallVector<Instruction *, 4>;
using Groups = MapVector<Instruction *, Places, DenseMap<Instruction *, unsigned, SameResult>>;

// True for a step in computing an address. Adding a constant offset does not count, since loads and stores do that
// themselves.
bool is_step(const Instruction &i)
{
	if (auto *element = dyn_cast<GetElementPtrInst>(&i))
		return !element->hasAllConstantIndices() && !element->getType()->isVectorTy();
	switch (i.getOpcode()) {
	case Instruction::Add:
	case Instruction::Sub:
	case Instruction::Mul:
	case Instruction::Shl:
	case Instruction::SExt:
	case Instruction::ZExt: return i.getType()->isIntegerTy(64);
	default: return false;
	}
}

Groups repeated_steps(Function &function)
{
	Groups groups;

	for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
		for (Instruction &i : *block)
			if (is_step(i))
				groups[&i].push_back(&i);
	groups.remove_if([](const auto &group) { return group.second.size() < 2; });
	return groups;
}

// Replaces `places` by a single instruction in `block`, which dominates them all: the first that is already there, or
// one moved there.
void unite(Places &places, BasicBlock *block)
{
	auto *there = find_if(places, [block](Instruction *place) { return place->getParent() == block; });
	Instruction *kept = there == places.end() ? places.front() : *there;

	if (there == places.end())
		kept->moveBefore(*block, block->getTerminator()->getIterator());
	for (Instruction *place : places) {
		if (place == kept)
			continue;
		kept->andIRFlags(place);
		kept->applyMergedLocation(kept->getDebugLoc(), place->getDebugLoc());
		place->replaceAllUsesWith(kept);
		place->eraseFromParent();
	}
}

// Computes the step once, where all its places are reached from, if these together are executed more often.
bool hoist(Places &places, DominatorTree &tree, BlockFrequencyInfo &frequencies)
{
	BasicBlock *common = places.front()->getParent();
	BlockFrequency sum(0);

	for (Instruction *place : places) {
		common = tree.findNearestCommonDominator(common, place->getParent());
		sum += frequencies.getBlockFreq(place->getParent());
	}
	if (sum <= frequencies.getBlockFreq(common))
		return false;
	unite(places, common);
	return true;
}

} // namespace

bool hoist_repeated_addresses(Function &function, DominatorTree &tree, BlockFrequencyInfo &frequencies)
{
	bool changed = false;

	// After two instructions become one, instructions that use them may have become equal, too. So this repeats.
	for (bool again = true; again; changed |= again) {
		Groups groups = repeated_steps(function);

		again = false;
		for (auto &group : groups)
			again |= hoist(group.second, tree, frequencies);
	}
	return changed;
}
