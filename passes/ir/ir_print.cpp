// LLVM's C interface numbers the values of a whole module anew for each instruction that it prints; this does not.
#include "passes/ir/ir_print.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ModuleSlotTracker.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <string>

enum { LONGEST_INSTRUCTION = 160 };

struct ir_printer {
	explicit ir_printer(const llvm::Module *module) : slots(module, false)
	{
	}
	llvm::ModuleSlotTracker slots;
	const llvm::Function *function = nullptr;
};

ir_printer *ir_printer_create(LLVMModuleRef module)
{
	return new ir_printer(llvm::unwrap(module));
}

void ir_printer_free(ir_printer *printer)
{
	delete printer;
}

char *ir_print(ir_printer *printer, LLVMValueRef value)
{
	const auto *inst = llvm::unwrap<llvm::Instruction>(value);
	std::string text;
	llvm::raw_string_ostream out(text);

	if (inst->getFunction() != printer->function) {
		printer->function = inst->getFunction();
		printer->slots.incorporateFunction(*printer->function);
	}
	inst->print(out, printer->slots);
	out.flush();
	text.erase(0, text.find_first_not_of(' '));
	text.resize(std::min({text.find(", !"), text.find('\n'), text.size()}));
	if (text.size() > LONGEST_INSTRUCTION)
		text.replace(LONGEST_INSTRUCTION - 3, std::string::npos, "...");
	return strdup(text.c_str());
}
