/* Options of the plugin, which has no command line of its own, and its error messages. */
#include "passes/plugin/plugin.h"

#include "passes/passes.h"

#include "common/arena.h"
#include "common/guess.h"
#include "settings/settings.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* The parameters in "alias=strict;load=nc", and the setting that each has by default. */
enum { PARAMETER_ALIAS, PARAMETER_LOAD, PARAMETER_RELOCATABLE, PARAMETER_REPORT, PARAMETERS };

static const struct {
	const char *name;
	enum setting_id otherwise;
} parameter_rows[PARAMETERS] = {
    [PARAMETER_ALIAS] = {"alias", SETTING_ID_plugin_alias},
    [PARAMETER_LOAD] = {"load", SETTING_ID_plugin_load},
    [PARAMETER_RELOCATABLE] = {"relocatable", SETTING_ID_plugin_relocatable},
    [PARAMETER_REPORT] = {"report", SETTING_ID_plugin_report},
};

static void unknown_parameter(const char *word, size_t len)
{
	struct guess g = guess_start(word, len);

	for (int i = 0; i < PARAMETERS; i++)
		guess_try(&g, parameter_rows[i].name);
	fprintf(stderr, "romark: plugin: no parameter '%.*s'; there are alias, load, relocatable and report", (int)len,
		word);
	if (*g.best)
		fprintf(stderr, "; did you mean '%s'?", g.best);
	fputc('\n', stderr);
	exit(1);
}

static int find_parameter(const char *word, size_t len)
{
	for (int i = 0; i < PARAMETERS; i++)
		if (strlen(parameter_rows[i].name) == len && memcmp(parameter_rows[i].name, word, len) == 0)
			return i;
	unknown_parameter(word, len);
	return -1;
}

/* The values of "a=b;c=d", which are `given`, else of the settings. */
static void read_parameters(struct arena *arena, const char *at, const char **values, bool *given)
{
	for (int i = 0; i < PARAMETERS; i++) {
		values[i] = setting_text(parameter_rows[i].otherwise);
		given[i] = false;
	}
	while (*at) {
		size_t len = strcspn(at, ";"), name = strcspn(at, "=;");

		if (len) {
			int found = find_parameter(at, name);

			if (name == len) {
				fprintf(stderr, "romark: plugin: '%.*s' has no value\n", (int)len, at);
				exit(1);
			}
			given[found] = true;
			values[found] = arena_strndup(arena, at + name + 1, len - name - 1);
		}
		at += len + (at[len] == ';');
	}
}

/* Ends the process if a parameter has an invalid value. */
static void check_values(const char *const *values, const bool *given)
{
	for (int i = 0; i < PARAMETERS; i++) {
		struct diag d = DIAG_INIT;

		if (!values[i] || setting_check(parameter_rows[i].otherwise, given[i] ? parameter_rows[i].name : NULL,
						values[i], &d) == 0)
			continue;
		fprintf(stderr, "romark: plugin: %s\n", d.message);
		exit(1);
	}
}

static int choose(const char *value, const char *const *choices, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(value, choices[i]) == 0)
			return (int)i;
	BUG("the plugin's settings have a value that it does not know: %s", value);
}

bool plugin_concerns(LLVMModuleRef module)
{
	return strncmp(LLVMGetTarget(module), "nvptx64", 7) == 0;
}

int plugin_run(LLVMModuleRef module, const char *parameters)
{
	static const char *const answers[] = {"no", "yes"};
	struct pass_options options = PASS_OPTIONS_INIT;
	struct arena arena = ARENA_INIT;
	struct diag d = DIAG_INIT;
	const char *values[PARAMETERS];
	bool given[PARAMETERS];
	int marked;

	read_parameters(&arena, parameters, values, given);
	if (!plugin_concerns(module)) {
		arena_release(&arena);
		return 0;
	}
	check_values(values, given);
	options.alias = (enum alias_level)choose(values[PARAMETER_ALIAS], alias_level_names, ALIAS_LEVELS);
	options.load = (enum load_mark)choose(values[PARAMETER_LOAD], load_mark_names, LOAD_MARKS);
	options.relocatable = choose(values[PARAMETER_RELOCATABLE], answers, 2);
	marked = pass_mark_module(module, &options, values[PARAMETER_REPORT], &d);
	arena_release(&arena);
	if (marked < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	return marked > 0 || options.load != LOAD_KEEP;
}
