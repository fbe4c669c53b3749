/*
 * Notes below a table of results, on facts that no cell shows: their clocks differ, they are of different programs,
 * some were not simulated to the end, or not whole.
 *
 *   compare_notes(&r, true, stdout, "");       // below the table
 */
#ifndef ROMARK_CLI_COMPARE_NOTES_H
#define ROMARK_CLI_COMPARE_NOTES_H

#include "cli/compare_results.h"

#include <stdio.h>

/* A line for each, which begins with `prefix`. `speedups`: the table has them. */
void compare_notes(const struct results *r, bool speedups, FILE *out, const char *prefix);
/* Which results are estimates, and how far off they may be. */
void compare_note_estimates(const struct results *r, FILE *out);

#endif
