/* The facts of the pass as a JSON report. */
#ifndef ROMARK_PASSES_IR_REPORT_H
#define ROMARK_PASSES_IR_REPORT_H

#include "passes/readonly/facts.h"

/* `loads`: with every load. malloc'ed, ends with a newline; the same facts give the same bytes. */
char *facts_report(struct facts *facts, const char *file, bool loads);

#endif
