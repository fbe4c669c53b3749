/* The simulator's own list says what there is, so a counter that is new there is known here. */
#include "study/expression/counters.h"

#include "sim-backend/results/sections.h"

#include <stdio.h>
#include <string.h>

/* What stands in results without a row of the list. */
static const char *const others[] = {"complete",
				     "noc_load.request.in.mean",
				     "noc_load.request.in.busiest",
				     "noc_load.request.links.mean",
				     "noc_load.request.links.busiest",
				     "noc_load.request.out.mean",
				     "noc_load.request.out.busiest",
				     "noc_load.reply.in.mean",
				     "noc_load.reply.in.busiest",
				     "noc_load.reply.links.mean",
				     "noc_load.reply.links.busiest",
				     "noc_load.reply.out.mean",
				     "noc_load.reply.out.busiest"};

struct search {
	const char *name;
	struct guess *guess;
	bool found;
};

static void try_name(struct search *s, const char *candidate)
{
	s->found = s->found || strcmp(candidate, s->name) == 0;
	guess_try(s->guess, candidate);
}

/* The sections `run` and `result` stand at the top of results. NULL: it is none of a result's totals. */
static const char *prefix_of(const char *section)
{
	static const char *const plain[] = {"l1",       "llc",         "dram",      "noc",           "links",
					    "stages",   "sm",          "energy",    "energy_events", "responses",
					    "contents", "working_set", "coherence", "sharing"};

	if (strcmp(section, "run") == 0 || strcmp(section, "result") == 0)
		return "";
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(plain[i], section) == 0)
			return section;
	return NULL;
}

/* As results have a row of the section; false: it is none of a result's totals. */
static bool full_name(const struct stat_listing *listing, const char *row, char *name, size_t size)
{
	const char *prefix = prefix_of(listing->section);

	if (listing->inside)
		snprintf(name, size, "%s.%s.%s", listing->inside, listing->section, row);
	else if (prefix)
		snprintf(name, size, "%s%s%s", prefix, *prefix ? "." : "", row);
	return listing->inside || prefix;
}

static void try_row(struct search *s, const struct stat_listing *listing, const char *row)
{
	char name[256];

	if (full_name(listing, row, name, sizeof name))
		try_name(s, name);
}

bool counter_is_known(const char *name, struct guess *g)
{
	struct search s = {.name = name, .guess = g};
	struct stat_listing listing;

	for (size_t i = 0; stat_listing_at(i, &listing); i++) {
		for (const struct stat_row *row = listing.rows; row && row->name; row++)
			try_row(&s, &listing, row->name);
		for (const struct stat_formula *f = listing.derived; f && f->name; f++)
			try_row(&s, &listing, f->name);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		try_name(&s, others[i]);
	return s.found;
}

/* --- Totals and rates --- */

static bool is_rate_by_unit(const char *unit)
{
	return !*unit || strcmp(unit, "-") == 0 || strcmp(unit, "W") == 0 || strchr(unit, '/');
}

static bool is_named(const struct stat_listing *listing, const char *row, const char *name, bool whole)
{
	char full[256];

	return whole ? full_name(listing, row, full, sizeof full) && strcmp(full, name) == 0 : strcmp(row, name) == 0;
}

/* `whole`: by its name in a result; else by that of its row in any section. */
static bool find_total(const char *name, bool whole, bool *is_total)
{
	struct stat_listing listing;

	for (size_t i = 0; stat_listing_at(i, &listing); i++) {
		for (const struct stat_row *row = listing.rows; row && row->name; row++)
			if (is_named(&listing, row->name, name, whole)) {
				*is_total = !(row->flags & STAT_IS_LEVEL) && !is_rate_by_unit(row->unit);
				return true;
			}
		for (const struct stat_formula *f = listing.derived; f && f->name; f++)
			if (is_named(&listing, f->name, name, whole)) {
				*is_total = !strchr(f->text, '/');
				return true;
			}
	}
	return false;
}

bool counter_is_total(const char *name)
{
	bool is_total = true;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i], name) == 0)
			return false;
	if (!find_total(name, true, &is_total))
		find_total(name, false, &is_total);
	return is_total;
}
