/* romark ptx: finds the loads of a PTX module that only read, marks them, and says why the others are not. */
#include "cli/alias_words.h"
#include "cli/command.h"
#include "cli/dump_words.h"
#include "cli/kernel_pattern.h"
#include "cli/notes.h"
#include "cli/report_facts.h"
#include "cli/run_note.h"
#include "cli/used_files.h"
#include "common/file.h"
#include "common/kernel_names.h"
#include "common/options.h"
#include "common/pattern.h"
#include "common/vec.h"
#include "ptx-analyzer/containers/input.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/describe.h"
#include "ptx-analyzer/readonly/ptx_dump.h"

#include <stdio.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_HTML, REPORT_SARIF };

struct ptx_options {
	const char *output, *report_file, *kernels, *module, *dump;
	unsigned dump_parts;
	int alias, load, format, sort;
	bool list, diff, relocatable, loads, ranges, unmarked;
	struct option_list sources, facts;
	const struct report_run *run;
};

struct analysed {
	struct ptx_module *module;
	struct ptx_analysis *analysis;
};

/* An input file: its modules, their text, their analysis, and their parts of the report. */
struct input {
	struct ptx_input file;
	VEC(struct analysed) analysed;
	VEC(struct report_module) modules;
	VEC(struct file_data) texts;
	struct report report;
	struct strbuf dump;
	regex_t kernels;
};

static void input_release(struct input *in)
{
	for (size_t i = 0; i < in->analysed.len; i++) {
		ptx_analysis_free(in->analysed.data[i].analysis);
		ptx_module_free(in->analysed.data[i].module);
	}
	for (size_t i = 0; i < in->texts.len; i++)
		file_data_release(&in->texts.data[i]);
	vec_release(&in->analysed);
	vec_release(&in->modules);
	vec_release(&in->texts);
	strbuf_release(&in->dump);
	if (in->file.entries)
		ptx_input_release(&in->file);
	if (in->report.kernels)
		regfree(&in->kernels);
	json_decref(in->report.facts);
}

/*
 * Dumps the text as it was read, in a module of its own: the analysis for marks may have copied functions in its
 * module.
 */
static int dump_entry(struct input *in, const struct report_module *m, bool part, const struct ptx_options *options,
		      struct diag *d)
{
	const struct ptx_dump_request request = {.parts = options->dump_parts,
						 .alias = (enum alias_level)options->alias,
						 .mark = (enum load_mark)options->load,
						 .relocatable = part,
						 .kernels = in->report.kernels};
	struct ptx_module *module = ptx_parse(m->name, m->text, m->size, d);
	int status = module ? ptx_dump(module, &request, &in->dump, d) : DIAG_ERROR;

	if (module)
		ptx_module_free(module);
	return status;
}

static int analyze_entry(struct input *in, size_t entry, const struct ptx_options *options, struct diag *d)
{
	struct report_module m = {.name = in->file.entries[entry].name,
				  .ranges = options->ranges || options->format == REPORT_HTML};
	struct analysed parsed;
	struct file_data text;
	bool part;

	if (ptx_input_text(&in->file, entry, &text, d) < 0)
		return DIAG_ERROR;
	vec_push(&in->texts, text);
	m.text = text.data;
	m.size = text.size;
	parsed.module = ptx_parse(m.name, text.data, text.size, d);
	if (!parsed.module)
		return DIAG_ERROR;
	part = options->relocatable || in->file.entries[entry].relocatable;
	parsed.analysis = ptx_analyze_to_mark(parsed.module, options->alias, part, options->load);
	vec_push(&in->analysed, parsed);
	ptx_describe(parsed.analysis, &m);
	if (options->dump_parts && dump_entry(in, &m, part, options, d) < 0)
		return DIAG_ERROR;
	if (strcmp(m.name, in->report.file) == 0)
		m.name = NULL;
	vec_push(&in->modules, m);
	return 0;
}

/*
 * Whether the entry is a part that the device link joined. A program holds the parts and the joined module; the parts
 * never run.
 */
static bool is_joined(const struct ptx_input *in, size_t entry)
{
	for (size_t i = 0; in->entries[entry].relocatable && i < in->count; i++)
		if (!in->entries[i].relocatable && in->entries[i].kind == PTX_ENTRY_PTX)
			return true;
	return false;
}

