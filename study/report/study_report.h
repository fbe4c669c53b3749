/* The outputs for a study's results: figures, tables and a page in a folder, and a page of Markdown. */
#ifndef ROMARK_STUDY_REPORT_H
#define ROMARK_STUDY_REPORT_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct report_options {
	const char *study, *results; /* paths */
	const char *folder;          /* for the page of HTML and its files; NULL: it is not wanted */
	const char *markdown;        /* the page of Markdown; NULL: it is not wanted */
	bool no_figures;             /* no pictures; their numbers are written all the same */
};

struct report_summary {
	size_t points, done, figures, tables;
};

/* All files or none: with DIAG_ERROR a page that was there before is as it was. */
int report_write(const struct report_options *options, struct report_summary *summary, struct diag *d);

#endif
