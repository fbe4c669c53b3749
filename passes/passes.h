/*
 * The LLVM side of romark: read-only verdicts on LLVM IR for NVPTX, marking of the loads they allow, and PTX.
 *
 *   struct pass_options options = PASS_OPTIONS_INIT;
 *   struct pass_output out;
 *   options.load = LOAD_NC;
 *   if (pass_run("k.bc", data, size, &options, &out, &diag) < 0) ...   // diag says what is wrong with the input
 *   fwrite(out.text, 1, out.size, stdout);                             // PTX (NUL-terminated) or bitcode
 *   puts(out.report);                                                  // JSON, the schema of `romark ptx`
 *   pass_output_release(&out);
 *
 * Input is bitcode or textual IR of one module with triple nvptx64-*, linked with its device libraries. Nothing is
 * kept between calls; calls in several threads are independent. Structures, verdicts and alias levels are those of
 * docs/llvm-pass.md; the vocabulary is verdict/verdict.h.
 */
#ifndef ROMARK_PASSES_H
#define ROMARK_PASSES_H

#include "common/diag.h"
#include "verdict/verdict.h"

#include <stdbool.h>
#include <stddef.h>

enum pass_emit { PASS_EMIT_PTX, PASS_EMIT_BITCODE };

struct pass_options {
	enum alias_level alias;
	enum load_mark load;
	enum pass_emit emit;
	/* 0..3: run LLVM's default<On> pipeline before the analysis; PASS_OPT_AS_IS: the input is optimised already. */
	int optimise;
	int codegen_level;    /* 0..3, for PTX */
	const char *cpu;      /* "sm_75"; NULL = the input's target-cpu attribute, else sm_75 */
	const char *features; /* "+ptx75"; NULL = the input's target-features attribute, else "" */
	/*
	 * Code in other modules may call this module's device functions; the loads that such calls can reach stay
	 * unmarked.
	 */
	bool relocatable;
	/*
	 * With LOAD_KEEP: copies functions as marks would need it, so that the code equals the code of a module with
	 * marks.
	 */
	bool copies;
	/* Ignores facts that only IR has: noalias parameters, constant variables in global memory. */
	bool bare;
	/* The report has every load, too. */
	bool loads;
	/* Fill pass_output.dump. */
	bool dump;
};

enum { PASS_OPT_AS_IS = -1 };
#define PASS_OPTIONS_INIT {.optimise = PASS_OPT_AS_IS, .codegen_level = 2}

struct pass_output {
	char *text;      /* PTX, NUL-terminated, or bitcode */
	size_t size;     /* without the NUL */
	char *report;    /* JSON, NUL-terminated, ends with a newline */
	unsigned marked; /* loads marked in the module */
	char *dump;      /* operations of the kernels and what their values may point to, as text; or NULL */
};

/* 0, or DIAG_ERROR with the reason in `d`; then there is nothing to release. `file` is for messages and the report. */
int pass_run(const char *file, const void *data, size_t size, const struct pass_options *options,
	     struct pass_output *out, struct diag *d);
void pass_output_release(struct pass_output *out);

/*
 * For a pass plugin: `module` is an LLVMModuleRef that belongs to the caller. Analyses it and leaves the marks in it,
 * ready for a code generator that is not ours. Writes the JSON report to `report_file` unless that is NULL.
 * Returns the number of marked loads, or DIAG_ERROR when the report cannot be written.
 */
int pass_mark_module(void *module, const struct pass_options *options, const char *report_file, struct diag *d);

#endif
