/* Runs LLVM with the settings of Clang's own driver, so that the code is the same as Clang's. */
#include "passes/emit_ptx.h"

#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <string.h>

static void start_target(void)
{
	/*
	 * Prints a .loc for instructions without a location, too. Otherwise they would seem to have the previous one.
	 */
	static const char *const arguments[] = {"romark", "-use-unknown-locations=Enable"};

	LLVMParseCommandLineOptions(2, arguments, NULL);
	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	LLVMInitializeNVPTXAsmPrinter();
}

/*
 * The value of the first function that has the attribute. It serves for the module, since NVPTX has one target per
 * module.
 */
static const char *module_attribute(LLVMModuleRef module, const char *name)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		unsigned len;
		LLVMAttributeRef a =
		    LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));

		if (a)
			return LLVMGetStringAttributeValue(a, &len);
	}
	return NULL;
}

LLVMTargetMachineRef target_machine(LLVMModuleRef module, const struct pass_options *options, const char *file,
				    struct diag *d)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
						     LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
	const char *triple = LLVMGetTarget(module), *cpu = options->cpu, *features = options->features;
	LLVMTargetMachineRef machine;
	LLVMTargetRef target;
	char *message = NULL;

	pthread_once(&once, start_target);
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		diag_file(d, file, "no code generator for '%s': %s", triple, message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	cpu = cpu ? cpu : module_attribute(module, "target-cpu");
	features = features ? features : module_attribute(module, "target-features");
	machine = LLVMCreateTargetMachine(target, triple, cpu ? cpu : "sm_75", features ? features : "",
					  levels[options->codegen_level & 3], LLVMRelocDefault, LLVMCodeModelDefault);
	if (!machine)
		diag_file(d, file, "LLVM has no target machine for '%s'", triple);
	return machine;
}

int run_pipeline(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes, const char *file,
		 struct diag *d)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
	char *message;

	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return 0;
	message = LLVMGetErrorMessage(error);
	diag_file(d, file, "LLVM cannot run '%s': %s", passes, message);
	LLVMDisposeErrorMessage(message);
	return DIAG_ERROR;
}

LLVMMemoryBufferRef emit_ptx(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *file, struct diag *d)
{
	LLVMMemoryBufferRef buffer = NULL;
	char *message = NULL;

	if (!LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &buffer))
		return buffer;
	diag_file(d, file, "LLVM cannot generate PTX: %s", message);
	LLVMDisposeMessage(message);
	return NULL;
}
