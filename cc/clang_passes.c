/* The two passes of Clang over a source: the words of their command lines. */
#include "cc/steps.h"

#include "settings/settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Words of both --- */

/*
 * A folder with another CUDA's headers must not come before ours: -I of such a folder is searched last. For C, the
 * words leave out a C++ standard, which nvcc applies to C++ alone.
 */
static void add_shared_words(struct cc_job *job, struct command *c, bool is_c)
{
	cc_words *words = &job->options.both;

	for (size_t i = 0; i < words->len; i++) {
		char *word = words->data[i];
		bool separate = (strcmp(word, "-I") == 0 || strcmp(word, "-isystem") == 0) && i + 1 < words->len;
		const char *folder = separate ? words->data[i + 1] : strncmp(word, "-I", 2) == 0 ? word + 2 : "";

		if (is_c && strncmp(word, "-std=", 5) == 0 && strstr(word, "++"))
			continue;
		if (*folder && access(arena_printf(&job->arena, "%s/cuda_runtime.h", folder), R_OK) == 0) {
			command_add(c, "-idirafter");
			command_add(c, folder);
			i += separate;
		} else {
			command_add(c, word);
		}
	}
}

static uint64_t mix(uint64_t hash, const char *word)
{
	for (; *word; word++)
		hash = (hash ^ (unsigned char)*word) * 0x100000001b3u;
	return hash * 0x100000001b3u;
}

/*
 * Static variables of relocatable code carry it in their names: the same in both passes, another for each file and each
 * set of options.
 */
static uint64_t unit_id(const struct cc_job *job, const char *source)
{
	const cc_words *lists[] = {&job->options.both, &job->options.device, &job->options.host};
	char full[PATH_MAX];
	uint64_t hash = mix(0xcbf29ce484222325u, realpath(source, full) ? full : source);

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
		for (size_t i = 0; i < lists[l]->len; i++)
			hash = mix(hash, lists[l]->data[i]);
	return hash;
}

static void add_frontend_word(struct command *c, const char *word)
{
	command_add(c, "-Xclang");
	command_add(c, word);
}

/* Gives LLVM an option, unless the user gives it: LLVM takes it once. */
static void add_llvm_option(const struct cc_job *job, struct command *c, const char *name, const char *value)
{
	const cc_words *lists[] = {&job->options.both, &job->options.device};

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
		for (size_t i = 0; i < lists[l]->len; i++)
			if (strncmp(lists[l]->data[i], name, strlen(name)) == 0)
				return;
	command_add(c, "-mllvm");
	command_addf(c, "%s%s", name, value);
}

/* Clang's own headers include the toolkit's, and know its device library, too. */
static void add_headers(const struct cc_job *job, struct command *c)
{
	if (job->cuda_path) {
		command_addf(c, "--cuda-path=%s", job->cuda_path);
		return;
	}
	command_add(c, "-nocudainc");
	command_add(c, "-nocudalib");
	add_frontend_word(c, "-target-sdk-version=11.8");
	command_add(c, "-isystem");
	command_add(c, job->files.include);
	command_add(c, "-include");
	command_add(c, "cuda_runtime.h");
}

/* sm_90a; to Clang before 18 it is sm_90. */
static bool has_arch_features(const struct cc_job *job)
{
	return job->options.arch_features && job->tools.clang_version >= 18;
}

/* Older releases need options for what this release does by itself. */
enum { MODERN_CLANG = 19 };

/* Before 22, Clang takes no variadic functions in device code, or only a few, not even if they are only declared. */
static void add_variadic(const struct cc_job *job, struct command *c)
{
	if (job->tools.clang_version < 22)
		add_frontend_word(c, "-fcuda-allow-variadic-functions");
}

/* To older Clang __fp16, which cuda_fp16.h then computes in, is a float in arithmetic and no type of a parameter. */
static void add_half(const struct cc_job *job, struct command *c)
{
	if (job->tools.clang_version < MODERN_CLANG) {
		add_frontend_word(c, "-fnative-half-type");
		add_frontend_word(c, "-fnative-half-arguments-and-returns");
	}
}

/*
 * Words for C++ that nvcc and its host compiler take. A function that forgets to return a value returns any value;
 * Clang would let it run into the code behind it. A macro right behind a string is a macro: "%"PRIu64.
 */
static void add_lenient_words(struct command *c)
{
	command_add(c, "-fno-strict-return");
	command_add(c, "-Wno-error=reserved-user-defined-literal");
}

/*
 * A function may be for the device in one pass and unknown to it in the other, by __CUDA_ARCH__. nvcc ignores errors in
 * functions for which a pass makes no code.
 */
static void add_deferred_words(struct command *c)
{
	command_add(c, "-fgpu-defer-diag");
}

/* Macros that nvcc defines where an option was given. */
static void add_option_macros(const struct cc_job *job, struct command *c)
{
	const struct {
		bool given;
		const char *macro;
	} macros[] = {
	    {job->options.relocatable, "-D__CUDACC_RDC__"},
	    {job->options.device_debug, "-D__CUDACC_DEBUG__"},
	    {job->options.extended_lambda, "-D__CUDACC_EXTENDED_LAMBDA__"},
	    {job->options.relaxed_constexpr, "-D__CUDACC_RELAXED_CONSTEXPR__"},
	};

	for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
		if (macros[i].given)
			command_add(c, macros[i].macro);
}

