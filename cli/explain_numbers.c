/* Launches that ran beside others, or that a sample left out, have no counters of their own and are not summed. */
#include "cli/explain_numbers.h"

#include "cli/first_of.h"
#include "common/kernel_names.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *section, *key;
} places[N_COUNT] = {
#define NUMBER(name, section, key) {section, key},
#include "cli/explain_numbers.def"
};

double share_of(double a, double b)
{
	return b > 0 ? a / b : 0;
}

double numbers_slots(const struct kernel_numbers *n)
{
	double slots = 0;

	for (unsigned i = N_SLOT_ISSUED; i <= N_SLOT_NO_WARP; i++)
		slots += n->at[i];
	return slots;
}

static void add(struct kernel_numbers *n, json_t *object)
{
	n->launches++;
	for (unsigned i = 0; i < N_COUNT; i++) {
		json_t *section = places[i].section ? json_object_get(object, places[i].section) : object;

		n->at[i] += json_number_value(json_object_get(section, places[i].key));
	}
}

/* --- The machine --- */

static const struct wanted {
	const char *path;
	size_t offset;
} sizes[] = {
    {"config.sm.schedulers", offsetof(struct explained_machine, schedulers)},
    {"config.llc.port_bytes", offsetof(struct explained_machine, port_bytes)},
    {"config.dram.burst_bytes", offsetof(struct explained_machine, burst_bytes)},
    {"config.gpu.clock_mhz", offsetof(struct explained_machine, clock_mhz)},
    {"machine.memory_gbs", offsetof(struct explained_machine, memory_gbs)},
    {"machine.unloaded.request_network", offsetof(struct explained_machine, request_network)},
    {"machine.unloaded.pipeline", offsetof(struct explained_machine, pipeline)},
    {"machine.unloaded.memory", offsetof(struct explained_machine, memory)},
    {"machine.unloaded.reply_network", offsetof(struct explained_machine, reply_network)},
};

static double interval_of(const struct result *result, const char *unit)
{
	char key[64];

	snprintf(key, sizeof key, "config.exec.%s_interval", unit);
	return json_number_value(result_value(result->root, key));
}

static int read_machine(struct explained *e, struct diag *d)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		json_t *value = result_value(e->result->root, sizes[i].path);

		if (!json_is_number(value))
			return diag_file(d, e->result->path,
					 "it has no '%s'; simulate again with this version of 'romark sim --json'",
					 sizes[i].path);
		*(double *)((char *)&e->machine + sizes[i].offset) = json_number_value(value);
	}
	for (unsigned i = N_INST_INT; i <= N_INST_OTHER; i++)
		e->machine.intervals[i - N_INST_INT] = interval_of(e->result, places[i].key + strlen("inst_"));
	e->machine.slices = (double)json_array_size(json_object_get(e->result->root, "slice_accesses"));
	return 0;
}

/* --- Kernels --- */

static bool has_counters(json_t *launch)
{
	return json_is_object(json_object_get(launch, "sm"));
}

static void add_launch(struct explained *e, struct first_of *names, json_t *launch)
{
	const char *name = json_string_value(json_object_get(launch, "name"));
	size_t row;

	if (!name || !has_counters(launch))
		return;
	row = first_of(names, name, e->kernels.len);
	if (row == e->kernels.len)
		vec_push(&e->kernels, (struct kernel_numbers){.kernel = name, .title = kernel_title(name)});
	add(&e->kernels.data[row], launch);
}

int explained_read(struct explained *e, const struct result *result, struct diag *d)
{
	struct first_of names = FIRST_OF_INIT;
	json_t *launch;
	size_t i;

	*e = (struct explained){.result = result};
	if (read_machine(e, d) < 0)
		return DIAG_ERROR;
	add(&e->run, result->root);
	json_array_foreach(json_object_get(result->root, "kernels"), i, launch)
	{
		add_launch(e, &names, launch);
	}
	first_of_release(&names);
	if (numbers_slots(&e->run) > 0)
		return 0;
	return diag_file(d, result->path, "no cycle of it was simulated, so there is nothing to explain");
}

const struct kernel_numbers *explained_kernel(const struct explained *e, const char *kernel)
{
	for (size_t i = 0; i < e->kernels.len; i++)
		if (strcmp(e->kernels.data[i].kernel, kernel) == 0)
			return &e->kernels.data[i];
	return NULL;
}

void explained_release(struct explained *e)
{
	for (size_t i = 0; i < e->kernels.len; i++)
		xfree(e->kernels.data[i].title);
	vec_release(&e->kernels);
}
