/* Names of counters in expressions: those of `romark stats`, as the result's JSON has them. */
#ifndef ROMARK_STUDY_EXPRESSION_COUNTERS_H
#define ROMARK_STUDY_EXPRESSION_COUNTERS_H

#include "common/guess.h"

#include <stdbool.h>

/* "cycles", "llc.miss_rate", "policy_stats.selrep.degree". */
bool counter_is_known(const char *name);
/* Tries all names, which takes long: for one that is not known. */
void counter_guess(struct guess *g);
/*
 * Whether it grows as a run goes on, such as `cycles` or `llc.misses`, so that it says nothing of a run that was cut;
 * rates, shares and means do not. Counters of parts have their own name alone; what is not known is taken to grow.
 */
bool counter_is_total(const char *name);

#endif
