/* The numbers of a result that people see. */
#include "sim-backend/results/result.h"

#include "trace/trace.h"

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

const char *sim_slot_word(enum issue_slot slot)
{
	static const char *const words[SLOT_COUNT] = {
#define SLOT(name, counter, word, help) word,
#include "sim-backend/sm/issue_slots.def"
#undef SLOT
	};

	return words[slot];
}

static void fill_slots(const struct sm_stats *sm, double shares[SLOT_COUNT])
{
	double all = 0;

	for (unsigned i = 0; i < SLOT_COUNT; i++)
		all += (double)sm->slots[i];
	for (unsigned i = 0; i < SLOT_COUNT; i++)
		shares[i] = ratio((double)sm->slots[i], all);
}

static struct sim_energy_shares shares_of(const struct energy *e)
{
	const double *parts = e->parts;

	return (struct sim_energy_shares){
	    .sms = ratio(parts[ENERGY_SM], e->total_j),
	    .networks = ratio(parts[ENERGY_NOC] + parts[ENERGY_LINKS], e->total_j),
	    .caches = ratio(parts[ENERGY_L1] + parts[ENERGY_LLC] + parts[ENERGY_DIRECTORY], e->total_j),
	    .memory = ratio(parts[ENERGY_DRAM], e->total_j),
	    .at_rest = ratio(e->static_j, e->total_j)};
}

struct sim_summary sim_result_summary(const struct sim_result *r)
{
	const struct counters *c = &r->total;

	struct sim_summary s = {
	    .gpu = r->gpu,
	    .llc_policy = r->llc_policy,
	    .l1_policy = r->l1_policy,
	    .launches = r->launches,
	    .cycles = r->cycles,
	    .warp_instructions = c->sm.warp_instructions,
	    .thread_instructions = c->sm.thread_instructions,
	    .ipc = counters_rate(c, "run", "ipc"),
	    .l1_miss_rate = counters_rate(c, "l1", "miss_rate"),
	    .llc_miss_rate = counters_rate(c, "llc", "miss_rate"),
	    .replies_per_cycle = counters_rate(c, "llc", "replies_per_cycle"),
	    .bandwidth_gbs = counters_rate(c, "dram", "bandwidth_gbs"),
	    .energy_j = r->energy.total_j,
	    .watts = r->energy.watts,
	    .shares = shares_of(&r->energy),
	    .complete = r->complete,
	    .wall_seconds = r->wall_seconds,
	    .cycles_per_second = ratio((double)r->simulated.run.cycles, r->wall_seconds),
	    .warp_instructions_per_second = ratio((double)r->simulated.sm.warp_instructions, r->wall_seconds),
	    .plan = r->plan,
	    .sampling = r->sampling,
	    .loads = c->l1.accesses,
	    .loads_marked = c->l1.read_only,
	    .launches_unmarked = r->launches_unmarked,
	    .marks = r->marks,
	    .lives_on_marks = r->lives_on_marks,
	    .bandwidth_use = ratio(counters_rate(c, "dram", "bandwidth_gbs"), r->peak_gbs),
	};

	fill_slots(&c->sm, s.slots);
	return s;
}

struct sim_energy_split sim_result_energy(const struct sim_result *r)
{
	return (struct sim_energy_split){r->energy.elsewhere_j, r->energy.static_j};
}

/* --- How much of the machine is in use --- */

static struct sim_use ports_use(const struct sim_result *r)
{
	double sum = 0, most = 0, cycles = (double)r->total.run.cycles;

	for (unsigned i = 0; i < r->nslices; i++) {
		double beats = (double)r->end.slices[i].data_beats;

		sum += beats;
		most = beats > most ? beats : most;
	}
	return (struct sim_use){"LLC data ports", ratio(sum, r->nslices * cycles), ratio(most, cycles)};
}

static struct sim_use load_use(const struct sim_result *r, const char *name, const struct noc_load *load)
{
	double cycles = (double)r->simulated.run.cycles;

	return (struct sim_use){name, ratio(load->busy, load->channels * cycles), ratio(load->busiest, cycles)};
}

void sim_result_uses(const struct sim_result *r, struct sim_use uses[SIM_USES])
{
	static const char *const names[2][NOC_STAGES] = {
	    {[NOC_IN] = "SMs into the network", [NOC_LINKS] = "request links", [NOC_OUT] = "network to slices"},
	    {[NOC_IN] = "slices into the network", [NOC_LINKS] = "reply links", [NOC_OUT] = "network to SMs"},
	};
	unsigned n = 0;

	uses[n++] = ports_use(r);
	for (unsigned way = 0; way < 2; way++)
		for (unsigned stage = 0; stage < NOC_STAGES; stage++)
			uses[n++] = load_use(r, names[way][stage], &r->noc_load[way][stage]);
}

/* --- Tables --- */

bool sim_result_kernel(const struct sim_result *r, size_t index, struct sim_kernel *row)
{
	const struct kernel_total *t;

	if (index >= r->by_kernel.rows.len)
		return false;
	t = &r->by_kernel.rows.data[index];
	*row = (struct sim_kernel){
	    .name = t->name, .grid = t->grid, .block = t->block, .launches = t->launches, .cycles = t->cycles};
	row->counted = t->counted > 0;
	if (row->counted) {
		row->ipc = counters_rate(&t->counts, "run", "ipc");
		row->l1_miss_rate = counters_rate(&t->counts, "l1", "miss_rate");
		row->llc_miss_rate = counters_rate(&t->counts, "llc", "miss_rate");
		row->bandwidth_gbs = counters_rate(&t->counts, "dram", "bandwidth_gbs");
		row->energy_j = t->energy_j;
		row->warp_instructions = t->counts.sm.warp_instructions;
		row->ptx_instructions = t->counts.sm.ptx_instructions;
	}
	return true;
}

static bool is_accessed(const struct structure_counters *c)
{
	return c->core.l1_accesses + c->core.writes + c->core.atomics > 0;
}

bool sim_result_structure(const struct sim_result *r, size_t index, struct sim_structure *row)
{
	const struct structure_counters *c;
	const struct structure_result *s;
	size_t i = 0;

	for (; i < r->structures.len; i++)
		if (is_accessed(&r->end.structures[i]) && index-- == 0)
			break;
	if (i == r->structures.len)
		return false;
	s = &r->structures.data[i];
	c = &r->end.structures[i];
	*row = (struct sim_structure){.kernel = s->kernel,
				      .id = s->id,
				      .verdict = trace_verdict_name(s->verdict),
				      .marked = s->marked,
				      .l1_accesses = c->core.l1_accesses,
				      .l1_hits = c->core.l1_hits,
				      .writes = c->core.writes + c->core.atomics,
				      .llc_accesses = c->memory.accesses,
				      .llc_hits = c->memory.hits,
				      .energy_j = s->energy_j};
	return true;
}

bool sim_result_line(const struct sim_result *r, size_t index, struct sim_line *row)
{
	const struct line_result *line;

	if (index >= r->lines.len)
		return false;
	line = &r->lines.data[index];
	*row = (struct sim_line){line->kernel, line->source_line, line->ptx_line, &line->stats};
	return true;
}
