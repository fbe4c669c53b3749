/*
 * Parameters and counters of the networks: section noc of a GPU configuration, and what it reports. They describe one
 * chip. Units, ranges, defaults and sources are in noc_config.c.
 */
#ifndef ROMARK_SIM_NOC_CONFIG_H
#define ROMARK_SIM_NOC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"
#include "sim-backend/knobs/stat.h"

enum noc_switching { NOC_PACKET, NOC_FLIT };
enum noc_vc_choice { NOC_VC_ANY, NOC_VC_OUTPUT };
enum noc_arbiter { NOC_ARBITER_VC, NOC_ARBITER_INPUT };
enum noc_mesh_memory { NOC_MESH_SPREAD, NOC_MESH_EDGES };

struct noc_config {
	uint32_t topology;  /* row of topology_table */
	uint32_t clock_mhz; /* 0: the SMs' clock */
	uint32_t sm_routers, mc_routers;
	uint32_t channel_bytes;
	uint32_t vcs, vc_flits;
	uint32_t switching, vc_choice, arbiter; /* enum noc_switching, noc_vc_choice, noc_arbiter */
	uint32_t islip_iterations, speedup, output_queue;
	uint32_t router_stages, link_cycles, mc_router_delay;
	uint32_t injection_queue, ejection_queue;
	bool write_header, reply_header;               /* take a flit of their own */
	uint32_t mesh_columns, mesh_rows, mesh_memory; /* enum noc_mesh_memory */
	uint32_t ring_stops, ring_bytes;
};

extern const struct knob noc_knobs[];

struct diag;

/* Whether the networks can be built: whether the topology is possible, and its routers' ports suffice. 0, or
 * DIAG_ERROR. */
int noc_config_check(const struct noc_config *config, const struct shape *shape, struct diag *d);

/* Both networks. Latencies run from memsys_send to the cycle the reply can be received. */
struct noc_stats {
	uint64_t request_packets, request_flits, reply_packets, reply_flits;
	uint64_t router_flits; /* flits through a router's switch */
	uint64_t link_flits;   /* flits over a long link, SM-router to MC-router or back */
	uint64_t short_flits;  /* flits over any other link, also at the networks' ends */
	uint64_t switch_ports; /* of router_flits: the sum of their routers' inputs and outputs */
	uint64_t round_trips, round_trip_cycles, round_trip_max;
	/*
	 * Busy cycles of a channel, the mean over the channels of a stage: from the sources, between routers, to the
	 * sinks.
	 */
	double request_in_busy, request_links_busy, request_out_busy;
	double reply_in_busy, reply_links_busy, reply_out_busy;
};

/* The channels of a network: from the sources, between routers, to the sinks. */
enum noc_stage { NOC_IN, NOC_LINKS, NOC_OUT, NOC_STAGES };

/*
 * The load of a stage's channels. A flit keeps a channel busy for a cycle, or for longer if the link is slower than its
 * routers.
 */
struct noc_load {
	unsigned channels;
	double busy, busiest; /* cycles of all channels; of the busiest one */
};

extern const struct stat_row noc_stat_rows[];

#endif