/* `wanted` is an entry's number in --list, or its name. */
static bool is_wanted(const struct ptx_input *in, size_t entry, const char *wanted)
{
	char number[32];

	if (!wanted)
		return in->entries[entry].kind == PTX_ENTRY_PTX && !is_joined(in, entry);
	snprintf(number, sizeof number, "%zu", entry + 1);
	return strcmp(wanted, number) == 0 || strcmp(wanted, in->entries[entry].name) == 0;
}

static bool has_ending(const char *path, const char *ending)
{
	size_t len = strlen(path), tail = strlen(ending);

	return len > tail && strcmp(path + len - tail, ending) == 0;
}

/* Refuses CUDA source, which users may take for PTX. */
static int check_language(const char *path, const struct ptx_input *in, struct diag *d)
{
	const struct file_data *file = &in->file;
	bool is_text = in->count == 1 && in->entries[0].kind == PTX_ENTRY_PTX && file->data &&
		       in->entries[0].data == (const uint8_t *)file->data;

	if (!is_text || memmem(file->data, file->size, ".version", 8))
		return 0;
	if (has_ending(path, ".cu") || has_ending(path, ".cuh") || memmem(file->data, file->size, "__global__", 10))
		return diag_file(d, path,
				 "this is CUDA source, not PTX; compile it first: romark cc -ptx %s -o %.*s.ptx", path,
				 (int)(strrchr(path, '.') ? strrchr(path, '.') - path : (long)strlen(path)), path);
	if (has_ending(path, ".ll") || memmem(file->data, file->size, "target triple", 13))
		return diag_file(d, path, "this is LLVM IR, not PTX; 'romark pass' takes it");
	return 0;
}

static int analyze_entries(struct input *in, const struct ptx_options *options, struct diag *d)
{
	size_t found = 0;

	for (size_t i = 0; i < in->file.count; i++) {
		if (!is_wanted(&in->file, i, options->module))
			continue;
		if (options->output && found++ > 0)
			return diag_file(
			    d, in->report.file,
			    "holds several PTX modules; choose the module for -o with --module (see --list)");
		if (analyze_entry(in, i, options, d) < 0)
			return DIAG_ERROR;
	}
	if (in->modules.len)
		return 0;
	if (options->module)
		return diag_file(d, in->report.file, "has no module '%s'; --list shows what is in it", options->module);
	return diag_file(d, in->report.file,
			 "holds machine code only, no PTX; compile with -gencode ...,code=compute_XX");
}

static int compile_filter(struct input *in, const char *pattern, struct diag *d)
{
	if (!pattern)
		return 0;
	if (pattern_compile(&in->kernels, pattern, d) < 0)
		return DIAG_ERROR;
	in->report.kernels = &in->kernels;
	return 0;
}

static int input_open(struct input *in, const char *path, const struct ptx_options *options, struct diag *d)
{
	*in = (struct input){.report = {.file = path,
					.form = &report_of_ptx,
					.alias = options->alias,
					.loads = options->loads,
					.ranges = options->ranges,
					.sort = options->sort,
					.unmarked = options->unmarked,
					.source_folders = options->sources.data,
					.nsource_folders = options->sources.len}};
	if (report_facts_read(options->facts.data, options->facts.len, &in->report.facts, d) < 0 ||
	    compile_filter(in, options->kernels, d) < 0 || ptx_input_open(path, &in->file, d) < 0 ||
	    check_language(path, &in->file, d) < 0 || analyze_entries(in, options, d) < 0)
		return DIAG_ERROR;
	in->report.modules = in->modules.data;
	in->report.nmodules = in->modules.len;
	return 0;
}

/* --- Output --- */

static int write_ptx(const struct input *in, const struct ptx_options *options, struct diag *d)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	ptx_mark_loads(in->analysed.data[0].analysis, options->load);
	ptx_print(in->analysed.data[0].module, &text);
	result = file_write(options->output, text.data ? text.data : "", text.len, d);
	strbuf_release(&text);
	return result;
}

static void make_report(const struct input *in, const struct ptx_options *options, struct strbuf *out)
{
	static void (*const writers[])(const struct report *, struct strbuf *) = {
	    [REPORT_TEXT] = report_text, [REPORT_JSON] = report_json, [REPORT_HTML] = report_html};

	if (options->format == REPORT_SARIF)
		report_sarif(&in->report, options->run, out);
	else
		writers[options->format](&in->report, out);
}

