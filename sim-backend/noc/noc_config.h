/*
 * Parameters of the networks: section noc of a GPU configuration. They describe one chip. Units, ranges, defaults and
 * sources are in noc_config.c.
 */
#ifndef ROMARK_SIM_NOC_CONFIG_H
#define ROMARK_SIM_NOC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

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

#endif