/* Words for both passes over a CUDA source. */
static void add_cuda_words(struct cc_job *job, const char *source, struct command *c)
{
	command_add(c, "-x");
	command_add(c, "cuda");
	/*
	 * The same macro as nvcc's, for both sides: CUB names its kernels by it. Clang 22 gives it another value when
	 * it knows no GPU.
	 */
	command_add(c, "-U__CUDA_ARCH_LIST__");
	command_addf(c, "-D__CUDA_ARCH_LIST__=%u0", job->options.arch);
	add_headers(job, c);
	add_option_macros(job, c);
	add_variadic(job, c);
	command_add(c, "-Wno-unknown-cuda-version");
	/* Warnings for nvcc, too. */
	command_add(c, "-Wno-error=register");
	command_add(c, "-Wno-error=c++11-narrowing");
	if (job->tools.clang_version >= 19) /* an earlier Clang takes it in silence */
		command_add(c, "-Wno-error=missing-template-arg-list-after-template-kw");
	add_lenient_words(c);
	add_deferred_words(c);
	if (job->options.relocatable) {
		command_add(c, "-fgpu-rdc");
		/* Clang 21 and later register device code in their own way */
		command_add(c, "--no-offload-new-driver");
		command_add(c, "-fuse-cuid=none");
		command_add(c, "-Xclang");
		command_addf(c, "-cuid=%016llx", (unsigned long long)unit_id(job, source));
	}
	if (job->overlay) {
		command_add(c, "-ivfsoverlay");
		command_add(c, job->overlay);
	}
	add_shared_words(job, c, false);
}

static bool has_word(const cc_words *words, const char *word)
{
	for (size_t i = 0; i < words->len; i++)
		if (strcmp(words->data[i], word) == 0)
			return true;
	return false;
}

/*
 * The words for dependencies. When Clang writes to a temporary file, these words name the target and the dependency
 * file that Clang would derive from the real result's name.
 */
static void add_depend_words(struct cc_job *job, struct command *c, const char *result)
{
	const cc_words *depend = &job->options.depend;
	const char *dot = strrchr(result, '.'), *slash = strrchr(result, '/');
	int stem = dot && (!slash || dot > slash) ? (int)(dot - result) : (int)strlen(result);

	command_add_all(c, depend->data, depend->len);
	if (!has_word(depend, "-MD") && !has_word(depend, "-MMD"))
		return;
	if (!has_word(depend, "-MT") && !has_word(depend, "-MQ")) {
		command_add(c, "-MQ");
		command_add(c, result);
	}
	if (!has_word(depend, "-MF")) {
		command_add(c, "-MF");
		command_addf(c, "%.*s.d", stem, result);
	}
}

/* --- The device's side --- */

/*
 * Oldest PTX that has the whole architecture. Left to itself, Clang takes the toolkit's newest, or without a toolkit
 * one so old that its own headers do not compile.
 */
static unsigned ptx_version(const struct cc_job *job)
{
	return job->options.arch > 90 ? 85 : has_arch_features(job) ? 80 : 78;
}

/*
 * Our pass mends two faults of Clang's NVPTX back end: it makes volatile loads non-coherent, and cannot select relaxed
 * atomic loads. The pass sets no marks here: the PTX that comes out is analysed and marked like any compiler's.
 */
static void add_pass(const struct cc_job *job, struct command *c)
{
	if (job->options.emit_llvm || !job->tools.takes_plugin || access(job->files.plugin, R_OK) != 0)
		return;
	setenv(setting_rows[SETTING_ID_plugin_load].variable, "keep", 1);
	command_addf(c, "-fpass-plugin=%s", job->files.plugin);
	/* The pass orders the blocks; LLVM would put a loop's end before its head, which takes a branch more. */
	add_llvm_option(job, c, "-disable-block-placement", "");
}

/*
 * As nvcc has it: whole, if a loop's iterations are about as many instructions as nvcc takes; else four times, also
 * loops that LLVM finds too long for that, and none more often.
 */
static void add_unrolling(const struct cc_job *job, struct command *c)
{
	add_llvm_option(job, c, "-unroll-threshold", "=450");
	add_llvm_option(job, c, "-unroll-partial-threshold", "=150");
	add_llvm_option(job, c, "-unroll-max-count", "=4");
}

static void add_device_library(const struct cc_job *job, struct command *c)
{
	const char *library = job->options.device_library;

	if (!library && job->cuda_path)
		return;
	if (job->cuda_path)
		command_add(c, "-nocudalib");
	add_frontend_word(c, "-mlink-builtin-bitcode");
	add_frontend_word(c, library ? library : job->files.device_library);
}

