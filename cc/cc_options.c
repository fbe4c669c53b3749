/* Reads the command line of `romark cc` against the rows of cc/cc_options.def. */
#include "cc/cc_options.h"

#include "cc/installation.h"
#include "cc/as_nvcc.h"
#include "cc/cc_help.h"
#include "cc/option_values.h"
#include "cc/words.h"
#include "common/file.h"
#include "common/strbuf.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum shape { WORD, NEXT, EQUALS, PREFIX, JOINED };

/* clang-format off */
enum meaning {
	BOTH, HOST, DEVICE, DEPENDENCY, LINK, IGNORE, REFUSED,
	OUTPUT, OUTPUT_FOLDER, COMPILE_ONLY, COMPILE_RELOCATABLE, COMPILE_WHOLE, RELOCATABLE, DEVICE_LINK, ARCHIVE,
	PREPROCESS, ASSEMBLE, EMIT_LLVM, EMIT_PTX, EMIT_FATBIN, EMIT_CUBIN, SHARED, LANGUAGE,
	SHOW, VERBOSE, HELP, VERSION, PRINT_TOOLKIT, LIST_ARCH, LIST_CODE,
	AS_NVCC, REPORT, LOAD, ALIAS, DEVICE_LIBRARY, CLANG, CUDA_PATH,
	ARCH, FAST_MATH, FMAD, FLUSH, OPTIMIZE, DEFAULT_STREAM,
	EXTENDED_LAMBDA, RELAXED_CONSTEXPR, DEVICE_DEBUG,
	HOST_LIST, LINK_LIST, PTXAS_LIST, RESOURCES, FORWARD_UNKNOWN, WARNINGS_AS_ERRORS, RUNTIME, RUNTIME_LIBRARY,
};
/* clang-format on */

