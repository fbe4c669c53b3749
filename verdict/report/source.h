/*
 * Source files for the HTML page. Their names come from the PTX, which may be anybody's: the page is passed on, and
 * must not carry a file along that its author did not mean to show.
 */
#ifndef ROMARK_VERDICT_REPORT_SOURCE_H
#define ROMARK_VERDICT_REPORT_SOURCE_H

#include "common/file.h"
#include "verdict/report/verdict_report.h"

/*
 * Reads the file that `.file` names: under this name, else in the PTX's folder. It must be a regular file of at most 4
 * MiB, with a source file's ending and text in it. With all links resolved, it must lie under the working folder, the
 * PTX's folder or one of r->source_folders. 0, or DIAG_ERROR with the reason. Release with file_data_release.
 */
int report_source(const struct report *r, const char *name, struct file_data *out, struct diag *d);

#endif
