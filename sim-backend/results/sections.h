/*
 * All counters of a run and what is derived from them, section by section, as the results and `romark stats` show them,
 * and as the expressions of studies name them. A section is a row of sections.def.
 */
#ifndef ROMARK_SIM_SECTIONS_H
#define ROMARK_SIM_SECTIONS_H

#include "sim-backend/results/formula.h"
#include "sim-backend/memory/memsys_stats.h"
#include "sim-backend/results/structure_counters.h"
#include "sim-backend/sm/sm_stats.h"

/* Time, and the sizes of the machine that formulas need. */
struct run_stats {
#define STAT STAT_FIELD
#include "sim-backend/results/run_stats.def"
};

struct counters {
#define SECTION(name, type, shown, help) struct type name;
#include "sim-backend/results/sections.def"
};

/* Counters that belong to a launch alone, even when others run beside it. */
struct own_counts {
#define STAT STAT_FIELD
#include "sim-backend/results/own_counts.def"
};

extern const struct stat_row own_stat_rows[];

/*
 * `shown` says which results have it: all, with --detail, of several chips, with hardware coherence, with
 * chips.working_set.
 */
struct stat_section {
	const char *name;
	const char *help;
	const struct stat_row *rows;        /* NULL ends the table */
	const struct stat_formula *derived; /* may be NULL */
	size_t offset;                      /* of the values in struct counters */
	enum stat_shown {
		SHOWN_ALWAYS,
		SHOWN_IN_DETAIL,
		SHOWN_OF_CHIPS,
		SHOWN_WITH_DIRECTORY,
		SHOWN_WITH_WORKING_SET,
		SHOWN_WITH_TLB
	} shown;
};

/* The sections of struct counters; `run` is first. */
extern const struct stat_section counter_sections[];

enum { MAX_STAT_VIEWS = 16 };

/* Views for formula_compute. */
void counters_views(const struct counters *c, struct stat_view views[MAX_STAT_VIEWS]);
/* A derived value by its section and name, as the results have it. */
double counters_rate(const struct counters *c, const char *section, const char *name);
/* a += factor * b. */
void counters_add_times(struct counters *a, const struct counters *b, double factor);
/* now -= before: the counters since `before`. */
void counters_since(struct counters *now, const struct counters *before);

/* Everything else that the results hold, for `romark stats`: structures, energy, and the policies of either kind. */
struct stat_listing {
	const char *section, *help;
	const struct stat_row *rows;
	const struct stat_formula *derived;
	const char *inside; /* the object of the results that holds the section's object; NULL: none */
	/* What stands before the row's name in a result's totals, "llc" in llc.merges. "": nothing; NULL: no totals. */
	const char *prefix;
};

/* The `index`-th of all sections, first the sections of struct counters; false past the last. */
bool stat_listing_at(size_t index, struct stat_listing *listing);

#endif