static const struct row {
	const char *spelling;
	enum shape shape;
	enum meaning meaning;
	const char *words;
} rows[] = {
#define CC_OPTION(spelling, shape, meaning, words) {spelling, shape, meaning, words},
#include "cc/cc_options.def"
#undef CC_OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

/* State of one reading. */
struct reader {
	struct cc_options *options;
	struct arena *arena;
	cc_words words;
	size_t at;
	bool files_only;      /* behind "--" */
	int language;         /* -1: by the file's ending; else enum cc_kind */
	enum meaning unknown; /* where words without a row go */
	bool names_runtime;   /* -lcudart and its kin */
};

static void add_word(struct reader *r, cc_words *list, const char *word)
{
	vec_push(list, arena_strdup(r->arena, word));
}

static void add_input(struct reader *r, const char *path, enum cc_kind kind)
{
	vec_push(&r->options->inputs, (struct cc_input){arena_strdup(r->arena, path), kind});
	r->options->nsources += kind != CC_LINK_WORD;
}

/* One word for the host compilation and the link; what belongs to the linker alone goes there. */
static void add_host_word(struct reader *r, const char *word)
{
	if (strncmp(word, "-l", 2) == 0 || strncmp(word, "-L", 2) == 0 || strncmp(word, "-Wl,", 4) == 0)
		add_input(r, word, CC_LINK_WORD);
	else
		add_word(r, &r->options->host, word);
}

/*
 * The next word of a list for -Xcompiler or -Xlinker: up to a blank or comma, except after a backslash and, for commas,
 * in a word that itself begins with -Wl,. Quotes are left out. Returns the end of the word.
 */
static const char *next_in_list(const char *at, struct strbuf *word)
{
	word->len = 0;
	for (; *at && *at != ' '; at++) {
		bool for_linker = word->len >= 3 && strncmp(word->data, "-Wl", 3) == 0;

		if (*at == ',' && !for_linker)
			break;
		if (*at == '\\' && at[1])
			strbuf_addc(word, *++at);
		else if (*at != '"' && *at != '\'')
			strbuf_addc(word, *at);
	}
	return at;
}

/* A word of a list for the host compilation, the linker or ptxas. */
static void add_listed(struct reader *r, enum meaning list, const char *word)
{
	if (list == LINK_LIST)
		add_input(r, arena_printf(r->arena, "-Wl,%s", word), CC_LINK_WORD);
	else if (list == HOST_LIST)
		add_host_word(r, word);
	else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
		r->options->resources = true;
}

static void add_list(struct reader *r, const char *value, enum meaning list)
{
	struct strbuf word = STRBUF_INIT;

	for (const char *at = value ? value : ""; *at; at += *at != '\0') {
		at = next_in_list(at, &word);
		if (word.len)
			add_listed(r, list, word.data);
	}
	strbuf_release(&word);
}

static int take_language(struct reader *r, const char *value)
{
	static const char *const names[] = {"cu", "cuda", "c++", "c", "none", NULL};
	static const int kinds[] = {CC_CUDA, CC_CUDA, CC_CXX, CC_C, -1};
	int choice = cc_take_choice("-x", value, names);

	if (choice < 0)
		return choice;
	r->language = kinds[choice];
	return 0;
}

/* For completion: every spelling, with "=" behind those that take a value in that way. */
static void print_help(struct arena *arena)
{
	const char **spellings = arena_alloc(arena, (ROWS + 1) * sizeof *spellings);

	for (size_t i = 0; i < ROWS; i++)
		spellings[i] = arena_printf(arena, "%s%s", rows[i].spelling, rows[i].shape == EQUALS ? "=" : "");
	spellings[ROWS] = NULL;
	cc_help_print(spellings);
}

static void print_toolkit(struct arena *arena)
{
	struct installation files;

	installation_find(&files, arena);
	puts(files.toolkit);
}

/* --- One option --- */

/* `word` as written with its `value`, or the row's words with the value put in. */
static void add_row_words(struct reader *r, cc_words *list, const struct row *row, const char *word, const char *value,
			  bool separate)
{
	const char *blank = strchr(row->words, ' ');

	if (!*row->words) {
		add_word(r, list, word);
		if (separate)
			add_word(r, list, value);
		return;
	}
	if (blank)
		add_word(r, list, arena_strndup(r->arena, row->words, (size_t)(blank - row->words)));
	if (strstr(row->words, "%s"))
		vec_push(list, arena_printf(r->arena, "%.*s%s",
					    (int)(strstr(row->words, "%s") - (blank ? blank + 1 : row->words)),
					    blank ? blank + 1 : row->words, value));
	else
		add_word(r, list, blank ? blank + 1 : row->words);
}

/* One word: "-L" and "dir" of the command line are joined. */
static void add_link_word(struct reader *r, const struct row *row, const char *word, const char *value, bool separate)
{
	cc_words words = VEC_INIT;

	if (separate && !*row->words)
		word = arena_printf(r->arena, "%s%s", word, value);
	add_row_words(r, &words, row, word, value, false);
	add_input(r, words.data[0], CC_LINK_WORD);
	vec_release(&words);
}

static cc_words *list_of(struct cc_options *options, enum meaning meaning)
{
	switch (meaning) {
	case HOST: return &options->host;
	case DEVICE: return &options->device;
	case DEPENDENCY:
	case PREPROCESS: return &options->depend;
	default: return &options->both;
	}
}

/* Options whose value, or presence, is stored unchanged. */
/* clang-format off */
static const struct {
	enum meaning meaning;
	bool is_text; /* else a flag */
	size_t field; /* of struct cc_options */
} kept[] = {
	{OUTPUT, true, offsetof(struct cc_options, output)},
	{OUTPUT_FOLDER, true, offsetof(struct cc_options, output_folder)},
	{EXTENDED_LAMBDA, false, offsetof(struct cc_options, extended_lambda)},
	{RELAXED_CONSTEXPR, false, offsetof(struct cc_options, relaxed_constexpr)},
	{REPORT, true, offsetof(struct cc_options, report)},
	{DEVICE_LIBRARY, true, offsetof(struct cc_options, device_library)},
	{CLANG, true, offsetof(struct cc_options, clang)},
	{CUDA_PATH, true, offsetof(struct cc_options, cuda_path)},
	{SHARED, false, offsetof(struct cc_options, shared)},
	{EMIT_LLVM, false, offsetof(struct cc_options, emit_llvm)},
	{SHOW, false, offsetof(struct cc_options, show)},
	{VERBOSE, false, offsetof(struct cc_options, verbose)},
	{AS_NVCC, false, offsetof(struct cc_options, as_nvcc)},
	{RESOURCES, false, offsetof(struct cc_options, resources)},
};
/* clang-format on */

static bool keep_value(struct cc_options *options, enum meaning meaning, const char *value)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		char *field = (char *)options + kept[i].field;

		if (kept[i].meaning != meaning)
			continue;
		if (kept[i].is_text)
			*(const char **)field = value;
		else
			*(bool *)field = true;
		return true;
	}
	return false;
}

