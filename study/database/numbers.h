/* The numbers of a result's JSON as rows: of the run, its kernels, structures, slices and epochs. */
#ifndef ROMARK_STUDY_DATABASE_NUMBERS_H
#define ROMARK_STUDY_DATABASE_NUMBERS_H

#include "study/database/database.h"
#include "study/study.h"

/* Inside a transaction. `folder` holds result.json and, for epochs, series.csv. DIAG_ERROR: they cannot be read. */
int numbers_store(struct database *db, int64_t run, const char *folder, const struct study_simulation *keep,
		  struct diag *d);
/*
 * Enters what was not asked for when the run was done: its kernels, structures and slices, from the document. Epochs
 * are not in it; a run with epochs is another run.
 */
void numbers_complete(struct database *db, int64_t run, const struct study_simulation *keep);
/* Removes what numbers_store has put there. */
void numbers_remove(struct database *db, int64_t run);
/* The result's JSON, malloc'ed; NULL when there is none. */
char *numbers_document(struct database *db, int64_t run, size_t *size);

#endif
