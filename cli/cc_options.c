/* Reads the command line of `romark cc` against the rows of cc_options.def. */
#include "cli/cc_options.h"

#include "cli/toolchain.h"

#include <stdio.h>
#include <string.h>

enum shape { WORD, NEXT, EQUALS, PREFIX };

enum meaning {
	BOTH, HOST, DEVICE, LINK, IGNORE, REFUSED,
	OUTPUT, COMPILE_ONLY, PREPROCESS, EMIT_PTX, EMIT_FATBIN, LANGUAGE, SHOW, VERBOSE, HELP, VERSION, PRINT_TOOLKIT,
	REPORT, LOAD, ALIAS, DEVICE_LIBRARY, CLANG,
	ARCH, FAST_MATH, FMAD, LINE_INFO, DEVICE_DEBUG, NO_WARNINGS, OPTIMIZE,
	HOST_LIST, LINK_LIST, LINK_FOLDER, LIBRARY, LIBRARY_NAME, SHARED, DEPENDENCY,
	INCLUDE_FOLDER, INCLUDE_FILE, DEFINE, STANDARD,
};

static const struct row {
	const char *spelling;
	enum shape shape;
	enum meaning meaning;
} rows[] = {
#define CC_OPTION(spelling, shape, meaning) {spelling, shape, meaning},
#include "cli/cc_options.def"
#undef CC_OPTION
};
enum { ROWS = sizeof rows / sizeof *rows, LOWEST_ARCH = 75, HIGHEST_ARCH = 90 };

/* State of one reading. */
struct reader {
	struct cc_job *job;
	struct arena *arena;
	int argc, at;
	char **argv;
	int language; /* -1: by the file's ending; else enum cc_kind */
};

static const char help_text[] =
	"usage: romark cc [options] FILES -o PROG\n\n"
	"Compiles CUDA (.cu), C++ and C sources and links them with romark's runtime. Takes Clang's options and nvcc's\n"
	"usual ones.\n\n"
	"  -o FILE, -c, -E, -ptx, -fatbin, -shared   what to make\n"
	"  -x cu                                     the files that follow are CUDA, whatever they are called\n"
	"  --report=FILE.json                        the read-only data of every kernel\n"
	"  --load=ro|nc|keep                         mark read-only loads as ld.global.ro (usual in -ptx), .nc, or not at\n"
	"                                            all; without it, programs are marked when they are loaded\n"
	"  --alias=guarded|strict|distinct           what may be assumed of pointer parameters (default guarded)\n"
	"  -arch=sm_NN, -gencode ...                 target of the device code, sm_75 (default) to sm_90\n"
	"  --device-lib=FILE.bc                      device math library, such as a CUDA toolkit's libdevice.10.bc\n"
	"  --clang=PATH                              the clang++ to use (or set ROMARK_CLANG)\n"
	"  -Xcompiler LIST, -Xlinker LIST            options for the host compilation, the link\n"
	"  -v, -###                                  show the commands; -### does not run them\n"
	"  --print-toolkit                           the folder that Makefiles can use as CUDA_HOME\n"
	"  --help, --version\n\n"
	"Exit codes: 0 success, 1 errors in the sources, 2 wrong usage. See docs/building-cuda-programs.md.\n";

static void add(struct reader *r, cc_words *list, const char *word)
{
	vec_push(list, arena_strdup(r->arena, word));
}

static void add_input(struct reader *r, const char *path, enum cc_kind kind)
{
	vec_push(&r->job->inputs, (struct cc_input){arena_strdup(r->arena, path), kind});
	r->job->nsources += kind != CC_LINK_WORD;
}

static int wrong(const char *what, const char *word)
{
	fprintf(stderr, "romark: cc: %s '%s'; see 'romark cc --help'\n", what, word);
	return CC_OPTIONS_WRONG;
}

/* The comma-separated words of -Xcompiler and -Xlinker; what belongs to the linker goes there. */
static void add_list(struct reader *r, const char *value, bool to_linker)
{
	for (const char *at = value;; at++) {
		size_t len = strcspn(at, ", ");
		char *word = arena_strndup(r->arena, at, len);

		if (len && to_linker)
			add_input(r, arena_printf(r->arena, "-Wl,%s", word), CC_LINK_WORD);
		else if (len && strncmp(word, "-Wl,", 4) == 0)
			add_input(r, arena_printf(r->arena, "-Wl,%s", at + 4), CC_LINK_WORD);
		else if (len && (strncmp(word, "-l", 2) == 0 || strncmp(word, "-L", 2) == 0))
			add_input(r, word, CC_LINK_WORD);
		else if (len)
			vec_push(&r->job->host, word);
		at += len;
		if (!*at || strncmp(word, "-Wl", 3) == 0)
			return;
	}
}

