/* Writes the result as JSON. The rows that declare the counters name them, so nothing is listed twice. */
#include "sim-backend/result.h"

#include "common/xalloc.h"
#include "sim-backend/llc/policy.h"
#include "trace/trace.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

/* Rates with nine digits: enough to compare, few enough to read. */
static json_t *real(double value)
{
	char text[64];

	snprintf(text, sizeof text, "%.9g", value);
	return json_real(strtod(text, NULL));
}

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static void add_rows(json_t *object, const struct stat_row *rows, const void *values)
{
	for (const struct stat_row *row = rows; row->name; row++) {
		const char *at = (const char *)values + row->offset;

		json_object_set_new(object, row->name,
				    row->type == STAT_TYPE_REAL ? real(*(const double *)at)
								: count(*(const uint64_t *)at));
	}
}

static json_t *rows_object(const struct stat_row *rows, const void *values)
{
	json_t *object = json_object();

	add_rows(object, rows, values);
	return object;
}

/* --- Configuration and policies --- */

static json_t *knob_value(const struct knob *knob, const void *values)
{
	char text[128];

	switch (knob->type) {
	case KNOB_TYPE_UINT: return count(knob_uint(knob, values));
	case KNOB_TYPE_REAL: return real(knob_real(knob, values));
	case KNOB_TYPE_BOOL: return json_boolean(knob_bool(knob, values));
	case KNOB_TYPE_CHOICE: break;
	}
	knob_format(knob, values, text, sizeof text);
	return json_string(text);
}

void result_keep_config(struct sim_result *r, const struct sim_config *config)
{
	json_t *all = json_object();

	for (size_t i = 0; i < config->nsections; i++) {
		const struct config_section *section = &config->sections[i];
		json_t *object;

		if (!sim_config_in_force(config, section))
			continue;
		object = json_object();
		for (const struct knob *knob = section->knobs; knob->name; knob++)
			json_object_set_new(object, knob->name, knob_value(knob, section->values));
		json_object_set_new(all, section->name, object);
	}
	r->config = all;
	r->policy_stats = json_object();
	r->gpu = arena_strdup(&r->arena, config->name);
	r->llc_policy = config->llc_policy->name;
	r->l1_policy = config->l1_policy->name;
	r->clock_mhz = config->gpu.clock_mhz;
	r->chips = config->memory.chips.count;
}

void result_add_policy(struct sim_result *r, const char *section, const struct stat_row *rows, const void *values)
{
	if (rows && values)
		json_object_set_new(r->policy_stats, section, rows_object(rows, values));
}

/* --- Sections --- */

static json_t *l1_section(const struct counters *c)
{
	json_t *object = rows_object(l1_stat_rows, &c->l1);

	json_object_set_new(object, "miss_rate",
			    real(ratio((double)c->l1.misses, (double)(c->l1.hits + c->l1.misses))));
	return object;
}

/*
 * A request that waits for another one's fill costs no memory access. Here it counts as a hit, and is also named by
 * itself.
 */
static json_t *llc_section(const struct counters *c, uint64_t cycles)
{
	json_t *object = rows_object(llc_stat_rows, &c->llc);

	json_object_set_new(object, "hits", count(c->llc.hits + c->llc.merges));
	json_object_set_new(object, "miss_rate", real(ratio((double)c->llc.misses, (double)c->llc.accesses)));
	json_object_set_new(object, "replies_per_cycle", real(ratio((double)c->llc.data_replies, (double)cycles)));
	return object;
}

static double bandwidth_gbs(const struct sim_result *r, const struct dram_stats *dram, uint64_t cycles)
{
	const json_t *burst = json_object_get(json_object_get(r->config, "dram"), "burst_bytes");
	double bytes = (double)json_integer_value(burst) * (double)(dram->read_bursts + dram->write_bursts);

	return ratio(bytes * r->clock_mhz * 1e-3, (double)cycles);
}

static json_t *dram_section(const struct sim_result *r, const struct counters *c, uint64_t cycles)
{
	json_t *object = rows_object(dram_stat_rows, &c->dram);

	json_object_set_new(object, "bandwidth_gbs", real(bandwidth_gbs(r, &c->dram, cycles)));
	return object;
}

