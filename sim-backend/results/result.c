/* Writes the result as JSON. The rows that declare the counters name them, so nothing is listed twice. */
#include "sim-backend/results/result.h"

#include "common/xalloc.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/memory/unloaded.h"
#include "sim-backend/outside/outside.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <sys/resource.h>

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

/* --- Moments --- */

unsigned result_channels(const struct sim_config *c)
{
	return c->memory.chips.count * c->memory.noc.mc_routers * c->memory.dram.channels_per_mc;
}

unsigned result_slices(const struct sim_config *c)
{
	return c->memory.chips.count * c->memory.noc.mc_routers * c->memory.llc.slices_per_mc;
}

static void *space_for(const struct stat_row *rows)
{
	return rows ? xcalloc(1, stats_extent(rows)) : NULL;
}

void moment_init(struct moment *m, const struct sim_config *config, size_t nstructures)
{
	*m = (struct moment){.structures = xcalloc(nstructures, sizeof *m->structures),
			     .nstructures = nstructures,
			     .llc_policy = space_for(config->llc_policy->stats),
			     .l1_policy = space_for(config->l1_policy->stats),
			     .replacement = space_for(config->replacement->stats),
			     .slices = xcalloc(result_slices(config), sizeof *m->slices),
			     .channels = xcalloc(result_channels(config), sizeof *m->channels),
			     .banks = xcalloc(result_channels(config) * config->memory.dram.banks, sizeof *m->banks),
			     .chips = xcalloc(config->memory.chips.count, sizeof *m->chips)};
}

void moment_release(struct moment *m)
{
	xfree(m->structures);
	xfree(m->llc_policy);
	xfree(m->l1_policy);
	xfree(m->replacement);
	xfree(m->slices);
	xfree(m->channels);
	xfree(m->banks);
	xfree(m->chips);
}

void moment_since(const struct sim_result *r, struct moment *now, const struct moment *before)
{
	counters_since(&now->counters, &before->counters);
	for (size_t i = 0; i < r->structures.len; i++)
		stats_subtract(structure_stat_rows, &now->structures[i], &before->structures[i]);
	if (now->llc_policy)
		stats_subtract(r->config->llc_policy->stats, now->llc_policy, before->llc_policy);
	if (now->l1_policy)
		stats_subtract(r->config->l1_policy->stats, now->l1_policy, before->l1_policy);
	if (now->replacement)
		stats_subtract(r->config->replacement->stats, now->replacement, before->replacement);
	for (unsigned i = 0; i < r->nslices; i++)
		stats_subtract(llc_stat_rows, &now->slices[i], &before->slices[i]);
	for (unsigned i = 0; i < r->nchannels; i++)
		stats_subtract(dram_stat_rows, &now->channels[i], &before->channels[i]);
	for (unsigned i = 0; i < r->nchannels * r->nbanks; i++)
		stats_subtract(bank_stat_rows, &now->banks[i], &before->banks[i]);
	for (unsigned i = 0; i < r->nchips; i++)
		stats_subtract(chip_stat_rows, &now->chips[i], &before->chips[i]);
}

void moment_add_times(const struct sim_result *r, struct moment *a, const struct moment *b, double factor)
{
	size_t structures = a->nstructures < b->nstructures ? a->nstructures : b->nstructures;

	counters_add_times(&a->counters, &b->counters, factor);
	for (size_t i = 0; i < structures && i < r->structures.len; i++)
		stats_add_times(structure_stat_rows, &a->structures[i], &b->structures[i], factor);
	if (a->llc_policy)
		stats_add_times(r->config->llc_policy->stats, a->llc_policy, b->llc_policy, factor);
	if (a->l1_policy)
		stats_add_times(r->config->l1_policy->stats, a->l1_policy, b->l1_policy, factor);
	if (a->replacement)
		stats_add_times(r->config->replacement->stats, a->replacement, b->replacement, factor);
	for (unsigned i = 0; i < r->nslices; i++)
		stats_add_times(llc_stat_rows, &a->slices[i], &b->slices[i], factor);
	for (unsigned i = 0; i < r->nchannels; i++)
		stats_add_times(dram_stat_rows, &a->channels[i], &b->channels[i], factor);
	for (unsigned i = 0; i < r->nchannels * r->nbanks; i++)
		stats_add_times(bank_stat_rows, &a->banks[i], &b->banks[i], factor);
	for (unsigned i = 0; i < r->nchips; i++)
		stats_add_times(chip_stat_rows, &a->chips[i], &b->chips[i], factor);
}

