/* Table 1 of the SAC paper, and what we put in its place. */
#include "sim-backend/llc/eab.h"

#include <math.h>
#include <stdbool.h>

/* The bandwidths that local or remote requests meet. */
struct terms {
	double sm_llc;     /* between SMs and slices */
	double hit, miss;  /* of the slices, for hits and for misses */
	double llc_memory; /* between slices and memory */
	double memory;
};

static double available(const struct terms *t)
{
	return fmin(t->sm_llc, t->hit + fmin(t->miss, fmin(t->llc_memory, t->memory)));
}

/* For the fraction `share` of the requests; both organisations have these terms in common. */
static struct terms terms_of(const struct eab_machine *machine, const struct eab_inputs *in, double share)
{
	double llc = machine->llc * in->uniformity * share;

	return (struct terms){.hit = llc * in->hit,
			      .miss = llc * (1 - in->hit),
			      .llc_memory = INFINITY,
			      .memory = machine->memory * share};
}

struct eab eab_memory_side(const struct eab_machine *machine, const struct eab_inputs *in)
{
	struct terms local = terms_of(machine, in, in->local), remote = terms_of(machine, in, 1 - in->local);

	local.sm_llc = machine->intra;
	remote.sm_llc = machine->inter;
	return (struct eab){available(&local), available(&remote)};
}

struct eab eab_sm_side(const struct eab_machine *machine, const struct eab_inputs *in)
{
	struct terms local = terms_of(machine, in, in->local), remote = terms_of(machine, in, 1 - in->local);

	local.sm_llc = machine->intra * in->local;
	remote.sm_llc = machine->intra * (1 - in->local);
	remote.llc_memory = machine->inter;
	return (struct eab){available(&local), available(&remote)};
}

double eab_uniformity(uint64_t requests, uint64_t most, unsigned slices)
{
	return most ? (double)requests / ((double)most * slices) : 1;
}

double eab_bottleneck(const struct eab_machine *machine, const struct eab_load *load)
{
	double slices = machine->llc / load->slices, memory = machine->memory / load->memory;
	double parts = fmin(fmin(machine->intra, slices), fmin(memory, machine->inter / load->links));

	return fmin(parts, machine->in_flight / load->cycles);
}

/* Bytes that leave the chip, or that come to it. */
static double of_chip(const struct eab_flows *flows, unsigned chips, unsigned chip, bool leaves)
{
	double sum = 0;

	for (unsigned other = 0; other < chips; other++)
		sum += leaves ? flows->bytes[chip][other] : flows->bytes[other][chip];
	return sum;
}

double eab_link_load(const struct eab_flows *flows, unsigned chips, double mean_hops)
{
	double all = 0, most = 0;

	for (unsigned chip = 0; chip < chips; chip++) {
		double leaves = of_chip(flows, chips, chip, true);

		all += leaves;
		most = fmax(most, fmax(leaves, of_chip(flows, chips, chip, false)));
	}
	return fmax(mean_hops * all, most * chips);
}
