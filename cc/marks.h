/* The PTX step of `romark cc`: finds and marks read-only loads, and puts all modules into one report. */
#ifndef ROMARK_CC_MARKS_H
#define ROMARK_CC_MARKS_H

#include "cc/cc_options.h"
#include "common/file.h"
#include "ptx-analyzer/readonly/describe.h"

struct cc_marks {
	VEC(struct report_module) modules; /* kept for the report */
	VEC(struct ptx_analysis *) analyses;
	VEC(struct ptx_module *) parsed;
};

#define CC_MARKS_INIT {VEC_INIT, VEC_INIT, VEC_INIT}

/* PTX that was made of `source`. Its name says that lines are counted in the PTX. NULL with `d` set. */
struct ptx_module *cc_parse_ptx(const char *source, const struct file_data *ptx, struct diag *d);
/*
 * Appends the PTX of `source`, marked as `mark` says under options->alias, to `out`. Keeps its analysis if the options
 * want a report. DIAG_ERROR for PTX that the analyser does not understand.
 */
int cc_marks_apply(struct cc_marks *marks, const struct cc_options *options, enum load_mark mark, const char *source,
		   const struct file_data *ptx, struct strbuf *out, struct diag *d);
/* Writes options->report. */
int cc_marks_report(const struct cc_marks *marks, const struct cc_options *options, struct diag *d);
void cc_marks_release(struct cc_marks *marks);

#endif
