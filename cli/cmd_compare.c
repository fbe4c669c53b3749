/* `romark compare`: results of `romark sim --json` side by side, as a whole, kernel by kernel or by data structures. */
#include "cli/command.h"
#include "cli/comparison.h"

#include "common/options.h"

#include <stdio.h>

static int run(char **paths, size_t count, int rows, const char *columns, enum sheet_format format)
{
	struct results results = RESULTS_INIT;
	struct diag d = DIAG_INIT;
	int status = results_read(&results, paths, count, rows == COMPARISON_OF_KERNELS, &d);

	if (status == 0)
		status = comparison_print(&results, rows, columns, format, &d);
	results_release(&results);
	return status < 0 ? error_exit(&d) : EXIT_OK;
}

int cmd_compare(int argc, char **argv)
{
	const char *columns = NULL;
	bool kernels = false, structures = false;
	int format = SHEET_AS_TEXT;
	const struct option_row rows[] = {
	    {0, "kernels", OPT_FLAG, &kernels, NULL, "a row for each launch of a kernel"},
	    {0, "structures", OPT_FLAG, &structures, NULL, "a row for each data structure of a kernel"},
	    {0, "columns", OPT_STRING, &columns, "KEYS",
	     "columns: cycles,speedup,dram.reads,energy.total_j,file, or a key of the configuration"},
	    {0, "format", OPT_CHOICE, &format, SHEET_FORMATS, "how it is printed"},
	    {0}};
	const struct usage usage = {
	    "compare", "RESULT.json...",
	    "Prints results of 'romark sim --json' as a table, with speedups in time over the first.\n"
	    "The table shows the keys in which the configurations differ.",
	    rows, "Example: romark compare shared.json selrep.json --kernels --format=markdown"};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands == 0 || (kernels && structures)) {
		fprintf(stderr, "romark: compare: %s; see 'romark compare --help'\n",
			operands ? "either --kernels or --structures" : "no results given");
		return EXIT_WRONG_USAGE;
	}
	return run(argv, (size_t)operands,
		   kernels      ? COMPARISON_OF_KERNELS
		   : structures ? COMPARISON_OF_STRUCTURES
				: COMPARISON_OF_RESULTS,
		   columns, (enum sheet_format)format);
}
