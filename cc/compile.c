/* `romark cc`: drives Clang's two passes over each source, marks the PTX between them, and joins what comes out. */
#include "cli/command.h"

#include "cc/cc.h"
#include "cc/fatbin.h"
#include "cc/nvcc.h"
#include "cc/symbols.h"
#include "common/file.h"
#include "ptx-analyzer/language/link.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Temporary files --- */

static int temporary_open(struct cc_job *job)
{
	const char *folder = getenv("TMPDIR");
	char *name = arena_printf(&job->arena, "%s/romark-cc-XXXXXX", folder && *folder ? folder : "/tmp");

	if (job->options.show)
		job->temporary = name;
	else if (!(job->temporary = mkdtemp(name)))
		return diag_file(&job->diag, NULL, "cannot make a temporary folder in %s", folder ? folder : "/tmp");
	return 0;
}

static void temporary_remove(struct cc_job *job)
{
	DIR *folder = job->temporary && !job->options.show ? opendir(job->temporary) : NULL;
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			unlink(arena_printf(&job->arena, "%s/%s", job->temporary, entry->d_name));
	closedir(folder);
	rmdir(job->temporary);
}

const char *cc_temporary_file(struct cc_job *job, const char *ending)
{
	return arena_printf(&job->arena, "%s/%u%s", job->temporary, job->ntemporary++, ending);
}

/* --- Commands --- */

