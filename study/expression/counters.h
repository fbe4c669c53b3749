/* Names of counters in expressions: the names of `romark stats`, which the result's JSON has, too. */
#ifndef ROMARK_STUDY_EXPRESSION_COUNTERS_H
#define ROMARK_STUDY_EXPRESSION_COUNTERS_H

#include "common/guess.h"

#include <stdbool.h>

/* "cycles", "llc.miss_rate", "policy_stats.selrep.degree". */
bool counter_is_known(const char *name);
/* Tries all names, which takes long: only for a name that is not known. */
void counter_guess(struct guess *g);
/*
 * Whether it grows as a run goes on, such as `cycles` or `llc.misses`, so that it says nothing of a run that was cut;
 * rates, shares and means do not grow. A counter of a part of a run has only its own name. A counter that is not known
 * is assumed to grow.
 */
bool counter_is_total(const char *name);

#endif
