/* What may follow an option's sign, by the option or by the word that --help has for its value. */
#include "cli/complete_values.h"

#include "cli/module_kernels.h"
#include "common/kernel_names.h"
#include "common/xalloc.h"
#include "ptx-analyzer/containers/input.h"
#include "sim-backend/config/config.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/results/sections.h"
#include "sim-backend/run/sim.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void complete_offer(const struct completion *c, const char *word, const char *help)
{
	const char *last = c->words[c->n - 1], *typed = last + c->kept;

	if (strncmp(word, typed, strlen(typed)) == 0)
		printf("%.*s%s\t%.*s\n", (int)c->kept, last, word, (int)strcspn(help, "\n"), help);
}

void complete_files(const struct completion *c, const char *ending)
{
	(void)c;
	printf(":files%s%s\n", *ending ? " " : "", ending);
}

/* --- Names --- */

static void offer_gpus(const struct completion *c)
{
	char **gpus = sim_gpu_list();

	for (size_t i = 0; gpus[i]; i++) {
		struct sim_config *config = sim_config_create();
		struct diag ignored = DIAG_INIT;

		if (sim_config_load(config, gpus[i], &ignored) == 0)
			complete_offer(c, config->name, config->description);
		sim_config_free(config);
	}
	sim_gpu_list_free(gpus);
	complete_files(c, ".yaml");
}

static void offer_llc(const struct completion *c)
{
	for (size_t i = 0; llc_policy_table[i]; i++)
		complete_offer(c, llc_policy_table[i]->name, llc_policy_table[i]->summary);
}

static void offer_l1(const struct completion *c)
{
	for (size_t i = 0; l1_policy_table[i]; i++)
		complete_offer(c, l1_policy_table[i]->name, l1_policy_table[i]->summary);
}

static void offer_policies(const struct completion *c)
{
	offer_llc(c);
	offer_l1(c);
	complete_files(c, ".so");
}

/* A name, or a policy from outside. */
static void offer_llc_or_file(const struct completion *c)
{
	offer_llc(c);
	complete_files(c, ".so");
}

static void offer_l1_or_file(const struct completion *c)
{
	offer_l1(c);
	complete_files(c, ".so");
}

static void offer_counters(const struct completion *c)
{
	struct stat_listing l;
	char name[128];

	for (size_t i = 0; stat_listing_at(i, &l); i++) {
		complete_offer(c, l.section, l.help);
		for (const struct stat_row *row = l.rows; row->name; row++) {
			snprintf(name, sizeof name, "%s.%s", l.section, row->name);
			complete_offer(c, name, row->help);
		}
	}
}

/* --- Keys: SECTION.KEY=VALUE --- */

/* "a|b|c", each behind `before`. */
static void offer_choices(const struct completion *c, const char *before, const char *choices)
{
	for (const char *at = choices; *at;) {
		size_t length = strcspn(at, "|");
		char word[256];

		snprintf(word, sizeof word, "%s%.*s", before, (int)length, at);
		complete_offer(c, word, "");
		at += length + (at[length] == '|');
	}
}

static void offer_key(const struct completion *c, const char *section, const struct knob *knob)
{
	const char *typed = c->words[c->n - 1] + c->kept;
	char key[128];

	snprintf(key, sizeof key, "%s.%s=", section, knob->name);
	if (strncmp(key, typed, strlen(key)) != 0)
		complete_offer(c, key, knob->help);
	else if (knob->type == KNOB_TYPE_BOOL)
		offer_choices(c, key, "true|false");
	else if (knob->type == KNOB_TYPE_CHOICE)
		offer_choices(c, key, knob->choices);
}

static void offer_keys(const struct completion *c)
{
	struct sim_config *config = sim_config_create();

	for (size_t i = 0; i < config->nsections; i++)
		for (const struct knob *knob = config->sections[i].knobs; knob && knob->name; knob++)
			offer_key(c, config->sections[i].name, knob);
	sim_config_free(config);
}

/* --- Kernels --- */

enum { PATIENCE_SECONDS = 2 }; /* for a trace that takes long to read; what was found by then is printed */

static void offer_kernel(void *completion, const char *name)
{
	const struct completion *c = completion;
	char *title = kernel_title(name);

	complete_offer(c, title, "");
	free(title);
	fflush(stdout);
}

static void offer_kernels_of_trace(const struct completion *c, const char *path)
{
	struct diag ignored = DIAG_INIT;
	struct trace_reader *reader = trace_open(path, &ignored);
	struct trace_launch launch;

	while (reader && trace_next_launch(reader, &launch, &ignored) > 0)
		offer_kernel((void *)c, trace_kernel_of(reader, launch.kernel)->name);
	if (reader)
		trace_close(reader);
}

/* Whatever the line names: a trace, a program, PTX. */
static void offer_kernels(const struct completion *c)
{
	alarm(PATIENCE_SECONDS);
	for (size_t i = 2; i + 1 < c->n; i++) {
		struct diag ignored = DIAG_INIT;
		const char *word = c->words[i], *ending = strrchr(word, '.');
		struct ptx_input in;

		if (*word == '-' || access(word, R_OK) < 0)
			continue;
		if (ending && strcmp(ending, ".romtrace") == 0) {
			offer_kernels_of_trace(c, word);
		} else if (ptx_input_open(word, &in, &ignored) == 0) {
			for (size_t e = 0; e < in.count; e++)
				module_kernels(&in, e, offer_kernel, (void *)c);
			ptx_input_release(&in);
		}
	}
}

/* --- By option or word --- */

static const struct {
	const char *name; /* of an option, or NAME of a command */
	void (*offer)(const struct completion *c);
} known[] = {{"--gpu", offer_gpus},      {"-g", offer_gpus},    {"--llc", offer_llc_or_file},
	     {"--l1", offer_l1_or_file}, {"--set", offer_keys}, {"--kernel", offer_kernels},
	     {"-k", offer_kernels},      {"gpus", offer_gpus},  {"policies", offer_policies},
	     {"stats", offer_counters},  {"probe", offer_gpus}, {"--columns", offer_counters}};

/* "FILE.json|FILE.sarif", "RESULTS.sqlite", "IN": the endings that --help names. */
static bool offer_files(const struct completion *c, const char *value)
{
	bool is_file = strcmp(value, "IN") == 0 || strncmp(value, "FILE", 4) == 0 || strncmp(value, "PATH", 4) == 0 ||
		       strncmp(value, "PROG", 4) == 0 || strstr(value, "FOLDER") || strcmp(value, "DIR") == 0;
	bool offered = false;

	for (const char *dot = strchr(value, '.'); dot; dot = strchr(dot + 1, '.')) {
		char ending[16];

		snprintf(ending, sizeof ending, ".%.*s", (int)strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz"), dot + 1);
		if (ending[1]) {
			complete_files(c, ending);
			offered = true;
		}
	}
	if (is_file && !offered)
		complete_files(c, "");
	return is_file || offered;
}

void complete_value(const struct completion *c, const char *option, const char *value)
{
	const char *name = strncmp(value, "NAME", 4) == 0 && !*option ? c->words[1] : option;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0) {
			known[i].offer(c);
			return;
		}
	if (offer_files(c, value))
		return;
	if (strchr(value, '|') && *value >= 'a' && *value <= 'z')
		offer_choices(c, "", value);
}
