/*
 * Energy, computed after the run from its counters: events times energy per event, plus static power times time. The
 * results are estimates to compare organisations with each other; no chip was measured. Every value is a knob of the
 * section `energy`. energy_events.def lists the events.
 *
 *   e = energy_of(&config, &machine, &counts, &charged);       // charged: the sum of some structures' counters
 *   part = energy_of_structure(&config, &machine, &counts, &structure);
 *
 * The energy of an event belongs to the structure whose request caused it. Energy that no structure causes
 * (instructions, refreshes, a policy's directory, work at boundaries, links between chips) is `elsewhere`. All are
 * linear in the counters: the energies of two structures add up to the energy of their added counters.
 */
#ifndef ROMARK_SIM_ENERGY_H
#define ROMARK_SIM_ENERGY_H

#include "sim-backend/memory/memsys_stats.h"
#include "sim-backend/results/structure_counters.h"
#include "sim-backend/sm/sm_stats.h"

enum energy_event {
#define EVENT(name, part, price, help, source) EVENT_##name,
#include "sim-backend/energy/energy_events.def"
#undef EVENT
	ENERGY_EVENTS
};

enum energy_part {
	ENERGY_SM,
	ENERGY_L1,
	ENERGY_NOC,
	ENERGY_LLC,
	ENERGY_DIRECTORY,
	ENERGY_DRAM,
	ENERGY_LINKS,
	ENERGY_PARTS
};

/* The parts that have static power. */
enum energy_static { STATIC_SM, STATIC_NOC, STATIC_LLC, STATIC_DRAM, STATIC_OTHER, STATIC_PARTS };

struct energy_config {
	double pj[ENERGY_EVENTS];
	double link_mm, short_link_mm;
	double sm_static_w, router_port_static_w, long_link_static_w, llc_kilobyte_static_w, dram_channel_static_w;
	double other_static_w;
};

extern const struct knob energy_knobs[];

/* In joules. */
struct energy {
	double parts[ENERGY_PARTS], events[ENERGY_EVENTS], statics[STATIC_PARTS];
	double static_j, structures_j, elsewhere_j, total_j;
	double watts; /* mean power */
};

/* Rows over struct energy: the parts; the events; the parts that a structure has. */
extern const struct stat_row energy_rows[], energy_event_rows[], structure_energy_rows[];

struct energy_machine {
	uint32_t sms, chips, channels, llc_kilobytes; /* of all chips */
	uint32_t router_ports, long_links;            /* of all networks; inputs and outputs of their routers */
	uint32_t burst_bytes, channel_bytes;
	uint32_t refreshes_of_all; /* refreshes that reach each bank once; 0: as 1 */
	double seconds;
};

struct energy_counts {
	const struct sm_stats *sm;
	const struct l1_stats *l1;
	const struct noc_stats *noc;
	const struct llc_stats *llc;
	const struct dram_stats *dram;
	const struct link_stats *links;
};

/* `charged`: the structures whose energy is `structures_j`, added up; NULL = none. */
struct energy energy_of(const struct energy_config *c, const struct energy_machine *m,
			const struct energy_counts *counts, const struct structure_counters *charged);
/*
 * One structure's part of the energy. Where ways through the networks differ in length, its flits count as flits of
 * average length of way.
 */
struct energy energy_of_structure(const struct energy_config *c, const struct energy_machine *m,
				  const struct energy_counts *counts, const struct structure_counters *s);

#endif
