/*
 * The files of a report, which appear all together or not at all: they are kept in memory until everything is there.
 *
 *   struct report_files f = REPORT_FILES_INIT;
 *   report_files_add(&f, "tables/a.csv", data, size);       // relative to the folder; data is malloc'ed, and taken
 * over if (report_files_write(&f, "folder", &diag) < 0) ...    // in this order; folders are made
 *   report_files_release(&f);
 */
#ifndef ROMARK_STUDY_REPORT_FILES_H
#define ROMARK_STUDY_REPORT_FILES_H

#include "common/diag.h"
#include "common/vec.h"

struct report_file {
	char *name, *data;
	size_t size;
};

struct report_files {
	VEC(struct report_file) list;
};

#define REPORT_FILES_INIT {VEC_INIT}

void report_files_add(struct report_files *f, const char *name, char *data, size_t size);
/* Other files of the folder stay. On DIAG_ERROR the earlier files are unchanged. */
int report_files_write(const struct report_files *f, const char *folder, struct diag *d);
void report_files_release(struct report_files *f);

#endif
