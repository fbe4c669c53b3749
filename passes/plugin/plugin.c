/* Options of the plugin, which has no command line of its own, and its error messages. */
#include "passes/plugin/plugin.h"

#include "passes/passes.h"

#include "common/arena.h"
#include "settings/settings.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* The value of `key` in "a=b;c=d", else of the setting. */
static const char *parameter(struct arena *arena, const char *parameters, const char *key, enum setting_id otherwise)
{
	size_t key_len = strlen(key);

	while (*parameters) {
		size_t len = strcspn(parameters, ";");

		if (len > key_len && parameters[key_len] == '=' && memcmp(parameters, key, key_len) == 0)
			return arena_strndup(arena, parameters + key_len + 1, len - key_len - 1);
		parameters += len + (parameters[len] == ';');
	}
	return setting_text(otherwise);
}

static int choose(const char *value, const char *const *choices, unsigned count, const char *key)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(value, choices[i]) == 0)
			return (int)i;
	fprintf(stderr, "romark: plugin: no such %s: '%s'\n", key, value);
	exit(1);
}

int plugin_run(LLVMModuleRef module, const char *parameters)
{
	static const char *const answers[] = {"no", "yes"};
	struct pass_options options = PASS_OPTIONS_INIT;
	struct arena arena = ARENA_INIT;
	struct diag d = DIAG_INIT;
	const char *alias = parameter(&arena, parameters, "alias", SETTING_ID_plugin_alias);
	const char *load = parameter(&arena, parameters, "load", SETTING_ID_plugin_load);
	const char *relocatable = parameter(&arena, parameters, "relocatable", SETTING_ID_plugin_relocatable);
	const char *report = parameter(&arena, parameters, "report", SETTING_ID_plugin_report);
	int marked;

	if (strncmp(LLVMGetTarget(module), "nvptx64", 7) != 0) {
		arena_release(&arena);
		return 0;
	}
	options.alias = (enum alias_level)choose(alias, alias_level_names, ALIAS_LEVELS, "alias");
	options.load = (enum load_mark)choose(load, load_mark_names, LOAD_MARKS, "load");
	options.relocatable = choose(relocatable, answers, 2, "relocatable");
	marked = pass_mark_module(module, &options, report, &d);
	arena_release(&arena);
	if (marked < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	return marked > 0 || options.load != LOAD_KEEP;
}
