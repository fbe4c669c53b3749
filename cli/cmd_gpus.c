/* `romark gpus`: the GPUs that --gpu accepts; with a name, all of its keys, or its address map. */
#include "cli/command.h"
#include "cli/knob_print.h"
#include "common/options.h"
#include "sim-backend/map/balance.h"
#include "sim-backend/run/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gpus_options {
	bool json, map;
	struct option_list set;
	json_t *list; /* of the GPUs shown, with --json */
};

static void print_presets(const char *section)
{
	char **list = sim_preset_list(section);

	for (size_t i = 0; list[i]; i++) {
		const char *name = strrchr(list[i], '/') + 1;

		printf("%s%.*s", i ? ", " : "  presets: ", (int)(strlen(name) - strlen(".yaml")), name);
	}
	if (list[0])
		putchar('\n');
	sim_gpu_list_free(list);
}

static void print_gpu(const struct sim_config *config, bool keys)
{
	printf("%-12s %s\n", config->name, config->description);
	for (size_t i = 0; keys && i < config->nsections; i++)
		if (config->sections[i].kind == SECTION_MACHINE) {
			printf("\n%s: %s\n", config->sections[i].name, config->sections[i].help);
			print_presets(config->sections[i].name);
			knob_print(config->sections[i].name, config->sections[i].knobs, config->sections[i].values);
		}
}

static void print_map(const struct sim_config *config)
{
	struct address_map map;

	memsys_map_init(&map, &config->memory);
	address_map_dump(&map, stdout);
	putchar('\n');
	map_balance_print(&map, stdout);
}

/* Rows of the matrix as numbers: bit k of a row is address bit line_shift + k. */
static json_t *map_json(const struct sim_config *config)
{
	json_t *rows = json_array();
	struct address_map map;

	memsys_map_init(&map, &config->memory);
	for (unsigned i = 0; i < map.matrix.size; i++)
		json_array_append_new(rows, json_integer((json_int_t)map.matrix.rows[i]));
	return json_pack("{s:i, s:o}", "line_shift", map.layout.line_shift, "rows", rows);
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

/* Returns an exit code. An error in a file is bad input; a wrong name or value on the command line is wrong usage. */
static int load(struct sim_config *config, const char *gpu, const struct gpus_options *o)
{
	struct diag d = DIAG_INIT;
	int status = sim_config_load(config, gpu, &d);

	for (size_t i = 0; status == 0 && i < o->set.len; i++)
		status = sim_config_set(config, o->set.data[i], &d);
	if (status == 0 && o->map)
		status = sim_config_check(config, &d);
	if (status == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	return sim_gpu_is_file(gpu) && strcmp(d.file, "--set") != 0 ? EXIT_BAD_INPUT : EXIT_WRONG_USAGE;
}

static int show(const char *gpu, bool keys, const struct gpus_options *o)
{
	struct sim_config *config = sim_config_create();
	int status = load(config, gpu, o);

	if (status == EXIT_OK && o->list) {
		json_t *entry = gpu_json(config);

		if (o->map)
			json_object_set_new(entry, "map", map_json(config));
		json_array_append_new(o->list, entry);
	} else if (status == EXIT_OK && o->map)
		print_map(config);
	else if (status == EXIT_OK)
		print_gpu(config, keys);
	sim_config_free(config);
	return status;
}

static int show_all(const struct gpus_options *o)
{
	char **gpus = sim_gpu_list();
	int status = EXIT_OK;

	for (size_t i = 0; gpus[i] && status == EXIT_OK; i++)
		status = show(gpus[i], false, o);
	sim_gpu_list_free(gpus);
	return status;
}

int cmd_gpus(int argc, char **argv)
{
	struct gpus_options o = {0};
	const struct option_row rows[] = {
	    {0, "map", OPT_FLAG, &o.map, NULL,
	     "the address map's matrix, and how evenly it spreads blocks and strides"},
	    {0, "set", OPT_LIST, &o.set, "SECTION.KEY=VALUE", "change one value first; may be repeated"},
	    {0, "json", OPT_FLAG, &o.json, NULL, "everything, as JSON"},
	    {0}};
	const struct usage usage = {
	    "gpus", "[NAME|FILE.yaml]",
	    "Lists the GPUs that --gpu accepts; with a name, its keys, values, ranges and sources.", rows, NULL};
	int operands = options_parse(&usage, argc, argv), status = EXIT_OK;

	if (operands < 0)
		return usage_exit(operands);
	o.list = o.json ? json_array() : NULL;
	if (operands == 0)
		status = show_all(&o);
	for (int i = 0; i < operands && status == EXIT_OK; i++)
		status = show(argv[i], true, &o);
	if (o.list && status == EXIT_OK) {
		json_dumpf(o.list, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(o.list);
	free(o.set.data);
	return status;
}
