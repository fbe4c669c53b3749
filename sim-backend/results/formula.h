/*
 * Derived values: a formula is text over counters, such as "l1.misses / (l1.hits + l1.misses)". The same text is
 * computed for the results and shown by `romark stats`, so the two cannot differ.
 *
 *   sum     = product { (+ | -) product }        product = factor { (* | /) factor }
 *   factor  = number | section.counter | ( sum )        a division by zero gives 0
 */
#ifndef ROMARK_SIM_FORMULA_H
#define ROMARK_SIM_FORMULA_H

#include "sim-backend/knobs/stat.h"

#include <stdbool.h>

struct stat_formula {
	const char *name;    /* key in the results */
	enum stat_type type; /* as it is printed */
	uint8_t flags;       /* enum stat_flag */
	const char *unit, *text, *help;
};

#define FORMULA_END {NULL, STAT_TYPE_REAL, 0, NULL, NULL, NULL}

/* Counters that formulas may name as `section`.row. */
struct stat_view {
	const char *section;
	const struct stat_row *rows;
	const void *values;
};

/*
 * Computes `text` over the views, which end with a view whose `rows` is NULL. Returns false when the text is no
 * formula, or names an unknown counter.
 */
bool formula_compute(const char *text, const struct stat_view *views, double *value);

#endif
