/* `romark plot`: the figures, tables and the page of a study, from its results. */
#include "cli/command.h"

#include "common/options.h"
#include "study/report/report.h"

int cmd_plot(int argc, char **argv)
{
	struct report_options options = {.folder = NULL};
	struct report_summary summary;
	struct diag d = DIAG_INIT;
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &options.folder, "FOLDER", "where to; it is made when it is not there"},
	    {0, "no-figures", OPT_FLAG, &options.no_figures, NULL,
	     "only tables, numbers and the page, without gnuplot"},
	    {0},
	};
	const struct usage usage = {
	    "plot", "STUDY.yaml RESULTS.sqlite",
	    "Draws a study's figures and writes its tables, and a page of HTML with all of them.", rows,
	    "Example: romark plot studies/example.yaml example.sqlite -o example"};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (n != 2 || !options.folder) {
		fprintf(stderr, "romark: plot: %s; see 'romark plot --help'\n",
			n != 2 ? "a study and its results are needed" : "-o FOLDER missing");
		return EXIT_WRONG_USAGE;
	}
	options.study = argv[0];
	options.results = argv[1];
	if (report_write(&options, &summary, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	printf("%zu figures and %zu tables of %zu runs (%zu are done); the page is %s/index.html\n", summary.figures,
	       summary.tables, summary.points, summary.done, options.folder);
	return EXIT_OK;
}
