/* The JSON report of `romark ptx`, from the facts of the pass, and its form for people. */
#ifndef ROMARK_PASSES_REPORT_H
#define ROMARK_PASSES_REPORT_H

#include "passes/readonly/facts.h"

/* malloc'ed, ends with a newline; the same facts give the same bytes. */
char *facts_report(const struct facts *facts, const char *file);

#endif