static json_t *noc_section(const struct counters *c)
{
	json_t *object = rows_object(noc_stat_rows, &c->noc);

	json_object_set_new(object, "round_trip_mean",
			    real(ratio((double)c->noc.round_trip_cycles, (double)c->noc.round_trips)));
	return object;
}

static void add_counters(json_t *object, const struct sim_result *r, const struct counters *c, uint64_t cycles)
{
	json_object_set_new(object, "cycles", count(cycles));
	json_object_set_new(object, "warp_instructions", count(c->sm.warp_instructions));
	json_object_set_new(object, "thread_instructions", count(c->sm.thread_instructions));
	json_object_set_new(object, "ipc", real(ratio((double)c->sm.warp_instructions, (double)cycles)));
	json_object_set_new(object, "l1", l1_section(c));
	json_object_set_new(object, "llc", llc_section(c, cycles));
	json_object_set_new(object, "dram", dram_section(r, c, cycles));
	json_object_set_new(object, "noc", noc_section(c));
	if (r->chips > 1)
		json_object_set_new(object, "links", rows_object(link_stat_rows, &c->links));
	json_object_set_new(object, "sm", rows_object(sm_stat_rows, &c->sm));
}

static json_t *triple(const uint32_t *values)
{
	return json_pack("[I, I, I]", (json_int_t)values[0], (json_int_t)values[1], (json_int_t)values[2]);
}

static json_t *kernels_section(const struct sim_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->kernels.len; i++) {
		const struct kernel_result *k = &r->kernels.data[i];
		json_t *object = json_object();

		json_object_set_new(object, "name", json_string(k->name));
		json_object_set_new(object, "launch", count(k->launch));
		json_object_set_new(object, "grid", triple(k->grid));
		json_object_set_new(object, "block", triple(k->block));
		json_object_set_new(object, "marks_in_force", json_boolean(k->marks_in_force));
		json_object_set_new(object, "ctas_per_sm", count(k->occupancy.ctas));
		json_object_set_new(object, "occupancy_limit", json_string(occupancy_limit_name(k->occupancy.limit)));
		add_counters(object, r, &k->counters, k->cycles);
		json_array_append_new(list, object);
	}
	return list;
}

static bool is_touched(const struct sim_result *r, size_t i)
{
	const struct structure_stats *s = &r->structure_stats[i];

	return s->l1_accesses + s->writes + s->atomics > 0;
}

static json_t *structures_section(const struct sim_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->structures.len; i++) {
		const struct structure_result *s = &r->structures.data[i];
		json_t *object;

		if (i == 0 && !is_touched(r, i))
			continue;
		object = json_object();
		json_object_set_new(object, "kernel", json_string(s->kernel));
		json_object_set_new(object, "id", json_string(s->id));
		json_object_set_new(object, "verdict", json_string(trace_verdict_name(s->verdict)));
		json_object_set_new(object, "marked", json_boolean(s->marked));
		json_object_set_new(object, "launches", count(s->launches));
		add_rows(object, structure_stat_rows, &r->structure_stats[i]);
		json_object_set_new(object, "llc_accesses", count(r->llc_structures[0][i]));
		json_object_set_new(object, "llc_hits", count(r->llc_structures[1][i] + r->llc_structures[2][i]));
		json_object_set_new(object, "llc_merges", count(r->llc_structures[2][i]));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *slices_section(const struct sim_result *r)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->nslices; i++)
		json_array_append_new(list, count(r->slice_accesses[i]));
	return list;
}

/* Share of the cycles that channels are busy, so that a gain of the network is not taken for one of the slices. */
static json_t *load_section(const struct noc_load *loads, uint64_t cycles)
{
	static const char *const stages[NOC_STAGES] = {[NOC_IN] = "in", [NOC_LINKS] = "links", [NOC_OUT] = "out"};
	json_t *object = json_object();

	for (enum noc_stage i = NOC_IN; i < NOC_STAGES; i++) {
		const struct noc_load *load = &loads[i];

		json_object_set_new(object, stages[i],
				    json_pack("{s:I, s:o, s:o}", "channels", (json_int_t)load->channels, "mean",
					      real(ratio(load->busy, (double)load->channels * (double)cycles)),
					      "busiest", real(ratio(load->busiest, (double)cycles))));
	}
	return object;
}

