/*
 * Measured values of GPUs, as `romark probe gpu` compares with them: CSV whose first line names its columns, of which
 * gpu, what, x and value are read. `x` has one or two numbers and words: "16 kB per SM", "80 blocks 256 threads".
 */
#ifndef ROMARK_CLI_TRUTH_H
#define ROMARK_CLI_TRUTH_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/vec.h"

struct truth_row {
	const char *gpu, *what, *x;
	double at[2]; /* the numbers in x; kB and MB are bytes here */
	double value;
};

struct truth {
	struct arena arena;
	VEC(struct truth_row) rows;
};

int truth_read(struct truth *t, const char *path, struct diag *d);
void truth_release(struct truth *t);

#endif
