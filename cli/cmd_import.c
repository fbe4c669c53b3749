/* romark import: traces of other tools, as ours. */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/used_files.h"
#include "common/options.h"
#include "common/progress.h"
#include "trace/import/accelsim.h"

#include <stdio.h>

static void show_progress(void *context, uint64_t ctas)
{
	progress_update(context, ctas, "CTAs");
}

static int import(const char *list, const char *output, bool skips_unknown)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(output, &d);
	struct strbuf notes = STRBUF_INIT;
	struct progress progress;
	const struct accelsim_options options = {show_progress, &progress, skips_unknown, &notes};
	int status = w ? 0 : DIAG_ERROR;

	if (w) {
		progress_start(&progress, "importing", 0);
		status = accelsim_import(list, w, &options, &d);
		progress_end(&progress);
		notes_print(&notes);
		if (status == 0)
			status = trace_finish(w, &d);
		else
			trace_abandon(w);
	}
	strbuf_release(&notes);
	if (status == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	return EXIT_BAD_INPUT;
}

static bool check_files(const char *list, const char *output)
{
	const struct used_file files[] = {{list, "the list", NULL}, {output, NULL, "output"}};

	return used_files_check("import", files, sizeof files / sizeof *files);
}

int cmd_import(int argc, char **argv)
{
	const char *output = NULL;
	int from = 0, unknown = 0;
	const struct option_row rows[] = {
	    {0, "from", OPT_CHOICE, &from, "accelsim", "the tool that wrote the trace (default accelsim)"},
	    {'o', "output", OPT_STRING, &output, "FILE.romtrace", "write the trace here; '-' for standard output"},
	    {0, "unknown", OPT_CHOICE, &unknown, "refuse|skip",
	     "instructions that move memory and are not known, or have no addresses (default refuse)"},
	    {0},
	};
	const struct usage usage = {
	    "import", "kernelslist.g", "Turns a trace of Accel-Sim into a trace of romark.", rows,
	    "The kernels' files lie beside the list, plain or packed with xz, zstd or gzip. Loads\n"
	    "with CONSTANT in their opcode carry the read-only mark."};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands != 1 || !output) {
		fprintf(stderr, "romark: import: %s; see 'romark import --help'\n",
			operands != 1 ? "one list of kernels wanted" : "no output given (-o FILE.romtrace)");
		return EXIT_WRONG_USAGE;
	}
	return check_files(argv[0], output) ? import(argv[0], output, unknown == 1) : EXIT_WRONG_USAGE;
}