static int finish(struct diag *d, int result)
{
	if (result < 0)
		diag_print(d, stderr);
	return result < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

static int check_kernels(const struct report *r, const char *pattern, struct diag *d)
{
	struct kernel_names names = KERNEL_NAMES_INIT;
	struct report_position at = {0, 0};
	const struct report_module *module;
	char hint[512];

	if (!pattern || report_next(r, &at, &module))
		return 0;
	for (size_t m = 0; m < r->nmodules; m++)
		for (size_t k = 0; k < r->modules[m].nkernels; k++)
			kernel_names_add(&names, r->modules[m].kernels[k].facts->name);
	kernel_names_hint(&names, pattern, hint, sizeof hint);
	kernel_names_release(&names);
	return diag_file(d, r->file, "has no kernel that matches --kernel=%s%s", pattern, hint);
}

static int run_one(const char *path, const struct ptx_options *options)
{
	struct diag d = DIAG_INIT;
	struct strbuf report = STRBUF_INIT, notes = STRBUF_INIT;
	struct input in;
	const char *report_file = options->report_file;
	int result = input_open(&in, path, options, &d);

	if (!report_file && !(options->output && strcmp(options->output, "-") == 0))
		report_file = "-";
	if (result == 0)
		result = check_kernels(&in.report, options->kernels, &d);
	in.report.notes = &notes;
	if (result == 0 && options->dump_parts)
		strbuf_add(&report, in.dump.data ? in.dump.data : "", in.dump.len);
	else if (result == 0 && report_file)
		make_report(&in, options, &report);
	if (result == 0 && options->output)
		result = write_ptx(&in, options, &d);
	if (result == 0 && report_file)
		result = file_write(report_file, report.data, report.len, &d);
	if (result == 0)
		notes_print(&notes);
	strbuf_release(&report);
	strbuf_release(&notes);
	input_release(&in);
	return finish(&d, result);
}

static int run_list(const char *path)
{
	struct diag d = DIAG_INIT;
	struct ptx_input in;
	int result = ptx_input_open(path, &in, &d);

	if (result < 0)
		return finish(&d, result);
	for (size_t i = 0; i < in.count; i++) {
		const struct ptx_entry *e = &in.entries[i];

		printf("%zu  %-5s", i + 1, ptx_entry_kind_name(e->kind));
		if (e->sm)
			printf("  sm_%u", e->sm);
		printf("  %zu bytes, %s  %s\n", e->size, ptx_packing_name(e->packing), e->name);
	}
	ptx_input_release(&in);
	return EXIT_OK;
}

static int run_diff(char **paths, const struct ptx_options *options)
{
	struct diag d = DIAG_INIT;
	struct strbuf text = STRBUF_INIT;
	struct input old, new = {.report = {.file = NULL}};
	int result = input_open(&old, paths[0], options, &d);

	if (result == 0)
		result = input_open(&new, paths[1], options, &d);
	if (result == 0) {
		(options->format == REPORT_JSON ? diff_json : diff_text)(&old.report, &new.report, &text);
		result = file_write(options->report_file ? options->report_file : "-", text.data, text.len, &d);
	}
	strbuf_release(&text);
	input_release(&old);
	input_release(&new);
	return finish(&d, result);
}

static int wrong_usage(const char *message)
{
	fprintf(stderr, "romark: ptx: %s; see 'romark ptx --help'\n", message);
	return EXIT_WRONG_USAGE;
}

static int check(const struct ptx_options *options, int n)
{
	if (options->diff && n != 2)
		return wrong_usage("--diff compares two files");
	if (!options->diff && n != 1)
		return wrong_usage(n == 0 ? "no input file" : "more than one input file");
	if (options->list && (options->diff || options->output))
		return wrong_usage("--list writes no PTX and compares nothing");
	if (options->facts.len && options->format != REPORT_HTML)
		return wrong_usage("--facts goes with --report=html");
	if (options->diff && (options->output || options->format > REPORT_JSON))
		return wrong_usage("--diff writes text or JSON, and no PTX");
	if (options->dump && (options->list || options->diff || options->output || options->format != REPORT_TEXT))
		return wrong_usage("--dump prints text in place of the report, and writes no PTX");
	return EXIT_OK;
}

/* With --list nothing is written. */
static bool check_files(const struct ptx_options *options, char **inputs)
{
	const struct used_file files[] = {{inputs[0], "the input", NULL},
					  {options->diff ? inputs[1] : NULL, "the input", NULL},
					  {options->output, NULL, "output"},
					  {options->report_file, NULL, "report-file"}};

	return options->list || used_files_check("ptx", files, sizeof files / sizeof *files);
}

static int run(struct ptx_options *options, int n, char **operands)
{
	static const struct dump_word words[] = {
	    {"cfg", PTX_DUMP_CFG}, {"origins", PTX_DUMP_ORIGINS}, {"verdicts", PTX_DUMP_VERDICTS}, {NULL, 0}};
	int wrong = check(options, n);

	if (wrong)
		return wrong;
	if (!dump_words_parse("ptx", options->dump, words, &options->dump_parts))
		return EXIT_WRONG_USAGE;
	if (!kernel_pattern_check("ptx", options->kernels) || !check_files(options, operands))
		return EXIT_WRONG_USAGE;
	if (options->list)
		return run_list(operands[0]);
	return options->diff ? run_diff(operands, options) : run_one(operands[0], options);
}

int cmd_ptx(int argc, char **argv)
{
	struct ptx_options options = {.alias = ALIAS_GUARDED};
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &options.output, "FILE",
	     "write the marked PTX here (- = stdout, without report)"},
	    {0, "alias", OPT_CHOICE, &options.alias, ALIAS_LEVEL_CHOICES,
	     "which pointers count as different memory (default guarded)"},
	    {0, "load", OPT_CHOICE, &options.load, LOAD_MARK_CHOICES,
	     "mark loads as ld.global.ro, as ld.global.nc for hardware, or not at all (default ro)"},
	    {0, "relocatable", OPT_FLAG, &options.relocatable, NULL,
	     "other modules call this module's device functions"},
	    {0, "report", OPT_CHOICE, &options.format, "text|json|html|sarif", "form of the report (default text)"},
	    {0, "report-file", OPT_STRING, &options.report_file, "FILE", "write the report here, not to stdout"},
	    {0, "loads", OPT_FLAG, &options.loads, NULL,
	     "report every load, too: its structures, and why it is not marked"},
	    {0, "ranges", OPT_FLAG, &options.ranges, NULL,
	     "report the bytes that each access of a kernel may touch, such as p0[0 .. 4*n)"},
	    {0, "kernel", OPT_STRING, &options.kernels, "REGEX",
	     "report only kernels whose name, mangled or not, matches"},
	    {0, "sort", OPT_CHOICE, &options.sort, "order|unmarked|name",
	     "kernels in the text's order, by unmarked loads (most first), or by name"},
	    {0, "unmarked", OPT_FLAG, &options.unmarked, NULL, "report only kernels with loads that are not marked"},
	    {0, "source", OPT_LIST, &options.sources, "FOLDER",
	     "html: show source files from here, too; may be repeated"},
	    {0, "facts", OPT_LIST, &options.facts, "FILE.json",
	     "html: show numbers of 'romark sim --lines --json' or 'romark info --json' there; may be repeated"},
	    {0, "list", OPT_FLAG, &options.list, NULL, "list the modules in an executable, object or fat binary"},
	    {0, "module", OPT_STRING, &options.module, "N", "only this module: its number or name in --list"},
	    {0, "dump", OPT_STRING, &options.dump, "cfg,origins,verdicts",
	     "print instead, any of these: control flow, origins of addresses, how they lead to verdicts"},
	    {0, "diff", OPT_FLAG, &options.diff, NULL, "say what changed from the first file to the second"},
	    {0}};
	const struct usage usage = {
	    .command = "ptx",
	    .operands = "IN",
	    .summary = "Finds the data that each kernel only reads, marks its loads, and says why the rest is not.",
	    .rows = rows,
	    .epilogue = "IN is PTX text, or an executable, object or fat binary with PTX in it. The report goes to\n"
			"stdout, the marked PTX to the file that -o names; each appears complete or not at all.\n"
			"Alias levels: strict believes only what the code shows; guarded takes the pointers of a\n"
			"kernel as different memory and lists what a launch must check; distinct checks nothing."};
	struct run_note note;
	int n, code;

	if (!alias_words_check(argc, argv))
		return EXIT_WRONG_USAGE;
	run_note_make(&note, argc, argv);
	options.run = &note.run;
	n = options_parse(&usage, argc, argv);
	code = n < 0 ? usage_exit(n) : run(&options, n, argv);
	run_note_release(&note);
	xfree(options.sources.data);
	xfree(options.facts.data);
	return code;
}