/* --- Rows --- */

/* `sparse` leaves out what is 0, except what scripts rely on. */
static void put_rows(struct json_out *o, const struct stat_row *rows, const void *values, bool sparse)
{
	for (const struct stat_row *row = rows; row->name; row++) {
		const char *at = (const char *)values + row->offset;

		if (sparse && !(row->flags & STAT_IS_PROMISED) && stat_value(row, values) == 0)
			continue;
		if (row->type == STAT_TYPE_REAL)
			out_real(o, row->name, *(const double *)at);
		else
			out_count(o, row->name, *(const uint64_t *)at);
	}
}

static void put_derived(struct json_out *o, const struct stat_formula *derived, const struct stat_view *views,
			bool sparse)
{
	for (const struct stat_formula *f = derived; f && f->name; f++) {
		double value;

		if (!formula_compute(f->text, views, &value))
			BUG("formula of %s: %s", f->name, f->text);
		if (sparse && !(f->flags & STAT_IS_PROMISED) && value == 0)
			continue;
		if (f->type == STAT_TYPE_COUNT)
			out_count(o, f->name, (uint64_t)value);
		else
			out_real(o, f->name, value);
	}
}

static bool has_section(const struct sim_result *r, const struct stat_section *s)
{
	const struct chips_config *chips = &r->config->memory.chips;

	switch (s->shown) {
	case SHOWN_ALWAYS: return true;
	case SHOWN_IN_DETAIL: return r->detail;
	case SHOWN_OF_CHIPS: return chips->count > 1;
	case SHOWN_WITH_DIRECTORY: return chips->count > 1 && chips->coherence == COHERENCE_HARDWARE;
	case SHOWN_WITH_TLB: return r->config->memory.tlb.entries > 0;
	case SHOWN_WITH_WORKING_SET: return chips->count > 1 && chips->working_set;
	}
	return false;
}

/* The members of section `run` are beside the other sections, and the machine's sizes are in `config`. */
static void put_counters(const struct sim_result *r, struct json_out *o, const struct counters *c, bool sparse)
{
	struct stat_view views[MAX_STAT_VIEWS];

	counters_views(c, views);
	out_count(o, "cycles", c->run.cycles);
	put_derived(o, counter_sections[0].derived, views, sparse);
	for (const struct stat_section *s = counter_sections + 1; s->rows; s++) {
		if (!has_section(r, s))
			continue;
		out_open(o, s->name, '{');
		put_rows(o, s->rows, (const char *)c + s->offset, sparse);
		put_derived(o, s->derived, views, sparse);
		out_close(o, '}');
	}
}

static void put_object(struct json_out *o, const char *key, const struct stat_row *rows, const void *values,
		       bool sparse)
{
	out_open(o, key, '{');
	put_rows(o, rows, values, sparse);
	out_close(o, '}');
}

static bool all_zero(const struct stat_row *row, const char *values, size_t size, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (stat_value(row, values + i * size) != 0)
			return false;
	return true;
}

/* A list for each row, with a number for each of `count` structs of `size` bytes; lists of zeros are left out. */
static void put_columns(struct json_out *o, const char *key, const struct stat_row *rows, const void *values,
			size_t size, unsigned count)
{
	out_open(o, key, '{');
	for (const struct stat_row *row = rows; row->name; row++) {
		if (all_zero(row, values, size, count))
			continue;
		out_open_flat(o, row->name, '[');
		for (unsigned i = 0; i < count; i++)
			out_count(o, NULL, (uint64_t)stat_value(row, (const char *)values + i * size));
		out_close(o, ']');
	}
	out_close(o, '}');
}

