/* `romark cc`: drives Clang's two passes over each source, marks the PTX between them, and links. */
#include "cli/command.h"

#include "cli/cc_fatbin.h"
#include "cli/cc_marks.h"
#include "cli/cc_options.h"
#include "cli/process.h"
#include "cli/toolchain.h"
#include "common/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run of the driver. */
struct cc {
	struct cc_job job;
	struct toolchain tools;
	struct arena arena;
	const char *temporary; /* folder that is removed at the end */
	unsigned ntemporary;
	VEC(const char *) objects;
	struct cc_marks marks;
	struct diag diag;
};

/* --- Temporary files -------------------------------------------------------------------------------------------- */

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

static const char *temporary_file(struct cc *cc, const char *ending)
{
	return arena_printf(&cc->arena, "%s/%u%s", cc->temporary, cc->ntemporary++, ending);
}

/* --- Commands --------------------------------------------------------------------------------------------------- */

/* Runs (or, with -###, prints) and releases `c`. Clang has said on stderr what is wrong when this is not 0. */
static int run(struct cc *cc, struct command *c)
{
	int code = 0;

	if (cc->job.show || cc->job.verbose)
		command_print(c, stderr);
	if (!cc->job.show)
		code = command_run(c, &cc->diag);
	command_release(c);
	return code;
}

/*
 * A folder of another CUDA's headers must not come before ours: -I of such a one is searched last. A C++ standard, which
 * nvcc applies to C++ alone, is left out for C.
 */
static void add_shared_words(struct cc *cc, struct command *c, bool is_c)
{
	cc_words *words = &cc->job.both;

	for (size_t i = 0; i < words->len; i++) {
		char *word = words->data[i];
		bool separate = strcmp(word, "-I") == 0 && i + 1 < words->len;
		const char *folder = separate ? words->data[i + 1] : strncmp(word, "-I", 2) == 0 ? word + 2 : NULL;

		if (is_c && strncmp(word, "-std=", 5) == 0 && strstr(word, "++"))
			continue;
		if (folder && access(arena_printf(&cc->arena, "%s/cuda_runtime.h", folder), R_OK) == 0) {
			command_add(c, "-idirafter");
			command_add(c, folder);
			i += separate;
		} else {
			command_add(c, word);
		}
	}
}

/* What both passes over a CUDA source say. */
static void add_cuda_words(struct cc *cc, struct command *c)
{
	command_add(c, "-x");
	command_add(c, "cuda");
	command_addf(c, "--cuda-gpu-arch=sm_%u%s", cc->job.arch, cc->job.arch_features ? "a" : "");
	command_add(c, "-nocudainc");
	command_add(c, "-nocudalib");
	command_add(c, "-Wno-unknown-cuda-version");
	command_add(c, "-Wno-error=register"); /* a warning for nvcc too */
	command_add(c, "-Xclang");
	command_add(c, "-target-sdk-version=12.0");
	command_add(c, "-isystem");
	command_add(c, cc->tools.include);
	command_add(c, "-include");
	command_add(c, "cuda_runtime.h");
	add_shared_words(cc, c, false);
}

/*
 * Oldest PTX that has the whole architecture. Left to itself, Clang takes the toolkit's newest, or without a toolkit one
 * so old that its own headers do not compile.
 */
static unsigned ptx_version(const struct cc *cc)
{
	return cc->job.arch > 90 ? 85 : cc->job.arch_features ? 80 : 78;
}

/*
 * Our pass mends what Clang's NVPTX back end gets wrong (volatile loads made non-coherent, relaxed atomic loads it cannot
 * select). Marks are left to the PTX that comes out, which is analysed as any compiler's is.
 */
static void add_pass(const struct cc *cc, struct command *c)
{
	if (!cc->tools.plugin)
		return;
	setenv("ROMARK_LOAD", "keep", 1);
	command_addf(c, "-fpass-plugin=%s", cc->tools.plugin);
}

