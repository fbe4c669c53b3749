/*
 * `romark probe`: synthetic traffic into the DRAM or a network of a GPU model, and what came of it, as JSON; or
 * micro-benchmarks of the whole model.
 */
#include "cli/command.h"
#include "cli/probe_benches.h"
#include "cli/sim_command.h"
#include "common/c_locale.h"
#include "common/file.h"
#include "common/vec.h"
#include "sim-backend/probe/probe.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum component { COMPONENT_DRAM, COMPONENT_NOC };

/* Indexed by enum probe_pattern; the mask says for which components a pattern is. */
static const struct {
	const char *name;
	unsigned components;
} patterns[] = {
    [PROBE_UNIFORM] = {"uniform", 3}, [PROBE_HOTSPOT] = {"hotspot", 3},   [PROBE_STREAM] = {"stream", 1},
    [PROBE_STRIDE] = {"stride", 1},   [PROBE_CONFLICT] = {"conflict", 1}, [PROBE_PERMUTATION] = {"permutation", 2},
};

struct probe_options {
	struct sim_command machine;
	const char *rate, *writes;
	int pattern, network;
	unsigned stride, cycles, warmup, seed, flits;
	bool sweep;
	struct probe_benches benches;
};

enum { SWEEP_STEPS = 20 };
typedef VEC(double) rates;

static int wrong(const char *what)
{
	fprintf(stderr, "romark: probe: %s; see 'romark probe --help'\n", what);
	return EXIT_WRONG_USAGE;
}

/* A number in [0, most], or -1. */
static double number(const char *text, double most)
{
	char *end;
	double value = c_strtod(text, &end);

	return end != text && !*end && value >= 0 && value <= most ? value : -1;
}

static int traffic_of(const struct probe_options *o, enum component component, struct probe_traffic *t)
{
	*t = (struct probe_traffic)PROBE_TRAFFIC_DEFAULT;
	t->pattern = (enum probe_pattern)o->pattern;
	t->rate = component == COMPONENT_DRAM ? 1 : 0.1;
	t->writes = o->writes ? number(o->writes, 100) / 100 : 0;
	t->stride = o->stride;
	t->cycles = o->cycles;
	t->warmup = o->warmup;
	t->seed = o->seed;
	t->reply_network = o->network == 1;
	t->flits = o->flits;
	if (!(patterns[o->pattern].components >> component & 1))
		return wrong("this component has no such --pattern");
	if (t->writes < 0)
		return wrong("--writes must be a percentage");
	if (!t->cycles || !t->flits || t->flits > PROBE_MAX_FLITS)
		return wrong("--cycles must be above 0, --flits from 1 to 60");
	return EXIT_OK;
}

static json_t *dram_json(const struct memsys_config *memory, const struct probe_traffic *t)
{
	struct probe_dram_result r;

	probe_dram(memory, t, &r);
	return json_pack("{s:f, s:f, s:f, s:I, s:I, s:s, s:f, s:f, s:I, s:I}", "bandwidth_fraction",
			 r.bandwidth_fraction, "bandwidth_gbs", r.bandwidth_gbs, "latency_mean", r.latency_mean,
			 "latency_min", (json_int_t)r.latency_min, "latency_max", (json_int_t)r.latency_max,
			 "latency_unit", "memory clocks", "memory_mhz", r.memory_mhz, "row_hit_rate", r.row_hit_rate,
			 "reads", (json_int_t)r.reads, "writes", (json_int_t)r.writes);
}

/* Mean and busiest channel, as a share of the cycles. */
static json_t *load_json(const struct noc_load *load, uint64_t cycles)
{
	double mean = load->channels ? load->busy / load->channels : 0;

	return json_pack("{s:f, s:f}", "mean", mean / (double)cycles, "busiest", load->busiest / (double)cycles);
}

static json_t *noc_json(const struct memsys_config *memory, const struct probe_traffic *t)
{
	uint64_t cycles = t->warmup + t->cycles;
	struct probe_noc_result r;

	probe_noc(memory, t, &r);
	return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I, s:s, s:I, s:{s:o, s:o, s:o}}", "offered", r.offered,
			 "accepted", r.accepted, "latency_mean", r.latency_mean, "latency_min",
			 (json_int_t)r.latency_min, "latency_max", (json_int_t)r.latency_max, "latency_zero_load",
			 (json_int_t)r.latency_zero_load, "latency_unit", "cycles", "packets", (json_int_t)r.packets,
			 "load", "in", load_json(&r.load[NOC_IN], cycles), "links",
			 load_json(&r.load[NOC_LINKS], cycles), "out", load_json(&r.load[NOC_OUT], cycles));
}

/* --- Curves: one component at several rates --- */