/* Options that say how far to go. */
/* clang-format off */
static const struct {
	enum meaning meaning;
	enum cc_stage stage;
} stages[] = {
	{COMPILE_ONLY, CC_COMPILE}, {COMPILE_RELOCATABLE, CC_COMPILE}, {COMPILE_WHOLE, CC_COMPILE},
	{DEVICE_LINK, CC_DEVICE_LINK}, {ARCHIVE, CC_ARCHIVE}, {PREPROCESS, CC_PREPROCESS}, {ASSEMBLE, CC_ASSEMBLE},
	{EMIT_PTX, CC_EMIT_PTX}, {EMIT_FATBIN, CC_EMIT_FATBIN}, {EMIT_CUBIN, CC_EMIT_CUBIN},
};
/* clang-format on */

static void take_stage(struct cc_options *options, enum meaning meaning)
{
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
		if (stages[i].meaning == meaning)
			options->stage = stages[i].stage;
}

/* Words that only print information; nothing is compiled after them. */
static int print_answer(struct reader *r, enum meaning meaning)
{
	switch (meaning) {
	case HELP: print_help(r->arena); break;
	case VERSION:
		puts("romark cc " ROMARK_VERSION);
		if (r->options->as_nvcc)
			cc_nvcc_print_version(stdout);
		break;
	case LIST_ARCH: cc_print_arches("compute"); break;
	case LIST_CODE: cc_print_arches("sm"); break;
	default: print_toolkit(r->arena);
	}
	return CC_OPTIONS_DONE;
}

static void flush_denormals(struct reader *r)
{
	add_word(r, &r->options->device, "-fgpu-flush-denormals-to-zero");
}

static bool is_value(const char *value, const char *text)
{
	return value && strcmp(value, text) == 0;
}

/* Acts upon one option; `word` is the option as written, `value` its value or NULL. */
static int apply_option(struct reader *r, const struct row *row, const char *word, const char *value, bool separate)
{
	struct cc_options *options = r->options;

	if (keep_value(options, row->meaning, value))
		return 0;
	take_stage(options, row->meaning);
	switch (row->meaning) {
	case BOTH:
	case HOST:
	case DEVICE:
	case DEPENDENCY: add_row_words(r, list_of(options, row->meaning), row, word, value, separate); return 0;
	case PREPROCESS: add_row_words(r, list_of(options, row->meaning), row, word, NULL, false); return 0;
	case LINK: add_link_word(r, row, word, value, separate); return 0;
	case REFUSED:
		fprintf(stderr, "romark: cc: %s is not supported: %s\n", word, row->words);
		return CC_OPTIONS_WRONG;
	case COMPILE_RELOCATABLE:
	case COMPILE_WHOLE: options->relocatable = row->meaning == COMPILE_RELOCATABLE; return 0;
	case RELOCATABLE: return cc_take_flag("-rdc", value, &options->relocatable);
	case LANGUAGE: return take_language(r, value);
	case HELP:
	case VERSION:
	case PRINT_TOOLKIT:
	case LIST_ARCH:
	case LIST_CODE: return print_answer(r, row->meaning);
	case LOAD: return cc_take_load(options, value);
	case ALIAS: return cc_take_alias(options, value);
	case ARCH: return cc_take_arch(options, value);
	case FAST_MATH:
		/* Clang 17 knows only this name; later releases also know it */
		add_word(r, &options->device, "-fcuda-approx-transcendentals");
		flush_denormals(r);
		return 0;
	case FMAD:
		if (is_value(value, "false"))
			add_word(r, &options->device, "-ffp-contract=off");
		return 0;
	case FLUSH:
		if (is_value(value, "true"))
			flush_denormals(r);
		return 0;
	case OPTIMIZE:
		options->own_level = strspn(value ? value : word + strlen("-O"), "23") == 0;
		add_row_words(r, &options->both, row, word, value, false);
		return 0;
	case DEVICE_DEBUG:
		options->device_debug = true;
		add_word(r, &options->device, "-g");
		return 0;
	case DEFAULT_STREAM: return cc_take_stream(options, r->arena, value);
	case HOST_LIST:
	case LINK_LIST:
	case PTXAS_LIST: add_list(r, value, row->meaning); return 0;
	case FORWARD_UNKNOWN: r->unknown = HOST; return 0;
	case WARNINGS_AS_ERRORS:
		add_word(r, &options->both, is_value(value, "all-warnings") ? "-Werror" : word);
		return 0;
	case RUNTIME: return cc_take_runtime(options, value);
	case RUNTIME_LIBRARY: r->names_runtime = true; return 0;
	default: /* IGNORE, and options that were stored or name a stage */ return 0;
	}
}