void cc_remove_output(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

int cc_run(struct cc_job *job, struct command *c, const char *output)
{
	int code = 0;

	if (job->options.show || job->options.verbose) {
		if (job->options.as_nvcc)
			fputs("#$ ", stderr);
		command_print(c, stderr);
	}
	if (!job->options.show)
		code = process_pending_signal() ? EXIT_BAD_INPUT : command_run(c, &job->diag);
	if (code && output)
		cc_remove_output(output);
	command_release(c);
	return code;
}

/* --- One source --- */

/* "dir/name.cu" with the ending changed, in the folder for results. */
static const char *beside(struct cc_job *job, const char *source, const char *ending)
{
	const char *folder = job->options.output_folder;
	const char *slash = strrchr(source, '/');
	const char *name = slash ? slash + 1 : source;
	const char *dot = strrchr(name, '.');

	return arena_printf(&job->arena, "%s%s%.*s%s", folder ? folder : "", folder ? "/" : "",
			    dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

const char *cc_output_of(struct cc_job *job, const char *source, const char *ending)
{
	return job->options.output && job->options.stage > CC_ARCHIVE ? job->options.output
								      : beside(job, source, ending);
}

/* Whether the device code's result is a text of its own. */
static bool emits_ptx(const struct cc_job *job)
{
	return job->options.stage == CC_EMIT_PTX || job->options.stage == CC_ASSEMBLE;
}

static bool emits_device_code(const struct cc_job *job)
{
	return emits_ptx(job) || job->options.stage == CC_EMIT_FATBIN || job->options.stage == CC_EMIT_CUBIN;
}

/*
 * Appends the marked PTX of `source` to `out`. Inside a program it stays unmarked unless --load asks for marks: the
 * device makes them when it loads the program, as `romark run --alias --load` say. What is still to be joined with
 * other files is marked, and reported, when it is.
 */
static int mark(struct cc_job *job, const char *source, const struct file_data *ptx, struct strbuf *out)
{
	bool joined_later = job->options.relocatable && job->options.stage <= CC_COMPILE;
	bool apply = (job->options.load_asked || emits_ptx(job)) && !joined_later;

	if (joined_later && job->options.stage != CC_COMPILE) {
		strbuf_add(out, ptx->data, ptx->size);
		return 0;
	}
	return cc_marks_apply(&job->marks, &job->options, apply ? job->options.load : PTX_LOAD_KEEP, source, ptx, out,
			      &job->diag);
}

/* Code of one file must not need another's; most files show at a glance that it does not. */
static int check_complete(struct cc_job *job, const char *source, const struct file_data *ptx)
{
	struct ptx_module *m;
	int result;

	if (job->options.relocatable || emits_ptx(job) || !strstr(ptx->data, "\n.extern "))
		return 0;
	m = ptx_parse(source, ptx->data, ptx->size, &job->diag);
	if (!m)
		return DIAG_ERROR;
	result = ptx_check_complete(m, &job->diag);
	ptx_module_free(m);
	return result;
}

/* From the device pass's PTX at `ptx` to the marked PTX or the fat binary at `output`. */
static int finish_device_code(struct cc_job *job, const char *source, const char *ptx, const char *output)
{
	struct strbuf text = STRBUF_INIT;
	struct file_data file;
	int result;

	if (job->options.show)
		return 0;
	if (file_read(ptx, &file, &job->diag) < 0)
		return DIAG_ERROR;
	result = check_complete(job, source, &file);
	if (result == 0)
		result = mark(job, source, &file, &text);
	if (result == 0 && emits_ptx(job))
		result = file_write(output, text.data, text.len, &job->diag);
	else if (result == 0)
		result = cc_fatbin_write(output, text.data, text.len, job->options.arch, &job->diag);
	file_data_release(&file);
	strbuf_release(&text);
	return result;
}

static int compile_cuda(struct cc_job *job, const struct cc_input *input, const char *object)
{
	static const char *const endings[] = {
	    [CC_ASSEMBLE] = ".ptx", [CC_EMIT_PTX] = ".ptx", [CC_EMIT_FATBIN] = ".fatbin", [CC_EMIT_CUBIN] = ".cubin"};
	const char *ptx = cc_temporary_file(job, ".ptx"), *image;
	int code;

	if (emits_device_code(job))
		image = cc_output_of(job, input->path, endings[job->options.stage]);
	else
		image = cc_temporary_file(job, ".fatbin");
	if (cc_overlay(job, input->path) < 0)
		return DIAG_ERROR;
	code = cc_device_pass(job, input->path, ptx, emits_device_code(job) ? image : NULL);
	if (code == 0)
		code = finish_device_code(job, input->path, ptx, image);
	if (code || emits_device_code(job))
		return code;
	code = cc_host_pass(job, input, image, object);
	if (code == 0 && job->options.relocatable && !job->options.show)
		code = cc_soften(object, &job->diag);
	return code;
}

static int compile(struct cc_job *job, const struct cc_input *input)
{
	const char *object;

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
	for (size_t i = 0; i < job->options.inputs.len; i++) {
		const struct cc_input *input = &job->options.inputs.data[i];
		int code = input->kind == CC_LINK_WORD ? 0 : compile(job, input);

		if (code)
			return code;
	}
	return 0;
}

static int join(struct cc_job *job)
{
	switch (job->options.stage) {
	case CC_LINK: return cc_link_program(job);
	case CC_DEVICE_LINK: return cc_device_link(job);
	case CC_ARCHIVE: return cc_archive(job);
	default: return 0;
	}
}

static int build(struct cc_job *job)
{
	int code;

	if (job->options.as_nvcc && (job->options.verbose || job->options.show))
		cc_nvcc_print_settings(&job->tools, job->options.arch, stderr);
	code = check_sources(job) < 0 ? DIAG_ERROR : compile_all(job);
	if (code == 0)
		code = join(job);
	if (code == 0 && job->options.report && !job->options.show)
		code = cc_marks_report(&job->marks, &job->options, &job->diag);
	return code;
}

int cmd_cc(int argc, char **argv)
{
	struct cc_job job = {.arena = ARENA_INIT, .marks = CC_MARKS_INIT, .diag = DIAG_INIT};
	int code = cc_options_parse(&job.options, argc, argv, &job.arena);

	if (code) {
		code = code == CC_OPTIONS_DONE ? EXIT_OK : EXIT_WRONG_USAGE;
		goto done;
	}
	process_keep_signals();
	if (toolchain_find(&job.tools, job.options.clang, &job.arena, &job.diag) == 0 && temporary_open(&job) == 0)
		code = cc_choose_headers(&job) < 0 ? DIAG_ERROR : build(&job);
	temporary_remove(&job);
	if (diag_is_set(&job.diag))
		diag_print(&job.diag, stderr);
	code = code || diag_is_set(&job.diag) ? EXIT_BAD_INPUT : EXIT_OK;
done:
	vec_release(&job.objects);
	cc_marks_release(&job.marks);
	cc_options_release(&job.options);
	arena_release(&job.arena);
	process_end_by_signal();
	return code;
}