/* --- Parts --- */

static void put_knob(struct json_out *o, const struct knob *knob, const void *values)
{
	char text[KNOB_NAME_BYTES];

	switch (knob->type) {
	case KNOB_TYPE_UINT: out_count(o, knob->name, knob_uint(knob, values)); return;
	case KNOB_TYPE_REAL: out_real(o, knob->name, knob_real(knob, values)); return;
	case KNOB_TYPE_BOOL: out_bool(o, knob->name, knob_bool(knob, values)); return;
	case KNOB_TYPE_CHOICE:
	case KNOB_TYPE_NAME: break;
	}
	knob_format(knob, values, text, sizeof text);
	out_text(o, knob->name, text);
}

static void put_config(struct json_out *o, const struct sim_config *config)
{
	out_open(o, "config", '{');
	for (size_t i = 0; i < config->nsections; i++) {
		const struct config_section *section = &config->sections[i];

		if (!sim_config_in_force(config, section))
			continue;
		out_open(o, section->name, '{');
		for (const struct knob *knob = section->knobs; knob->name; knob++)
			put_knob(o, knob, section->values);
		out_close(o, '}');
	}
	out_close(o, '}');
}

/* What follows from the configuration, and counters are held against. */
static void put_machine(const struct sim_result *r, struct json_out *o)
{
	struct unloaded_stages unloaded = unloaded_stages_of(&r->config->memory);

	out_open(o, "machine", '{');
	out_real(o, "memory_gbs", r->peak_gbs);
	out_open(o, "unloaded", '{');
	out_real(o, "request_network", unloaded.request_network);
	out_real(o, "pipeline", unloaded.pipeline);
	out_real(o, "memory", unloaded.memory);
	out_real(o, "reply_network", unloaded.reply_network);
	out_close(o, '}');
	out_close(o, '}');
}

static void put_policies(const struct sim_result *r, struct json_out *o, const struct moment *m, bool sparse)
{
	out_open(o, "policy_stats", '{');
	if (m->l1_policy)
		put_object(o, r->l1_policy, r->config->l1_policy->stats, m->l1_policy, sparse);
	if (m->llc_policy)
		put_object(o, r->llc_policy, r->config->llc_policy->stats, m->llc_policy, sparse);
	if (m->replacement)
		put_object(o, r->config->replacement->section, r->config->replacement->stats, m->replacement, sparse);
	out_close(o, '}');
}

static bool is_touched(const struct structure_counters *s)
{
	return s->core.l1_accesses + s->core.writes + s->core.atomics > 0;
}

static void put_energy(struct json_out *o, const struct energy *e, bool sparse)
{
	put_object(o, "energy", energy_rows, e, sparse);
	put_object(o, "energy_events", energy_event_rows, e, sparse);
}

static void put_structure_energy(const struct sim_result *r, struct json_out *o, const struct moment *m, size_t row)
{
	struct energy e = result_energy_of_structure(r, &m->counters, &m->structures[row]);

	put_object(o, "energy", structure_energy_rows, &e, false);
}

static void put_structures(const struct sim_result *r, struct json_out *o)
{
	out_open(o, "structures", '[');
	for (size_t i = 0; i < r->structures.len; i++) {
		const struct structure_result *s = &r->structures.data[i];

		if (i == 0 && !is_touched(&r->end.structures[0]))
			continue;
		out_open(o, NULL, '{');
		out_text(o, "kernel", s->kernel);
		out_text(o, "id", s->id);
		out_text(o, "verdict", trace_verdict_name(s->verdict));
		out_bool(o, "marked", s->marked);
		out_count(o, "launches", s->launches);
		put_rows(o, structure_stat_rows, &r->end.structures[i], false);
		put_structure_energy(r, o, &r->end, i);
		out_close(o, '}');
	}
	out_close(o, ']');
}

/* --- One kernel --- */

