/* The prices of events and the static powers, each with its mark: computed, published or assumed. */
#include "sim-backend/energy/energy.h"

/*
 * computed: by a tool or from a data sheet's values, for a part like ours; published: a number of a paper; assumed: by
 * us, or a number of another chip. presets/energy and presets/dram say more on each.
 */
#define COMPUTED "computed: "
#define PUBLISHED "published: "
#define ASSUMED "assumed: "

#define CACTI "CACTI 7, 22 nm itrs-hp, 360 K"
#define SLICE ", 64 KB 16-way, 32 and 128 B wide"
#define DSENT "DSENT Bulk22LVT, 1.4 GHz"
#define SWITCHES ": 0.88, 1.56, 2.93 pJ for 4, 8, 16 ports"
#define CURRENTS "supply currents of HBM, DRAMsim3's HBM1_4Gb_x128"
#define LANE "30 to 60 pJ a lane are common, its share of the issue included"

#define WATTS(field, initial, help, source) KNOB_REAL(struct energy_config, field, "W", 0, 1e3, initial, help, source)

const struct knob energy_knobs[] = {
#define EVENT(name, part, price, help, source)                                                                         \
	{#name "_pj", KNOB_TYPE_REAL, offsetof(struct energy_config, pj[EVENT_##name]), "pJ", 0, 1e9, price, NULL,     \
	 help,        source},
#include "sim-backend/energy/energy_events.def"
#undef EVENT
    KNOB_REAL(struct energy_config, link_mm, "mm", 0, 1000, 12.3, "length of a long link",
	      PUBLISHED "SelRep section V: half of Pascal's die"),
    KNOB_REAL(struct energy_config, short_link_mm, "mm", 0, 1000, 1, "length of any other link", ASSUMED "no source"),
    WATTS(sm_static_w, 0.283, "an SM, idle", ASSUMED "AccelWattch's idle SM of a QV100"),
    WATTS(router_port_static_w, 0.0069, "a port of a router, the mean of inputs and outputs, 32 B wide; clock included",
	  COMPUTED DSENT ": 25.8 mW for 4 x 4, 115 mW for 16 x 16"),
    WATTS(long_link_static_w, 0.0025, "a long link of 32 B", COMPUTED DSENT ", 12.3 mm"),
    WATTS(llc_kilobyte_static_w, 0.000311, "a kilobyte of LLC", COMPUTED CACTI ": 19.9 mW for 64 KB, 279 mW for 1 MB"),
    WATTS(dram_channel_static_w, 0.066, "a memory channel with open rows", COMPUTED CURRENTS),
    WATTS(other_static_w, 32.3, "the rest of a chip", ASSUMED "AccelWattch's constant power of a QV100"),
    KNOB_END,
};

#define ROW(field, name, unit, help) {name, STAT_TYPE_REAL, 0, offsetof(struct energy, field), unit, help}
#define PART(part, name, help) ROW(parts[ENERGY_##part], name, "J", help)
#define STATIC(part, name, help) ROW(statics[STATIC_##part], name, "J", help)

const struct stat_row energy_rows[] = {
    PART(SM, "sm_j", "instructions, shared memory"),
    PART(L1, "l1_j", "L1 data caches"),
    PART(NOC, "noc_j", "routers, links, crossbars between slices and memory channels"),
    PART(LLC, "llc_j", "LLC slices"),
    PART(DIRECTORY, "directory_j", "the LLC policy's directory"),
    PART(DRAM, "dram_j", "rows opened, bits moved, refreshes"),
    PART(LINKS, "links_j", "links between chips"),
    STATIC(SM, "static_sm_j", "static power of the SMs, times run time"),
    STATIC(NOC, "static_noc_j", "the same of routers and links"),
    STATIC(LLC, "static_llc_j", "the same of the LLC"),
    STATIC(DRAM, "static_dram_j", "the same of the memory"),
    STATIC(OTHER, "static_other_j", "the same of the rest"),
    ROW(static_j, "static_j", "J", "sum of these five"),
    ROW(structures_j, "structures_j", "J", "energy of requests for data structures: the sum over those listed"),
    ROW(elsewhere_j, "elsewhere_j", "J",
	"the rest: instructions, refreshes, directories, boundaries, links between chips; for a kernel, also the "
	"cost of earlier kernels' data"),
    {"total_j", STAT_TYPE_REAL, STAT_IS_PROMISED, offsetof(struct energy, total_j), "J",
     "the parts and static_j, which is structures_j, elsewhere_j and static_j"},
    ROW(watts, "watts", "W", "total_j over run time"),
    STAT_END,
};

const struct stat_row energy_event_rows[] = {
#define EVENT(name, part, price, help, source) ROW(events[EVENT_##name], #name "_j", "J", help),
#include "sim-backend/energy/energy_events.def"
#undef EVENT
    STAT_END,
};

const struct stat_row structure_energy_rows[] = {
    PART(L1, "l1_j", "its look-ups, hits and fills of L1s"),
    PART(NOC, "noc_j", "its requests and replies on their way"),
    PART(LLC, "llc_j", "its look-ups, reads, writes and fills of the LLC"),
    PART(DRAM, "dram_j", "rows opened for it, its bits read and written"),
    ROW(total_j, "total_j", "J", "sum of these four"),
    STAT_END,
};