/* LLVM reads IR of earlier releases, but not of later releases. */
static int check_device_library(struct cc_job *job)
{
	const struct toolchain *tools = &job->tools;

	if (job->options.device_library || job->cuda_path || tools->clang_version >= ROMARK_CLANG_VERSION)
		return 0;
	return diag_file(
	    &job->diag, tools->clangxx,
	    "cannot read romark's device library, which LLVM %u wrote: take Clang %u or later, name another "
	    "library with --device-lib, or build romark with -DROMARK_LLVM=%u",
	    ROMARK_CLANG_VERSION, ROMARK_CLANG_VERSION, tools->clang_version);
}

int cc_device_pass(struct cc_job *job, const char *source, const char *output, const char *result)
{
	struct command c = COMMAND_INIT;

	if (check_device_library(job))
		return DIAG_ERROR;
	command_add(&c, job->tools.clangxx);
	add_cuda_words(job, source, &c);
	add_pass(job, &c);
	command_add(&c, "--cuda-device-only");
	command_addf(&c, "--cuda-gpu-arch=sm_%u%s", job->options.arch, has_arch_features(job) ? "a" : "");
	command_addf(&c, "--cuda-feature=+ptx%u", ptx_version(job));
	command_add(&c, "-DCUDA_DOUBLE_MATH_FUNCTIONS");
	if (has_arch_features(job)) {
		command_add(&c, "-U__CUDA_ARCH_FEAT_SM90_ALL"); /* newer Clang has it by itself */
		command_add(&c, "-D__CUDA_ARCH_FEAT_SM90_ALL");
		command_add(&c, "-D__CUDA_ARCH_SPECIFIC__=900");
		command_add(&c, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=900");
	}
	add_half(job, &c);
	add_device_library(job, &c);
	add_unrolling(job, &c);
	if (!job->options.own_level) /* -O2 is for the host, as with nvcc */
		command_add(&c, "-O3");
	command_add_all(&c, job->options.device.data, job->options.device.len);
	if (result)
		add_depend_words(job, &c, result);
	if (job->options.emit_llvm)
		command_add(&c, "-emit-llvm");
	command_add(&c, job->options.stage == CC_COMPILE && job->options.emit_llvm ? "-c" : "-S");
	command_add(&c, source);
	command_add(&c, "-o");
	command_add(&c, output);
	return cc_run(job, &c, output);
}

/* --- The host's side --- */

/* Old C that gcc takes with a warning, Clang takes with one too. */
static void add_old_c_words(struct command *c)
{
	static const char *const tolerated[] = {"implicit-int", "implicit-function-declaration", "int-conversion",
						"incompatible-function-pointer-types"};

	for (size_t i = 0; i < sizeof tolerated / sizeof *tolerated; i++)
		command_addf(c, "-Wno-error=%s", tolerated[i]);
}

static void add_host_language(struct cc_job *job, const struct cc_input *input, const char *image, struct command *c)
{
	if (input->kind == CC_CUDA) {
		add_cuda_words(job, input->path, c);
		command_add(c, "--cuda-host-only");
		if (image) {
			add_frontend_word(c, "-fcuda-include-gpubinary");
			add_frontend_word(c, image);
		}
		return;
	}
	command_add(c, "-x");
	command_add(c, input->kind == CC_C ? "c" : "c++");
	command_add(c, "-isystem");
	command_addf(c, "%s%s", job->cuda_path ? job->cuda_path : job->files.include, job->cuda_path ? "/include" : "");
	if (input->kind == CC_C)
		add_old_c_words(c);
	else
		add_lenient_words(c);
	add_shared_words(job, c, input->kind == CC_C);
}

int cc_host_pass(struct cc_job *job, const struct cc_input *input, const char *image, const char *result)
{
	struct command c = COMMAND_INIT;
	bool writes_object = job->options.stage != CC_PREPROCESS && job->options.stage != CC_ASSEMBLE;

	command_add(&c, input->kind == CC_C ? job->tools.clang : job->tools.clangxx);
	add_host_language(job, input, image, &c);
	command_add_all(&c, job->options.host.data, job->options.host.len);
	if (job->options.stage == CC_PREPROCESS)
		command_add_all(&c, job->options.depend.data, job->options.depend.len);
	else
		add_depend_words(job, &c,
				 job->options.stage <= CC_ARCHIVE ? cc_output_of(job, input->path, ".o") : result);
	if (job->options.emit_llvm)
		command_add(&c, "-emit-llvm");
	if (job->options.stage != CC_PREPROCESS)
		command_add(&c, writes_object ? "-c" : "-S");
	command_add(&c, input->path);
	if (result) {
		command_add(&c, "-o");
		command_add(&c, result);
	}
	return cc_run(job, &c, result);
}

int cc_list_messages(struct cc_job *job, const struct cc_input *input, const char *messages)
{
	struct diag ignored = DIAG_INIT;
	struct command c = COMMAND_INIT;
	int code;

	command_add(&c, input->kind == CC_C ? job->tools.clang : job->tools.clangxx);
	add_host_language(job, input, NULL, &c);
	command_add_all(&c, job->options.host.data, job->options.host.len);
	command_add(&c, "-E");
	command_add(&c, input->path);
	code = command_messages(&c, messages, &ignored);
	command_release(&c);
	return code;
}
