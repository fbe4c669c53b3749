/* `romark gpus`: the GPUs that --gpu accepts; with a name, all of its keys. */
#include "cli/command.h"
#include "cli/knob_print.h"
#include "common/options.h"
#include "sim-backend/sim.h"

#include <stdio.h>

static void print_gpu(const struct sim_config *config, bool keys)
{
	printf("%-12s %s\n", config->name, config->description);
	for (size_t i = 0; keys && i < config->nsections; i++)
		if (config->sections[i].kind == SECTION_MACHINE) {
			printf("\n%s: %s\n", config->sections[i].name, config->sections[i].help);
			knob_print(config->sections[i].name, config->sections[i].knobs, config->sections[i].values);
		}
}

static json_t *gpu_json(const struct sim_config *config)
{
	json_t *sections = json_object();

	for (size_t i = 0; i < config->nsections; i++)
		if (config->sections[i].kind == SECTION_MACHINE)
			json_object_set_new(sections, config->sections[i].name,
					    knob_json(config->sections[i].knobs, config->sections[i].values));
	return json_pack("{s:s, s:s, s:o}", "name", config->name, "description", config->description, "sections",
			 sections);
}

static int show(const char *gpu, bool keys, json_t *list)
{
	struct sim_config *config = sim_config_create();
	struct diag d = DIAG_INIT;
	int status = sim_config_load(config, gpu, &d);

	if (status < 0)
		diag_print(&d, stderr);
	else if (list)
		json_array_append_new(list, gpu_json(config));
	else
		print_gpu(config, keys);
	sim_config_free(config);
	return status < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

static int show_all(json_t *list)
{
	char **gpus = sim_gpu_list();
	int status = EXIT_OK;

	for (size_t i = 0; gpus[i] && status == EXIT_OK; i++)
		status = show(gpus[i], false, list);
	sim_gpu_list_free(gpus);
	return status;
}

int cmd_gpus(int argc, char **argv)
{
	bool as_json = false;
	const struct option_row rows[] = {{0, "json", OPT_FLAG, &as_json, NULL, "everything, as JSON"}, {0}};
	const struct usage usage = {
	    "gpus", "[NAME|FILE.yaml]",
	    "Lists the GPUs that --gpu accepts; with a name, its keys, values, ranges and sources.", rows, NULL};
	int operands = options_parse(&usage, argc, argv), status = EXIT_OK;
	json_t *list;

	if (operands < 0)
		return usage_exit(operands);
	list = as_json ? json_array() : NULL;
	if (operands == 0)
		status = show_all(list);
	for (int i = 0; i < operands && status == EXIT_OK; i++)
		status = show(argv[i], true, list);
	if (list && status == EXIT_OK) {
		json_dumpf(list, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(list);
	return status;
}
