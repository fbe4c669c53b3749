/* From objects to the requested result: the object of the device link, a static library, a program. */
#include "cc/steps.h"

#include "cc/fatbin_entry.h"
#include "cc/device_link.h"
#include "cc/as_nvcc.h"
#include "common/file.h"

#include <string.h>
#include <unistd.h>

/* --- The device link --- */

/* The static library that -lNAME means, or NULL: a shared library of that name has priority. */
static const char *find_library(struct cc_job *job, const char *name)
{
	for (size_t i = 0; i < job->options.inputs.len; i++) {
		const char *folder = job->options.inputs.data[i].path;
		const char *shared, *archive;

		if (job->options.inputs.data[i].kind != CC_LINK_WORD || strncmp(folder, "-L", 2) != 0)
			continue;
		shared = arena_printf(&job->arena, "%s/lib%s.so", folder + 2, name);
		archive = arena_printf(&job->arena, "%s/lib%s.a", folder + 2, name);
		if (access(shared, R_OK) == 0)
			return NULL;
		if (access(archive, R_OK) == 0)
			return archive;
	}
	return NULL;
}

/* Between the library words of a command line there are words that say whether all of a library is wanted. */
struct scan {
	struct cc_job *job;
	struct cc_link *link;
	bool whole;
};

static int scan_file(struct scan *s, const char *path)
{
	/* The linker will report missing files. */
	return path && access(path, R_OK) == 0 ? cc_link_scan(s->link, path, s->whole, &s->job->diag) : 0;
}

/* The words of "-Wl,--whole-archive,libx.a,--no-whole-archive". */
static int scan_linker_words(struct scan *s, const char *words)
{
	int result = 0;

	while (result == 0 && *words) {
		size_t len = strcspn(words, ",");
		const char *word = arena_strndup(&s->job->arena, words, len);

		if (strcmp(word, "--whole-archive") == 0)
			s->whole = true;
		else if (strcmp(word, "--no-whole-archive") == 0 || strcmp(word, "--pop-state") == 0)
			s->whole = false;
		else if (len > 2 && strcmp(word + len - 2, ".a") == 0)
			result = scan_file(s, word);
		words += len + (words[len] == ',');
	}
	return result;
}

static int scan_word(struct scan *s, const char *word)
{
	if (strncmp(word, "-Wl,", 4) == 0)
		return scan_linker_words(s, word + 4);
	if (strncmp(word, "-l", 2) == 0)
		return scan_file(s, find_library(s->job, word + 2));
	return *word == '-' ? 0 : scan_file(s, word);
}

/* All that is linked, and what of the libraries. */
static int scan(struct cc_job *job, struct cc_link *link)
{
	struct scan s = {job, link, false};
	size_t object = 0;

	for (size_t i = 0; i < job->options.inputs.len; i++) {
		const struct cc_input *input = &job->options.inputs.data[i];
		const char *word = input->kind == CC_LINK_WORD ? input->path : job->objects.data[object++];

		if (scan_word(&s, word) < 0)
			return DIAG_ERROR;
	}
	cc_link_choose(link, job->options.stage == CC_LINK && !job->options.shared);
	return 0;
}

/* Writes the joined module as a fat binary, marked like the module of a single source. */
static int write_image(struct cc_job *job, struct cc_link *link, const char *image)
{
	const char *name = job->options.output ? job->options.output : "a.out"; /* for messages and the report */
	struct strbuf joined = STRBUF_INIT, marked = STRBUF_INIT;
	int result = cc_link_join(link, &joined, &job->diag);

	if (result == 0) {
		struct file_data ptx = {joined.data, joined.len};

		result =
		    cc_marks_apply(&job->marks, &job->options, job->options.load_asked ? job->options.load : LOAD_KEEP,
				   name, &ptx, &marked, &job->diag);
	}
	if (result == 0)
		result = cc_fatbin_write(image, marked.data, marked.len, link->arch, &job->diag);
	strbuf_release(&joined);
	strbuf_release(&marked);
	return result;
}

static int write_source(struct cc_job *job, struct cc_link *link, const char *image, const char *source)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	cc_link_source(link, image, &text);
	result = file_write(source, text.data, text.len, &job->diag);
	strbuf_release(&text);
	return result;
}

