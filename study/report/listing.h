/*
 * A results database as tables: runs with columns by choice, and their kernels, structures, slices and epochs.
 *
 *   struct listing_request r = {.columns = "program,policy,cycles", .filter = "seed = 1"};
 *   if (listing_rows(db, &r, &sheet, &diag) < 0) ...
 *   sheet_print(&sheet, SHEET_AS_CSV, stdout);
 */
#ifndef ROMARK_STUDY_REPORT_LISTING_H
#define ROMARK_STUDY_REPORT_LISTING_H

#include "study/database/database.h"
#include "study/report/sheet.h"

/* The kind of thing that a row describes. LISTING_KINDS is the number of kinds. */
enum listing_kind {
	LISTING_RUNS,
	LISTING_KERNELS,
	LISTING_STRUCTURES,
	LISTING_SLICES,
	LISTING_CHANNELS,
	LISTING_EPOCHS,
};
/* For OPT_CHOICE, in the order of enum listing_kind. */
#define LISTING_ROWS "runs|kernels|structures|slices|channels|epochs"

struct listing_request {
	enum listing_kind kind;
	const char *filter;  /* a condition of studies; NULL: all runs */
	const char *columns; /* names behind each other, with commas; NULL: as the next two say */
	bool all_columns;    /* each that there is; else what tells runs apart, and the main numbers */
	const char *study, *state;
	int64_t run;    /* only this run; 0: any run */
	bool rounded;   /* numbers for people */
	bool demangled; /* names of kernels as people write them */
};

/* DIAG_ERROR: an unknown column, study or state, or a filter that is no condition. */
int listing_rows(struct database *db, const struct listing_request *request, struct sheet *t, struct diag *d);
/* Each counter of a run with its value. */
void listing_totals(struct database *db, int64_t run, bool rounded, struct sheet *t);

#endif
