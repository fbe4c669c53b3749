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

static int temporary_open(struct cc *cc)
{
	const char *folder = getenv("TMPDIR");
	char *name = arena_printf(&cc->arena, "%s/romark-cc-XXXXXX", folder && *folder ? folder : "/tmp");

	if (cc->job.show)
		cc->temporary = name;
	else if (!(cc->temporary = mkdtemp(name)))
		return diag_file(&cc->diag, NULL, "cannot make a temporary folder in %s", folder ? folder : "/tmp");
	return 0;
}

static void temporary_remove(struct cc *cc)
{
	DIR *folder = cc->temporary && !cc->job.show ? opendir(cc->temporary) : NULL;
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			unlink(arena_printf(&cc->arena, "%s/%s", cc->temporary, entry->d_name));
	closedir(folder);
	rmdir(cc->temporary);
}

const char *cc_temporary_file(struct cc *cc, const char *ending)
{
	return arena_printf(&cc->arena, "%s/%u%s", cc->temporary, cc->ntemporary++, ending);
}

/* --- Commands --- */

void cc_remove_output(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

int cc_run(struct cc *cc, struct command *c, const char *output)
{
	int code = 0;

	if (cc->job.show || cc->job.verbose) {
		if (cc->job.as_nvcc)
			fputs("#$ ", stderr);
		command_print(c, stderr);
	}
	if (!cc->job.show)
		code = process_pending_signal() ? EXIT_BAD_INPUT : command_run(c, &cc->diag);
	if (code && output)
		cc_remove_output(output);
	command_release(c);
	return code;
}

/* --- One source --- */

/* "dir/name.cu" with the ending changed, in the folder for results. */
static const char *beside(struct cc *cc, const char *source, const char *ending)
{
	const char *folder = cc->job.output_folder;
	const char *slash = strrchr(source, '/');
	const char *name = slash ? slash + 1 : source;
	const char *dot = strrchr(name, '.');

	return arena_printf(&cc->arena, "%s%s%.*s%s", folder ? folder : "", folder ? "/" : "",
			    dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

const char *cc_output_of(struct cc *cc, const char *source, const char *ending)
{
	return cc->job.output && cc->job.stage > CC_ARCHIVE ? cc->job.output : beside(cc, source, ending);
}

/* Whether the device code's result is a text of its own. */
static bool emits_ptx(const struct cc *cc)
{
	return cc->job.stage == CC_EMIT_PTX || cc->job.stage == CC_ASSEMBLE;
}

static bool emits_device_code(const struct cc *cc)
{
	return emits_ptx(cc) || cc->job.stage == CC_EMIT_FATBIN || cc->job.stage == CC_EMIT_CUBIN;
}

/*
 * Appends the marked PTX of `source` to `out`. Inside a program it stays unmarked unless --load asks for marks: the
 * device makes them when it loads the program, as `romark run --alias --load` say. What is still to be joined with
 * other files is marked, and reported, when it is.
 */
static int mark(struct cc *cc, const char *source, const struct file_data *ptx, struct strbuf *out)
{
	bool joined_later = cc->job.relocatable && cc->job.stage <= CC_COMPILE;
	bool apply = (cc->job.load_asked || emits_ptx(cc)) && !joined_later;

	if (joined_later && cc->job.stage != CC_COMPILE) {
		strbuf_add(out, ptx->data, ptx->size);
		return 0;
	}
	return cc_marks_apply(&cc->marks, &cc->job, apply ? cc->job.load : PTX_LOAD_KEEP, source, ptx, out, &cc->diag);
}

/* Code of one file must not need another's; most files show at a glance that it does not. */
static int check_complete(struct cc *cc, const char *source, const struct file_data *ptx)
{
	struct ptx_module *m;
	int result;

	if (cc->job.relocatable || emits_ptx(cc) || !strstr(ptx->data, "\n.extern "))
		return 0;
	m = ptx_parse(source, ptx->data, ptx->size, &cc->diag);
	if (!m)
		return DIAG_ERROR;
	result = ptx_check_complete(m, &cc->diag);
	ptx_module_free(m);
	return result;
}

/* From the device pass's PTX at `ptx` to the marked PTX or the fat binary at `output`. */
static int finish_device_code(struct cc *cc, const char *source, const char *ptx, const char *output)
{
	struct strbuf text = STRBUF_INIT;
	struct file_data file;
	int result;

	if (cc->job.show)
		return 0;
	if (file_read(ptx, &file, &cc->diag) < 0)
		return DIAG_ERROR;
	result = check_complete(cc, source, &file);
	if (result == 0)
		result = mark(cc, source, &file, &text);
	if (result == 0 && emits_ptx(cc))
		result = file_write(output, text.data, text.len, &cc->diag);
	else if (result == 0)
		result = cc_fatbin_write(output, text.data, text.len, cc->job.arch, &cc->diag);
	file_data_release(&file);
	strbuf_release(&text);
	return result;
}

static int compile_cuda(struct cc *cc, const struct cc_input *input, const char *object)
{
	static const char *const endings[] = {
	    [CC_ASSEMBLE] = ".ptx", [CC_EMIT_PTX] = ".ptx", [CC_EMIT_FATBIN] = ".fatbin", [CC_EMIT_CUBIN] = ".cubin"};
	const char *ptx = cc_temporary_file(cc, ".ptx"), *image;
	int code;

	if (emits_device_code(cc))
		image = cc_output_of(cc, input->path, endings[cc->job.stage]);
	else
		image = cc_temporary_file(cc, ".fatbin");
	if (cc_overlay(cc, input->path) < 0)
		return DIAG_ERROR;
	code = cc_device_pass(cc, input->path, ptx, emits_device_code(cc) ? image : NULL);
	if (code == 0)
		code = finish_device_code(cc, input->path, ptx, image);
	if (code || emits_device_code(cc))
		return code;
	code = cc_host_pass(cc, input, image, object);
	if (code == 0 && cc->job.relocatable && !cc->job.show)
		code = cc_soften(object, &cc->diag);
	return code;
}

static int compile(struct cc *cc, const struct cc_input *input)
{
	const char *object;

	if (cc->job.stage == CC_PREPROCESS)
		return cc_host_pass(cc, input, NULL, cc->job.output);
	if (cc->job.stage == CC_ASSEMBLE && input->kind != CC_CUDA)
		return cc_host_pass(cc, input, NULL, cc_output_of(cc, input->path, ".s"));
	if (cc->job.stage == CC_COMPILE)
		object = cc_output_of(cc, input->path, ".o");
	else
		object = cc_temporary_file(cc, ".o");
	vec_push(&cc->objects, object);
	if (input->kind == CC_CUDA)
		return compile_cuda(cc, input, object);
	return cc_host_pass(cc, input, NULL, object);
}

/* Clang would say it twice, and only after it has compiled the sources before. */
static int check_sources(struct cc *cc)
{
	for (size_t i = 0; i < cc->job.inputs.len; i++) {
		const struct cc_input *input = &cc->job.inputs.data[i];

		if (input->kind != CC_LINK_WORD && strcmp(input->path, "-") != 0 && access(input->path, R_OK) != 0)
			return diag_file(&cc->diag, input->path, "cannot open: %s", strerror(errno));
	}
	return 0;
}

static int compile_all(struct cc *cc)
{
	for (size_t i = 0; i < cc->job.inputs.len; i++) {
		const struct cc_input *input = &cc->job.inputs.data[i];
		int code = input->kind == CC_LINK_WORD ? 0 : compile(cc, input);

		if (code)
			return code;
	}
	return 0;
}

static int join(struct cc *cc)
{
	switch (cc->job.stage) {
	case CC_LINK: return cc_link_program(cc);
	case CC_DEVICE_LINK: return cc_device_link(cc);
	case CC_ARCHIVE: return cc_archive(cc);
	default: return 0;
	}
}

static int build(struct cc *cc)
{
	int code;

	if (cc->job.as_nvcc && (cc->job.verbose || cc->job.show))
		cc_nvcc_print_settings(&cc->tools, cc->job.arch, stderr);
	code = check_sources(cc) < 0 ? DIAG_ERROR : compile_all(cc);
	if (code == 0)
		code = join(cc);
	if (code == 0 && cc->job.report && !cc->job.show)
		code = cc_marks_report(&cc->marks, &cc->job, &cc->diag);
	return code;
}

int cmd_cc(int argc, char **argv)
{
	struct cc cc = {.arena = ARENA_INIT, .marks = CC_MARKS_INIT, .diag = DIAG_INIT};
	int code = cc_options_parse(&cc.job, argc, argv, &cc.arena);

	if (code) {
		code = code == CC_OPTIONS_DONE ? EXIT_OK : EXIT_WRONG_USAGE;
		goto done;
	}
	process_keep_signals();
	if (toolchain_find(&cc.tools, cc.job.clang, &cc.arena, &cc.diag) == 0 && temporary_open(&cc) == 0)
		code = cc_choose_headers(&cc) < 0 ? DIAG_ERROR : build(&cc);
	temporary_remove(&cc);
	if (diag_is_set(&cc.diag))
		diag_print(&cc.diag, stderr);
	code = code || diag_is_set(&cc.diag) ? EXIT_BAD_INPUT : EXIT_OK;
done:
	vec_release(&cc.objects);
	cc_marks_release(&cc.marks);
	cc_job_release(&cc.job);
	arena_release(&cc.arena);
	process_end_by_signal();
	return code;
}
