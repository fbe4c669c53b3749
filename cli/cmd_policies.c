/* `romark policies`: what --llc, --l1, llc.replacement, sm.scheduler and dram.scheduler accept, with the policies'
 * knobs. */
#include "cli/command.h"
#include "cli/knob_print.h"
#include "common/diag.h"
#include "common/guess.h"
#include "common/options.h"
#include "sim-backend/dram/dram_policy.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/llc/llc_replacement.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/sm/warp_scheduler.h"

#include <stdio.h>
#include <string.h>

static const struct knob no_knobs[] = {KNOB_END};

struct listing {
	json_t *list;       /* NULL: to stdout */
	const char *only;   /* the policy that the command line names, or NULL */
	const char *title;  /* of the kind, until it is printed */
	struct guess meant; /* if there is no such policy */
	bool found, brief;
};

/* `section`: of the knobs. */
static void show(struct listing *l, const char *name, const char *section, const char *summary, const char *source,
		 const struct knob *knobs)
{
	if (l->only)
		guess_try(&l->meant, name);
	if (l->only && strcmp(l->only, name) != 0)
		return;
	if (l->title && !l->list)
		printf("%s%s\n", l->found ? "\n" : "", l->title);
	l->title = NULL;
	l->found = true;
	if (l->list) {
		json_array_append_new(l->list,
				      json_pack("{s:s, s:s, s:s, s:o}", "name", name, "summary", summary, "source",
						source, "knobs", knob_json(knobs ? knobs : no_knobs, NULL)));
		return;
	}
	if (l->brief) {
		printf("  %-18s %s\n", name, summary);
		return;
	}
	printf("%-10s %s (%s)\n", name, summary, source);
	knob_print(section, knobs ? knobs : no_knobs, NULL);
}

/* --- A file from outside --- */

static json_t *policy_json(const struct outside_listed *policy)
{
	json_t *stats = json_array();

	for (const struct stat_row *row = policy->stats; row && row->name; row++)
		json_array_append_new(
		    stats, json_pack("{s:s, s:s, s:s}", "name", row->name, "unit", row->unit, "help", row->help));
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "name", policy->name, "summary", policy->summary, "source",
			 policy->source, "hash", policy->hash, "knobs", knob_json(policy->knobs, NULL), "stats", stats);
}

static void print_policy(const struct outside_listed *policy)
{
	static const char *const uses[][2] = {{"llc", "LLC policy (--llc)"},
					      {"l1", "L1 policy (--l1)"},
					      {"llc_replacements", "replacement in the LLC (--set llc.replacement=)"}};

	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
		if (strcmp(uses[i][0], policy->kind) == 0)
			puts(uses[i][1]);
	printf("%-10s %s (%s)\n", policy->name, policy->summary, policy->source);
	knob_print(policy->name, policy->knobs, NULL);
	for (const struct stat_row *row = policy->stats; row && row->name; row++)
		printf("  counts %s%s%s: %s\n", row->name, *row->unit ? ", " : "", row->unit, row->help);
}

static int show_file(const char *path, bool as_json)
{
	struct diag d = DIAG_INIT;
	struct outside_found found;
	struct outside_listed policy;
	json_t *all;

	if (outside_load(path, &found, &d) < 0)
		return error_exit(&d);
	all = json_object();
	for (size_t i = 0; outside_at(i, &policy); i++)
		if (as_json)
			json_object_set_new(all, policy.kind, policy_json(&policy));
		else
			print_policy(&policy);
	if (as_json) {
		json_dumpf(all, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(all);
	return EXIT_OK;
}

/* --- Those of the tree --- */

static void show_llc(struct listing *l)
{
	for (size_t i = 0; llc_policy_table[i]; i++)
		show(l, llc_policy_table[i]->name, llc_policy_table[i]->name, llc_policy_table[i]->summary,
		     llc_policy_table[i]->source, llc_policy_table[i]->knobs);
}

static void show_l1(struct listing *l)
{
	for (size_t i = 0; l1_policy_table[i]; i++)
		show(l, l1_policy_table[i]->name, l1_policy_table[i]->name, l1_policy_table[i]->summary,
		     l1_policy_table[i]->source, l1_policy_table[i]->knobs);
}

static void show_replacements(struct listing *l)
{
	for (size_t i = 0; llc_replacement_table[i]; i++)
		show(l, llc_replacement_table[i]->name, llc_replacement_table[i]->section,
		     llc_replacement_table[i]->summary, llc_replacement_table[i]->source,
		     llc_replacement_table[i]->knobs);
}

static void show_warp_schedulers(struct listing *l)
{
	for (size_t i = 0; warp_scheduler_table[i]; i++)
		show(l, warp_scheduler_table[i]->name, NULL, warp_scheduler_table[i]->summary,
		     warp_scheduler_table[i]->source, NULL);
}

static void show_dram_schedulers(struct listing *l)
{
	for (size_t i = 0; dram_scheduler_table[i]; i++)
		show(l, dram_scheduler_table[i]->name, NULL, dram_scheduler_table[i]->summary,
		     dram_scheduler_table[i]->source, NULL);
}

static int list(struct listing *l, bool as_json)
{
	static const struct {
		const char *key, *title;
		void (*show)(struct listing *l);
	} kinds[] = {{"llc", "LLC policies (--llc)", show_llc},
		     {"l1", "L1 policies (--l1)", show_l1},
		     {"llc_replacements", "replacement in the LLC (--set llc.replacement=)", show_replacements},
		     {"warp_schedulers", "warp schedulers (--set sm.scheduler=)", show_warp_schedulers},
		     {"dram_schedulers", "DRAM schedulers (--set dram.scheduler=)", show_dram_schedulers}};
	json_t *all = as_json ? json_object() : NULL;

	l->meant = guess_start(l->only ? l->only : "", l->only ? strlen(l->only) : 0);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		l->list = as_json ? json_array() : NULL;
		l->title = kinds[i].title;
		kinds[i].show(l);
		if (as_json)
			json_object_set_new(all, kinds[i].key, l->list);
	}
	if (!l->found) {
		fprintf(stderr, "romark: no policy '%s'%s; 'romark policies' lists them\n", l->only,
			guess_hint(&l->meant).text);
		json_decref(all);
		return EXIT_WRONG_USAGE;
	}
	if (all) {
		json_dumpf(all, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(all);
	}
	return EXIT_OK;
}

int cmd_policies(int argc, char **argv)
{
	struct listing l = {0};
	bool as_json = false;
	const struct option_row rows[] = {
	    {0, "json", OPT_FLAG, &as_json, NULL, "everything, as JSON"},
	    {'s', "short", OPT_FLAG, &l.brief, NULL, "a line for each policy, without knobs and sources"},
	    {0}};
	const struct usage usage = {
	    "policies", "[NAME|FILE.so]",
	    "Lists the policies that a simulation can use, the policy of that name, or those of a file from outside,\n"
	    "with their knobs.",
	    rows,
	    "A policy's knob is set with --set POLICY.KEY=VALUE; that of a replacement policy of romark's own with\n"
	    "--set llc_POLICY.KEY=VALUE. A policy from a file has the name that is in the file."};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands > 1) {
		fprintf(stderr, "romark: policies: takes one name at most; see 'romark policies --help'\n");
		return EXIT_WRONG_USAGE;
	}
	if (operands && knob_is_file(argv[0]))
		return show_file(argv[0], as_json);
	l.only = operands ? argv[0] : NULL;
	return list(&l, as_json);
}
