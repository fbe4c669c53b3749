/* The numbers of a result's JSON as rows: of the run, its kernels, structures, slices and epochs. */
#ifndef ROMARK_STUDY_DATABASE_NUMBERS_H
#define ROMARK_STUDY_DATABASE_NUMBERS_H

#include "study/database/database.h"
#include "study/study.h"

/*
 * SQL for a row `r` of runs: how much of the run its numbers cover. 'whole'; 'cut' if it was not simulated to its end;
 * 'estimate' if a part represents the whole; NULL for a run without numbers.
 */
#define NUMBERS_TOTAL(name)                                                                                            \
	"(SELECT value FROM run_values WHERE run = r.id AND counter = (SELECT id FROM counters WHERE name = '" name    \
	"'))"
#define NUMBERS_EXTENT                                                                                                                    \
	"(CASE WHEN r.state != 'done' THEN NULL WHEN " NUMBERS_TOTAL(                                                                     \
	    "complete") " = 0 THEN 'cut' WHEN"                                                                                            \
			" " NUMBERS_TOTAL("sampling.launches_simulated") " < " NUMBERS_TOTAL(                                             \
			    "sampling.launches") " OR"                                                                                    \
						 " " NUMBERS_TOTAL("sampling.ctas_simulated") " < " NUMBERS_TOTAL(                        \
						     "sampling.ctas") " OR"                                                               \
								      " " NUMBERS_TOTAL("sampling.cycles_simulated") " < " NUMBERS_TOTAL( \
									  "cycles") " THEN 'estimate'"                                    \
										    " ELSE 'whole' END)"

/* Inside a transaction. `folder` holds result.json and, for epochs, series.csv. DIAG_ERROR: they cannot be read. */
int numbers_store(struct database *db, int64_t run, const char *folder, const struct study_simulation *keep,
		  struct diag *d);
/*
 * Enters numbers from the document that were not kept when the run was done: its kernels, structures and slices. The
 * document has no epochs; a run with epochs is another run.
 */
void numbers_complete(struct database *db, int64_t run, const struct study_simulation *keep);
/* Removes what numbers_store has put there. */
void numbers_remove(struct database *db, int64_t run);
/* The result's JSON, malloc'ed; NULL when there is none. */
char *numbers_document(struct database *db, int64_t run, size_t *size);

#endif
