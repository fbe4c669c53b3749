/* `romark stats`: explains the counters and rates of the results. */
#include "cli/command.h"
#include "common/guess.h"
#include "common/options.h"
#include "sim-backend/results/sections.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* One counter or derived value; `formula` is NULL for a counter. */
struct entry {
	const char *section, *name, *unit, *help, *formula;
	const char *inside; /* the object of the results that contains the section; NULL: none */
};

struct printing {
	const char *wanted; /* a name, a section, section.name, or the last two as results have them; NULL = all */
	struct guess meant; /* if nothing has this name */
	json_t *list;       /* NULL: to stdout */
	const char *titled; /* the section whose title is printed */
	bool found;
};

/* Without the object's name, if it begins with that: policy_stats.selrep.epochs becomes selrep.epochs. */
static const char *inner_name(const char *wanted, const char *object)
{
	size_t length = object ? strlen(object) : 0;

	return length && strncmp(wanted, object, length) == 0 && wanted[length] == '.' ? wanted + length + 1 : wanted;
}

static bool is_wanted(struct printing *p, const struct entry *e)
{
	const char *wanted;
	char full[128];

	if (!p->wanted)
		return true;
	snprintf(full, sizeof full, "%s.%s", e->section, e->name);
	wanted = inner_name(p->wanted, e->inside);
	guess_try(&p->meant, e->section);
	guess_try(&p->meant, e->name);
	guess_try(&p->meant, full);
	return strcmp(wanted, e->section) == 0 || strcmp(wanted, e->name) == 0 || strcmp(wanted, full) == 0 ||
	       (e->inside && strcmp(wanted, e->inside) == 0);
}

static void print(struct printing *p, const struct stat_listing *listing, const struct entry *e)
{
	if (p->titled != e->section)
		printf("%s%s: %s\n", p->titled ? "\n" : "", e->section, listing->help);
	p->titled = e->section;
	printf("  %-22s %-24s %s\n", e->name, *e->unit ? e->unit : "-", e->help);
	if (e->formula)
		printf("  %-22s %-24s = %s\n", "", "", e->formula);
}

static void show(struct printing *p, const struct stat_listing *listing, const struct entry *e)
{
	if (!is_wanted(p, e))
		return;
	p->found = true;
	if (p->list)
		json_array_append_new(p->list,
				      json_pack("{s:s, s:s, s:s, s:s, s:s?}", "section", e->section, "name", e->name,
						"unit", e->unit, "help", e->help, "formula", e->formula));
	else
		print(p, listing, e);
}

static void show_all(struct printing *p)
{
	struct stat_listing l;

	for (size_t i = 0; stat_listing_at(i, &l); i++) {
		for (const struct stat_row *row = l.rows; row->name; row++)
			show(p, &l, &(struct entry){l.section, row->name, row->unit, row->help, NULL, l.inside});
		for (const struct stat_formula *f = l.derived; f && f->name; f++)
			show(p, &l, &(struct entry){l.section, f->name, f->unit, f->help, f->text, l.inside});
	}
}

static int explain(const char *wanted, bool as_json)
{
	struct printing p = {.wanted = wanted, .meant = guess_start(wanted ? wanted : "", wanted ? strlen(wanted) : 0)};

	p.list = as_json ? json_array() : NULL;
	show_all(&p);
	if (p.list && p.found) {
		json_dumpf(p.list, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(p.list);
	if (p.found)
		return EXIT_OK;
	fprintf(stderr, "romark: no counter or section '%s'%s; 'romark stats' lists them\n", wanted,
		guess_hint(&p.meant).text);
	return EXIT_WRONG_USAGE;
}

int cmd_stats(int argc, char **argv)
{
	bool as_json = false;
	const struct option_row rows[] = {{0, "json", OPT_FLAG, &as_json, NULL, "everything, as JSON"}, {0}};
	const struct usage usage = {
	    "stats", "[NAME]",
	    "Explains what the results of a simulation count: name, unit, meaning, and how rates are computed.", rows,
	    "NAME is a counter, a section, or SECTION.COUNTER: romark stats llc.miss_rate\n"
	    "The counters of policies are also found as results have them: romark stats policy_stats.selrep.epochs"};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands > 1) {
		fprintf(stderr, "romark: stats: takes one name at most; see 'romark stats --help'\n");
		return EXIT_WRONG_USAGE;
	}
	return explain(operands ? argv[0] : NULL, as_json);
}
