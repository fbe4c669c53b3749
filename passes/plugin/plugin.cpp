// The few lines of C++ that LLVM's plugin interface asks for; everything else is C.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

#include "passes/plugin/plugin.h"
#include "passes/shape/shape.h"

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

// LLVM's own pass widens counters, and proves that it may. It asks the target whether it should: here the loop answers.
struct WidenLoops : llvm::PassInfoMixin<WidenLoops> {
	llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
				    llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater)
	{
		if (!widening_pays(llvm::wrap(loop.getHeader())))
			return llvm::PreservedAnalyses::all();
		llvm::TargetTransformInfo target(std::move(results.TTI));
		results.TTI = llvm::TargetTransformInfo(loop.getHeader()->getModule()->getDataLayout());
		llvm::PreservedAnalyses kept = llvm::IndVarSimplifyPass().run(loop, manager, results, updater);
		results.TTI = std::move(target);
		return kept;
	}
};

struct TurnBranches : llvm::PassInfoMixin<TurnBranches> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
	{
		return turn_branches(llvm::wrap(&module)) ? llvm::PreservedAnalyses::none()
							  : llvm::PreservedAnalyses::all();
	}
};

// A pass over device code, which other code goes by untouched.
template <typename Pass>
struct OnDevice : llvm::PassInfoMixin<OnDevice<Pass>> {
	Pass pass;

	explicit OnDevice(Pass &&pass) : pass(std::move(pass))
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager)
	{
		return plugin_concerns(llvm::wrap(&module)) ? pass.run(module, manager)
							    : llvm::PreservedAnalyses::all();
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
	builder.registerOptimizerEarlyEPCallback(
	    [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, auto &&...) {
		    if (level != llvm::OptimizationLevel::O0)
			    passes.addPass(OnDevice(llvm::createModuleToFunctionPassAdaptor(
				llvm::createFunctionToLoopPassAdaptor(WidenLoops()))));
	    });
	builder.registerOptimizerLastEPCallback(
	    [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, auto &&...) {
		    passes.addPass(RomarkPass(""));
		    if (level != llvm::OptimizationLevel::O0)
			    passes.addPass(OnDevice(TurnBranches()));
	    });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "romark", "0.1", registerPasses};
}
