/* Names come from the simulator's own list, so a new counter there is known here. */
#include "study/expression/counters.h"

#include "sim-backend/results/sections.h"

#include <stdio.h>
#include <string.h>

/* Names in results that have no row in the list. */
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

/*
 * The parts of a name in results before the row's name, such as "llc"; a dot follows each part that is not "". Returns
 * false if the row is no total.
 */
static bool parts_of_prefix(const struct stat_listing *listing, const char *parts[2])
{
	parts[0] = listing->inside ? listing->inside : "";
	parts[1] = listing->prefix;
	return listing->prefix;
}

/*
 * Compares without putting the name together: there are hundreds of names, and each term of an expression is compared
 * with them.
 */
static bool is_full_name(const struct stat_listing *listing, const char *row, const char *name)
{
	const char *parts[2];

	if (!parts_of_prefix(listing, parts))
		return false;
	for (size_t i = 0; i < 2; i++) {
		size_t length = strlen(parts[i]);

		if (!length)
			continue;
		if (strncmp(name, parts[i], length) != 0 || name[length] != '.')
			return false;
		name += length + 1;
	}
	return strcmp(name, row) == 0;
}

bool counter_is_known(const char *name)
{
	struct stat_listing listing;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i], name) == 0)
			return true;
	for (size_t i = 0; stat_listing_at(i, &listing); i++) {
		for (const struct stat_row *row = listing.rows; row && row->name; row++)
			if (is_full_name(&listing, row->name, name))
				return true;
		for (const struct stat_formula *f = listing.derived; f && f->name; f++)
			if (is_full_name(&listing, f->name, name))
				return true;
	}
	return false;
}

static void guess_row(struct guess *g, const struct stat_listing *listing, const char *row)
{
	const char *parts[2];
	char name[256];

	if (!parts_of_prefix(listing, parts))
		return;
	snprintf(name, sizeof name, "%s%s%s%s%s", parts[0], *parts[0] ? "." : "", parts[1], *parts[1] ? "." : "", row);
	guess_try(g, name);
}

void counter_guess(struct guess *g)
{
	struct stat_listing listing;

	for (size_t i = 0; stat_listing_at(i, &listing); i++) {
		for (const struct stat_row *row = listing.rows; row && row->name; row++)
			guess_row(g, &listing, row->name);
		for (const struct stat_formula *f = listing.derived; f && f->name; f++)
			guess_row(g, &listing, f->name);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		guess_try(g, others[i]);
}

/* --- Totals and rates --- */

static bool is_rate_by_unit(const char *unit)
{
	return !*unit || strcmp(unit, "-") == 0 || strcmp(unit, "W") == 0 || strchr(unit, '/');
}

static bool is_named(const struct stat_listing *listing, const char *row, const char *name, bool whole)
{
	return whole ? is_full_name(listing, row, name) : strcmp(row, name) == 0;
}

/* Finds a counter; `whole`: by its name in a result; else by the name of its row in any section. */
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