/* The rates of --rate=A,B,.. or of --sweep; false when a rate is wrong. */
static bool rates_of(const struct probe_options *o, rates *list)
{
	const char *text = o->rate;

	for (unsigned i = 1; o->sweep && i <= SWEEP_STEPS; i++)
		vec_push(list, (double)i / SWEEP_STEPS);
	while (text) {
		char *end;
		double rate = c_strtod(text, &end);

		if (end == text || (*end && *end != ',') || !(rate >= 0 && rate <= 1))
			return false;
		vec_push(list, rate);
		text = *end ? end + 1 : NULL;
	}
	return true;
}

static double real_at(const json_t *point, const char *key)
{
	return json_real_value(json_object_get(point, key));
}

static double busiest_at(const json_t *point, const char *stage)
{
	return real_at(json_object_get(json_object_get(point, "load"), stage), "busiest");
}

static void print_noc_curve(const json_t *points, FILE *out)
{
	const json_t *point;
	size_t i;

	fputs("offered  accepted  latency      max   busiest: in  links    out\n", out);
	json_array_foreach(points, i, point)
	    fprintf(out, "%7.3f  %8.3f  %7.1f  %7lld       %5.1f%% %5.1f%% %5.1f%%\n", real_at(point, "offered"),
		    real_at(point, "accepted"), real_at(point, "latency_mean"),
		    (long long)json_integer_value(json_object_get(point, "latency_max")), 100 * busiest_at(point, "in"),
		    100 * busiest_at(point, "links"), 100 * busiest_at(point, "out"));
}

static void print_dram_curve(const json_t *points, FILE *out)
{
	const json_t *point;
	size_t i;

	fputs("bandwidth      GB/s  latency  row hits\n", out);
	json_array_foreach(points, i, point)
	    fprintf(out, "%9.3f  %8.1f  %7.1f  %8.3f\n", real_at(point, "bandwidth_fraction"),
		    real_at(point, "bandwidth_gbs"), real_at(point, "latency_mean"), real_at(point, "row_hit_rate"));
}

