// The few lines of C++ that LLVM's plugin interface asks for; everything else is C.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

#include "passes/plugin/plugin.h"

namespace
{

struct RomarkPass : llvm::PassInfoMixin<RomarkPass> {
	std::string parameters;

	explicit RomarkPass(llvm::StringRef text) : parameters(text)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
	{
		return plugin_run(llvm::wrap(&module), parameters.c_str()) ? llvm::PreservedAnalyses::none()
									   : llvm::PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};

bool parsePipeline(llvm::StringRef name, llvm::ModulePassManager &passes,
		   llvm::ArrayRef<llvm::PassBuilder::PipelineElement>)
{
	if (!name.consume_front("romark") || (!name.empty() && !(name.consume_front("<") && name.consume_back(">"))))
		return false;
	passes.addPass(RomarkPass(name));
	return true;
}

void registerPasses(llvm::PassBuilder &builder)
{
	builder.registerPipelineParsingCallback(parsePipeline);
	builder.registerOptimizerLastEPCallback(
	    [](llvm::ModulePassManager &passes, auto &&...) { passes.addPass(RomarkPass("")); });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "romark", "0.1", registerPasses};
}