/* Makes the object that registers the parts in `link`. There may be no parts. */
static int make_registration(struct cc_job *job, struct cc_link *link, const char *object)
{
	const char *image = cc_temporary_file(job, ".fatbin"), *source = cc_temporary_file(job, ".c");
	struct command c = COMMAND_INIT;

	if (link->parts.len && write_image(job, link, image) < 0)
		return DIAG_ERROR;
	if (!job->options.show && write_source(job, link, image, source) < 0)
		return DIAG_ERROR;
	command_add(&c, job->tools.clang);
	command_add(&c, "-O1");
	command_add(&c, "-fPIC");
	command_add(&c, "-c");
	command_add(&c, source);
	command_add(&c, "-o");
	command_add(&c, object);
	return cc_run(job, &c, object);
}

int cc_device_link(struct cc_job *job)
{
	struct cc_link link = CC_LINK_INIT;
	int result = scan(job, &link);

	if (result == 0)
		result = make_registration(job, &link, job->options.output ? job->options.output : "a_dlink.o");
	cc_link_release(&link);
	return result;
}

/* *object: the object that registers what the program's objects leave to the device link, or NULL. */
static int link_parts(struct cc_job *job, const char **object)
{
	struct cc_link link = CC_LINK_INIT;
	int result = scan(job, &link);

	*object = NULL;
	if (result == 0 && (link.parts.len || (job->options.show && job->options.relocatable))) {
		*object = cc_temporary_file(job, ".o");
		result = make_registration(job, &link, *object);
	}
	cc_link_release(&link);
	return result;
}

/* --- Libraries and programs --- */

/* The objects of the sources among the words for the linker, in the order of the command line. */
static void add_inputs(struct cc_job *job, struct command *c)
{
	size_t object = 0;

	for (size_t i = 0; i < job->options.inputs.len; i++) {
		const struct cc_input *input = &job->options.inputs.data[i];

		command_add(c, input->kind == CC_LINK_WORD ? input->path : job->objects.data[object++]);
	}
}

int cc_archive(struct cc_job *job)
{
	const char *output = job->options.output ? job->options.output : "a.a";
	struct command c = COMMAND_INIT;

	if (!job->options.show)
		cc_remove_output(output); /* ar would keep the members of an old archive */
	command_add(&c, "ar");
	command_add(&c, "rcs");
	command_add(&c, output);
	add_inputs(job, &c);
	return cc_run(job, &c, output);
}

/* The dynamic linker looks there anyway. */
static bool is_system_folder(const char *path)
{
	return strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "/lib", 4) == 0;
}

/*
 * `library` is romark_cudart, or with a toolkit's headers the runtime of their release, and the driver API if it is
 * called.
 */
static void add_library(struct cc_job *job, struct command *c, const char *folder, const char *library)
{
	command_addf(c, "-L%s", folder);
	if (!is_system_folder(folder) || job->cuda_path)
		command_addf(c, "-Wl,-rpath,%s", folder);
	command_addf(c, "-l%s", library);
	if (job->cuda_path)
		command_add(c, "-Wl,--push-state,--as-needed,-l:libcuda.so.1,--pop-state");
}

/* Under nvcc's name the libraries have nvcc's names too, which CMake takes over into its own link lines. */
static void add_runtime(struct cc_job *job, struct command *c)
{
	static const char *const names[] = {"-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"};

	if (job->options.as_nvcc && !job->cuda_path) {
		cc_nvcc_add_libraries(job->files.toolkit, c);
		for (size_t i = 0; !job->options.without_runtime && i < sizeof names / sizeof *names; i++)
			command_add(c, names[i]);
	} else if (!job->options.without_runtime) {
		add_library(job, c, job->cuda_path ? job->files.cudart : job->files.library,
			    job->cuda_path ? job->cudart : "romark_cudart");
		/* libcurand. It comes last: the toolkit's libromark_cudart would name its own place in the program. */
		if (!job->cuda_path)
			command_addf(c, "-L%s/lib64", job->files.toolkit);
	}
}

int cc_link_program(struct cc_job *job)
{
	const char *output = job->options.output ? job->options.output : "a.out", *registration;
	struct command c = COMMAND_INIT;

	if (link_parts(job, &registration))
		return DIAG_ERROR;
	command_add(&c, job->tools.clangxx);
	if (job->options.shared)
		command_add(&c, "-shared");
	command_add_all(&c, job->options.host.data, job->options.host.len);
	add_inputs(job, &c);
	if (registration)
		command_add(&c, registration);
	add_runtime(job, &c);
	command_add(&c, "-o");
	command_add(&c, output);
	return cc_run(job, &c, output);
}
