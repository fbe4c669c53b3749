/*
 * All counters of a run and what is derived from them, section by section, as the results and `romark stats` show them.
 * A new section here appears in both.
 */
#ifndef ROMARK_SIM_SECTIONS_H
#define ROMARK_SIM_SECTIONS_H

#include "sim-backend/results/formula.h"
#include "sim-backend/memory/memsys_stats.h"
#include "sim-backend/results/structure_counters.h"
#include "sim-backend/sm/sm_stats.h"

/* Time, and the sizes of the machine that formulas need. */
struct run_stats {
	uint64_t cycles;
	uint64_t sms, slices, channels, burst_bytes, port_bytes, clock_mhz;
};

struct counters {
	struct run_stats run;
	struct sm_stats sm;
	struct l1_stats l1;
	struct noc_stats noc;
	struct link_stats links;
	struct llc_stats llc;
	struct dram_stats dram;
	struct stage_stats stages;
	struct sharing_stats sharing;
	struct response_stats responses;
	struct contents_stats contents;
	struct coherence_stats coherence;
	struct working_set_stats working_set;
};

/* Counters that belong to a launch alone, even when others run beside it. */
struct own_counts {
	uint64_t begin, end; /* cycles of the run: it may place CTAs; its last CTA has ended */
	uint64_t stream, ctas, warp_instructions, thread_instructions;
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
		SHOWN_WITH_WORKING_SET
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
};

/* The `index`-th of all sections, first the sections of struct counters; false past the last. */
bool stat_listing_at(size_t index, struct stat_listing *listing);

#endif