/* "sm_75", "compute_80", "arch=compute_75,code=sm_75", "75", "all", "native": the highest that is asked for counts. */
static int take_arch(struct reader *r, const char *value)
{
	const char *digit = strpbrk(value, "0123456789");
	unsigned arch = digit ? (unsigned)strtoul(digit, NULL, 10) : LOWEST_ARCH;

	if (!digit && strncmp(value, "all", 3) && strcmp(value, "native"))
		return wrong("not a GPU architecture:", value);
	if (arch < LOWEST_ARCH)
		arch = LOWEST_ARCH;
	if (arch > HIGHEST_ARCH)
		arch = HIGHEST_ARCH;
	if (arch >= r->job->arch) {
		r->job->arch = arch;
		r->job->arch_features = digit && strncmp(digit, "90a", 3) == 0;
	}
	return 0;
}

static int take_choice(const char *option, const char *value, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], value) == 0)
			return i;
	return wrong(option, value);
}

static int take_load(struct cc_job *job, const char *value)
{
	static const char *const names[] = {"ro", "nc", "keep"};
	static const enum ptx_load_mark marks[] = {PTX_LOAD_RO, PTX_LOAD_NC, PTX_LOAD_KEEP};
	int choice = take_choice("--load takes ro, nc or keep, not", value, names, 3);

	if (choice < 0)
		return choice;
	job->load = marks[choice];
	job->load_asked = true;
	return 0;
}

static int take_alias(struct cc_job *job, const char *value)
{
	static const char *const names[] = {"guarded", "strict", "distinct"};
	static const enum ptx_alias levels[] = {PTX_ALIAS_GUARDED, PTX_ALIAS_STRICT, PTX_ALIAS_DISTINCT};
	int choice = take_choice("--alias takes guarded, strict or distinct, not", value, names, 3);

	if (choice < 0)
		return choice;
	job->alias = levels[choice];
	return 0;
}

static int take_language(struct reader *r, const char *value)
{
	static const char *const names[] = {"cu", "cuda", "c++", "c", "none"};
	static const int kinds[] = {CC_CUDA, CC_CUDA, CC_CXX, CC_C, -1};
	int choice = take_choice("-x takes cu, cuda, c++, c or none, not", value, names, 5);

	if (choice < 0)
		return choice;
	r->language = kinds[choice];
	return 0;
}

static void print_toolkit(struct arena *arena)
{
	struct toolchain tools;

	toolchain_folders(&tools, arena);
	puts(tools.toolkit);
}

/* Acts upon one option; `word` is the option as written, `value` its value or NULL. */
static int apply(struct reader *r, enum meaning meaning, const char *word, const char *value, bool separate)
{
	struct cc_job *job = r->job;
	cc_words *list = meaning == HOST	 ? &job->host
			 : meaning == DEVICE	 ? &job->device
			 : meaning == DEPENDENCY ? &job->depend
						 : &job->both;

	switch (meaning) {
	case BOTH:
	case HOST:
	case DEVICE:
	case DEPENDENCY:
		add(r, list, word);
		if (separate)
			add(r, list, value);
		return 0;
	case LINK:
		add_input(r, separate ? arena_printf(r->arena, "%s%s", word, value) : word, CC_LINK_WORD);
		return 0;
	case LIBRARY:
		if (separate)
			word = arena_printf(r->arena, "-l%s", value);
		add_input(r, word, CC_LINK_WORD);
		return 0;
	case LIBRARY_NAME:
		add_input(r, arena_printf(r->arena, "-l%s", value), CC_LINK_WORD);
		return 0;
	case LINK_FOLDER:
		add_input(r, arena_printf(r->arena, "-L%s", value), CC_LINK_WORD);
		return 0;
	case IGNORE:
		return 0;
	case REFUSED:
		return wrong("not supported:", word);
	case OUTPUT:
		job->output = value;
		return 0;
	case COMPILE_ONLY:
		job->stage = CC_COMPILE;
		return 0;
	case PREPROCESS:
		job->stage = CC_PREPROCESS;
		add(r, &job->depend, strcmp(word, "--preprocess") ? word : "-E");
		return 0;
	case EMIT_PTX:
		job->stage = CC_EMIT_PTX;
		return 0;
	case EMIT_FATBIN:
		job->stage = CC_EMIT_FATBIN;
		return 0;
	case LANGUAGE:
		return take_language(r, value);
	case SHOW:
		job->show = true;
		return 0;
	case VERBOSE:
		job->verbose = true;
		return 0;
	case HELP:
		fputs(help_text, stdout);
		return CC_OPTIONS_DONE;
	case VERSION:
		puts("romark cc " ROMARK_VERSION);
		return CC_OPTIONS_DONE;
	case PRINT_TOOLKIT:
		print_toolkit(r->arena);
		return CC_OPTIONS_DONE;
	case REPORT:
		job->report = value;
		return 0;
	case LOAD:
		return take_load(job, value);
	case ALIAS:
		return take_alias(job, value);
	case DEVICE_LIBRARY:
		job->device_library = value;
		return 0;
	case CLANG:
		job->clang = value;
		return 0;
	case ARCH:
		return take_arch(r, value);
	case FAST_MATH:
		add(r, &job->device, "-fgpu-approx-transcendentals");
		add(r, &job->device, "-fgpu-flush-denormals-to-zero");
		return 0;
	case FMAD:
		if (strcmp(value, "false") == 0)
			add(r, &job->device, "-ffp-contract=off");
		return 0;
	case LINE_INFO:
		add(r, &job->device, "-gline-tables-only");
		return 0;
	case DEVICE_DEBUG:
		add(r, &job->device, "-g");
		return 0;
	case NO_WARNINGS:
		add(r, &job->both, "-w");
		return 0;
	case OPTIMIZE:
		job->optimized = true;
		add(r, &job->both, arena_printf(r->arena, "-O%s", value));
		return 0;
	case HOST_LIST:
		add_list(r, value, false);
		return 0;
	case LINK_LIST:
		add_list(r, value, true);
		return 0;
	case SHARED:
		job->shared = true;
		return 0;
	case INCLUDE_FOLDER:
		add(r, &job->both, arena_printf(r->arena, "-I%s", value));
		return 0;
	case INCLUDE_FILE:
		add(r, &job->both, "-include");
		add(r, &job->both, value);
		return 0;
	case DEFINE:
		add(r, &job->both, arena_printf(r->arena, "-D%s", value));
		return 0;
	case STANDARD:
		add(r, &job->both, arena_printf(r->arena, "-std=%s", value));
		return 0;
	}
	return 0;
}

