/* The order of things: read, check, optimise, analyse, report, mark, emit. */
#include "passes/passes.h"

#include "passes/emit_ptx.h"
#include "passes/readonly/ir_mark.h"
#include "passes/readonly/ir_report.h"
#include "passes/readonly/location_marks.h"
#include "passes/readonly/facts.h"

#include "common/file.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* --- LLVM's complaints --- */

/*
 * LLVM ends the process when code generation meets what it cannot do. Inside pass_run that becomes an error: control
 * returns over LLVM's frames, as LLVM's own crash recovery does, and what they held is lost.
 */
static _Thread_local struct rescue {
	jmp_buf back;
	bool active;
	char reason[512];
} rescue;

static void on_fatal_error(const char *reason)
{
	if (!rescue.active)
		return;
	snprintf(rescue.reason, sizeof rescue.reason, "%s", reason);
	longjmp(rescue.back, 1);
}

static void install_handler(void)
{
	LLVMInstallFatalErrorHandler(on_fatal_error);
}

struct complaint {
	const char *file;
	struct diag *d;
	bool seen;
};

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
	struct complaint *complaint = context;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(info);
	diag_file(complaint->d, complaint->file, "%s", text);
	complaint->seen = true;
	LLVMDisposeMessage(text);
}

/* --- Steps --- */

struct pass_run {
	const char *file;
	const struct pass_options *options;
	struct pass_output *out;
	struct diag *d;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	struct facts facts;
	bool analysed, had_debug_information;
};

/* Keeps the first line of LLVM's message. */
static int llvm_error(struct pass_run *r, const char *what, char *message)
{
	message[strcspn(message, "\n")] = '\0';
	diag_file(r->d, r->file, "%s: %s", what, message);
	LLVMDisposeMessage(message);
	return DIAG_ERROR;
}

static int read_module(struct pass_run *r, const void *data, size_t size)
{
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, r->file);
	char *message = NULL;

	if (LLVMParseIRInContext(r->context, buffer, &r->module, &message))
		return llvm_error(r, "no LLVM bitcode or IR that this LLVM reads", message);
	if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &message))
		return llvm_error(r, "broken IR", message);
	LLVMDisposeMessage(message);
	if (strncmp(LLVMGetTarget(r->module), "nvptx64", 7) != 0)
		return diag_file(r->d, r->file, "device code for nvptx64 is wanted, this is for '%s'",
				 LLVMGetTarget(r->module));
	return 0;
}

/* Clang's -O0 forbids optimising each function. A user who wants optimisation here means these functions, too. */
static void allow_optimisation(LLVMModuleRef module)
{
	unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, optnone);
}

static int optimise(struct pass_run *r)
{
	char passes[32];

	if (r->options->optimise == PASS_OPT_AS_IS)
		return 0;
	if (r->options->optimise > 0)
		allow_optimisation(r->module);
	snprintf(passes, sizeof passes, "default<O%d>", r->options->optimise & 3);
	return run_pipeline(r->module, r->machine, passes, r->file, r->d);
}

static void forget_noalias(LLVMValueRef function)
{
	unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));

	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)(i + 1), noalias);
}

static void make_bare(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		forget_noalias(f);
	for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == AS_GLOBAL)
			LLVMSetGlobalConstant(v, false);
}

static enum mark_form form_of(const struct pass_options *options)
{
	if (options->emit == PASS_EMIT_PTX)
		return MARK_LOCATIONS;
	return options->load == LOAD_NC ? MARK_FOREIGN : MARK_METADATA;
}

static void analyse(struct pass_run *r)
{
	facts_make(&r->facts, r->module, r->options, form_of(r->options) == MARK_FOREIGN);
	r->analysed = true;
	r->out->report = facts_report(&r->facts, r->file, r->options->loads);
	if (r->options->dump)
		r->out->dump = strbuf_detach(&r->facts.dump);
}

static void mark(struct pass_run *r)
{
	enum mark_form form = form_of(r->options);

	attributes_tame(&r->facts, r->options->load != LOAD_KEEP && form != MARK_METADATA);
	if (r->options->load != LOAD_KEEP)
		r->out->marked = marks_apply(&r->facts, form, r->options->load);
}

static int emit(struct pass_run *r)
{
	struct strbuf text = STRBUF_INIT;
	bool is_ptx = r->options->emit == PASS_EMIT_PTX;
	LLVMMemoryBufferRef buffer =
	    is_ptx ? emit_ptx(r->module, r->machine, r->file, r->d) : LLVMWriteBitcodeToMemoryBuffer(r->module);

	if (!buffer)
		return DIAG_ERROR;
	if (is_ptx)
		location_marks_resolve(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), r->options->load,
				       !r->had_debug_information, &text);
	else
		strbuf_add(&text, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
	LLVMDisposeMemoryBuffer(buffer);
	r->out->size = text.len;
	r->out->text = strbuf_detach(&text);
	return 0;
}

static int run_steps(struct pass_run *r, const void *data, size_t size)
{
	if (read_module(r, data, size) < 0)
		return DIAG_ERROR;
	r->machine = target_machine(r->module, r->options, r->file, r->d);
	if (!r->machine || optimise(r) < 0)
		return DIAG_ERROR;
	if (r->options->bare)
		make_bare(r->module);
	analyse(r);
	r->had_debug_information = has_debug_information(r->module);
	mark(r);
	return emit(r);
}

static void release(struct pass_run *r)
{
	if (r->machine)
		LLVMDisposeTargetMachine(r->machine);
	if (r->module)
		LLVMDisposeModule(r->module);
	LLVMContextDispose(r->context);
}

/* run_steps, with LLVM's fatal errors as errors. After one of these what LLVM holds cannot be released any more. */
static int run_rescued(struct pass_run *r, const void *data, size_t size)
{
	int status;

	if (setjmp(rescue.back)) {
		rescue.active = false;
		return diag_file(r->d, r->file, "LLVM: %s", rescue.reason);
	}
	rescue.active = true;
	status = run_steps(r, data, size);
	rescue.active = false;
	release(r);
	return status;
}

int pass_run(const char *file, const void *data, size_t size, const struct pass_options *options,
	     struct pass_output *out, struct diag *d)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct complaint complaint = {file, d, false};
	struct pass_run r = {.file = file, .options = options, .out = out, .d = d};
	int status;

	*out = (struct pass_output){.text = NULL};
	pthread_once(&once, install_handler);
	r.context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(r.context, on_diagnostic, &complaint);
	status = run_rescued(&r, data, size);
	if (r.analysed)
		facts_release(&r.facts);
	if (status == 0 && !complaint.seen)
		return 0;
	pass_output_release(out);
	return DIAG_ERROR;
}

void pass_output_release(struct pass_output *out)
{
	free(out->text);
	free(out->report);
	free(out->dump);
	*out = (struct pass_output){.text = NULL};
}

int pass_mark_module(void *module, const struct pass_options *options, const char *report_file, struct diag *d)
{
	struct facts facts;
	unsigned marked = 0;
	char *report;
	int status = 0;

	facts_make(&facts, module, options, options->load == LOAD_NC);
	if (report_file) {
		size_t len;

		report = facts_report(&facts, LLVMGetModuleIdentifier(module, &len), options->loads);
		status = file_write(report_file, report, strlen(report), d);
		free(report);
	}
	attributes_tame(&facts, options->load != LOAD_KEEP);
	if (options->load != LOAD_KEEP)
		marked = marks_apply(&facts, options->load == LOAD_NC ? MARK_FOREIGN : MARK_METADATA, options->load);
	facts_release(&facts);
	return status < 0 ? DIAG_ERROR : (int)marked;
}