/* nvcc's long options may have one dash, too. */
static bool begins_with(const char *word, const char *spelling, size_t *len)
{
	*len = strlen(spelling);
	if (strncmp(word, spelling, *len) == 0)
		return true;
	if (strncmp(spelling, "--", 2) != 0)
		return false;
	*len -= 1;
	return strncmp(word, spelling + 1, *len) == 0;
}

/* The row for `word`, and the value inside the word or NULL. */
static const struct row *find_row(const char *word, const char **value)
{
	for (size_t i = 0; i < ROWS; i++) {
		size_t len;

		*value = NULL;
		if (!begins_with(word, rows[i].spelling, &len))
			continue;
		if (!word[len] || rows[i].shape == PREFIX || rows[i].shape == JOINED)
			return &rows[i];
		if (rows[i].shape == EQUALS && word[len] == '=') {
			*value = word + len + 1;
			return &rows[i];
		}
	}
	return NULL;
}

/* The value of -Werror is a kind of warning of nvcc's, or any other text, with Clang's meaning of the word. */
static bool is_warning_kind(const char *word)
{
	static const char *const kinds[] = {"all-warnings",
					    "cross-execution-space-call",
					    "default-stream-launch",
					    "deprecated-declarations",
					    "ext-lambda-captures-this",
					    "missing-launch-bounds",
					    "reorder"};
	size_t len = strcspn(word, ",");

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strlen(kinds[i]) == len && strncmp(word, kinds[i], len) == 0)
			return true;
	return false;
}

/* False when the option's value is missing or in the word itself. */
static bool takes_next(const struct reader *r, const struct row *row, const char *word, const char *value)
{
	const char *next = r->at + 1 < r->words.len ? r->words.data[r->at + 1] : "";
	size_t len;

	if (row->shape == WORD || row->shape == JOINED || value)
		return false;
	if (!begins_with(word, row->spelling, &len) || word[len])
		return false;
	return row->meaning != WARNINGS_AS_ERRORS || is_warning_kind(next);
}