static void put_triple(struct json_out *o, const char *key, const uint32_t *values)
{
	out_open(o, key, '[');
	for (unsigned i = 0; i < 3; i++)
		out_count(o, NULL, values[i]);
	out_close(o, ']');
}

static void put_structure_in(const struct sim_result *r, struct json_out *o, const struct moment *counts, size_t row)
{
	const struct structure_counters *s = &counts->structures[row];

	if (!is_touched(s))
		return;
	out_open(o, NULL, '{');
	out_text(o, "id", r->structures.data[row].id);
	put_rows(o, structure_stat_rows, s, true);
	put_structure_energy(r, o, counts, row);
	out_close(o, '}');
}

/* The structures of these kernels. */
static void put_structures_in(const struct sim_result *r, struct json_out *o, const struct kernel_result *kernels,
			      size_t count, const struct moment *counts)
{
	out_open(o, "structures", '[');
	for (size_t i = result_next_row(r, kernels, count, 0); i < r->structures.len;
	     i = result_next_row(r, kernels, count, i + 1))
		put_structure_in(r, o, counts, i);
	out_close(o, ']');
}

static void put_units(const struct sim_result *r, struct json_out *o, const struct moment *counts)
{
	put_columns(o, "slices", llc_stat_rows, counts->slices, sizeof *counts->slices, r->nslices);
	put_columns(o, "channels", dram_stat_rows, counts->channels, sizeof *counts->channels, r->nchannels);
	if (r->nchips > 1)
		put_columns(o, "chips", chip_stat_rows, counts->chips, sizeof *counts->chips, r->nchips);
}

static void put_banks(const struct sim_result *r, struct json_out *o, const struct moment *counts)
{
	put_columns(o, "banks", bank_stat_rows, counts->banks, sizeof *counts->banks, r->nchannels * r->nbanks);
}

static void put_head(struct json_out *o, const struct kernel_result *k)
{
	out_open_flat(o, NULL, '{');
	out_text(o, "name", k->name);
	out_count(o, "launch", k->launch);
	put_triple(o, "grid", k->grid);
	put_triple(o, "block", k->block);
	out_bool(o, "marks_in_force", k->marks_in_force);
}

/* Counters from the time while the kernels ran. */
static void put_counts(const struct sim_result *r, struct json_out *o, const struct kernel_result *kernels,
		       size_t count, const struct moment *counts)
{
	struct structure_counters charged = result_charged(r, counts, kernels, count);
	struct energy energy = result_energy(r, &counts->counters, &charged);

	put_counters(r, o, &counts->counters, true);
	put_energy(o, &energy, true);
	put_structures_in(r, o, kernels, count, counts);
	put_policies(r, o, counts, true);
	if (r->detail) {
		put_units(r, o, counts);
		put_banks(r, o, counts);
	}
}

static void put_own(struct json_out *o, const struct kernel_result *k, uint32_t first)
{
	put_head(o, k);
	out_count(o, "counted_in", first);
	out_count(o, "cycles", k->own.end - k->own.begin);
	put_rows(o, own_stat_rows, &k->own, true);
	out_close(o, '}');
}

void result_at_once(struct sim_result *r, const struct kernel_result *kernels, size_t count,
		    const struct moment *counts)
{
	struct json_out *o = &r->json;

	r->launches += count;
	kernel_totals_add(&r->by_kernel, &(struct kernel_result){.name = "(at once)"}, counts->counters.run.cycles,
			  &counts->counters);
	for (size_t i = 0; i < count; i++) {
		kernel_totals_add(&r->by_kernel, &kernels[i], kernels[i].own.end - kernels[i].own.begin, NULL);
		r->launches_unmarked += !kernels[i].marks_in_force;
		trace_marks_add(&r->marks, kernels[i].marks);
	}
	if (!o->stream)
		return;
	for (size_t i = 0; i < count; i++)
		put_own(o, &kernels[i], kernels[0].launch);
	out_open_flat(o, NULL, '{');
	out_text(o, "name", "(at once)");
	out_count(o, "launch", kernels[0].launch);
	out_open(o, "launches", '[');
	for (size_t i = 0; i < count; i++)
		out_count(o, NULL, kernels[i].launch);
	out_close(o, ']');
	put_counts(r, o, kernels, count, counts);
	out_close(o, '}');
}

