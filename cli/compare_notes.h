/*
 * What has to be known of results beside each other, and no cell of their table says: that their clocks differ, that
 * they are of different programs, that some were not simulated to the end, or not whole.
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
