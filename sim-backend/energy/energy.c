/* The arithmetic, and where each number comes from. */
#include "sim-backend/energy/energy.h"

#define CACTI "CACTI 7, 22 nm itrs-hp, 360 K"
#define DSENT "DSENT Bulk22LVT, 256-bit flits"
#define GUESS "assumption, not confirmed against the paper"

const struct knob energy_knobs[] = {
    KNOB_REAL(struct energy_config, thread_instruction_pj, "pJ", 0, 1e6, 40,
	      "one thread's instruction, register file included", "30-60 pJ per thread is common; " GUESS),
    KNOB_REAL(struct energy_config, fp64_extra_pj, "pJ", 0, 1e6, 60, "added for double precision", GUESS),
    KNOB_REAL(struct energy_config, sfu_extra_pj, "pJ", 0, 1e6, 40, "added for special functions", GUESS),
    KNOB_REAL(struct energy_config, shared_cycle_pj, "pJ", 0, 1e6, 28, "one cycle of all shared-memory banks",
	      "taken as an L1 read; " GUESS),
    KNOB_REAL(struct energy_config, l1_read_pj, "pJ", 0, 1e6, 28, "L1 access, 48 KB 6-way, 128 B",
	      CACTI ", interpolated"),
    KNOB_REAL(struct energy_config, l1_write_pj, "pJ", 0, 1e6, 55, "L1 fill or write hit", CACTI ", interpolated"),
    KNOB_REAL(struct energy_config, router_flit_pj, "pJ", 0, 1e6, 9.75, "a flit through a router",
	      DSENT ": mean of 8.57 (SM-router) and 10.93 (MC-router)"),
    KNOB_REAL(struct energy_config, link_flit_pj, "pJ", 0, 1e6, 76, "a flit over a 12.3 mm link", DSENT),
    KNOB_REAL(struct energy_config, llc_tag_pj, "pJ", 0, 1e6, 5, "tag lookup of a slice", GUESS),
    KNOB_REAL(struct energy_config, llc_read_pj, "pJ", 0, 1e6, 29.3, "128 B out of a 64 KB slice", CACTI),
    KNOB_REAL(struct energy_config, llc_write_pj, "pJ", 0, 1e6, 57.8, "128 B into a 64 KB slice", CACTI),
    KNOB_REAL(struct energy_config, dram_bit_pj, "pJ/bit", 0, 1e6, 3.9, "HBM2 transfer", "O'Connor et al., MICRO 2017"),
    KNOB_REAL(struct energy_config, dram_activate_pj, "pJ", 0, 1e6, 1500, "activate and precharge of a row", GUESS),
    KNOB_REAL(struct energy_config, sm_static_w, "W", 0, 1e3, 0.283, "per SM", "AccelWattch, QV100: idle SM"),
    KNOB_REAL(struct energy_config, llc_slice_static_w, "W", 0, 1e3, 0.0199, "per slice of 64 KB", CACTI),
    KNOB_REAL(struct energy_config, router_static_w, "W", 0, 1e3, 0.05, "per router of each network",
	      DSENT ": 0.025 (SM-router) to 0.113 (MC-router)"),
    KNOB_REAL(struct energy_config, dram_static_w, "W", 0, 1e3, 8, "background power of all memory", GUESS),
    KNOB_REAL(struct energy_config, other_static_w, "W", 0, 1e3, 32.3, "the rest of the chip",
	      "AccelWattch, QV100: constant power"),
    KNOB_END,
};

const struct stat_row energy_rows[] = {
    STAT_REAL(struct energy, sm_j, "J", "instructions, shared memory"),
    STAT_REAL(struct energy, l1_j, "J", "L1 data caches"),
    STAT_REAL(struct energy, noc_j, "J", "routers and links"),
    STAT_REAL(struct energy, llc_j, "J", "LLC slices"),
    STAT_REAL(struct energy, dram_j, "J", "transfers and activations"),
    STAT_REAL(struct energy, static_j, "J", "static power times run time"),
    STAT_REAL(struct energy, total_j, "J", "sum"),
    STAT_END,
};

static double static_watts(const struct energy_config *c, const struct energy_machine *m)
{
	/* There are two networks with the same routers: one for requests, one for replies. */
	return m->sms * c->sm_static_w + m->slices * c->llc_slice_static_w + 2.0 * m->routers * c->router_static_w +
	       c->dram_static_w + c->other_static_w;
}

struct energy energy_of(const struct energy_config *c, const struct energy_machine *m, const struct sm_stats *sm,
			const struct l1_stats *l1, const struct memsys_stats *memory)
{
	const double pj = 1e-12;
	const struct noc_stats *noc = &memory->noc;
	const struct llc_stats *llc = &memory->llc;
	const struct dram_stats *dram = &memory->dram;
	double dram_bits = 8.0 * m->burst_bytes * (double)(dram->read_bursts + dram->write_bursts);
	struct energy e;

	e.sm_j = pj * ((double)sm->thread_instructions * c->thread_instruction_pj +
		       (double)sm->thread_by_class[TRACE_FP64] * c->fp64_extra_pj +
		       (double)sm->thread_by_class[TRACE_SFU] * c->sfu_extra_pj +
		       (double)sm->shared_cycles * c->shared_cycle_pj);
	e.l1_j = pj * ((double)(l1->accesses - l1->bypasses) * c->l1_read_pj +
		       (double)(l1->fills - l1->fills_dropped + l1->write_hits) * c->l1_write_pj);
	e.noc_j = pj * ((double)noc->router_flits * c->router_flit_pj + (double)noc->link_flits * c->link_flit_pj);
	e.llc_j = pj * ((double)llc->accesses * c->llc_tag_pj + (double)llc->data_replies * c->llc_read_pj +
			(double)(llc->fills + llc->writes + llc->atomics) * c->llc_write_pj);
	e.dram_j = pj * (dram_bits * c->dram_bit_pj + (double)dram->activates * c->dram_activate_pj);
	e.static_j = static_watts(c, m) * m->seconds;
	e.total_j = e.sm_j + e.l1_j + e.noc_j + e.llc_j + e.dram_j + e.static_j;
	return e;
}
