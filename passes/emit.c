/* Code generation prints marked loads as ldu.global, which nothing else uses; the text then gets the asked name. */
#include "passes/emit.h"

#include "passes/ir.h"

#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <string.h>

static void start_target(void)
{
	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	LLVMInitializeNVPTXAsmPrinter();
}

/* The first function that carries the attribute speaks for the module, as NVPTX has one target per module. */
static const char *module_attribute(LLVMModuleRef module, const char *name)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		unsigned len;
		LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name,
								   (unsigned)strlen(name));

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

void globalize_parameters(LLVMModuleRef module, LLVMValueRef kernel)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	LLVMValueRef entry = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	LLVMPositionBuilderBefore(builder, entry);
	LLVMSetCurrentDebugLocation2(builder, NULL);
	for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
		LLVMValueRef param = LLVMGetParam(kernel, i), global, generic;
		LLVMTypeRef type = LLVMTypeOf(param);

		if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(type) != AS_GENERIC ||
		    LLVMGetEnumAttributeAtIndex(kernel, i + 1, byval) || !LLVMGetFirstUse(param))
			continue;
		global = LLVMBuildAddrSpaceCast(builder, param, LLVMPointerTypeInContext(context, AS_GLOBAL), "");
		generic = LLVMBuildAddrSpaceCast(builder, global, type, "");
		LLVMReplaceAllUsesWith(param, generic);
		LLVMSetOperand(global, 0, param);
	}
	LLVMDisposeBuilder(builder);
}

/* --- Text ---------------------------------------------------------------------------------------------------------- */

#define MARKED "ldu.global."

static const char *spelling(enum pass_load load)
{
	return load == PASS_LOAD_RO ? "ld.global.ro." : "ld.global.nc.";
}

static bool begins_marked_load(const char *line, enum pass_load load)
{
	return load != PASS_LOAD_KEEP && strncmp(line, MARKED, strlen(MARKED)) == 0;
}

static void respell(const char *text, size_t size, enum pass_load load, struct strbuf *out)
{
	const char *end = text + size;

	strbuf_reserve(out, size + size / 32);
	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text)), *start = text;

		line_end = line_end ? line_end + 1 : end;
		while (start < line_end && (*start == '\t' || *start == ' '))
			start++;
		if (begins_marked_load(start, load)) {
			strbuf_add(out, text, (size_t)(start - text));
			strbuf_adds(out, spelling(load));
			text = start + strlen(MARKED);
		}
		strbuf_add(out, text, (size_t)(line_end - text));
		text = line_end;
	}
}

int emit_ptx(LLVMModuleRef module, LLVMTargetMachineRef machine, enum pass_load load, const char *file,
	     struct strbuf *out, struct diag *d)
{
	LLVMMemoryBufferRef buffer = NULL;
	char *message = NULL;

	if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &buffer)) {
		diag_file(d, file, "LLVM cannot generate PTX: %s", message);
		LLVMDisposeMessage(message);
		return DIAG_ERROR;
	}
	respell(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), load, out);
	LLVMDisposeMemoryBuffer(buffer);
	return 0;
}