/* The row for `word`, and the value inside the word or NULL. */
static const struct row *find_row(const char *word, const char **value)
{
	for (size_t i = 0; i < ROWS; i++) {
		size_t len = strlen(rows[i].spelling);

		*value = NULL;
		if (strncmp(word, rows[i].spelling, len) != 0)
			continue;
		if (!word[len] || rows[i].shape == PREFIX)
			return &rows[i];
		if (rows[i].shape == EQUALS && word[len] == '=') {
			*value = word + len + 1;
			return &rows[i];
		}
	}
	return NULL;
}

static int take_option(struct reader *r)
{
	const char *word = r->argv[r->at], *value;
	const struct row *row = find_row(word, &value);
	bool separate = false;

	if (!row) {
		r->job->optimized |= strncmp(word, "-O", 2) == 0;
		return apply(r, strncmp(word, "-m", 2) == 0 ? HOST : BOTH, word, NULL, false);
	}
	if (row->shape != WORD && !value && strcmp(word, row->spelling) == 0) {
		if (r->at + 1 >= r->argc)
			return wrong("value missing after", word);
		value = r->argv[++r->at];
		separate = true;
	}
	return apply(r, row->meaning, word, value, separate);
}

static enum cc_kind kind_of(const char *path)
{
	static const struct {
		const char *ending;
		enum cc_kind kind;
	} endings[] = {{".cu", CC_CUDA}, {".cpp", CC_CXX}, {".cc", CC_CXX}, {".cxx", CC_CXX},
		       {".C", CC_CXX},   {".c++", CC_CXX}, {".c", CC_C}};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (strcmp(dot, endings[i].ending) == 0)
			return endings[i].kind;
	return CC_LINK_WORD;
}

static int check(const struct cc_job *job)
{
	if (!job->inputs.len)
		return wrong("no input files", "");
	if (job->stage != CC_LINK && job->output && job->nsources > 1)
		return wrong("one output for several sources:", job->output);
	if (job->stage != CC_LINK && !job->nsources)
		return wrong("nothing to compile:", job->inputs.data[0].path);
	return 0;
}

int cc_options_parse(struct cc_job *job, int argc, char **argv, struct arena *arena)
{
	struct reader r = {job, arena, argc, 1, argv, -1};

	*job = (struct cc_job){.load = PTX_LOAD_RO, .alias = PTX_ALIAS_GUARDED, .arch = LOWEST_ARCH};
	for (; r.at < argc; r.at++) {
		const char *word = argv[r.at];
		int code = 0;

		if (*word == '-' && word[1])
			code = take_option(&r);
		else
			add_input(&r, word, r.language >= 0 ? (enum cc_kind)r.language : kind_of(word));
		if (code)
			return code;
	}
	return check(job);
}

void cc_job_release(struct cc_job *job)
{
	vec_release(&job->inputs);
	vec_release(&job->both);
	vec_release(&job->host);
	vec_release(&job->device);
	vec_release(&job->depend);
}
