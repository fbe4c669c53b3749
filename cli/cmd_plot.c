/* `romark plot`: the figures, tables and pages of a study, from its results. */
#include "cli/command.h"

#include "common/options.h"
#include "study/report/page_check.h"
#include "study/report/study_report.h"

#include <string.h>

static int wrong(const char *what)
{
	fprintf(stderr, "romark: plot: %s; see 'romark plot --help'\n", what);
	return EXIT_WRONG_USAGE;
}

static int plot(const struct report_options *options)
{
	struct report_summary summary;
	struct diag d = DIAG_INIT;

	if (report_write(options, &summary, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	if (options->markdown && strcmp(options->markdown, "-") == 0)
		return EXIT_OK;
	printf("%zu figures and %zu tables of %zu runs (%zu are done); the page is %s%s\n", summary.figures,
	       summary.tables, summary.points, summary.done, options->folder ? options->folder : options->markdown,
	       options->folder ? "/index.html" : "");
	return EXIT_OK;
}

static void print_changes(const struct page_check *check, const char *study, const char *page)
{
	for (size_t i = 0; i < check->changes.len; i++)
		fprintf(stderr, "romark: %s: made before the study changed: %s\n", page, check->changes.data[i]);
	fprintf(stderr,
		"Run the study and make the page again:\n"
		"    romark sweep %s -o RESULTS.sqlite\n"
		"    romark plot %s RESULTS.sqlite --markdown=%s\n"
		"Until that is done, let the page say so, in a line that begins with **Stale since YYYY-MM-DD:**\n",
		study, study, page);
}

/* A stale page is not an error if it contains a line that marks it as stale. */
static int check_page(const char *study, const char *page)
{
	struct diag d = DIAG_INIT;
	struct page_check check;
	int code = EXIT_OK;

	if (page_check(study, page, &check, &d) < 0) {
		diag_print(&d, stderr);
		code = EXIT_BAD_INPUT;
	} else if (check.stale) {
		printf("%s says that it is stale; inputs of the study that have changed: %zu\n", page,
		       check.changes.len);
	} else if (check.changes.len) {
		print_changes(&check, study, page);
		code = EXIT_BAD_INPUT;
	} else {
		printf("%s is of %s as it is now\n", page, study);
	}
	page_check_release(&check);
	return code;
}

int cmd_plot(int argc, char **argv)
{
	struct report_options options = {.folder = NULL};
	const char *page = NULL;
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &options.folder, "FOLDER",
	     "where figures, tables and the page of HTML go; it is made when it is not there"},
	    {0, "markdown", OPT_STRING, &options.markdown, "FILE.md",
	     "the tables as a page of Markdown, with commit, traces, seeds and what is missing"},
	    {0, "check", OPT_STRING, &page, "FILE.md",
	     "only say whether this page of Markdown is of the study as it is now; RESULTS.sqlite is not needed"},
	    {0, "no-figures", OPT_FLAG, &options.no_figures, NULL,
	     "only tables, numbers and the page, without gnuplot"},
	    {0},
	};
	const struct usage usage = {
	    "plot", "STUDY.yaml RESULTS.sqlite",
	    "Draws a study's figures and writes its tables, and a page with all of them, in HTML or Markdown.", rows,
	    "Examples: romark plot studies/example.yaml example.sqlite -o example\n"
	    "          romark plot studies/example.yaml example.sqlite --markdown=example.md"};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (page)
		return n == 1 && !options.folder && !options.markdown
			   ? check_page(argv[0], page)
			   : wrong("--check=FILE.md goes with a study and nothing else");
	if (n != 2)
		return wrong("a study and its results are needed");
	if (!options.folder && !options.markdown)
		return wrong("-o FOLDER or --markdown=FILE.md is needed");
	options.study = argv[0];
	options.results = argv[1];
	return plot(&options);
}
