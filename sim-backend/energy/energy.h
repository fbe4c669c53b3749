/*
 * Energy, computed after the run from its counters: events times energy per event, plus static power times time. The
 * results are estimates to compare organisations with each other, not those of a measured chip. Every value is a knob
 * of the section `energy`.
 */
#ifndef ROMARK_SIM_ENERGY_H
#define ROMARK_SIM_ENERGY_H

#include "sim-backend/memsys_config.h"
#include "sim-backend/stats.h"

struct energy_config {
	double thread_instruction_pj, fp64_extra_pj, sfu_extra_pj;
	double shared_cycle_pj, l1_read_pj, l1_write_pj;
	double router_flit_pj, link_flit_pj;
	double llc_tag_pj, llc_read_pj, llc_write_pj;
	double dram_bit_pj, dram_activate_pj;
	double sm_static_w, llc_slice_static_w, router_static_w, dram_static_w, other_static_w;
};

extern const struct knob energy_knobs[];

struct energy {
	double sm_j, l1_j, noc_j, llc_j, dram_j, static_j, total_j;
};

extern const struct stat_row energy_rows[];

struct energy_machine {
	uint32_t sms, routers, slices, burst_bytes;
	double seconds;
};

struct energy energy_of(const struct energy_config *c, const struct energy_machine *m, const struct sm_stats *sm,
			const struct l1_stats *l1, const struct memsys_stats *memory);

#endif