static int take_option(struct reader *r)
{
	const struct row unknown = {.meaning = r->unknown, .words = ""};
	const char *word = r->words.data[r->at], *value;
	const struct row *row = find_row(word, &value);
	bool separate;

	if (!row)
		return apply_option(r, &unknown, word, NULL, false);
	separate = takes_next(r, row, word, value);
	if (separate && r->at + 1 >= r->words.len)
		return cc_wrong("value missing after", word);
	if (separate)
		value = r->words.data[++r->at];
	if (row->meaning == WARNINGS_AS_ERRORS && separate && !is_value(value, "all-warnings"))
		return 0;
	return apply_option(r, row, word, row->meaning == WARNINGS_AS_ERRORS && !value ? "all-warnings" : value,
			    separate);
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

/* A file whose name begins with a dash; to the commands that get it, too, it must not be an option. */
static void add_dashed_input(struct reader *r, const char *word)
{
	add_input(r, arena_printf(r->arena, "./%s", word),
		  r->language >= 0 ? (enum cc_kind)r->language : kind_of(word));
}

static int check_output(const struct cc_options *options, const char *output)
{
	for (size_t i = 0; output && i < options->inputs.len; i++)
		if (options->inputs.data[i].path[0] != '-' && file_is_same(options->inputs.data[i].path, output))
			return cc_wrong("would be written over by its own output:", options->inputs.data[i].path);
	return 0;
}

/* Prints a note if the code is compiled for another GPU than the command line names. */
static void note_arch(const struct cc_options *options)
{
	if (options->arch_asked && options->arch_asked < CC_LOWEST_ARCH)
		fprintf(stderr,
			"romark: cc: note: sm_%u is below what device code is compiled for here: it is for sm_%u\n",
			options->arch_asked, options->arch);
	if (options->arch_asked > CC_HIGHEST_ARCH)
		fprintf(stderr,
			"romark: cc: note: sm_%u is above what device code is compiled for here: it is for sm_%u\n",
			options->arch_asked, options->arch);
}

static int check_inputs(const struct cc_options *options)
{
	if (check_output(options, options->output) || check_output(options, options->report))
		return CC_OPTIONS_WRONG;
	if (options->output && options->report && file_is_same(options->output, options->report))
		return cc_wrong("two results cannot go into one file:", options->report);
	if (!options->inputs.len)
		return cc_usage("no input files");
	for (size_t i = 0; i < options->inputs.len; i++)
		if (options->inputs.data[i].kind == CC_CUDA && strcmp(options->inputs.data[i].path, "-") == 0)
			return cc_wrong("CUDA is read twice, so not from the standard input:", "-");
	if (options->emit_llvm && options->stage != CC_COMPILE && options->stage != CC_ASSEMBLE)
		return cc_usage("-emit-llvm needs -c (bitcode) or -S (text)");
	if (options->stage > CC_ARCHIVE && options->output && options->nsources > 1)
		return cc_wrong("one output for several sources:", options->output);
	if (options->stage > CC_ARCHIVE && !options->nsources)
		return cc_wrong("no source by its ending (-x cu, -x c++ or -x c names the language):",
				options->inputs.data[0].path);
	return 0;
}

/* Files in the words, options to where they belong. */
static int read_words(struct reader *r)
{
	for (; r->at < r->words.len; r->at++) {
		const char *word = r->words.data[r->at];
		int code = 0;

		if (*word != '-' || !word[1])
			add_input(r, word, r->language >= 0 ? (enum cc_kind)r->language : kind_of(word));
		else if (r->files_only)
			add_dashed_input(r, word);
		else if (strcmp(word, "--") == 0)
			r->files_only = true;
		else
			code = take_option(r);
		if (code)
			return code;
	}
	r->options->without_runtime = r->options->without_runtime && !r->names_runtime;
	note_arch(r->options);
	return check_inputs(r->options);
}

int cc_options_parse(struct cc_options *options, int argc, char **argv, struct arena *arena)
{
	struct reader r = {.options = options, .arena = arena, .words = VEC_INIT, .language = -1, .unknown = BOTH};
	struct diag d = DIAG_INIT;
	int code;

	*options = (struct cc_options){.load = LOAD_RO,
				       .alias = ALIAS_GUARDED,
				       .arch = CC_LOWEST_ARCH,
				       .command = (const char *const *)argv,
				       .ncommand = (size_t)argc};
	if (cc_words_expand(argc, argv, arena, &r.words, &d) < 0) {
		diag_print(&d, stderr);
		code = CC_OPTIONS_WRONG;
	} else {
		code = read_words(&r);
	}
	vec_release(&r.words);
	return code;
}

void cc_options_release(struct cc_options *options)
{
	vec_release(&options->inputs);
	vec_release(&options->both);
	vec_release(&options->host);
	vec_release(&options->device);
	vec_release(&options->depend);
}
