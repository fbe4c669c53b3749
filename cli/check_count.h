/*
 * The number of faults that a program's checks find, whatever becomes of its processes: each adds a byte to a file
 * without a name, which it opens through this process.
 *
 *   int counter = check_count_open(&d);     // the program that starts next counts there
 *   ...
 *   if (check_count_read(counter)) ...
 */
#ifndef ROMARK_CLI_CHECK_COUNT_H
#define ROMARK_CLI_CHECK_COUNT_H

#include "common/diag.h"

/* A descriptor, or DIAG_ERROR. */
int check_count_open(struct diag *d);
/* Closes the descriptor. */
unsigned long check_count_read(int counter);

#endif
