/* The rows of section `noc`. */
#include "sim-backend/noc/noc_config.h"

/* "|hierarchical|.." */
#define TOPOLOGY(name, ops) "|" name
static const char topologies[] =
#include "sim-backend/noc/topologies.def"
    ;
#undef TOPOLOGY

#define TABLE1 "SelRep Table I"

const struct knob noc_knobs[] = {
    KNOB_CHOICE(struct noc_config, topology, &topologies[1], 0, "routers and links of both networks",
		"SelRep section IV: the hierarchical crossbar"),
    KNOB_UINT(struct noc_config, clock_mhz, "MHz", 0, 10000, 0,
	      "clock of the networks; 0 = gpu.clock_mhz, and no faster than that", "not confirmed against the paper"),
    KNOB_UINT(struct noc_config, sm_routers, "routers", 1, 64, 16, "SM-routers; one SM-cluster stands behind each",
	      TABLE1),
    KNOB_UINT(struct noc_config, mc_routers, "routers", 1, 64, 4, "MC-routers, one per memory controller", TABLE1),
    KNOB_UINT(struct noc_config, channel_bytes, "bytes", 4, 256, 32, "width of every channel: bytes per flit", TABLE1),
    KNOB_UINT(struct noc_config, vcs, "channels", 1, 8, 4, "virtual channels per port", TABLE1),
    KNOB_UINT(struct noc_config, vc_flits, "flits", 1, 32, 8,
	      "buffer of a virtual channel; longer links and pipelines than a cycle and four stages add to it", TABLE1),
    KNOB_CHOICE(struct noc_config, switching, "packet|flit", 0,
		"whether who has the switch keeps it for its packet or for a flit", KNOB_OPEN),
    KNOB_CHOICE(
	struct noc_config, vc_choice, "any|output", 0,
	"which VC a packet takes: any that is free, or that of its output at the next router, where it is known",
	KNOB_OPEN),
    KNOB_CHOICE(struct noc_config, arbiter, "vc|input", NOC_ARBITER_INPUT,
		"what an output's round robin goes over: all input VCs, or the inputs as in iSLIP",
		"SelRep section IV: iSLIP; its pointers go over inputs (McKeown 1999)"),
    KNOB_UINT(struct noc_config, islip_iterations, "iterations", 1, 4, 1, "of switch allocation in a cycle",
	      "SelRep section IV: iSLIP; iterations not stated"),
    KNOB_UINT(struct noc_config, speedup, "", 1, 2, 1, "runs of the switch in a cycle; 2 needs switching=flit",
	      KNOB_OPEN),
    KNOB_UINT(struct noc_config, output_queue, "flits", 2, 32, 8, "queue behind a switch with a speedup of 2",
	      KNOB_OPEN),
    KNOB_UINT(struct noc_config, router_stages, "cycles", 2, 16, 4, "router pipeline", "SelRep section IV"),
    KNOB_UINT(struct noc_config, link_cycles, "cycles", 0, 128, 1,
	      "traversal of a long link: between the two stages, behind one crossbar, a hop of mesh or ring",
	      KNOB_OPEN),
    KNOB_UINT(struct noc_config, mc_router_delay, "cycles", 0, 16, 0, "extra request delay in the MC-routers",
	      "SelRep section V-C"),
    KNOB_UINT(struct noc_config, injection_queue, "packets", 1, 64, 8, "queue in front of a network's input",
	      KNOB_OPEN),
    KNOB_UINT(struct noc_config, ejection_queue, "packets", 1, 64, 8, "queue of arrived replies at an SM", KNOB_OPEN),
    KNOB_BOOL(struct noc_config, write_header, true, "a write's header takes a flit of its own",
	      "our reading: address, then data"),
    KNOB_BOOL(struct noc_config, reply_header, false, "a reply's header takes a flit of its own",
	      "our reading: it travels with the first data flit"),
    KNOB_UINT(struct noc_config, mesh_columns, "nodes", 1, 64, 5, "mesh: nodes of a row", KNOB_OPEN),
    KNOB_UINT(struct noc_config, mesh_rows, "nodes", 1, 64, 4, "mesh: rows", KNOB_OPEN),
    KNOB_CHOICE(struct noc_config, mesh_memory, "spread|edges", 0,
		"mesh: memory controllers evenly among all nodes, or in the first and the last row", KNOB_OPEN),
    KNOB_UINT(struct noc_config, ring_stops, "stops", 2, 64, 4, "ring: routers; clusters and controllers are dealt out",
	      KNOB_OPEN),
    KNOB_UINT(struct noc_config, ring_bytes, "bytes", 0, 256, 0,
	      "ring: bytes per cycle and direction of a link; 0 = channel_bytes", KNOB_OPEN),
    KNOB_END,
};