static int write_json(const char *path, json_t *results)
{
	char *text = json_dumps(results, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	struct diag d = DIAG_INIT;
	struct outfile out;
	int status = outfile_open(&out, path, &d);

	if (status == 0) {
		fprintf(out.stream, "%s\n", text);
		status = outfile_commit(&out, &d);
	}
	if (status < 0)
		diag_print(&d, stderr);
	free(text);
	return status < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

static json_t *head_json(const struct sim_config *config, enum component component, const struct probe_traffic *t)
{
	return json_pack("{s:i, s:s, s:s, s:s}", "schema", 1, "gpu", config->name, "component",
			 component == COMPONENT_DRAM ? "dram" : "noc", "pattern", patterns[t->pattern].name);
}

static json_t *point_json(const struct sim_config *config, enum component component, const struct probe_traffic *t)
{
	json_t *point = component == COMPONENT_DRAM ? dram_json(&config->memory, t) : noc_json(&config->memory, t);

	json_object_set_new(point, "rate", json_real(t->rate));
	return point;
}

/* One rate: its values beside the head. Several: a list of them, and a table for people where the JSON goes to a file.
 */
static json_t *measure(const struct probe_options *o, const struct sim_config *config, enum component component,
		       struct probe_traffic *t, const rates *list)
{
	json_t *results = head_json(config, component, t), *points;

	if (list->len <= 1) {
		t->rate = list->len ? list->data[0] : t->rate;
		json_object_update_new(results, point_json(config, component, t));
		return results;
	}
	points = json_array();
	for (size_t i = 0; i < list->len; i++) {
		t->rate = list->data[i];
		json_array_append_new(points, point_json(config, component, t));
	}
	if (strcmp(o->machine.json, "-") != 0)
		(component == COMPONENT_DRAM ? print_dram_curve : print_noc_curve)(points, stdout);
	json_object_set_new(results, "points", points);
	return results;
}

static int probe_machine(const struct probe_options *o, enum component component, struct probe_traffic *traffic,
			 const rates *list)
{
	int status;
	struct sim_config *config = sim_command_config(&o->machine, &status);
	json_t *results;

	if (!config)
		return status;
	results = measure(o, config, component, traffic, list);
	status = write_json(o->machine.json, results);
	json_decref(results);
	sim_config_free(config);
	return status;
}

static int probe(const struct probe_options *o, enum component component)
{
	struct probe_traffic traffic;
	rates list = VEC_INIT;
	int status = traffic_of(o, component, &traffic);

	if (status == EXIT_OK && o->sweep && o->rate)
		status = wrong("--sweep takes every rate; leave --rate out");
	if (status == EXIT_OK && !rates_of(o, &list))
		status = wrong("--rate must be numbers from 0 to 1, with commas between them");
	if (status == EXIT_OK)
		status = probe_machine(o, component, &traffic, &list);
	vec_release(&list);
	return status;
}

static bool check_files(const struct sim_command *machine)
{
	struct used_file files[SIM_COMMAND_FILES];

	sim_command_files(machine, files);
	return used_files_check("probe", files, SIM_COMMAND_FILES);
}

static int probe_gpu_model(struct probe_options *o, const char *gpu)
{
	struct sim_config *config;
	int status;

	if (gpu)
		o->machine.gpu = gpu;
	config = sim_command_config(&o->machine, &status);
	if (!config)
		return status;
	o->benches.json = o->machine.json;
	status = probe_benches(&o->benches, config);
	sim_config_free(config);
	return status;
}

static int probe_component(struct probe_options *o, const char *component)
{
	if (!o->machine.json)
		o->machine.json = "-";
	if (strcmp(component, "dram") == 0)
		return probe(o, COMPONENT_DRAM);
	if (strcmp(component, "noc") == 0)
		return probe(o, COMPONENT_NOC);
	return wrong("name one component: dram, noc or gpu");
}

int cmd_probe(int argc, char **argv)
{
	struct probe_options o = {.machine = {.gpu = "selrep64", .json = NULL},
				  .stride = 128,
				  .cycles = 50000,
				  .warmup = 10000,
				  .seed = 1,
				  .flits = 1};
	const struct option_row rows[] = {
	    {'g', "gpu", OPT_STRING, &o.machine.gpu, "NAME|FILE.yaml", "the GPU (selrep64)"},
	    {0, "set", OPT_LIST, &o.machine.set, "SECTION.KEY=VALUE", "change one value of the GPU; may be repeated"},
	    {'p', "pattern", OPT_CHOICE, &o.pattern, "uniform|hotspot|stream|stride|conflict|permutation",
	     "where the traffic goes (uniform)"},
	    {'r', "rate", OPT_STRING, &o.rate, "R[,R..]",
	     "dram: share of the peak that is offered (1); noc: flits per source and cycle (0.1)"},
	    {0, "sweep", OPT_FLAG, &o.sweep, NULL, "a curve: the rates 0.05, 0.1, .. 1"},
	    {0, "writes", OPT_STRING, &o.writes, "PERCENT", "dram: share of writes (0)"},
	    {0, "stride", OPT_SIZE, &o.stride, "BYTES", "dram: distance of pattern stride (128)"},
	    {0, "network", OPT_CHOICE, &o.network, "request|reply", "noc: which network (request)"},
	    {0, "flits", OPT_UINT, &o.flits, "N", "noc: flits of a packet (1)"},
	    {0, "cycles", OPT_UINT, &o.cycles, "N", "cycles or memory clocks that are measured (50000)"},
	    {0, "warmup", OPT_UINT, &o.warmup, "N", "and those before (10000)"},
	    {0, "seed", OPT_UINT, &o.seed, "N", "of the random numbers (1)"},
	    {0, "truth", OPT_STRING, &o.benches.truth, "FILE.csv", "gpu: measured values to compare with"},
	    {0, "truth-gpu", OPT_STRING, &o.benches.truth_gpu, "NAME", "gpu: whose values (of the model's name)"},
	    {0, "only", OPT_STRING, &o.benches.only, "TEXT", "gpu: benchmarks whose name has this in it"},
	    {0, "points", OPT_UINT, &o.benches.points, "N", "gpu: at most so many points of each benchmark"},
	    {'j', "json", OPT_STRING, &o.machine.json, "FILE", "write the result here ('-' = standard output)"},
	    {0}};
	const struct usage usage = {
	    "probe", "dram|noc|gpu [NAME]",
	    "Drives one component of a GPU model with synthetic traffic and prints JSON, or the whole model with\n"
	    "micro-benchmarks and prints a table.",
	    rows,
	    "stream, stride and conflict (one bank of each channel, a new row each time) are "
	    "for dram, permutation for noc;\n"
	    "hotspot is one channel, or one sink. DRAM latencies are in memory clocks, from "
	    "arrival at the channel to the\n"
	    "last data; NoC latencies in cycles, from creation to arrival. Several rates give a "
	    "list of points, and with\n"
	    "--json=FILE a table on the standard output."};
	int operands = options_parse(&usage, argc, argv), status;

	if (operands < 0)
		return usage_exit(operands);
	if (!check_files(&o.machine))
		status = EXIT_WRONG_USAGE;
	else if (operands > 0 && operands <= 2 && strcmp(argv[0], "gpu") == 0)
		status = probe_gpu_model(&o, operands == 2 ? argv[1] : NULL);
	else
		status = probe_component(&o, operands == 1 ? argv[0] : "");
	free(o.machine.set.data);
	return status;
}
