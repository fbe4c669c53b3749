/* Names of counters in expressions: those of `romark stats`, as the result's JSON has them. */
#ifndef ROMARK_STUDY_EXPRESSION_COUNTERS_H
#define ROMARK_STUDY_EXPRESSION_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

/* "cycles", "llc.miss_rate", "policy_stats.selrep.degree"; else the nearest one is put into `hint`. */
bool counter_is_known(const char *name, char *hint, size_t size);

#endif
