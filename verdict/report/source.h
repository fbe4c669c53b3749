/*
 * Source files for the HTML page. Their names come from the PTX, which may be anybody's: the page is passed on, and
 * must not carry a file along that its author did not mean to show.
 */
#ifndef ROMARK_VERDICT_REPORT_SOURCE_H
#define ROMARK_VERDICT_REPORT_SOURCE_H

#include "common/file.h"
#include "verdict/report/verdict_report.h"

/*
 * Reads the file that `.file` calls `name`: as it is named, else in the folder of the PTX. It has to be a regular file
 * of no more than 4 MiB, text by its ending and its bytes, and lie under the working folder, the folder of the PTX or
 * one of r->source_folders, through all links. 0, or DIAG_ERROR with the reason. Release with file_data_release.
 */
int report_source(const struct report *r, const char *name, struct file_data *out, struct diag *d);

#endif
