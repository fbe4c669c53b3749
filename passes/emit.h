/* LLVM's own machinery as the pass needs it: optimisation pipeline, NVPTX target machine, PTX text. */
#ifndef ROMARK_PASSES_EMIT_H
#define ROMARK_PASSES_EMIT_H

#include "passes/passes.h"

#include "common/strbuf.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/* A target machine as the options, or else the module's functions, ask for it; NULL and `d` if there is none. */
LLVMTargetMachineRef target_machine(LLVMModuleRef module, const struct pass_options *options, const char *file,
				    struct diag *d);
int run_pipeline(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes, const char *file,
		 struct diag *d);
/* Kernel pointer parameters point to global memory: says so in the IR, as NVPTX does later, but before the analysis. */
void globalize_parameters(LLVMModuleRef module, LLVMValueRef kernel);
/* Appends the module as PTX whose marked loads are spelt as `load` asks. Uses the module up. */
int emit_ptx(LLVMModuleRef module, LLVMTargetMachineRef machine, enum pass_load load, const char *file,
	     struct strbuf *out, struct diag *d);

#endif