static int device_pass(struct cc *cc, const char *source, const char *ptx)
{
	struct command c = COMMAND_INIT;

	command_add(&c, cc->tools.clangxx);
	add_cuda_words(cc, &c);
	add_pass(cc, &c);
	command_add(&c, "--cuda-device-only");
	command_addf(&c, "--cuda-feature=+ptx%u", ptx_version(cc));
	command_add(&c, "-Xclang");
	command_add(&c, "-mlink-builtin-bitcode");
	command_add(&c, "-Xclang");
	command_add(&c, cc->job.device_library ? cc->job.device_library : cc->tools.device_library);
	if (!cc->job.optimized)
		command_add(&c, "-O2");
	command_add_all(&c, cc->job.device.data, cc->job.device.len);
	command_add(&c, "-S");
	command_add(&c, source);
	command_add(&c, "-o");
	command_add(&c, ptx);
	return run(cc, &c);
}

/* Old C that gcc takes with a warning, Clang takes with one too. */
static void add_old_c_words(struct command *c)
{
	static const char *const tolerated[] = {"implicit-int", "implicit-function-declaration", "int-conversion",
						"incompatible-function-pointer-types"};

	for (size_t i = 0; i < sizeof tolerated / sizeof *tolerated; i++)
		command_addf(c, "-Wno-error=%s", tolerated[i]);
}

/* `image`: the fat binary to embed, or NULL for a source without device code. */
static int host_pass(struct cc *cc, const struct cc_input *input, const char *image, const char *object)
{
	struct command c = COMMAND_INIT;

	command_add(&c, input->kind == CC_C ? cc->tools.clang : cc->tools.clangxx);
	if (input->kind == CC_CUDA) {
		add_cuda_words(cc, &c);
		command_add(&c, "--cuda-host-only");
		if (image) {
			command_add(&c, "-Xclang");
			command_add(&c, "-fcuda-include-gpubinary");
			command_add(&c, "-Xclang");
			command_add(&c, image);
		}
	} else {
		command_add(&c, "-x");
		command_add(&c, input->kind == CC_C ? "c" : "c++");
		command_add(&c, "-isystem");
		command_add(&c, cc->tools.include);
		if (input->kind == CC_C)
			add_old_c_words(&c);
		add_shared_words(cc, &c, input->kind == CC_C);
	}
	command_add_all(&c, cc->job.host.data, cc->job.host.len);
	command_add_all(&c, cc->job.depend.data, cc->job.depend.len);
	if (cc->job.stage != CC_PREPROCESS)
		command_add(&c, "-c");
	command_add(&c, input->path);
	if (object) {
		command_add(&c, "-o");
		command_add(&c, object);
	}
	return run(cc, &c);
}

/* The dynamic linker looks there anyway. */
static bool is_system_folder(const char *path)
{
	return strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "/lib", 4) == 0;
}

static int link_program(struct cc *cc)
{
	struct command c = COMMAND_INIT;
	size_t object = 0;

	command_add(&c, cc->tools.clangxx);
	if (cc->job.shared)
		command_add(&c, "-shared");
	command_add_all(&c, cc->job.host.data, cc->job.host.len);
	for (size_t i = 0; i < cc->job.inputs.len; i++) {
		const struct cc_input *input = &cc->job.inputs.data[i];

		command_add(&c, input->kind == CC_LINK_WORD ? input->path : cc->objects.data[object++]);
	}
	command_addf(&c, "-L%s", cc->tools.library);
	if (!is_system_folder(cc->tools.library))
		command_addf(&c, "-Wl,-rpath,%s", cc->tools.library);
	command_add(&c, "-lromark_cudart");
	command_add(&c, "-o");
	command_add(&c, cc->job.output ? cc->job.output : "a.out");
	return run(cc, &c);
}

/* --- One source ------------------------------------------------------------------------------------------------- */

