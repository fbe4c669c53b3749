// The list is inline assembly with the variables as memory operands. These cost no instruction, and NVPTX writes each
// as its place in the frame: .pragma "romark.frame [%SP+16] 128 [%SP+160] 16";
#include "passes/readonly/frame_facts.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

// A list of more than these would be of no use to an analyser either.
constexpr unsigned MOST_VARIABLES = 64;

struct Variable {
	AllocaInst *place;
	uint64_t bytes;
};

bool is_plain_address(const Value *address);

// True if the user does no more with the address than to access what is at a constant distance.
bool is_plain_use(const User *user, const Value *address)
{
	if (isa<LoadInst>(user))
		return true;
	if (auto *store = dyn_cast<StoreInst>(user))
		return store->getPointerOperand() == address && store->getValueOperand() != address;
	if (auto *element = dyn_cast<GetElementPtrInst>(user))
		return element->hasAllConstantIndices() && is_plain_address(element);
	if (isa<AddrSpaceCastInst>(user))
		return is_plain_address(user);
	if (auto *call = dyn_cast<IntrinsicInst>(user))
		return call->isLifetimeStartOrEnd() ||
		       (isa<MemIntrinsic>(call) && isa<ConstantInt>(cast<MemIntrinsic>(call)->getLength()));
	return false;
}

bool is_plain_address(const Value *address)
{
	for (const User *user : address->users())
		if (!is_plain_use(user, address))
			return false;
	return true;
}

// Copies of arguments by value get their places later, so they cannot be listed.
bool copies_arguments(const Function &function)
{
	for (const Argument &argument : function.args())
		if (argument.hasByValAttr() && !is_plain_address(&argument))
			return true;
	return false;
}

// The variables that code computes addresses in, or hands to others. False if one of them has no constant place.
bool find_variables(Function &function, SmallVectorImpl<Variable> &variables)
{
	const DataLayout &layout = function.getParent()->getDataLayout();

	for (BasicBlock &block : function)
		for (Instruction &i : block) {
			auto *place = dyn_cast<AllocaInst>(&i);

			if (!place)
				continue;
			auto bytes = place->getAllocationSize(layout);
			if (!place->isStaticAlloca() || !bytes || bytes->isScalable() || place->isUsedWithInAlloca())
				return false;
			if (!is_plain_address(place))
				variables.push_back({place, bytes->getFixedValue()});
		}
	return true;
}

void write_list(Function &function, ArrayRef<Variable> variables)
{
	BasicBlock &entry = function.getEntryBlock();
	BasicBlock::iterator behind = entry.getFirstInsertionPt();
	std::string text = ".pragma \"romark.frame", constraints;
	SmallVector<Value *, 8> places;
	SmallVector<Type *, 8> types;

	for (Instruction &i : entry)
		if (isa<AllocaInst>(i))
			behind = std::next(i.getIterator());
	for (const Variable &variable : variables) {
		text += " $" + std::to_string(places.size()) + " " + std::to_string(variable.bytes);
		constraints += places.empty() ? "*m" : ",*m";
		places.push_back(variable.place);
		types.push_back(variable.place->getType());
	}
	auto *type = FunctionType::get(Type::getVoidTy(function.getContext()), types, false);
	IRBuilder<> builder(&entry, behind);
	CallInst *call = builder.CreateCall(InlineAsm::get(type, text + "\";", constraints, true), places);
	for (unsigned i = 0; i < variables.size(); i++)
		call->addParamAttr(i, Attribute::get(function.getContext(), Attribute::ElementType,
						     variables[i].place->getAllocatedType()));
}

} // namespace

bool tell_frame(Function &function)
{
	SmallVector<Variable, 8> variables;

	if (function.isDeclaration() || !function.hasOptNone() || copies_arguments(function) ||
	    !find_variables(function, variables) || variables.empty() || variables.size() > MOST_VARIABLES)
		return false;
	write_list(function, variables);
	return true;
}
