// The C++ that LLVM's plugin interface needs. It places the passes in LLVM's pipeline.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

#include "passes/plugin/plugin.h"
#include "passes/readonly/frame_facts.h"
#include "passes/shape/hoist.h"
#include "passes/shape/shape_passes.h"

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

// LLVM's own pass widens counters, and proves that this is correct. It asks the target whether to do it; here the
// answer depends on the loop.
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

// Loops that will be unrolled whole are widened earlier: before LLVM reorders additions, after which it no longer knows
// that they do not wrap.
struct WidenCountedLoops : llvm::PassInfoMixin<WidenCountedLoops> {
	llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
				    llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater)
	{
		bool stays = llvm::hasUnrollTransformation(&loop) & llvm::TM_Disable;

		if (stays || results.SE.getSmallConstantTripCount(&loop) == 0)
			return llvm::PreservedAnalyses::all();
		return WidenLoops().run(loop, manager, results, updater);
	}
};

struct SettleParameters : llvm::PassInfoMixin<SettleParameters> {
	llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &)
	{
		return settle_parameters(llvm::wrap(&function)) ? llvm::PreservedAnalyses::none()
								: llvm::PreservedAnalyses::all();
	}
};

struct GatherParameters : llvm::PassInfoMixin<GatherParameters> {
	llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &)
	{
		return gather_parameters(llvm::wrap(&function)) ? llvm::PreservedAnalyses::none()
								: llvm::PreservedAnalyses::all();
	}
};

struct HoistAddresses : llvm::PassInfoMixin<HoistAddresses> {
	llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
	{
		auto &tree = manager.getResult<llvm::DominatorTreeAnalysis>(function);
		auto &frequencies = manager.getResult<llvm::BlockFrequencyAnalysis>(function);

		return hoist_repeated_addresses(function, tree, frequencies) ? llvm::PreservedAnalyses::none()
									     : llvm::PreservedAnalyses::all();
	}
};

// Required: LLVM leaves other passes out for functions that it does not optimise.
struct TellFrame : llvm::PassInfoMixin<TellFrame> {
	llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &)
	{
		return plugin_concerns(llvm::wrap(function.getParent())) && tell_frame(function)
			   ? llvm::PreservedAnalyses::none()
			   : llvm::PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};

struct TurnBranches : llvm::PassInfoMixin<TurnBranches> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
	{
		return turn_branches(llvm::wrap(&module)) ? llvm::PreservedAnalyses::none()
							  : llvm::PreservedAnalyses::all();
	}
};

const llvm::Module &module_of(const llvm::Module &module)
{
	return module;
}

const llvm::Module &module_of(const llvm::Function &function)
{
	return *function.getParent();
}

// A pass over device code, which other code goes by untouched.
template <typename Pass>
struct OnDevice : llvm::PassInfoMixin<OnDevice<Pass>> {
	Pass pass;

	explicit OnDevice(Pass &&pass) : pass(std::move(pass))
	{
	}
	template <typename Unit>
	llvm::PreservedAnalyses run(Unit &unit, llvm::AnalysisManager<Unit> &manager)
	{
		return plugin_concerns(llvm::wrap(&module_of(unit))) ? pass.run(unit, manager)
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

llvm::FunctionPassManager beforeCodeGeneration()
{
	llvm::FunctionPassManager passes;

	passes.addPass(GatherParameters());
	// An address without its constant offset is the same in more places.
	passes.addPass(llvm::SeparateConstOffsetFromGEPPass());
	passes.addPass(llvm::EarlyCSEPass());
	passes.addPass(HoistAddresses());
	return passes;
}

void registerPasses(llvm::PassBuilder &builder)
{
	builder.registerPipelineParsingCallback(parsePipeline);
	builder.registerPeepholeEPCallback([](llvm::FunctionPassManager &passes, llvm::OptimizationLevel level) {
		if (level == llvm::OptimizationLevel::O0)
			return;
		passes.addPass(OnDevice(SettleParameters()));
		passes.addPass(OnDevice(llvm::createFunctionToLoopPassAdaptor(WidenCountedLoops())));
	});
	builder.registerOptimizerEarlyEPCallback(
	    [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, auto &&...) {
		    if (level != llvm::OptimizationLevel::O0)
			    passes.addPass(OnDevice(llvm::createModuleToFunctionPassAdaptor(
				llvm::createFunctionToLoopPassAdaptor(WidenLoops()))));
	    });
	builder.registerOptimizerLastEPCallback(
	    [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, auto &&...) {
		    passes.addPass(RomarkPass(""));
		    passes.addPass(llvm::createModuleToFunctionPassAdaptor(TellFrame()));
		    if (level == llvm::OptimizationLevel::O0)
			    return;
		    passes.addPass(OnDevice(llvm::createModuleToFunctionPassAdaptor(beforeCodeGeneration())));
		    passes.addPass(OnDevice(TurnBranches()));
	    });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "romark", "0.1", registerPasses};
}
