/*
 * Values that others have measured, from a table of CSV beside the study: columns of dimensions say to which runs a row
 * belongs, the others are numbers, and the column `source` says where the row is from.
 *
 *   program,size,cycles,source
 *   vectoradd,16384,3688,"sarchlab/mgpusim at c572e888, H100_raw_nsys.csv"
 *
 * Expressions name the columns: cycles / measured.cycles.
 */
#ifndef ROMARK_STUDY_FILE_MEASURED_H
#define ROMARK_STUDY_FILE_MEASURED_H

#include "study/study.h"

/* Reads all tables that the study names. Programs, GPUs and so on have been read, so that names can be checked. */
int measured_load(struct study *s, struct diag *d);
void measured_release(struct study_measured *m);
/* The number of a column's name, without "measured."; SIZE_MAX for an unknown name. */
size_t measured_column(const struct study_measured *m, const char *name);
/* The row of a run with these values of the dimensions; NULL: nobody has measured it. */
const struct measured_row *measured_find(const struct study_measured *m, const char *const values[DIM_COUNT],
					 size_t column);

#endif
