/* `romark pass`: the LLVM pass by itself, bitcode or IR in, marked bitcode or PTX and a report out. */
#include "cli/command.h"

#include "cli/alias_words.h"
#include "cli/cross_check.h"
#include "cli/dump_words.h"
#include "cli/run_note.h"
#include "cli/used_files.h"
#include "common/file.h"
#include "common/options.h"
#include "passes/passes.h"
#include "verdict/report/verdict_report.h"

#include <stdlib.h>
#include <string.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_SARIF, REPORT_NONE };

struct request {
	const char *input, *output, *report_file;
	int alias, load, emit, optimise, report;
	const char *arch, *features;
	const char *dump;
	bool relocatable, loads, cross_check;
	const struct report_run *run;
};

static int write_report(const struct request *q, const struct pass_output *out, struct diag *d)
{
	const char *path = q->report_file ? q->report_file : "-", *json = out->report;
	struct strbuf text = STRBUF_INIT;
	int status;

	if (q->dump)
		return file_write(path, out->dump, strlen(out->dump), d);
	if (q->report == REPORT_NONE)
		return 0;
	if (q->report == REPORT_JSON)
		return file_write(path, json, strlen(json), d);
	if (q->report == REPORT_SARIF)
		report_sarif_of_json(json, q->run, &text);
	else
		report_text_of_json(json, &text);
	status = file_write(path, text.data, text.len, d);
	strbuf_release(&text);
	return status;
}

/* Adds the PTX analyser's verdicts on the same loads to the report. Returns the number of differences without
 * explanation.
 */
static int add_cross_check(const struct request *q, const struct file_data *data, const struct pass_options *options,
			   struct pass_output *out, struct diag *d)
{
	unsigned unexplained;
	char *report = cross_check(out->report, q->input, data->data, data->size, options, &unexplained, d);

	if (!report)
		return DIAG_ERROR;
	free(out->report);
	out->report = report;
	return (int)unexplained;
}

/* 0, the number of differences that nothing explains, or DIAG_ERROR. */
static int run_on(const struct request *q, const struct file_data *data, const struct pass_options *options,
		  struct diag *d)
{
	struct pass_output out;
	int differences, status = 0;

	if (pass_run(q->input, data->data, data->size, options, &out, d) < 0)
		return DIAG_ERROR;
	differences = q->cross_check ? add_cross_check(q, data, options, &out, d) : 0;
	if (differences >= 0 && q->output)
		status = file_write(q->output, out.text, out.size, d);
	if (differences >= 0 && status == 0)
		status = write_report(q, &out, d);
	pass_output_release(&out);
	return status < 0 ? status : differences;
}

static int run(const struct request *q, struct diag *d)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct file_data data;
	int status;

	options.alias = (enum alias_level)q->alias;
	options.load = (enum load_mark)q->load;
	options.emit = q->emit == 0 ? PASS_EMIT_BITCODE : PASS_EMIT_PTX;
	options.optimise = q->optimise - 1;
	options.codegen_level = q->optimise ? q->optimise - 1 : 2;
	options.cpu = q->arch;
	options.features = q->features;
	options.relocatable = q->relocatable;
	options.loads = q->loads || q->report == REPORT_SARIF;
	options.dump = q->dump;
	if (file_read(q->input, &data, d) < 0)
		return DIAG_ERROR;
	status = run_on(q, &data, &options, d);
	file_data_release(&data);
	return status;
}

static bool check_files(const struct request *q)
{
	const struct used_file files[] = {
	    {q->input, "the input", NULL}, {q->output, NULL, "output"}, {q->report_file, NULL, "report-file"}};

	return used_files_check("pass", files, sizeof files / sizeof *files);
}

static bool check_dump(const struct request *q)
{
	static const struct dump_word words[] = {{"ops", 1}, {NULL, 0}};
	unsigned parts;

	if (!dump_words_parse("pass", q->dump, words, &parts))
		return false;
	if (!q->dump || (!q->output && !q->cross_check && q->report < 0))
		return true;
	fputs("romark: pass: --dump prints in place of the report, and writes no module; see 'romark pass --help'\n",
	      stderr);
	return false;
}

static bool check_report(const struct request *q)
{
	if (!q->cross_check || q->report != REPORT_SARIF)
		return true;
	fputs("romark: pass: --cross-check reports as text or JSON; see 'romark pass --help'\n", stderr);
	return false;
}

static int run_checked(struct request *q)
{
	struct diag d = DIAG_INIT;
	int differences;

	if (!check_dump(q) || !check_report(q) || !check_files(q))
		return EXIT_WRONG_USAGE;
	if (q->report < 0)
		q->report = q->output && !q->report_file ? REPORT_NONE : REPORT_TEXT;
	differences = run(q, &d);
	if (differences < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	if (differences > 0)
		fprintf(stderr, "romark: %s: the two analysers differ about %d loads, and nothing explains it\n",
			q->input, differences);
	return differences ? EXIT_BAD_INPUT : EXIT_OK;
}

int cmd_pass(int argc, char **argv)
{
	struct request q = {.report = -1};
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &q.output, "FILE", "write the marked module here ('-' = stdout)"},
	    {0, "emit", OPT_CHOICE, &q.emit, "bc|ptx", "output format (default bc)"},
	    {0, "alias", OPT_CHOICE, &q.alias, ALIAS_LEVEL_CHOICES, "which names are different memory"},
	    {0, "load", OPT_CHOICE, &q.load, LOAD_MARK_CHOICES, "how marked loads are spelt"},
	    {0, "report", OPT_CHOICE, &q.report, "text|json|sarif|none",
	     "report on stdout (default text, or none with -o)"},
	    {0, "report-file", OPT_STRING, &q.report_file, "FILE", "write the report here instead"},
	    {'O', "optimise", OPT_CHOICE, &q.optimise, "as-is|0|1|2|3", "run LLVM's pipeline before (default as-is)"},
	    {0, "arch", OPT_STRING, &q.arch, "sm_NN", "target (default: the one in the input)"},
	    {0, "features", OPT_STRING, &q.features, "+ptxNN", "target features"},
	    {0, "loads", OPT_FLAG, &q.loads, NULL, "report every load, too: its structures, and why it is not marked"},
	    {0, "dump", OPT_STRING, &q.dump, "ops",
	     "print instead: operations of each kernel, and what their values may point to"},
	    {0, "relocatable", OPT_FLAG, &q.relocatable, NULL, "other modules call this module's device functions"},
	    {0, "cross-check", OPT_FLAG, &q.cross_check, NULL,
	     "report which marks the PTX analyser would set otherwise at each level, and why"},
	    {0, NULL, OPT_FLAG, NULL, NULL, NULL},
	};
	const struct usage usage = {"pass", "IN.bc", "Finds what CUDA kernels in LLVM IR only read, and marks it.",
				    rows, "IN is bitcode or IR text for nvptx64; '-' reads standard input."};
	struct run_note note;
	int operands, code = EXIT_WRONG_USAGE;

	if (!alias_words_check(argc, argv))
		return EXIT_WRONG_USAGE;
	run_note_make(&note, argc, argv);
	q.run = &note.run;
	operands = options_parse(&usage, argc, argv);
	q.input = argv[0];
	if (operands == 1)
		code = run_checked(&q);
	else if (operands < 0)
		code = usage_exit(operands);
	else
		fprintf(stderr, "romark: pass: one input file is wanted; see 'romark pass --help'\n");
	run_note_release(&note);
	return code;
}