void result_kernel(struct sim_result *r, const struct kernel_result *k, const struct moment *counts)
{
	struct json_out *o = &r->json;

	r->launches++;
	r->launches_unmarked += !k->marks_in_force;
	trace_marks_add(&r->marks, k->marks);
	kernel_totals_add(&r->by_kernel, k, counts->counters.run.cycles, &counts->counters);
	if (!o->stream)
		return;
	put_head(o, k);
	out_count(o, "ctas_per_sm", k->occupancy.ctas);
	out_text(o, "occupancy_limit", occupancy_limit_name(k->occupancy.limit));
	out_count(o, "registers", k->registers);
	out_count(o, "estimated_registers", k->estimated_registers);
	if (sampling_wanted(&r->plan))
		put_object(o, "sampling", sampling_stat_rows, &k->sampling, true);
	put_counts(r, o, k, 1, counts);
	out_close(o, '}');
}

void result_alike(struct sim_result *r, const struct kernel_result *k, const struct group_result *group)
{
	struct json_out *o = &r->json;
	uint64_t cycles = (uint64_t)(group->cycles + 0.5);

	trace_marks_add(&r->marks, k->marks);
	kernel_totals_add(&r->by_kernel, k, cycles, NULL);
	if (!o->stream)
		return;
	put_head(o, k);
	out_count(o, "alike", group->first);
	out_count(o, "cycles", cycles);
	out_close(o, '}');
}

/* --- The document --- */

static void put_sampled(const struct sim_result *r, struct json_out *o)
{
	char text[64];

	if (!sampling_wanted(&r->plan))
		return;
	sampling_format(&r->plan, text, sizeof text);
	out_text(o, "sampled", text);
}

static void put_groups(const struct sim_result *r, struct json_out *o)
{
	out_open(o, "groups", '[');
	for (size_t i = 0; i < r->groups.len; i++) {
		const struct group_result *group = &r->groups.data[i];

		out_open_flat(o, NULL, '{');
		out_count(o, "first", group->first);
		out_count(o, "launches", group->launches);
		out_count(o, "simulated", group->simulated);
		out_real(o, "cycles", group->cycles);
		out_close(o, '}');
	}
	out_close(o, ']');
}

static void put_sampling(const struct sim_result *r, struct json_out *o)
{
	if (!sampling_wanted(&r->plan))
		return;
	put_object(o, "sampling", sampling_stat_rows, &r->sampling, true);
	if (r->plan.kernels)
		put_groups(r, o);
}

static uint64_t l1_policy_bits(const struct sim_config *config)
{
	const struct config_section *section = sim_config_section(config, config->l1_policy->name);

	return config->l1_policy->storage_bits(&config->l1, section ? section->values : NULL);
}

/* Which contents the policies from outside have, by their names. */
static void put_policy_files(struct json_out *o, const struct sim_config *c)
{
	const struct {
		const char *name;
		const void *ops;
	} policies[] = {{c->llc_policy->name, c->llc_policy},
			{c->l1_policy->name, c->l1_policy},
			{c->replacement->name, c->replacement}};
	bool any = false;

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		const char *hash = outside_hash(policies[i].ops);

		if (!hash)
			continue;
		if (!any)
			out_open(o, "policy_files", '{');
		any = true;
		out_text(o, policies[i].name, hash);
	}
	if (any)
		out_close(o, '}');
}

void result_begin(struct sim_result *r)
{
	struct json_out *o = &r->json;

	if (!o->stream)
		return;
	out_open(o, NULL, '{');
	out_count(o, "schema", 1);
	put_sampled(r, o);
	out_text(o, "gpu", r->gpu);
	out_text(o, "llc_policy", r->llc_policy);
	out_text(o, "l1_policy", r->l1_policy);
	out_count(o, "l1_policy_bits", l1_policy_bits(r->config));
	put_policy_files(o, r->config);
	put_config(o, r->config);
	put_machine(r, o);
	out_open(o, "kernels", '[');
}