/* "dir/name.cu" with the ending changed, in the current folder. */
static const char *beside(struct cc *cc, const char *source, const char *ending)
{
	const char *slash = strrchr(source, '/');
	const char *name = slash ? slash + 1 : source;
	const char *dot = strrchr(name, '.');

	return arena_printf(&cc->arena, "%.*s%s", dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

static const char *output_of(struct cc *cc, const char *source, const char *ending)
{
	return cc->job.output ? cc->job.output : beside(cc, source, ending);
}

/*
 * The PTX that the device pass has written, with its marks. Inside a program it stays unmarked unless --load asks for
 * marks: the device makes them when it loads the program, as `romark run --alias --load` say.
 */
static int mark(struct cc *cc, const char *source, const char *ptx, struct strbuf *out)
{
	bool apply = cc->job.load_asked || cc->job.stage == CC_EMIT_PTX;
	struct file_data text;
	int result;

	if (file_read(ptx, &text, &cc->diag) < 0)
		return DIAG_ERROR;
	result = cc_marks_apply(&cc->marks, &cc->job, apply ? cc->job.load : PTX_LOAD_KEEP, source, &text, out,
				&cc->diag);
	file_data_release(&text);
	return result;
}

/* From the device pass's PTX at `ptx` to the marked PTX or the fat binary at `output`. */
static int finish_device_code(struct cc *cc, const char *source, const char *ptx, const char *output)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	if (cc->job.show)
		return 0;
	result = mark(cc, source, ptx, &text);
	if (result == 0 && cc->job.stage == CC_EMIT_PTX)
		result = file_write(output, text.data, text.len, &cc->diag);
	else if (result == 0)
		result = cc_fatbin_write(output, text.data, text.len, cc->job.arch, &cc->diag);
	strbuf_release(&text);
	return result;
}

static int compile_cuda(struct cc *cc, const struct cc_input *input, const char *object)
{
	const char *ptx = temporary_file(cc, ".ptx"), *image;
	int code = device_pass(cc, input->path, ptx);

	if (cc->job.stage == CC_EMIT_PTX)
		image = output_of(cc, input->path, ".ptx");
	else if (cc->job.stage == CC_EMIT_FATBIN)
		image = output_of(cc, input->path, ".fatbin");
	else
		image = temporary_file(cc, ".fatbin");
	if (code == 0)
		code = finish_device_code(cc, input->path, ptx, image);
	if (code || cc->job.stage == CC_EMIT_PTX || cc->job.stage == CC_EMIT_FATBIN)
		return code;
	return host_pass(cc, input, image, object);
}

static int compile(struct cc *cc, const struct cc_input *input)
{
	const char *object;

	if (cc->job.stage == CC_PREPROCESS)
		return host_pass(cc, input, NULL, cc->job.output);
	object = cc->job.stage == CC_COMPILE ? output_of(cc, input->path, ".o") : temporary_file(cc, ".o");
	vec_push(&cc->objects, object);
	if (input->kind == CC_CUDA)
		return compile_cuda(cc, input, object);
	return host_pass(cc, input, NULL, object);
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

static int build(struct cc *cc)
{
	if (check_sources(cc) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < cc->job.inputs.len; i++) {
		const struct cc_input *input = &cc->job.inputs.data[i];
		int code = input->kind == CC_LINK_WORD ? 0 : compile(cc, input);

		if (code)
			return code;
	}
	if (cc->job.report && !cc->job.show && cc_marks_report(&cc->marks, &cc->job, &cc->diag) < 0)
		return DIAG_ERROR;
	return cc->job.stage == CC_LINK ? link_program(cc) : 0;
}

int cmd_cc(int argc, char **argv)
{
	struct cc cc = {.arena = ARENA_INIT, .marks = CC_MARKS_INIT, .diag = DIAG_INIT};
	int code = cc_options_parse(&cc.job, argc, argv, &cc.arena);

	if (code) {
		code = code == CC_OPTIONS_DONE ? EXIT_OK : EXIT_WRONG_USAGE;
		goto done;
	}
	if (toolchain_find(&cc.tools, cc.job.clang, &cc.arena, &cc.diag) == 0 && temporary_open(&cc) == 0)
		code = build(&cc);
	temporary_remove(&cc);
	if (diag_is_set(&cc.diag))
		diag_print(&cc.diag, stderr);
	code = code || diag_is_set(&cc.diag) ? EXIT_BAD_INPUT : EXIT_OK;
done:
	vec_release(&cc.objects);
	cc_marks_release(&cc.marks);
	cc_job_release(&cc.job);
	arena_release(&cc.arena);
	if (process_pending_signal())
		raise(process_pending_signal());
	return code;
}
