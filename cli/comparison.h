/*
 * Results of simulations as one table, with speedups in time over the first of the same program.
 *
 *   if (results_read(&r, paths, count, false, &diag) < 0) ...
 *   if (comparison_print(&r, COMPARISON_OF_RESULTS, NULL, SHEET_AS_TEXT, &diag) < 0) ...
 */
#ifndef ROMARK_CLI_COMPARISON_H
#define ROMARK_CLI_COMPARISON_H

#include "cli/compare_results.h"
#include "study/report/sheet.h"

/* The subject of a row. */
enum comparison_rows { COMPARISON_OF_RESULTS, COMPARISON_OF_KERNELS, COMPARISON_OF_STRUCTURES };

/*
 * Prints to standard output. `columns`: keys with commas between them; NULL: the usual ones. DIAG_ERROR: a result
 * without such rows, or an unknown column.
 */
int comparison_print(struct results *results, int rows, const char *columns, enum sheet_format format, struct diag *d);

#endif
