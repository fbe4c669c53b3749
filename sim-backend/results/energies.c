/* The energy of a run, a kernel or a structure: passes a result's counters to the energy model. */
#include "sim-backend/results/result.h"

#include "sim-backend/knobs/stat.h"

static struct energy_machine machine_of(const struct sim_result *r, const struct counters *c)
{
	const struct memsys_config *memory = &r->config->memory;

	return (struct energy_machine){.sms = r->config->gpu.sms,
				       .chips = memory->chips.count,
				       .channels = r->nchannels,
				       .llc_kilobytes = memory->chips.count * memory->llc.kilobytes,
				       .router_ports = r->router_ports,
				       .long_links = r->long_links,
				       .burst_bytes = memory->dram.burst_bytes,
				       .channel_bytes = memory->noc.channel_bytes,
				       .refreshes_of_all = memory->dram.tRFCb ? memory->dram.banks : 1,
				       .seconds = (double)c->run.cycles / (r->config->gpu.clock_mhz * 1e6)};
}

static struct energy_counts counts_of(const struct counters *c)
{
	return (struct energy_counts){
	    .sm = &c->sm, .l1 = &c->l1, .noc = &c->noc, .llc = &c->llc, .dram = &c->dram, .links = &c->links};
}

struct energy result_energy(const struct sim_result *r, const struct counters *c,
			    const struct structure_counters *charged)
{
	struct energy_machine machine = machine_of(r, c);
	struct energy_counts counts = counts_of(c);

	return energy_of(&r->config->energy, &machine, &counts, charged);
}

struct energy result_energy_of_structure(const struct sim_result *r, const struct counters *c,
					 const struct structure_counters *s)
{
	struct energy_machine machine = machine_of(r, c);
	struct energy_counts counts = counts_of(c);

	return energy_of_structure(&r->config->energy, &machine, &counts, s);
}

/* The configuration is there until then. */
void result_end_energies(struct sim_result *r)
{
	struct structure_counters charged = result_charged(r, &r->end, NULL, 0);

	r->energy = result_energy(r, &r->total, &charged);
	for (size_t i = 0; i < r->structures.len; i++)
		r->structures.data[i].energy_j =
		    result_energy_of_structure(r, &r->total, &r->end.structures[i]).total_j;
	for (size_t i = 0; i < r->by_kernel.rows.len; i++) {
		struct kernel_total *t = &r->by_kernel.rows.data[i];

		if (t->counted)
			t->energy_j = result_energy(r, &t->counts, NULL).watts * (double)t->cycles /
				      (r->config->gpu.clock_mhz * 1e6);
	}
}

/* Row 0 is every kernel's. */
static bool is_row_of(const struct kernel_result *kernels, size_t count, size_t row)
{
	for (size_t i = 0; i < count; i++)
		if (row - kernels[i].first_structure < kernels[i].nstructures)
			return true;
	return row == 0;
}

size_t result_next_row(const struct sim_result *r, const struct kernel_result *kernels, size_t count, size_t row)
{
	while (row < r->structures.len && kernels && !is_row_of(kernels, count, row))
		row++;
	return row;
}

struct structure_counters result_charged(const struct sim_result *r, const struct moment *counts,
					 const struct kernel_result *kernels, size_t count)
{
	struct structure_counters sum = {0};

	for (size_t i = result_next_row(r, kernels, count, 0); i < r->structures.len;
	     i = result_next_row(r, kernels, count, i + 1))
		stats_add(structure_stat_rows, &sum, &counts->structures[i]);
	return sum;
}
