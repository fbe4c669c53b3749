/*
 * The main flow of `romark cc`: each source goes through Clang's device pass, a fat binary and Clang's host pass; then
 * the objects are linked. Loads are marked on the way into the fat binary only if --load asks for it.
 */
#include "cc/cc.h"

#include "cc/as_nvcc.h"
#include "cc/steps.h"
#include "cc/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- One source --- */

/* The name of the device code that a CUDA source is compiled to: a result, or a file for the host pass to embed. */
static const char *image_of(struct cc_job *job, const char *source)
{
	static const char *const endings[] = {
	    [CC_ASSEMBLE] = ".ptx", [CC_EMIT_PTX] = ".ptx", [CC_EMIT_FATBIN] = ".fatbin", [CC_EMIT_CUBIN] = ".cubin"};

	if (cc_makes_device_code(&job->options))
		return cc_output_of(job, source, endings[job->options.stage]);
	return cc_temporary_file(job, ".fatbin");
}

static int weaken_unit_symbol(struct cc_job *job, const char *object)
{
	return job->options.relocatable && !job->options.show ? cc_weaken_unit_symbol(object, &job->diag) : 0;
}

static int compile_cuda(struct cc_job *job, const struct cc_input *input, const char *object)
{
	bool device_only = cc_makes_device_code(&job->options);
	const char *ptx = cc_temporary_file(job, ".ptx"), *image = image_of(job, input->path);
	int code = cc_make_overlay(job, input->path);

	if (code == 0)
		code = cc_device_pass(job, input->path, ptx, device_only ? image : NULL);
	if (code == 0)
		code = cc_pack_device_code(job, input->path, ptx, image);
	if (code == 0 && !device_only)
		code = cc_host_pass(job, input, image, object);
	if (code == 0 && !device_only)
		code = weaken_unit_symbol(job, object);
	return code;
}

static int compile_to_ir(struct cc_job *job, const struct cc_input *input)
{
	const char *result = cc_output_of(job, input->path, job->options.stage == CC_ASSEMBLE ? ".ll" : ".bc");
	int code;

	if (input->kind != CC_CUDA)
		return cc_host_pass(job, input, NULL, result);
	code = cc_make_overlay(job, input->path);
	return code ? code : cc_device_pass(job, input->path, result, result);
}

static int compile(struct cc_job *job, const struct cc_input *input)
{
	const char *object;

	if (job->options.emit_llvm)
		return compile_to_ir(job, input);
	if (job->options.stage == CC_PREPROCESS)
		return cc_host_pass(job, input, NULL, job->options.output);
	if (job->options.stage == CC_ASSEMBLE && input->kind != CC_CUDA)
		return cc_host_pass(job, input, NULL, cc_output_of(job, input->path, ".s"));
	if (job->options.stage == CC_COMPILE)
		object = cc_output_of(job, input->path, ".o");
	else
		object = cc_temporary_file(job, ".o");
	vec_push(&job->objects, object);
	if (input->kind == CC_CUDA)
		return compile_cuda(job, input, object);
	return cc_host_pass(job, input, NULL, object);
}

/* --- All of them --- */

/* Clang would say it twice, and only after it has compiled the sources before. */
static int check_sources(struct cc_job *job)
{
	for (size_t i = 0; i < job->options.inputs.len; i++) {
		const struct cc_input *input = &job->options.inputs.data[i];

		if (input->kind != CC_LINK_WORD && strcmp(input->path, "-") != 0 && access(input->path, R_OK) != 0)
			return diag_file(&job->diag, input->path, "cannot open: %s", strerror(errno));
	}
	return 0;
}

static int compile_all(struct cc_job *job)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < job->options.inputs.len; i++) {
		const struct cc_input *input = &job->options.inputs.data[i];

		if (input->kind == CC_LINK_WORD)
			continue;
		code = compile(job, input);
		if (code > 0)
			cc_explain_failure(job, input);
	}
	return code;
}

/* The step after the objects, if there is one. */
static int join(struct cc_job *job)
{
	switch (job->options.stage) {
	case CC_LINK: return cc_link_program(job);
	case CC_DEVICE_LINK: return cc_device_link(job);
	case CC_ARCHIVE: return cc_archive(job);
	default: return 0;
	}
}

static int report(struct cc_job *job)
{
	if (!job->options.report || job->options.show)
		return 0;
	return cc_marks_report(&job->marks, &job->options, &job->diag);
}

static void print_settings(const struct cc_job *job)
{
	if (job->options.as_nvcc && (job->options.verbose || job->options.show))
		cc_nvcc_print_settings(job->files.toolkit, job->options.arch, stderr);
}

static int build(struct cc_job *job)
{
	int code = cc_job_open(job);

	if (code == 0)
		code = cc_choose_headers(job);
	if (code == 0)
		print_settings(job);
	if (code == 0)
		code = check_sources(job);
	if (code == 0)
		code = compile_all(job);
	if (code == 0)
		code = join(job);
	if (code == 0)
		code = report(job);
	cc_job_close(job);
	return code;
}

int cc_main(int argc, char **argv)
{
	struct cc_job job = CC_JOB_INIT;
	int parsed = cc_options_parse(&job.options, argc, argv, &job.arena);
	int code = parsed == CC_OPTIONS_WRONG ? CC_WRONG_USAGE : CC_OK;

	if (parsed == 0) {
		process_keep_signals();
		code = build(&job) == 0 ? CC_OK : CC_FAILED;
	}
	if (diag_is_set(&job.diag)) {
		diag_print(&job.diag, stderr);
		code = CC_FAILED;
	}
	cc_job_release(&job);
	process_end_by_signal();
	return code;
}
