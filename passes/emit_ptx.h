/* LLVM's own machinery as the pass needs it: optimisation pipeline, NVPTX target machine, PTX text. */
#ifndef ROMARK_PASSES_EMIT_PTX_H
#define ROMARK_PASSES_EMIT_PTX_H

#include "passes/passes.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/*
 * The target machine that the options describe, or else the module's functions. NULL and `d` if LLVM has no such
 * target.
 */
LLVMTargetMachineRef target_machine(LLVMModuleRef module, const struct pass_options *options, const char *file,
				    struct diag *d);
int run_pipeline(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes, const char *file,
		 struct diag *d);
/* The module as PTX text, to be disposed by the caller, or NULL. Uses the module up. */
LLVMMemoryBufferRef emit_ptx(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *file, struct diag *d);

#endif