static json_t *host_section(const struct sim_result *r)
{
	struct rusage usage;
	json_t *object = json_object();

	getrusage(RUSAGE_SELF, &usage);
	json_object_set_new(object, "wall_seconds", real(r->wall_seconds));
	json_object_set_new(object, "cycles_per_second", real(ratio((double)r->cycles, r->wall_seconds)));
	json_object_set_new(object, "warp_instructions_per_second",
			    real(ratio((double)r->total.sm.warp_instructions, r->wall_seconds)));
	json_object_set_new(object, "peak_rss_bytes", count((uint64_t)usage.ru_maxrss * 1024));
	return object;
}

char *sim_result_json(const struct sim_result *r)
{
	json_t *root = json_object();
	char *body, *text;
	size_t len;

	json_object_set_new(root, "schema", count(1));
	json_object_set_new(root, "gpu", json_string(r->gpu));
	json_object_set_new(root, "llc_policy", json_string(r->llc_policy));
	json_object_set_new(root, "l1_policy", json_string(r->l1_policy));
	json_object_set_new(root, "complete", json_boolean(r->complete));
	add_counters(root, r, &r->total, r->cycles);
	json_object_set_new(root, "energy", rows_object(energy_rows, &r->energy));
	json_object_set_new(root, "slice_accesses", slices_section(r));
	json_object_set_new(root, "noc_load",
			    json_pack("{s:o, s:o}", "request", load_section(r->noc_load[0], r->cycles), "reply",
				      load_section(r->noc_load[1], r->cycles)));
	json_object_set_new(root, "kernels", kernels_section(r));
	json_object_set_new(root, "structures", structures_section(r));
	json_object_set(root, "policy_stats", r->policy_stats);
	json_object_set(root, "config", r->config);
	json_object_set_new(root, "trace_bytes", count(r->trace_bytes));
	json_object_set_new(root, "host", host_section(r));
	body = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	json_decref(root);
	len = strlen(body);
	text = xrealloc(body, len + 2);
	memcpy(text + len, "\n", 2);
	return text;
}

struct sim_summary sim_result_summary(const struct sim_result *r)
{
	const struct counters *c = &r->total;

	return (struct sim_summary){
	    .gpu = r->gpu,
	    .llc_policy = r->llc_policy,
	    .l1_policy = r->l1_policy,
	    .launches = r->kernels.len,
	    .cycles = r->cycles,
	    .warp_instructions = c->sm.warp_instructions,
	    .thread_instructions = c->sm.thread_instructions,
	    .ipc = ratio((double)c->sm.warp_instructions, (double)r->cycles),
	    .l1_miss_rate = ratio((double)c->l1.misses, (double)(c->l1.hits + c->l1.misses)),
	    .llc_miss_rate = ratio((double)c->llc.misses, (double)c->llc.accesses),
	    .replies_per_cycle = ratio((double)c->llc.data_replies, (double)r->cycles),
	    .bandwidth_gbs = bandwidth_gbs(r, &c->dram, r->cycles),
	    .energy_j = r->energy.total_j,
	    .complete = r->complete,
	    .wall_seconds = r->wall_seconds,
	    .cycles_per_second = ratio((double)r->cycles, r->wall_seconds),
	    .warp_instructions_per_second = ratio((double)c->sm.warp_instructions, r->wall_seconds),
	};
}

void sim_result_free(struct sim_result *r)
{
	if (!r)
		return;
	json_decref(r->policy_stats);
	json_decref(r->config);
	vec_release(&r->kernels);
	vec_release(&r->structures);
	free(r->structure_stats);
	for (unsigned i = 0; i < 3; i++)
		free(r->llc_structures[i]);
	free(r->slice_accesses);
	arena_release(&r->arena);
	free(r);
}