/* Share of the cycles that channels are busy. It shows when a gain comes from the network and not from the slices. */
static void put_load(struct json_out *o, const char *key, const struct noc_load *loads, uint64_t cycles)
{
	static const char *const stages[NOC_STAGES] = {[NOC_IN] = "in", [NOC_LINKS] = "links", [NOC_OUT] = "out"};

	out_open(o, key, '{');
	for (enum noc_stage i = NOC_IN; i < NOC_STAGES; i++) {
		const struct noc_load *load = &loads[i];

		out_open(o, stages[i], '{');
		out_count(o, "channels", load->channels);
		out_real(o, "mean", ratio(load->busy, (double)load->channels * (double)cycles));
		out_real(o, "busiest", ratio(load->busiest, (double)cycles));
		out_close(o, '}');
	}
	out_close(o, '}');
}

static void put_loads(const struct sim_result *r, struct json_out *o)
{
	out_open(o, "noc_load", '{');
	put_load(o, "request", r->noc_load[0], r->simulated.run.cycles);
	put_load(o, "reply", r->noc_load[1], r->simulated.run.cycles);
	out_close(o, '}');
}

static void put_host(const struct sim_result *r, struct json_out *o)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	out_open(o, "host", '{');
	out_real(o, "wall_seconds", r->wall_seconds);
	out_real(o, "cycles_per_second", ratio((double)r->simulated.run.cycles, r->wall_seconds));
	out_real(o, "warp_instructions_per_second", ratio((double)r->simulated.sm.warp_instructions, r->wall_seconds));
	out_count(o, "peak_rss_bytes", (uint64_t)usage.ru_maxrss * 1024);
	out_close(o, '}');
}

static void put_lines(const struct sim_result *r, struct json_out *o)
{
	out_open(o, "lines", '[');
	for (size_t i = 0; i < r->lines.len; i++) {
		const struct line_result *line = &r->lines.data[i];

		out_open_flat(o, NULL, '{');
		out_text(o, "kernel", line->kernel);
		out_count(o, "source_line", line->source_line);
		out_count(o, "ptx_line", line->ptx_line);
		put_rows(o, line_stat_rows, &line->stats, false);
		out_close(o, '}');
	}
	out_close(o, ']');
}

static void put_slice_accesses(const struct sim_result *r, struct json_out *o)
{
	out_open_flat(o, "slice_accesses", '[');
	for (unsigned i = 0; i < r->nslices; i++)
		out_count(o, NULL, r->end.slices[i].accesses);
	out_close(o, ']');
}

void result_end(struct sim_result *r)
{
	struct json_out *o = &r->json;

	r->total = r->end.counters;
	r->cycles = r->total.run.cycles;
	result_end_energies(r);
	if (!o->stream)
		return;
	out_close(o, ']');
	out_bool(o, "complete", r->complete);
	put_sampling(r, o);
	put_counters(r, o, &r->total, false);
	put_energy(o, &r->energy, false);
	put_slice_accesses(r, o);
	put_loads(r, o);
	put_units(r, o, &r->end);
	if (r->detail)
		put_banks(r, o, &r->end);
	put_structures(r, o);
	if (r->counts_lines)
		put_lines(r, o);
	put_policies(r, o, &r->end, false);
	if (r->marks)
		out_text(o, "marks", r->marks);
	out_count(o, "trace_bytes", r->trace_bytes);
	put_host(r, o);
	out_close(o, '}');
	putc('\n', o->stream);
}

void sim_result_free(struct sim_result *r)
{
	if (!r)
		return;
	vec_release(&r->structures);
	vec_release(&r->lines);
	vec_release(&r->groups);
	kernel_totals_release(&r->by_kernel);
	xfree(r->structure_stats);
	moment_release(&r->end);
	arena_release(&r->arena);
	xfree(r);
}
