/* Names of counters in expressions: those of `romark stats`, as the result's JSON has them. */
#ifndef ROMARK_STUDY_EXPRESSION_COUNTERS_H
#define ROMARK_STUDY_EXPRESSION_COUNTERS_H

#include "common/guess.h"

#include <stdbool.h>

/* "cycles", "llc.miss_rate", "policy_stats.selrep.degree"; else what may have been meant is in `g`. */
bool counter_is_known(const char *name, struct guess *g);

#endif
